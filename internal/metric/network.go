package metric

var networkMetrics = []Metric{
	{
		Tag: "network_adjusted_request_latency", Header: "Network-Adjusted Request Latency", Short: "Net-Adj Req Latency",
		Unit: "ns", Show: "ms", Group: "default", Order: 301,
		Kind: KindInjected, Value: "int", Registered: KindDerived,
		Formula: "max(request_latency - network_rtt, 0)",
	},
	{
		Tag: "network_adjusted_time_to_first_output_token", Header: "Network-Adjusted Time to First Output Token", Short: "Net-Adj TTFO",
		Unit: "ns", Show: "ms", Group: "default", Order: 211,
		Kind: KindInjected, Value: "int", Registered: KindDerived,
		Flags:   Streaming | Tokens | Reasoning,
		Formula: "max(time_to_first_output_token - network_rtt, 0)",
	},
	{
		Tag: "network_adjusted_time_to_first_token", Header: "Network-Adjusted Time to First Token", Short: "Net-Adj TTFT",
		Unit: "ns", Show: "ms", Group: "default", Order: 101,
		Kind: KindInjected, Value: "int", Registered: KindDerived,
		Flags:   Streaming | Tokens,
		Formula: "max(time_to_first_token - network_rtt, 0)",
	},
	{
		Tag: "network_rtt", Header: "Network RTT", Short: "Net RTT",
		Unit: "ns", Show: "ms", Group: "default", Order: 305,
		Kind: KindInjected, Value: "float", Registered: KindDerived,
		Flags:   NoRecords,
		Formula: "the round trip given, or the mean of the probes that succeeded; 0: none of this family",
	},
}
