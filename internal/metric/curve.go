package metric

var curveMetrics = []Metric{
	{
		Tag: "effective_concurrency", Header: "Effective Concurrency",
		Unit: "requests", Show: "requests", Group: "effective",
		Kind: KindSweep, Value: "float",
		Formula: "requests between start and end",
	},
	{
		Tag: "effective_decode_throughput", Header: "Effective Decode Throughput",
		Unit: "tokens/sec", Show: "tokens/sec", Group: "effective",
		Kind: KindSweep, Value: "float",
		Formula: "(output_sequence_length - 1) spread evenly over the chunk gaps above 0",
	},
	{
		Tag: "effective_prefill_throughput", Header: "Effective Prefill Throughput",
		Unit: "tokens/sec", Show: "tokens/sec", Group: "effective",
		Kind: KindSweep, Value: "float",
		Formula: "input_sequence_length / time_to_first_token, until the first token",
	},
	{
		Tag: "effective_decode_concurrency", Header: "Effective Decode Concurrency",
		Unit: "requests", Show: "requests", Group: "effective",
		Kind: KindSweep, Value: "float",
		Formula: "requests between first token and end",
	},
	{
		Tag: "effective_prefill_concurrency", Header: "Effective Prefill Concurrency",
		Unit: "requests", Show: "requests", Group: "effective",
		Kind: KindSweep, Value: "float",
		Formula: "requests between start and first token",
	},
	{
		Tag: "effective_total_throughput", Header: "Effective Total Throughput",
		Unit: "tokens/sec", Show: "tokens/sec", Group: "effective",
		Kind: KindSweep, Value: "float",
		Formula: "prefill rate until the first token, then (output_sequence_length - 1) / (end - first token)",
	},
	{
		Tag: "effective_decode_throughput_per_user", Header: "Effective Decode Throughput Per User",
		Unit: "tokens/sec/user", Show: "tokens/sec/user", Group: "effective",
		Kind: KindSweep, Value: "float",
		Formula: "effective_decode_throughput / effective_decode_concurrency",
	},
	{
		Tag: "effective_prefill_throughput_per_user", Header: "Effective Prefill Throughput Per User",
		Unit: "tokens/sec/user", Show: "tokens/sec/user", Group: "effective",
		Kind: KindSweep, Value: "float",
		Formula: "effective_prefill_throughput / effective_prefill_concurrency",
	},
	{
		Tag: "tokens_in_flight", Header: "Tokens In Flight",
		Unit: "tokens", Show: "tokens", Group: "effective",
		Kind: KindSweep, Value: "float",
		Formula: "input tokens from the start, output tokens as they come, until the end",
	},
	{
		Tag: "active_decode_throughput", Header: "Active Decode Throughput",
		Unit: "tokens/sec", Show: "tokens/sec", Group: "active",
		Kind: KindSweep, Value: "float",
		Formula: "effective_decode_throughput while a request decodes",
	},
	{
		Tag: "active_prefill_throughput", Header: "Active Prefill Throughput",
		Unit: "tokens/sec", Show: "tokens/sec", Group: "active",
		Kind: KindSweep, Value: "float",
		Formula: "effective_prefill_throughput while a request waits for its first token",
	},
	{
		Tag: "active_decode_throughput_per_user", Header: "Active Decode Throughput Per User",
		Unit: "tokens/sec/user", Show: "tokens/sec/user", Group: "active",
		Kind: KindSweep, Value: "float",
		Formula: "effective_decode_throughput_per_user while a request decodes",
	},
	{
		Tag: "active_prefill_throughput_per_user", Header: "Active Prefill Throughput Per User",
		Unit: "tokens/sec/user", Show: "tokens/sec/user", Group: "active",
		Kind: KindSweep, Value: "float",
		Formula: "effective_prefill_throughput_per_user while a request waits for its first token",
	},
	{
		Tag: "active_total_throughput", Header: "Active Total Throughput",
		Unit: "tokens/sec", Show: "tokens/sec", Group: "active",
		Kind: KindSweep, Value: "float",
		Formula: "effective_total_throughput while there is a request",
	},
}
