package main

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// own flags are those that AIPerf does not have.
var ownFlags = []string{"definitions", "window", "accept-incomplete", "dev", "skip-bad", "pass", "output", "quiet"}

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
	types := map[string]string{"seconds": "float", "key:value pairs or JSON object, repeatable": "metric:number pairs separated by spaces"}
	for _, f := range app().Flags {
		c, ok := rows["--"+f.Name]
		if !ok {
			if !slices.Contains(ownFlags, f.Name) {
				t.Errorf("--%s is not in the table", f.Name)
			}
			continue
		}
		typ := string(f.Type)
		if other := types[typ]; other == c[3] {
			typ = other // a bare number is seconds, and 300ms is read too
		}
		got := []string{strings.Join(f.Aliases, " "), typ, f.Limits, f.Default, f.InEffect, strings.Join(f.Choices, " "), f.Group}
		want := []string{c[1], c[3], c[4], c[5], c[6], c[7], c[8]}
		if !slices.Equal(got, want) {
			t.Errorf("--%s\n got %q\nwant %q", f.Name, got, want)
		}
		if c[9] != "metrics" && !strings.Contains(c[10], "metrics") {
			t.Errorf("--%s is not metrics'", f.Name)
		}
	}
}
