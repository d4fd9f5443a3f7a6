package main

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// own are the flags that AIPerf does not have.
var own = []string{"width", "force", "skip-bad"}

func TestFlagsAreThoseOfTheTable(t *testing.T) {
	b, err := os.ReadFile("../../testdata/flags.tsv")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string][]string{}
	for _, l := range strings.Split(string(b), "\n")[1:] {
		if c := strings.Split(l, "\t"); len(c) > 9 {
			rows[c[0]] = c
		}
	}
	for _, f := range app().Flags {
		c, ok := rows["--"+f.Name]
		if !ok {
			if !slices.Contains(own, f.Name) {
				t.Errorf("--%s is not in the table", f.Name)
			}
			continue
		}
		var aliases []string
		for _, a := range f.Aliases {
			aliases = append(aliases, "--"+a)
		}
		got := []string{strings.Join(aliases, " "), string(f.Type), f.Limits, f.Default, strings.Join(f.Choices, " "), f.Group, "report"}
		want := []string{c[1], c[3], c[4], c[5], c[7], c[8], c[9]}
		if !slices.Equal(got, want) {
			t.Errorf("--%s\n got %q\nwant %q", f.Name, got, want)
		}
	}
}
