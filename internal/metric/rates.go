package metric

var ratesMetrics = []Metric{
	{
		Tag: "benchmark_duration", Header: "Benchmark Duration", Short: "Duration", HideUnit: true,
		Unit: "ns", Show: "sec", Group: "none",
		Kind: KindDerived, Value: "int", Registered: KindDerived,
		Needs: []string{"max_response_timestamp", "min_request_timestamp"},
	},
	{
		Tag: "completed_request_count", Header: "Completed Requests (Success + Error)", Short: "Completed", HideUnit: true,
		Unit: "requests", Show: "requests", Group: "default", Order: 1075,
		Kind: KindDerived, Value: "int", Registered: KindDerived,
		Flags: NoRecords,
		Uses:  []string{"error_request_count", "request_count"},
	},
	{
		Tag: "input_token_throughput", Header: "Input Token Throughput", Short: "Input TPS", HideUnit: true,
		Unit: "tokens/sec", Show: "tokens/sec", Group: "default", Order: 805,
		Kind: KindDerived, Value: "float", Registered: KindDerived,
		Flags: LargerIsBetter,
		Needs: []string{"benchmark_duration", "total_isl"},
	},
	{
		Tag: "max_response_timestamp", Header: "Maximum Response Timestamp", Short: "Max Resp", HideUnit: true,
		Unit: "ns", Show: "ns", Group: "none",
		Kind: KindAggregate, Value: "int", Registered: KindAggregate, Aggregation: "max",
		Flags: Internal | NoRecords,
		Needs: []string{"request_latency"},
	},
	{
		Tag: "min_request_timestamp", Header: "Minimum Request Timestamp", Short: "Min Req", HideUnit: true,
		Unit: "ns", Show: "ns", Group: "none",
		Kind: KindAggregate, Value: "int", Registered: KindAggregate, Aggregation: "min",
		Flags: Internal | NoRecords,
	},
	{
		Tag: "output_token_throughput", Header: "Output Token Throughput", Short: "Output TPS", HideUnit: true,
		Unit: "tokens/sec", Show: "tokens/sec", Group: "default", Order: 800,
		Kind: KindDerived, Value: "float", Registered: KindDerived,
		Flags: Tokens | LargerIsBetter,
		Needs: []string{"benchmark_duration", "total_osl"},
	},
	{
		Tag: "request_count", Header: "Request Count", Short: "Requests", HideUnit: true,
		Unit: "requests", Show: "requests", Group: "default", Order: 1100,
		Kind: KindAggregate, Value: "int", Registered: KindAggregate, Aggregation: "sum",
		Flags: LargerIsBetter | NoRecords,
	},
	{
		Tag: "request_error_rate", Header: "Request Error Rate", Short: "Err %", HideUnit: true,
		Unit: "%", Show: "%", Group: "default", Order: 1080,
		Kind: KindDerived, Value: "float", Registered: KindDerived,
		Flags: NoRecords,
		Uses:  []string{"error_request_count", "request_count"},
	},
	{
		Tag: "request_throughput", Header: "Request Throughput", Short: "Req/sec", HideUnit: true,
		Unit: "requests/sec", Show: "requests/sec", Group: "default", Order: 900,
		Kind: KindDerived, Value: "float", Registered: KindDerived,
		Flags: LargerIsBetter,
		Needs: []string{"benchmark_duration", "request_count"},
	},
	{
		Tag: "total_token_throughput", Header: "Total Token Throughput", Short: "Total TPS", HideUnit: true,
		Unit: "tokens/sec", Show: "tokens/sec", Group: "none",
		Kind: KindDerived, Value: "float", Registered: KindDerived,
		Flags: Tokens | LargerIsBetter,
		Needs: []string{"benchmark_duration", "total_isl", "total_osl"},
	},
}
