package metric

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"

	"aiperf/schema"
)

func TestAggregateEqualsARealOne(t *testing.T) {
	dir := filepath.Join(peerRuns, "three-runs")
	var runs []NamedRun
	paths, _ := filepath.Glob(filepath.Join(dir, "profile_runs", "*", "profile_export_aiperf.json"))
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		run, err := FromAIPerfJSON(filepath.Base(filepath.Dir(path)), data)
		if err != nil {
			t.Fatal(err)
		}
		runs = append(runs, run)
	}
	got, err := Aggregate(runs, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	var want struct {
		Metadata schema.Aggregate
		Metrics  map[string]schema.AggregateMetric
	}
	readJSON(t, filepath.Join(dir, "aggregate", "profile_export_aiperf_aggregate.json"), &want)
	if w := want.Metadata; got.Runs != w.Runs || got.Successful != w.Successful || len(got.Labels) != len(w.Labels) || len(got.Failed) != 0 {
		t.Errorf("metadata = %+v, want %+v", got, w)
	}
	if len(want.Metrics) != 619 || len(got.Metrics) != len(want.Metrics) {
		t.Errorf("%d keys, want %d", len(got.Metrics), len(want.Metrics))
	}
	for key, w := range want.Metrics {
		compareSpread(t, key, got.Metrics[key], w)
	}
}

func compareSpread(t *testing.T, key string, g, w schema.AggregateMetric) {
	t.Helper()
	if g.Unit != w.Unit {
		t.Errorf("%s: unit %q, want %q", key, g.Unit, w.Unit)
	}
	for _, p := range []struct {
		name string
		g, w *float64
	}{
		{"mean", g.Mean, w.Mean}, {"std", g.Std, w.Std}, {"min", g.Min, w.Min}, {"max", g.Max, w.Max}, {"cv", g.CV, w.CV},
		{"se", g.SE, w.SE}, {"ci_low", g.CILow, w.CILow}, {"ci_high", g.CIHigh, w.CIHigh}, {"t_critical", g.TCritical, w.TCritical},
	} {
		switch {
		case (p.g == nil) != (p.w == nil):
			t.Errorf("%s: %s: nil is %v, want %v", key, p.name, p.g == nil, p.w == nil)
		case p.g != nil && math.Abs(*p.g-*p.w) > 1e-9*math.Max(1, math.Abs(*p.w)):
			t.Errorf("%s: %s = %v, want %v", key, p.name, *p.g, *p.w)
		}
	}
}

func TestAggregate(t *testing.T) {
	latency := func(label string, ns float64) NamedRun {
		return NamedRun{Label: label, Metrics: map[string]schema.MetricSummary{
			"request_latency":     {Unit: "ns", DisplayUnit: "ms", Avg: &ns, Count: ref(int64(9))},
			"credit_drop_latency": {Unit: "ns", DisplayUnit: "ms", Avg: &ns, Flags: []string{"internal"}},
		}}
	}
	failed := NamedRun{Label: "b", Error: "boom"}
	for _, c := range []struct {
		name string
		runs []NamedRun
		want schema.AggregateMetric
	}{
		{"three runs in display units", []NamedRun{latency("a", 19e6), latency("b", 20e6), latency("c", 21e6)}, schema.AggregateMetric{
			Mean: ref(20.0), Std: ref(1.0), Min: ref(19.0), Max: ref(21.0), CV: ref(0.05), SE: ref(1 / math.Sqrt(3)),
			CILow: ref(20 - 4.302652729749462/math.Sqrt(3)), CIHigh: ref(20 + 4.302652729749462/math.Sqrt(3)), TCritical: ref(4.302652729749462), Unit: "ms",
		}},
		{"a negative mean has a negative cv", []NamedRun{latency("a", -1e6), latency("b", -3e6)}, schema.AggregateMetric{
			Mean: ref(-2.0), Std: ref(math.Sqrt2), Min: ref(-3.0), Max: ref(-1.0), CV: ref(-math.Sqrt2 / 2), SE: ref(1.0),
			CILow: ref(-2 - 12.706204736174694), CIHigh: ref(-2 + 12.706204736174694), TCritical: ref(12.706204736174694), Unit: "ms",
		}},
		{"a mean of 0 has no cv", []NamedRun{latency("a", 0), latency("b", 0)}, schema.AggregateMetric{
			Mean: ref(0.0), Std: ref(0.0), Min: ref(0.0), Max: ref(0.0), SE: ref(0.0), CILow: ref(0.0), CIHigh: ref(0.0), TCritical: ref(12.706204736174694), Unit: "ms",
		}},
		{"a key of one run among several has only its range", []NamedRun{latency("a", 5e6), {Label: "b"}}, schema.AggregateMetric{
			Min: ref(5.0), Max: ref(5.0), Unit: "ms",
		}},
		{"a value that is not finite is left out", []NamedRun{latency("a", 5e6), latency("b", math.Inf(1))}, schema.AggregateMetric{
			Min: ref(5.0), Max: ref(5.0), Unit: "ms",
		}},
		{"one run alone has no spread", []NamedRun{latency("a", 5e6)}, schema.AggregateMetric{
			Mean: ref(5.0), Std: ref(0.0), Min: ref(5.0), Max: ref(5.0), CV: ref(0.0), SE: ref(0.0), CILow: ref(5.0), CIHigh: ref(5.0), Unit: "ms",
		}},
	} {
		got, err := Aggregate(c.runs, 0.95)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if len(got.Metrics) != 1 {
			t.Errorf("%s: keys %v, want request_latency_avg only", c.name, got.Metrics)
		}
		compareSpread(t, c.name, got.Metrics["request_latency_avg"], c.want)
	}
	for _, runs := range [][]NamedRun{nil, {failed}, {latency("a", 1), failed}} {
		var few *TooFewRuns
		if _, err := Aggregate(runs, 0.95); !errors.As(err, &few) || few.ExitCode() != 1 {
			t.Errorf("Aggregate of %d runs: %v, want too few", len(runs), err)
		}
	}
	if a, err := Aggregate([]NamedRun{latency("a", 1), failed, latency("c", 2)}, 0.9); err != nil || len(a.Failed) != 1 || a.Successful != 2 || a.Single {
		t.Errorf("a failed run among three: %+v, %v", a, err)
	}
	for _, level := range []float64{0, 1, math.NaN()} {
		if _, err := Aggregate([]NamedRun{latency("a", 1)}, level); err == nil {
			t.Errorf("level %v is taken", level)
		}
	}
}
