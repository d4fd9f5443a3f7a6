package parity

import (
	"os"
	"path/filepath"
	"testing"
)

func TestJSON(t *testing.T) {
	none := func(string) bool { return false }
	for _, c := range []struct {
		name, got, want string
		values, faults  int
	}{
		{"equal documents have no fault", `{"a":[1,"x",null],"b":{"c":1.5}}`, `{"b":{"c":1.5},"a":[1,"x",null]}`, 4, 0},
		{"a float may be off by less than the tolerance", `{"a":1.0000000001}`, `{"a":1.0}`, 1, 0},
		{"a float may not be off by more", `{"a":1.000000002}`, `{"a":1.0}`, 1, 1},
		{"a whole number may not be off at all", `{"a":10000000000001}`, `{"a":10000000000000}`, 1, 1},
		{"a whole float is the same number", `{"a":3}`, `{"a":3.0}`, 1, 0},
		{"a missing key is a fault", `{}`, `{"a":1}`, 0, 1},
		{"a key too many is a fault", `{"a":1,"b":2}`, `{"a":1}`, 1, 1},
		{"null is not absent", `{"a":null}`, `{}`, 0, 1},
		{"a list of another length is a fault", `[1]`, `[1,2]`, 0, 1},
		{"the deviation of equal values may be rounding's", `{"avg":25.0,"std":0}`, `{"avg":25.0,"std":3.552713678800501e-15}`, 2, 0},
		{"a small deviation that is none of rounding's may not", `{"avg":25.0,"std":0}`, `{"avg":25.0,"std":1e-12}`, 2, 1},
		{"a text is not a number", `{"a":"1"}`, `{"a":1}`, 0, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, err := Decode([]byte(c.got))
			if err != nil {
				t.Fatal(err)
			}
			w, err := Decode([]byte(c.want))
			if err != nil {
				t.Fatal(err)
			}
			var d Comparison
			if d.JSON("doc", g, w, none); d.Values != c.values || len(d.Faults) != c.faults {
				t.Errorf("%d values, faults %q; want %d values, %d faults", d.Values, d.Faults, c.values, c.faults)
			}
		})
	}
}

// A missing, an extra and a changed file are each found.
func TestFilesNamesWhatDiffers(t *testing.T) {
	write := func(dir, name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	const line = `{"metadata":{"x_request_id":"r"},"metrics":{"request_latency":{"value":1.5,"unit":"ms"}}}` + "\n"
	for _, c := range []struct {
		name   string
		change func(ours string)
		faults int
	}{
		{"the same files have no fault", func(string) {}, 0},
		{"a changed cell is one", func(d string) { write(d, "profile_export_aiperf.csv", "a,2\r\n") }, 1},
		{"a missing file is one", func(d string) { os.Remove(filepath.Join(d, "profile_export_aiperf.csv")) }, 1},
		{"a file too many is one", func(d string) { write(d, "profile_export_aiperf_timeslices.csv", "x") }, 1},
		{"a changed record is one", func(d string) {
			write(d, "profile_export.jsonl", `{"metadata":{"x_request_id":"r"},"metrics":{"request_latency":{"value":1.6,"unit":"ms"}}}`)
		}, 1},
		{"another run's id is none", func(d string) { write(d, "profile_export_aiperf.json", `{"benchmark_id":"b","x":{"avg":1}}`) }, 0},
		{"a changed statistic is one", func(d string) { write(d, "profile_export_aiperf.json", `{"benchmark_id":"a","x":{"avg":2}}`) }, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			theirs, ours := t.TempDir(), t.TempDir()
			for _, d := range []string{theirs, ours} {
				write(d, "profile_export_aiperf.json", `{"benchmark_id":"a","x":{"avg":1}}`)
				write(d, "profile_export_aiperf.csv", "a,1\r\n")
				write(d, "profile_export.jsonl", line)
			}
			c.change(ours)
			var d Comparison
			if err := d.Files(theirs, ours); err != nil {
				t.Fatal(err)
			}
			if len(d.Faults) != c.faults {
				t.Errorf("faults %q, want %d", d.Faults, c.faults)
			}
		})
	}
}
