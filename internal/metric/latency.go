package metric

var latencyMetrics = []Metric{
	{
		Tag: "credit_drop_latency", Header: "Credit Drop Latency", Short: "Credit Latency",
		Unit: "ns", Show: "ms", Group: "none",
		Kind: KindRecord, Value: "int", Registered: KindRecord,
		Flags: Internal,
	},
	{
		Tag: "decode_duration", Header: "Decode Duration", Short: "Decode Duration",
		Unit: "ns", Show: "ms", Group: "default", Order: 350,
		Kind: KindRecord, Value: "int", Registered: KindRecord,
		Flags: Streaming | Tokens | WithFailed,
		Needs: []string{"request_latency", "time_to_first_token"},
	},
	{
		Tag: "e2e_output_token_throughput", Header: "E2E Output Token Throughput", Short: "E2E Output TPS/User", HideUnit: true,
		Unit: "tokens/sec/user", Show: "tokens/sec/user", Group: "default", Order: 510,
		Kind: KindRecord, Value: "float", Registered: KindRecord,
		Flags: Tokens | LargerIsBetter,
		Needs: []string{"output_sequence_length", "request_latency"},
	},
	{
		Tag: "inter_chunk_latency", Header: "Inter Chunk Latency", Short: "ICL",
		Unit: "ns", Show: "ms", Group: "none",
		Kind: KindRecord, Value: "list[int]", Registered: KindRecord,
		Flags: Streaming | Tokens,
	},
	{
		Tag: "inter_token_latency", Header: "Inter Token Latency", Short: "ITL",
		Unit: "ns", Show: "ms", Group: "default", Order: 400,
		Kind: KindRecord, Value: "float", Registered: KindRecord,
		Flags: Streaming | Tokens | WithFailed,
		Needs: []string{"output_sequence_length", "request_latency", "time_to_first_token"},
	},
	{
		Tag: "output_token_throughput_per_user", Header: "Output Token Throughput Per User", Short: "Output TPS/User", HideUnit: true,
		Unit: "tokens/sec/user", Show: "tokens/sec/user", Group: "default", Order: 500,
		Kind: KindRecord, Value: "float", Registered: KindRecord,
		Flags: Streaming | Tokens | LargerIsBetter,
		Needs: []string{"inter_token_latency"},
	},
	{
		Tag: "prefill_throughput_per_user", Header: "Prefill Throughput Per User", Short: "Prefill TPS/User", HideUnit: true,
		Unit: "tokens/sec/user", Show: "tokens/sec/user", Group: "none",
		Kind: KindRecord, Value: "float", Registered: KindRecord,
		Flags: Streaming | Tokens | LargerIsBetter | TokenizesInput,
		Needs: []string{"input_sequence_length", "time_to_first_token"},
	},
	{
		Tag: "request_latency", Header: "Request Latency", Short: "Req Latency",
		Unit: "ns", Show: "ms", Group: "default", Order: 300,
		Kind: KindRecord, Value: "int", Registered: KindRecord,
		Flags: WithFailed,
	},
	{
		Tag: "stream_prefill_latency", Header: "Stream Prefill Latency",
		Unit: "ns", Show: "ms", Group: "default",
		Kind: KindRecord, Value: "int", Registered: KindRecord,
		Flags: Streaming | Tokens | Experimental,
		Needs: []string{"stream_setup_latency", "time_to_first_token"},
	},
	{
		Tag: "stream_setup_latency", Header: "Stream Setup Latency",
		Unit: "ns", Show: "ms", Group: "default",
		Kind: KindRecord, Value: "int", Registered: KindRecord,
		Flags: Streaming | Experimental,
	},
	{
		Tag: "time_to_first_output_token", Header: "Time to First Output Token", Short: "TTFO",
		Unit: "ns", Show: "ms", Group: "default", Order: 210,
		Kind: KindRecord, Value: "int", Registered: KindRecord,
		Flags: Streaming | Tokens | Reasoning,
	},
	{
		Tag: "time_to_first_token", Header: "Time to First Token", Short: "TTFT",
		Unit: "ns", Show: "ms", Group: "default", Order: 100,
		Kind: KindRecord, Value: "int", Registered: KindRecord,
		Flags: Streaming | Tokens | WithFailed,
	},
	{
		Tag: "time_to_second_token", Header: "Time to Second Token", Short: "TTST",
		Unit: "ns", Show: "ms", Group: "default", Order: 200,
		Kind: KindRecord, Value: "int", Registered: KindRecord,
		Flags: Streaming | Tokens,
	},
}
