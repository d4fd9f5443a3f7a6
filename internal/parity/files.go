package parity

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// owned are the keys of the summary JSON that no two programs share: ids, commands, versions.
var owned = []string{"input_config", "run_info", "aiperf_version", "benchmark_id"}

// Files compares the export files of our report in ours with AIPerf's in theirs.
func (c *Comparison) Files(theirs, ours string) error {
	for _, name := range []string{"profile_export_aiperf.json", "profile_export_aiperf_timeslices.json"} {
		if err := c.document(theirs, ours, name); err != nil {
			return err
		}
	}
	for _, name := range []string{"profile_export_aiperf.csv", "profile_export_aiperf_timeslices.csv"} {
		if err := c.csv(theirs, ours, name); err != nil {
			return err
		}
	}
	return c.recordFile(theirs, ours)
}

// both reads a file of both; false when AIPerf has none.
func (c *Comparison) both(theirs, ours, name string) (want, got []byte, ok bool, err error) {
	want, err = os.ReadFile(filepath.Join(theirs, name))
	if os.IsNotExist(err) {
		if _, err := os.Stat(filepath.Join(ours, name)); err == nil {
			c.Faultf("%s: AIPerf wrote none", name)
		}
		return nil, nil, false, nil
	}
	if err != nil {
		return nil, nil, false, err
	}
	got, err = os.ReadFile(filepath.Join(ours, name))
	if os.IsNotExist(err) {
		c.Faultf("%s is missing", name)
		return nil, nil, false, nil
	}
	return want, got, err == nil, err
}

func (c *Comparison) document(theirs, ours, name string) error {
	want, got, ok, err := c.both(theirs, ours, name)
	if !ok {
		return err
	}
	w, err := Decode(want)
	if err != nil {
		return fmt.Errorf("AIPerf's %s: %w", name, err)
	}
	g, err := Decode(got)
	if err != nil {
		return fmt.Errorf("our %s: %w", name, err)
	}
	for _, d := range []any{w, g} {
		if o, ok := d.(map[string]any); ok {
			if l, ok := o["error_summary"].([]any); ok { // equal counts stand in the order of coming
				slices.SortFunc(l, func(a, b any) int { return strings.Compare(brief(a), brief(b)) })
			}
		}
	}
	c.JSON(name, g, w, func(key string) bool { return slices.Contains(owned, key) })
	return nil
}

// Decode reads one JSON document and keeps its numbers as they are written.
func Decode(b []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var v any
	return v, d.Decode(&v)
}

// csv compares byte for byte, and names the lines that differ.
func (c *Comparison) csv(theirs, ours, name string) error {
	want, got, ok, err := c.both(theirs, ours, name)
	if !ok {
		return err
	}
	w, g := strings.Split(string(want), "\n"), strings.Split(string(got), "\n")
	for i := range max(len(w), len(g)) {
		c.Values++
		switch {
		case i >= len(g):
			c.Faultf("%s: no line %d; AIPerf has %q", name, i+1, w[i])
		case i >= len(w):
			c.Faultf("%s: line %d is not in AIPerf's: %q", name, i+1, g[i])
		case w[i] != g[i]:
			c.Faultf("%s: line %d is %q, AIPerf's %q", name, i+1, g[i], w[i])
		}
	}
	return nil
}

func (c *Comparison) recordFile(theirs, ours string) error {
	const name = "profile_export.jsonl"
	want, got, ok, err := c.both(theirs, ours, name)
	if !ok {
		return err
	}
	w, err := byRequest(want)
	if err != nil {
		return fmt.Errorf("AIPerf's %s: %w", name, err)
	}
	g, err := byRequest(got)
	if err != nil {
		return fmt.Errorf("our %s: %w", name, err)
	}
	c.JSON(name, g, w, func(string) bool { return false })
	return nil
}

// byRequest reads records by their x_request_id.
func byRequest(lines []byte) (map[string]any, error) {
	all := map[string]any{}
	num := 0
	for l := range bytes.Lines(lines) {
		num++
		v, err := Decode(l)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", num, err)
		}
		o, _ := v.(map[string]any)
		m, _ := o["metadata"].(map[string]any)
		id, _ := m["x_request_id"].(string)
		if id == "" || all[id] != nil {
			return nil, fmt.Errorf("line %d: x_request_id %q twice or missing", num, id)
		}
		all[id] = v
	}
	return all, nil
}
