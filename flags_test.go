package aiperf

import (
	"encoding/json"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// A described flag is what --describe-flags prints.
type described struct {
	Flag     string   `json:"flag"`
	Aliases  []string `json:"aliases"`
	Negative string   `json:"negative"`
	Type     string   `json:"type"`
	Limits   string   `json:"limits"`
	Default  string   `json:"default"`
	InEffect string   `json:"in_effect"`
	Choices  []string `json:"choices"`
	Refused  string   `json:"refused"`
}

// Every flag of every tool stands in AIPerf's table and is as the table says, on a tool that the table
// gives it to; or it is one of ours, listed in testdata/flags-own.txt, where deliberate differences stand too.
func TestFlagsAreThoseOfTheTable(t *testing.T) {
	rows := flagTable(t)
	own, used := map[string]bool{}, map[string]bool{}
	b, err := os.ReadFile("testdata/flags-own.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			own[line] = true
		}
	}
	for _, tool := range tools(t) {
		for _, args := range [][]string{{"--describe-flags"}, {"aggregate", "--describe-flags"}} {
			if len(args) == 2 && tool != "aiperf-metrics" {
				continue
			}
			out, err := exec.Command(tool, args...).Output()
			if err != nil {
				t.Errorf("%s %s: %v", tool, strings.Join(args, " "), err)
				continue
			}
			var flags []described
			if err := json.Unmarshal(out, &flags); err != nil {
				t.Errorf("%s: %v", tool, err)
			}
			for _, f := range flags {
				entry := tool + " " + f.Flag
				row, ok := rows[f.Flag]
				switch {
				case ok && tool != "aiperf-mock": // a server has habits of its own: AIPerf's table is the client's
					compare(t, tool, f, row, own, used)
					continue
				case !own[entry]:
					t.Errorf("%s is not in the table, nor in testdata/flags-own.txt", entry)
				}
				used[entry] = true
			}
		}
	}
	for entry := range own {
		if tool, _, _ := strings.Cut(entry, " "); !used[entry] && slices.Contains(tools(t), tool) {
			t.Errorf("testdata/flags-own.txt: %s does not exist", entry)
		}
	}
}

// flagTable is testdata/flags.tsv by flag, each row by column.
func flagTable(t *testing.T) map[string]map[string]string {
	b, err := os.ReadFile("testdata/flags.tsv")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimRight(string(b), "\n"), "\n")
	head := strings.Split(lines[0], "\t")
	rows := map[string]map[string]string{}
	for _, line := range lines[1:] {
		row := map[string]string{}
		for i, cell := range strings.Split(line, "\t") {
			row[head[i]] = cell
		}
		rows[row["flag"]] = row
	}
	if len(rows) < 200 {
		t.Fatalf("%d flags in the table", len(rows))
	}
	return rows
}

func compare(t *testing.T, tool string, f described, row map[string]string, own, used map[string]bool) {
	sorted := func(list []string) string {
		list = slices.Clone(list)
		slices.Sort(list)
		return strings.Join(list, " ")
	}
	owners := append(strings.Fields(row["also"]), row["owner"])
	if !slices.Contains(owners, strings.TrimPrefix(tool, "aiperf-")) {
		t.Errorf("%s %s: the table gives it to %s", tool, f.Flag, strings.Join(owners, ", "))
	}
	typ, _, _ := strings.Cut(row["type"], ", or list") // a sweep is the front's
	typ, _, _ = strings.Cut(typ, " (")
	if typ == "float" && (f.Type == "seconds" || f.Type == "milliseconds") {
		typ = f.Type // a bare number in the table's unit, and 300ms is read too
	}
	for _, c := range []struct{ what, got, want string }{
		{"aliases", sorted(f.Aliases), sorted(strings.Fields(row["aliases"]))},
		{"negative", f.Negative, row["negative"]},
		{"type", f.Type, typ},
		{"limits", f.Limits, row["limits"]},
		{"default", f.Default, strings.Trim(row["default"], "[]")},
		{"choices", strings.Join(f.Choices, " "), row["choices"]},
	} {
		if entry := strings.Join([]string{tool, f.Flag, c.what, c.got}, " "); own[entry] {
			if c.got == c.want {
				t.Errorf("testdata/flags-own.txt: %s is the table's own", entry)
			}
			used[entry] = true
		} else if c.got != c.want {
			t.Errorf("%s %s: %s %q, want %q", tool, f.Flag, c.what, c.got, c.want)
		}
	}
}
