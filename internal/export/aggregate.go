package export

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"aiperf/schema"
)

// The files of several runs (metrics-and-exports 4.11). AIPerf's order of metrics differs from run to
// run; ours is by name.
const aggregateName = "aggregate/profile_export_aiperf_aggregate"

var spreadColumns = []string{"mean", "std", "min", "max", "cv", "se", "ci_low", "ci_high", "t_critical"}

func spreadValues(m *schema.AggregateMetric) []*float64 {
	return []*float64{m.Mean, m.Std, m.Min, m.Max, m.CV, m.SE, m.CILow, m.CIHigh, m.TCritical}
}

// AggregateJSON is profile_export_aiperf_aggregate.json.
func (r *Report) AggregateJSON() ([]byte, error) {
	a := r.Aggregate
	var o, meta, metrics object
	o.add("schema_version", "1.0")
	o.add("aiperf_version", r.Version)
	meta.add("aggregation_type", "confidence")
	meta.add("num_profile_runs", a.Runs)
	meta.add("num_successful_runs", a.Successful)
	meta.add("failed_runs", a.Failed)
	meta.float("confidence_level", &a.Level)
	meta.add("run_labels", a.Labels)
	meta.float("cooldown_seconds", &a.Cooldown)
	if a.Single {
		meta.add("single_run", true)
	}
	o.raw("metadata", meta.bytes())
	for _, key := range slices.Sorted(maps.Keys(a.Metrics)) {
		m := a.Metrics[key]
		var b object
		for i, v := range spreadValues(&m) {
			if finite(v) {
				b.float(spreadColumns[i], v)
			} else {
				b.raw(spreadColumns[i], []byte("null"))
			}
		}
		b.add("unit", m.Unit)
		metrics.raw(key, b.bytes())
	}
	o.raw("metrics", metrics.bytes())
	return indented(o.bytes())
}

// AggregateCSV is profile_export_aiperf_aggregate.csv.
func (r *Report) AggregateCSV() []byte {
	a := r.Aggregate
	t := newCSV()
	t.row(append(append([]string{"metric"}, spreadColumns...), "unit")...)
	for _, key := range slices.Sorted(maps.Keys(a.Metrics)) {
		t.row(spreadRow(key, a.Metrics[key])...)
	}
	t.gap(1)
	t.row("Aggregation Type", "confidence")
	t.row("Total Runs", strconv.Itoa(a.Runs))
	t.row("Successful Runs", strconv.Itoa(a.Successful))
	t.row("Confidence Level", string(appendFloat(nil, a.Level)))
	var labels []string
	for _, l := range a.Labels {
		labels = append(labels, "'"+l+"'")
	}
	t.row("Run Labels", "["+strings.Join(labels, ", ")+"]")
	t.row("Cooldown Seconds", string(appendFloat(nil, a.Cooldown)))
	return t.bytes()
}

func spreadRow(key string, m schema.AggregateMetric) []string {
	cells := []string{key}
	for i, v := range spreadValues(&m) {
		digits := 2
		switch spreadColumns[i] {
		case "cv", "se", "t_critical":
			digits = 4
		}
		switch {
		case finite(v):
			cells = append(cells, strconv.FormatFloat(*v, 'f', digits, 64))
		case spreadColumns[i] == "cv" && finite(m.Mean) && *m.Mean == 0: // a deviation of nothing
			cells = append(cells, "inf")
		default:
			cells = append(cells, "")
		}
	}
	return append(cells, m.Unit)
}

// headline are the metrics of the console's table of several runs, each by the first statistic it has.
var headline = []string{"request_throughput", "output_token_throughput", "time_to_first_token", "inter_token_latency", "request_latency", "goodput"}

// spread draws the runs' table.
func (p *painter) spread(a *schema.Aggregate) {
	head := []string{"Metric", "mean", "std", "min", "max", "CV", fmt.Sprintf("%s %% CI", strconv.FormatFloat(a.Level*100, 'f', -1, 64))}
	var rows [][]string
	for _, tag := range headline {
		for _, stat := range []string{"avg", "p50", "p99", "max"} {
			m, ok := a.Metrics[tag+"_"+stat]
			if !ok || stat == "max" && len(rows) > 0 && strings.HasPrefix(rows[len(rows)-1][0], tag) {
				continue
			}
			ci := "N/A"
			if finite(m.CILow) && finite(m.CIHigh) {
				ci = thousands(m.CILow) + " – " + thousands(m.CIHigh)
			}
			cv := "N/A"
			if finite(m.CV) {
				cv = strconv.FormatFloat(*m.CV*100, 'f', 2, 64) + " %"
			}
			rows = append(rows, []string{fmt.Sprintf("%s %s (%s)", tag, stat, m.Unit), thousands(m.Mean), thousands(m.Std), thousands(m.Min), thousands(m.Max), cv, ci})
		}
	}
	p.fit(Brand+" | Confidence over "+strconv.Itoa(a.Successful)+" Runs", head, rows)
	for _, f := range a.Failed {
		p.say(fmt.Sprintf("Run %s counts for nothing: %s", f.Label, f.Error))
	}
	p.say("CV, the deviation over the mean: below 5 % the runs agree well, above 20 % they do not.")
}
