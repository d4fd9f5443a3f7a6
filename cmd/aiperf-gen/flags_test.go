package main

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// own are the flags that AIPerf does not have.
var own = []string{"corpus", "output", "quiet"}

func TestFlagsAreThoseOfTheTable(t *testing.T) {
	b, err := os.ReadFile("../../testdata/flags.tsv")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string][]string{}
	for _, l := range strings.Split(string(b), "\n")[1:] {
		if c := strings.Split(l, "\t"); len(c) > 10 {
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
			if len(a) > 1 {
				a = "-" + a
			}
			aliases = append(aliases, "-"+a)
		}
		typ, _, _ := strings.Cut(c[3], ", or list") // a sweep is the front's
		typ, _, _ = strings.Cut(typ, " (")
		if got := string(f.Type); got == "seconds" && typ == "float" {
			typ = got // a bare number is seconds, and 300ms is read too
		}
		table := strings.Fields(c[1])
		slices.Sort(table)
		slices.Sort(aliases)
		got := []string{strings.Join(aliases, " "), string(f.Type), f.Limits, f.Default, f.InEffect, strings.Join(f.Choices, " "), f.Group}
		want := []string{strings.Join(table, " "), typ, c[4], strings.TrimPrefix(c[5], "[]"), c[6], c[7], c[8]}
		if !slices.Equal(got, want) {
			t.Errorf("--%s\n got %q\nwant %q", f.Name, got, want)
		}
		if c[9] != "gen" && !strings.Contains(c[10], "gen") {
			t.Errorf("--%s is not gen's", f.Name)
		}
	}
}
