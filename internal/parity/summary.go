package parity

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"aiperf/schema"
)

type object = map[string]json.RawMessage

// factors lead from a metric's unit to its display unit.
var factors = map[[2]string]float64{{"ns", "ms"}: 1e-6, {"ns", "sec"}: 1e-9, {"B", "KB"}: 1.0 / 1024, {"sec", "ms"}: 1e3}

// Summaries reads the summary lines of aiperf-metrics, by phase.
func Summaries(out string) map[string]schema.Summary {
	sums := map[string]schema.Summary{}
	for l := range strings.Lines(out) {
		var s schema.Summary
		if json.Unmarshal([]byte(l), &s) == nil && s.Kind == schema.KindSummary {
			sums[s.Phase] = s
		}
	}
	return sums
}

// Blocks compares AIPerf's metric blocks (the members of obj that have a unit) with ours: none missing,
// none too many. left names what this run's files cannot give.
func (c *Comparison) Blocks(where string, obj object, ours map[string]schema.MetricSummary, left func(tag string) bool) {
	theirs := map[string]map[string]any{}
	for tag, raw := range obj {
		var b map[string]any
		if json.Unmarshal(raw, &b) == nil && b["unit"] != nil {
			theirs[tag] = b
		}
	}
	for _, tag := range sortedKeys(theirs) {
		if left(tag) {
			continue
		}
		m, ok := ours[tag]
		if !ok {
			c.Faultf("%s: no %s", where, tag)
			continue
		}
		c.block(where+": "+tag, m, theirs[tag])
	}
	for _, tag := range sortedKeys(ours) {
		hidden := slices.Contains(ours[tag].Flags, "internal") || slices.Contains(ours[tag].Flags, "experimental")
		if theirs[tag] == nil && !left(tag) && !hidden {
			c.Faultf("%s: %s is not among AIPerf's", where, tag)
		}
	}
}

func (c *Comparison) block(where string, m schema.MetricSummary, want map[string]any) {
	if want["unit"] != m.DisplayUnit {
		c.Faultf("%s in %s, AIPerf's in %v", where, m.DisplayUnit, want["unit"])
	}
	factor := factors[[2]string{m.Unit, m.DisplayUnit}]
	if m.Unit == m.DisplayUnit {
		factor = 1
	}
	stats := map[string]*float64{"avg": m.Avg, "min": m.Min, "max": m.Max, "sum": m.Sum, "std": m.Std, "p1": m.P1, "p5": m.P5,
		"p10": m.P10, "p25": m.P25, "p50": m.P50, "p75": m.P75, "p90": m.P90, "p95": m.P95, "p99": m.P99}
	for _, key := range sortedKeys(want) {
		switch x, _ := want[key].(float64); key {
		case "unit":
		case "count":
			c.Values++
			if m.Count == nil || float64(*m.Count) != x {
				c.Faultf("%s count is not AIPerf's %v", where, x)
			}
		default:
			if stats[key] == nil {
				c.Values++
				c.Faultf("%s %s is missing; AIPerf has %v", where, key, x)
				continue
			}
			if mean, _ := want["avg"].(float64); key == "std" && flat(x, mean) && flat(*stats[key]*factor, mean) {
				c.Values++
				continue
			}
			c.Number(where+" "+key, *stats[key]*factor, x)
		}
	}
}

// Summary compares the summaries of a run with AIPerf's in dir: the profiling phase, warmup, the
// errors, the pooled histogram and the slices.
func (c *Comparison) Summary(dir string, sums map[string]schema.Summary, left func(tag string) bool) error {
	var want object
	if err := read(filepath.Join(dir, "profile_export_aiperf.json"), &want); err != nil {
		return err
	}
	s := sums[schema.PhaseProfiling]
	c.Blocks("profiling", want, s.Metrics, left)
	if raw, ok := want["warmup_metrics"]; ok {
		var w object
		if err := json.Unmarshal(raw, &w); err != nil {
			return err
		}
		c.Blocks("warmup", w, sums[schema.PhaseWarmup].Metrics, left)
	}
	for key, got := range map[string]any{"error_summary": s.ErrorSummary, "pooled_spec_decode_acceptance_histogram": s.PooledSpec} {
		a, err := sorted(got)
		if err != nil {
			return err
		}
		b, err := sorted(want[key])
		if err != nil {
			return err
		}
		b = strings.ReplaceAll(b, `"message":"",`, "") // an empty message is absent in a summary, the report writes it
		if raw, ok := want[key]; ok && string(raw) != "[]" && a != b {
			c.Faultf("%s: %s, AIPerf's %s", key, a, b)
		}
	}
	var theirs struct{ Timeslices []object }
	if err := read(filepath.Join(dir, "profile_export_aiperf_timeslices.json"), &theirs); os.IsNotExist(err) {
		return nil
	} else if err != nil {
		return err
	}
	if len(theirs.Timeslices) != len(s.Timeslices) {
		c.Faultf("%d slices, AIPerf has %d", len(s.Timeslices), len(theirs.Timeslices))
		return nil
	}
	for i, w := range theirs.Timeslices {
		got := s.Timeslices[i]
		if string(w["start_ns"]) != fmt.Sprint(got.StartNS) || string(w["end_ns"]) != fmt.Sprint(got.EndNS) ||
			(string(w["is_complete"]) == "false") == got.IsComplete {
			c.Faultf("slice %d: [%d, %d) complete %v, AIPerf's [%s, %s) %s", i, got.StartNS, got.EndNS, got.IsComplete, w["start_ns"], w["end_ns"], w["is_complete"])
		}
		c.Blocks(fmt.Sprintf("slice %d", i), w, got.Metrics, left)
	}
	return nil
}

// read decodes a JSON file.
func read(path string, v any) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(b, v); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// sorted is JSON with sorted keys and, at the top, sorted items.
func sorted(v any) (string, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return "", err
	}
	var x any
	if err := json.Unmarshal(b, &x); err != nil {
		return "", err
	}
	list, ok := x.([]any)
	if !ok {
		b, err = json.Marshal(x)
		return string(b), err
	}
	var items []string
	for _, it := range list {
		b, err := json.Marshal(it)
		if err != nil {
			return "", err
		}
		items = append(items, string(b))
	}
	slices.Sort(items)
	return strings.Join(items, "\n"), nil
}
