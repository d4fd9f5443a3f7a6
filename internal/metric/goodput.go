package metric

import (
	"aiperf/internal/judge"
)

var goodputMetrics = []Metric{
	{
		Tag: "good_request_count", Header: "Good Request Count", HideUnit: true,
		Unit: "requests", Show: "requests", Group: "none",
		Kind: KindAggregate, Value: "float", Registered: KindAggregate, Aggregation: "sum",
		Flags:   Goodput,
		Formula: "valid requests that meet every goal",
		Count:   func(o *Options, s *judge.Sample, _ []float64) (float64, bool) { return 0, false }, // Run.good: its needs are the goals of the run
	},
	{
		Tag: "good_request_fraction", Header: "GoodRequestFraction", Short: "GoodReqFrac", HideUnit: true,
		Unit: "ratio", Show: "ratio", Group: "none",
		Kind: KindDerived, Value: "float", Registered: KindDerived,
		Flags:   LargerIsBetter | Goodput,
		Uses:    []string{"error_request_count", "good_request_count", "request_count"},
		Formula: "good_request_count / (request_count + error_request_count)",
		Derive: func(_, u []float64) (float64, bool) {
			if u[0]+u[2] == 0 {
				return 0, true
			}
			return u[1] / (u[0] + u[2]), true
		},
	},
	{
		Tag: "goodput", Header: "Goodput", Short: "Goodput", HideUnit: true,
		Unit: "requests/sec", Show: "requests/sec", Group: "default", Order: 1000,
		Kind: KindDerived, Value: "float", Registered: KindDerived,
		Flags:   Goodput,
		Needs:   []string{"benchmark_duration", "good_request_count"},
		Formula: "good_request_count / window",
		Derive:  func(v, u []float64) (float64, bool) { return quotient(v[1], v[0]) },
	},
}
