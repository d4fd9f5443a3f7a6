package metric

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"aiperf/internal/unit"
	"aiperf/schema"
)

// A NamedRun is one run of several: its profiling metrics, or why it has none.
type NamedRun struct {
	Label   string
	Metrics map[string]schema.MetricSummary
	Error   string // not empty: the run failed
}

// A TooFewRuns says that runs do not suffice for an aggregate: the tool worked, the answer is no.
type TooFewRuns struct{ Runs, Successful int }

func (e *TooFewRuns) Error() string {
	return fmt.Sprintf("aggregate: %d of %d runs succeeded: at least 2 are needed", e.Successful, e.Runs)
}

// ExitCode is 1: worked, the answer is no.
func (e *TooFewRuns) ExitCode() int { return 1 }

// FromAIPerfJSON reads the metrics of a profile_export_aiperf.json, whose values are in display units.
func FromAIPerfJSON(label string, data []byte) (NamedRun, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return NamedRun{}, fmt.Errorf("aggregate: reading run %s: %w", label, err)
	}
	run := NamedRun{Label: label, Metrics: map[string]schema.MetricSummary{}}
	for tag, raw := range fields {
		var m struct {
			Unit *string `json:"unit"`
			schema.MetricSummary
		}
		// Other blocks of the file are no objects, have no unit, or other types below the same names.
		if json.Unmarshal(raw, &m) != nil || m.Unit == nil {
			continue
		}
		m.MetricSummary.Unit, m.DisplayUnit = *m.Unit, *m.Unit
		run.Metrics[tag] = m.MetricSummary
	}
	return run, nil
}

// Aggregate tells how each statistic varies between runs, with a Student t interval of its mean at
// a confidence level between 0 and 1. A single run given alone has no spread; of more runs at least
// two must have succeeded (TooFewRuns). A statistic of one run among several has only min and max.
func Aggregate(runs []NamedRun, level float64) (*schema.Aggregate, error) {
	if !(level > 0 && level < 1) {
		return nil, fmt.Errorf("aggregate: confidence level %v: not between 0 and 1", level)
	}
	out := &schema.Aggregate{
		Kind: schema.KindAggregate, Runs: len(runs), Level: level,
		Failed: []schema.FailedRun{}, Labels: []string{}, Metrics: map[string]schema.AggregateMetric{},
	}
	values, units := map[string][]float64{}, map[string]string{}
	for _, run := range runs {
		if run.Error != "" {
			out.Failed = append(out.Failed, schema.FailedRun{Label: run.Label, Error: run.Error})
			continue
		}
		out.Labels = append(out.Labels, run.Label)
		for tag, m := range run.Metrics {
			if slices.Contains(m.Flags, "internal") || slices.Contains(m.Flags, "experimental") {
				continue // in no file of AIPerf
			}
			for stat, p := range statistics(&m) {
				if p == nil {
					continue
				}
				show := m.DisplayUnit
				v, ok := unit.Convert(*p, m.Unit, show)
				if !ok {
					show = m.Unit
				}
				if math.IsNaN(v) || math.IsInf(v, 0) {
					continue
				}
				key := tag + "_" + stat
				values[key] = append(values[key], v)
				if _, ok := units[key]; !ok {
					units[key] = show
				}
			}
		}
	}
	out.Successful = len(out.Labels)
	if out.Successful == 0 || out.Successful == 1 && len(runs) > 1 {
		return nil, &TooFewRuns{Runs: len(runs), Successful: out.Successful}
	}
	out.Single = out.Successful == 1
	for key, list := range values {
		m := spread(list, level, out.Single)
		m.Unit = units[key]
		out.Metrics[key] = m
	}
	return out, nil
}

// statistics are those of a metric that are aggregated, by name.
func statistics(m *schema.MetricSummary) map[string]*float64 {
	return map[string]*float64{
		"avg": m.Avg, "p1": m.P1, "p5": m.P5, "p10": m.P10, "p25": m.P25, "p50": m.P50, "p75": m.P75, "p90": m.P90,
		"p95": m.P95, "p99": m.P99, "min": m.Min, "max": m.Max, "std": m.Std, "sum": m.Sum,
	}
}

// spread describes the values, at least one; single says that there was no other run to have one.
func spread(values []float64, level float64, single bool) schema.AggregateMetric {
	n := float64(len(values))
	low, high := values[0], values[0]
	var sum float64
	for _, v := range values {
		low, high = min(low, v), max(high, v)
		sum += v
	}
	m := schema.AggregateMetric{Min: &low, Max: &high}
	mean := sum / n
	if len(values) == 1 {
		if single {
			zero := 0.0
			m.Mean, m.CILow, m.CIHigh, m.Std, m.CV, m.SE = &mean, &mean, &mean, &zero, &zero, &zero
		}
		return m
	}
	var square float64
	for _, v := range values {
		square += (v - mean) * (v - mean)
	}
	std := math.Sqrt(square / (n - 1))
	se := std / math.Sqrt(n)
	t := distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile(1 - (1-level)/2)
	m.Mean, m.Std, m.SE, m.TCritical = finite(mean), finite(std), finite(se), finite(t)
	m.CV, m.CILow, m.CIHigh = finite(std/mean), finite(mean-t*se), finite(mean+t*se)
	return m
}
