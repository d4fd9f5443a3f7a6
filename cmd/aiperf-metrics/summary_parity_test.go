package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"aiperf/schema"
)

// A comparison counts values and remembers the worst.
type comparison struct {
	values int
	worst  float64
}

func (c *comparison) float(t *testing.T, what string, got *float64, want float64, factor float64) {
	t.Helper()
	c.values++
	if got == nil {
		t.Errorf("%s is missing; AIPerf has %v", what, want)
		return
	}
	d := apart(*got*factor, want)
	c.worst = math.Max(c.worst, d)
	if d > tolerance {
		t.Errorf("%s = %v, AIPerf has %v", what, *got*factor, want)
	}
}

// factors lead from a metric's unit to its display unit.
var factors = map[[2]string]float64{{"ns", "ms"}: 1e-6, {"ns", "sec"}: 1e-9, {"B", "KB"}: 1.0 / 1024, {"sec", "ms"}: 1e3}

// blocks compares AIPerf's metric blocks (the members of obj that have a unit) with ours: none missing,
// none too many. left names what this run's files cannot give.
func (c *comparison) blocks(t *testing.T, where string, obj map[string]json.RawMessage, ours map[string]schema.MetricSummary, left func(tag string) bool) {
	t.Helper()
	theirs := map[string]map[string]any{}
	for tag, raw := range obj {
		var b map[string]any
		if json.Unmarshal(raw, &b) == nil && b["unit"] != nil {
			theirs[tag] = b
		}
	}
	for _, tag := range slices.Sorted(maps.Keys(theirs)) {
		if left(tag) {
			continue
		}
		m, ok := ours[tag]
		if !ok {
			t.Errorf("%s: no %s", where, tag)
			continue
		}
		b := theirs[tag]
		if b["unit"] != m.DisplayUnit {
			t.Errorf("%s: %s in %s, AIPerf's in %v", where, tag, m.DisplayUnit, b["unit"])
		}
		factor := factors[[2]string{m.Unit, m.DisplayUnit}]
		if m.Unit == m.DisplayUnit {
			factor = 1
		}
		stats := map[string]*float64{"avg": m.Avg, "min": m.Min, "max": m.Max, "sum": m.Sum, "std": m.Std, "p1": m.P1, "p5": m.P5,
			"p10": m.P10, "p25": m.P25, "p50": m.P50, "p75": m.P75, "p90": m.P90, "p95": m.P95, "p99": m.P99}
		for key, want := range b {
			switch x, _ := want.(float64); key {
			case "unit":
			case "count":
				c.values++
				if m.Count == nil || float64(*m.Count) != x {
					t.Errorf("%s: %s count is not AIPerf's %v", where, tag, x)
				}
			default:
				c.float(t, where+": "+tag+" "+key, stats[key], x, factor)
			}
		}
	}
	for tag, m := range ours {
		if theirs[tag] == nil && !left(tag) && !slices.Contains(m.Flags, "internal") && !slices.Contains(m.Flags, "experimental") {
			t.Errorf("%s: %s is not among AIPerf's", where, tag)
		}
	}
}

func object(t *testing.T, path string) map[string]json.RawMessage {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var o map[string]json.RawMessage
	if err := json.Unmarshal(b, &o); err != nil {
		t.Fatal(err)
	}
	return o
}

// gpu names the blocks that come from telemetry.
func gpu(tag string) bool { return strings.HasPrefix(tag, "nvidia_") || strings.HasPrefix(tag, "amd_") }

func summaries(t *testing.T, out string) map[string]schema.Summary {
	t.Helper()
	sums := map[string]schema.Summary{}
	for _, l := range strings.Split(out, "\n") {
		var s schema.Summary
		if json.Unmarshal([]byte(l), &s) == nil && s.Kind == schema.KindSummary {
			sums[s.Phase] = s
		}
	}
	return sums
}

