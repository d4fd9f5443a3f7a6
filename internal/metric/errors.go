package metric

import (
	"aiperf/internal/judge"
)

var errorsMetrics = []Metric{
	{
		Tag: "context_overflow_count", Header: "Context Overflow Count", Short: "Ctx Overflow", HideUnit: true,
		Unit: "requests", Show: "requests", Group: "default",
		Kind: KindAggregate, Value: "int", Registered: KindAggregate, Aggregation: "sum",
		Flags:   ErrorOnly | NoRecords,
		Formula: "failed requests whose message says that the context was exceeded",
		Count:   func(o *Options, s *judge.Sample, _ []float64) (float64, bool) { return overflow(o, s), true },
	},
	{
		Tag: "error_request_count", Header: "Error Request Count", Short: "Error Count", HideUnit: true,
		Unit: "requests", Show: "requests", Group: "default",
		Kind: KindAggregate, Value: "int", Registered: KindAggregate, Aggregation: "sum",
		Flags:   ErrorOnly | NoRecords,
		Formula: "failed requests",
		Record:  func(s *judge.Sample, _ []float64) (float64, bool) { return 1, true },
	},
	{
		Tag: "skipped_context_overflow_count", Header: "",
		Unit: "requests", Show: "requests", Group: "none",
		Kind: KindInjected, Value: "int",
		Formula: "requests that a replay left out because their context was full",
	},
}
