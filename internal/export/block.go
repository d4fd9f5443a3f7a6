package export

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"aiperf/internal/unit"
	"aiperf/schema"
)

// A stat is one statistic of a metric and its name in the files.
type stat struct {
	name string
	get  func(*schema.MetricSummary) *float64
}

func statsNamed(names string) []stat {
	get := map[string]func(*schema.MetricSummary) *float64{
		"avg": func(m *schema.MetricSummary) *float64 { return m.Avg },
		"min": func(m *schema.MetricSummary) *float64 { return m.Min },
		"max": func(m *schema.MetricSummary) *float64 { return m.Max },
		"sum": func(m *schema.MetricSummary) *float64 { return m.Sum },
		"std": func(m *schema.MetricSummary) *float64 { return m.Std },
		"p1":  func(m *schema.MetricSummary) *float64 { return m.P1 },
		"p5":  func(m *schema.MetricSummary) *float64 { return m.P5 },
		"p10": func(m *schema.MetricSummary) *float64 { return m.P10 },
		"p25": func(m *schema.MetricSummary) *float64 { return m.P25 },
		"p50": func(m *schema.MetricSummary) *float64 { return m.P50 },
		"p75": func(m *schema.MetricSummary) *float64 { return m.P75 },
		"p90": func(m *schema.MetricSummary) *float64 { return m.P90 },
		"p95": func(m *schema.MetricSummary) *float64 { return m.P95 },
		"p99": func(m *schema.MetricSummary) *float64 { return m.P99 },
	}
	var out []stat
	for _, n := range strings.Fields(names) {
		out = append(out, stat{n, get[n]})
	}
	return out
}

var (
	csvStats     = statsNamed("avg min max sum p1 p5 p10 p25 p50 p75 p90 p95 p99 std")
	jsonHead     = statsNamed("avg p1 p5 p10 p25 p50 p75 p90 p95 p99 min max std") // then count, then sum
	consoleStats = statsNamed("avg min max p99 p90 p50 std")
	percentiles  = statsNamed("p1 p5 p10 p25 p50 p75 p90 p95 p99")
)

// display returns m in its display unit. A unit that cannot be converted is kept, with its name.
func display(m schema.MetricSummary) schema.MetricSummary {
	if m.DisplayUnit == "" || m.DisplayUnit == m.Unit {
		m.DisplayUnit = m.Unit
		return m
	}
	f, ok := unit.Convert(1, m.Unit, m.DisplayUnit)
	if !ok {
		m.DisplayUnit = m.Unit
		return m
	}
	for _, p := range []**float64{&m.Avg, &m.Min, &m.Max, &m.Sum, &m.Std,
		&m.P1, &m.P5, &m.P10, &m.P25, &m.P50, &m.P75, &m.P90, &m.P95, &m.P99} {
		if *p != nil {
			v := **p * f
			*p = &v
		}
	}
	m.Unit = m.DisplayUnit
	return m
}

// has reports a flag of m, whatever its spelling ("http_trace", "HTTP_TRACE_ONLY").
func has(m *schema.MetricSummary, flag string) bool {
	return slices.ContainsFunc(m.Flags, func(f string) bool {
		return strings.TrimSuffix(strings.ToLower(f), "_only") == strings.TrimSuffix(flag, "_only")
	})
}

// hidden metrics are computed for others' sake and in no output.
func hidden(m *schema.MetricSummary) bool { return has(m, "internal") || has(m, "experimental") }

// shown returns the metrics that outputs have, in display units.
func shown(in map[string]schema.MetricSummary) map[string]schema.MetricSummary {
	out := make(map[string]schema.MetricSummary, len(in))
	for tag, m := range in {
		if !hidden(&m) {
			out[tag] = display(m)
		}
	}
	return out
}

func sortedTags(ms map[string]schema.MetricSummary) []string {
	return slices.Sorted(maps.Keys(ms))
}

// declared are the metrics that AIPerf's JSON has first, in its order.
var declared = strings.Fields(`request_throughput request_latency request_count time_to_first_token
	time_to_second_token inter_token_latency output_token_throughput output_token_throughput_per_user
	output_sequence_length input_sequence_length goodput good_request_count output_token_count
	reasoning_token_count inter_chunk_latency total_output_tokens total_reasoning_tokens
	benchmark_duration total_isl total_osl error_request_count error_isl total_error_isl`)

// further returns the tags of ms that are not declared, in the order of AIPerf's JSON: registered
// metrics by their place in the table, error-adjusted ones, curves, the injected rest.
func further(ms map[string]schema.MetricSummary) []string {
	var tags []string
	for tag := range ms {
		if !slices.Contains(declared, tag) {
			tags = append(tags, tag)
		}
	}
	class := func(tag string) int {
		switch t := ms[tag].Type; {
		case strings.HasPrefix(tag, "adj_"):
			return 1
		case t == "sweep":
			return 2
		case t == "injected":
			return 3
		}
		return 0
	}
	slices.SortFunc(tags, func(a, b string) int {
		return cmp.Or(cmp.Compare(class(a), class(b)), cmp.Compare(ms[a].Rank, ms[b].Rank), cmp.Compare(a, b))
	})
	return tags
}