// inputs are the files of a run that a recomputation reads, in one command.
func inputs(dir string) []string {
	var files []string
	for _, f := range []string{"profile_export_raw.jsonl", "profile_export.jsonl", "phase_manifest.json", "inputs.json",
		"profile_export_network_latency.jsonl", "gpu_telemetry_export.jsonl", "trace.jsonl", "server_metrics_export.json"} {
		if _, err := os.Stat(dir + "/" + f); err == nil {
			files = append(files, dir+"/"+f)
		}
	}
	return files
}

// TestSummariesEqualAIPerfs recomputes every kept run from its files and compares each block with
// AIPerf's summary, warmup and slices included: counts exactly, floats at 1e-9 relative.
func TestSummariesEqualAIPerfs(t *testing.T) {
	runs := peerRuns(t)
	for _, name := range slices.Sorted(maps.Keys(runs)) {
		t.Run(name, func(t *testing.T) {
			dir := peer + "/" + name
			code, out, errs := tool("", append(runs[name].args(), inputs(dir)...)...)
			if code != 0 {
				t.Fatalf("exit %d: %s", code, errs)
			}
			var c comparison
			c.run(t, dir, summaries(t, out), gpu)
			t.Logf("%-16s %6d values, worst relative difference %.1e", name, c.values, c.worst)
		})
	}
}

func (c *comparison) run(t *testing.T, dir string, sums map[string]schema.Summary, left func(string) bool) {
	t.Helper()
	want := object(t, dir+"/profile_export_aiperf.json")
	s := sums[schema.PhaseProfiling]
	c.blocks(t, "profiling", want, s.Metrics, left)
	if raw, ok := want["warmup_metrics"]; ok {
		var w map[string]json.RawMessage
		if err := json.Unmarshal(raw, &w); err != nil {
			t.Fatal(err)
		}
		c.blocks(t, "warmup", w, sums[schema.PhaseWarmup].Metrics, left)
	}
	for key, got := range map[string]any{"error_summary": s.ErrorSummary, "pooled_spec_decode_acceptance_histogram": s.PooledSpec} {
		a, b := sorted(t, got), sorted(t, want[key])
		b = strings.ReplaceAll(b, `"message":"",`, "") // an empty message is absent in a summary, the report writes it
		if raw, ok := want[key]; ok && !bytes.Equal(raw, []byte("[]")) && a != b {
			t.Errorf("%s: %s, AIPerf's %s", key, a, b)
		}
	}
	if _, err := os.Stat(dir + "/profile_export_aiperf_timeslices.json"); err != nil {
		return
	}
	var slicesOf struct{ Timeslices []map[string]json.RawMessage }
	if err := json.Unmarshal(mustMarshal(t, object(t, dir+"/profile_export_aiperf_timeslices.json")), &slicesOf); err != nil {
		t.Fatal(err)
	}
	if len(slicesOf.Timeslices) != len(s.Timeslices) {
		t.Fatalf("%d slices, AIPerf has %d", len(s.Timeslices), len(slicesOf.Timeslices))
	}
	for i, w := range slicesOf.Timeslices {
		got := s.Timeslices[i]
		if string(w["start_ns"]) != fmt.Sprint(got.StartNS) || string(w["end_ns"]) != fmt.Sprint(got.EndNS) ||
			(string(w["is_complete"]) == "false") == got.IsComplete {
			t.Errorf("slice %d: [%d, %d) complete %v, AIPerf's [%s, %s) %s", i, got.StartNS, got.EndNS, got.IsComplete, w["start_ns"], w["end_ns"], w["is_complete"])
		}
		c.blocks(t, fmt.Sprintf("slice %d", i), w, got.Metrics, left)
	}
}

func mustMarshal(t *testing.T, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// sorted is JSON with sorted keys and, at the top, sorted items.
func sorted(t *testing.T, v any) string {
	t.Helper()
	var x any
	if err := json.Unmarshal(mustMarshal(t, v), &x); err != nil {
		t.Fatal(err)
	}
	if list, ok := x.([]any); ok {
		var items []string
		for _, it := range list {
			items = append(items, string(mustMarshal(t, it)))
		}
		slices.Sort(items)
		return strings.Join(items, "\n")
	}
	return string(mustMarshal(t, x))
}
