package metric

// adjustedMetrics count each failed request as one that took for ever.
var adjustedMetrics = []Metric{
	{
		Tag: "adj_request_latency", Header: "Request Latency (error-adjusted)",
		Unit: "ms", Show: "ms", Group: "default",
		Kind: KindInjected, Value: "float",
		Formula: "request_latency, each failed request standing behind all values; nearest rank",
	},
	{
		Tag: "adj_time_to_first_token", Header: "Time to First Token (error-adjusted)",
		Unit: "ms", Show: "ms", Group: "default",
		Kind: KindInjected, Value: "float",
		Formula: "time_to_first_token, each failed request standing behind all values; nearest rank",
	},
	{
		Tag: "adj_decode_duration", Header: "Decode Duration (error-adjusted)",
		Unit: "ms", Show: "ms", Group: "default",
		Kind: KindInjected, Value: "float",
		Formula: "decode_duration, each failed request standing behind all values; nearest rank",
	},
	{
		Tag: "adj_inter_token_latency", Header: "Inter Token Latency (error-adjusted)",
		Unit: "ms", Show: "ms", Group: "default",
		Kind: KindInjected, Value: "float",
		Formula: "inter_token_latency, each failed request standing behind all values; nearest rank",
	},
}

// creditMetrics begin with the decision to send.
var creditMetrics = []Metric{
	{
		Tag: "credit_to_start_latency", Header: "Credit-to-Start Latency",
		Unit: "ms", Show: "ms", Group: "none",
		Kind: KindInjected, Value: "float",
		Formula: "max(start - decision to send, 0); failed requests too",
	},
	{
		Tag: "effective_latency", Header: "Effective Latency (CO-aware)",
		Unit: "ms", Show: "ms", Group: "effective",
		Kind: KindInjected, Value: "float",
		Formula: "max(end - decision to send, 0); failed requests too",
	},
}
