package metric

var errorsMetrics = []Metric{
	{
		Tag: "context_overflow_count", Header: "Context Overflow Count", Short: "Ctx Overflow", HideUnit: true,
		Unit: "requests", Show: "requests", Group: "default",
		Kind: KindAggregate, Value: "int", Registered: KindAggregate, Aggregation: "sum",
		Flags: ErrorOnly | NoRecords,
	},
	{
		Tag: "error_request_count", Header: "Error Request Count", Short: "Error Count", HideUnit: true,
		Unit: "requests", Show: "requests", Group: "default",
		Kind: KindAggregate, Value: "int", Registered: KindAggregate, Aggregation: "sum",
		Flags: ErrorOnly | NoRecords,
	},
	{
		Tag: "skipped_context_overflow_count", Header: "",
		Unit: "requests", Show: "requests", Group: "none",
		Kind: KindInjected, Value: "int",
	},
}
