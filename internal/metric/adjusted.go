package metric

// adjustedMetrics count every failed request as one that took for ever.
var adjustedMetrics = []Metric{
	{
		Tag: "adj_request_latency", Header: "Request Latency (error-adjusted)",
		Unit: "ms", Show: "ms", Group: "default",
		Kind: KindInjected, Value: "float",
		Formula: "request_latency with +Inf for each failed request; nearest rank",
	},
	{
		Tag: "adj_time_to_first_token", Header: "Time to First Token (error-adjusted)",
		Unit: "ms", Show: "ms", Group: "default",
		Kind: KindInjected, Value: "float",
		Formula: "time_to_first_token with +Inf for each failed request; nearest rank",
	},
	{
		Tag: "adj_decode_duration", Header: "Decode Duration (error-adjusted)",
		Unit: "ms", Show: "ms", Group: "default",
		Kind: KindInjected, Value: "float",
		Formula: "decode_duration with +Inf for each failed request; nearest rank",
	},
	{
		Tag: "adj_inter_token_latency", Header: "Inter Token Latency (error-adjusted)",
		Unit: "ms", Show: "ms", Group: "default",
		Kind: KindInjected, Value: "float",
		Formula: "inter_token_latency with +Inf for each failed request; nearest rank",
	},
}

var creditMetrics = []Metric{
	{
		Tag: "credit_to_start_latency", Header: "Credit-to-Start Latency",
		Unit: "ms", Show: "ms", Group: "none",
		Kind: KindInjected, Value: "float",
		Formula: "max(start - credit issued, 0), failed requests too",
	},
	{
		Tag: "effective_latency", Header: "Effective Latency (CO-aware)",
		Unit: "ms", Show: "ms", Group: "effective",
		Kind: KindInjected, Value: "float",
		Formula: "max(end - credit issued, 0), failed requests too",
	},
}
