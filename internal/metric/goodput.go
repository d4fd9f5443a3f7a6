package metric

var goodputMetrics = []Metric{
	{
		Tag: "good_request_count", Header: "Good Request Count", HideUnit: true,
		Unit: "requests", Show: "requests", Group: "none",
		Kind: KindAggregate, Value: "float", Registered: KindAggregate, Aggregation: "sum",
		Flags: Goodput,
	},
	{
		Tag: "good_request_fraction", Header: "GoodRequestFraction", Short: "GoodReqFrac", HideUnit: true,
		Unit: "ratio", Show: "ratio", Group: "none",
		Kind: KindDerived, Value: "float", Registered: KindDerived,
		Flags: LargerIsBetter | Goodput,
		Uses:  []string{"error_request_count", "good_request_count", "request_count"},
	},
	{
		Tag: "goodput", Header: "Goodput", Short: "Goodput", HideUnit: true,
		Unit: "requests/sec", Show: "requests/sec", Group: "default", Order: 1000,
		Kind: KindDerived, Value: "float", Registered: KindDerived,
		Flags: Goodput,
		Needs: []string{"benchmark_duration", "good_request_count"},
	},
}
