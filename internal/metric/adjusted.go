package metric

var adjustedMetrics = []Metric{
	{
		Tag: "adj_decode_duration", Header: "Decode Duration (error-adjusted)",
		Unit: "ms", Show: "ms", Group: "default",
		Kind: KindInjected, Value: "float",
	},
	{
		Tag: "adj_inter_token_latency", Header: "Inter Token Latency (error-adjusted)",
		Unit: "ms", Show: "ms", Group: "default",
		Kind: KindInjected, Value: "float",
	},
	{
		Tag: "adj_request_latency", Header: "Request Latency (error-adjusted)",
		Unit: "ms", Show: "ms", Group: "default",
		Kind: KindInjected, Value: "float",
	},
	{
		Tag: "adj_time_to_first_token", Header: "Time to First Token (error-adjusted)",
		Unit: "ms", Show: "ms", Group: "default",
		Kind: KindInjected, Value: "float",
	},
	{
		Tag: "credit_to_start_latency", Header: "Credit-to-Start Latency",
		Unit: "ms", Show: "ms", Group: "none",
		Kind: KindInjected, Value: "float",
	},
	{
		Tag: "effective_latency", Header: "Effective Latency (CO-aware)",
		Unit: "ms", Show: "ms", Group: "effective",
		Kind: KindInjected, Value: "float",
	},
}
