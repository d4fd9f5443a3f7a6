package export

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"aiperf/internal/metric"
)

const threeRuns = "../../testdata/peer/aiperf-0.13.0/three-runs/"

// The files of AIPerf's own three runs, made from their summaries: the JSON by value, the CSV's rows byte
// for byte (AIPerf's order of rows is arbitrary, ours by name).
func TestAggregateFilesAreAIPerfs(t *testing.T) {
	var runs []metric.NamedRun
	for _, name := range []string{"run_0001", "run_0002", "run_0003"} {
		b, err := os.ReadFile(threeRuns + "profile_runs/" + name + "/profile_export_aiperf.json")
		if err != nil {
			t.Fatal(err)
		}
		run, err := metric.FromAIPerfJSON(name, b)
		if err != nil {
			t.Fatal(err)
		}
		runs = append(runs, run)
	}
	a, err := metric.Aggregate(runs, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	r := &Report{Version: "0.13.0", Aggregate: a}
	got, err := r.AggregateJSON()
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(threeRuns + "aggregate/profile_export_aiperf_aggregate.json")
	if err != nil {
		t.Fatal(err)
	}
	type file struct {
		Schema   string                     `json:"schema_version"`
		Version  string                     `json:"aiperf_version"`
		Metadata map[string]json.RawMessage `json:"metadata"`
		Metrics  map[string]map[string]any  `json:"metrics"`
	}
	var g, w file
	if json.Unmarshal(got, &g) != nil || json.Unmarshal(want, &w) != nil {
		t.Fatal("not JSON")
	}
	if g.Schema != w.Schema || g.Version != w.Version || len(g.Metadata) != len(w.Metadata) || len(g.Metrics) != len(w.Metrics) || len(w.Metrics) < 600 {
		t.Fatalf("%d metrics and %d metadata keys, want %d and %d", len(g.Metrics), len(g.Metadata), len(w.Metrics), len(w.Metadata))
	}
	for k, v := range w.Metadata {
		if strings.Join(strings.Fields(string(g.Metadata[k])), "") != strings.Join(strings.Fields(string(v)), "") {
			t.Errorf("metadata %s: %s, want %s", k, g.Metadata[k], v)
		}
	}
	for key, m := range w.Metrics {
		for field, x := range m {
			y, ok := g.Metrics[key][field]
			a, isNumber := x.(float64)
			b, _ := y.(float64)
			if !ok || !isNumber && x != y || isNumber && math.Abs(a-b) > 1e-9*math.Max(1, math.Abs(a)) {
				t.Errorf("%s %s = %v, want %v", key, field, y, x)
			}
		}
	}
	csv, err := os.ReadFile(threeRuns + "aggregate/profile_export_aiperf_aggregate.csv")
	if err != nil {
		t.Fatal(err)
	}
	sorted := func(b []byte) []string {
		head, rest, _ := bytes.Cut(b, []byte("\r\n"))
		table, tail, _ := bytes.Cut(rest, []byte("\r\n\r\n"))
		rows := strings.Split(string(table), "\r\n")
		slices.Sort(rows)
		return append(append([]string{string(head)}, rows...), string(tail))
	}
	gs, ws := sorted(r.AggregateCSV()), sorted(csv)
	if len(gs) != len(ws) {
		t.Fatalf("CSV: %d rows, want %d", len(gs), len(ws))
	}
	for i := range ws {
		if gs[i] != ws[i] {
			t.Errorf("CSV row %d: %q, want %q", i, gs[i], ws[i])
		}
	}
}
