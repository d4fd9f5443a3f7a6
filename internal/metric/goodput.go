package metric

import "aiperf/internal/judge"

var goodputMetrics = []Metric{
	{
		Tag: "good_request_count", Header: "Good Request Count", HideUnit: true,
		Unit: "requests", Show: "requests", Group: "none",
		Kind: KindAggregate, Value: "float", Registered: KindAggregate, Aggregation: "sum",
		Flags:   Goodput,
		Formula: "requests that reach every goal; a request without one of the metrics does not count",
		Bind: func(o *Options) func(*judge.Sample, []float64) (float64, bool) {
			return func(_ *judge.Sample, v []float64) (float64, bool) { return good(o.Goodput, v), true }
		},
	},
	{
		Tag: "good_request_fraction", Header: "GoodRequestFraction", Short: "GoodReqFrac", HideUnit: true,
		Unit: "ratio", Show: "ratio", Group: "none",
		Kind: KindDerived, Value: "float", Registered: KindDerived,
		Flags:   LargerIsBetter | Goodput,
		Uses:    []string{"error_request_count", "good_request_count", "request_count"},
		Formula: "good_request_count / (request_count + error_request_count); without requests 0",
		Derive: func(v []float64, _ float64) (float64, bool) {
			x, _ := quotient(orZero(v[1]), orZero(v[0])+orZero(v[2]))
			return x, true
		},
	},
	{
		Tag: "goodput", Header: "Goodput", Short: "Goodput", HideUnit: true,
		Unit: "requests/sec", Show: "requests/sec", Group: "default", Order: 1000,
		Kind: KindDerived, Value: "float", Registered: KindDerived,
		Flags:   Goodput,
		Needs:   []string{"benchmark_duration", "good_request_count"},
		Formula: "good_request_count / T",
		Derive:  rate,
	},
}
