package metric

var curveMetrics = []Metric{
	{
		Tag: "effective_concurrency", Header: "Effective Concurrency",
		Unit: "requests", Show: "requests", Group: "effective",
		Kind: KindSweep, Value: "float",
	},
	{
		Tag: "effective_decode_throughput", Header: "Effective Decode Throughput",
		Unit: "tokens/sec", Show: "tokens/sec", Group: "effective",
		Kind: KindSweep, Value: "float",
	},
	{
		Tag: "effective_prefill_throughput", Header: "Effective Prefill Throughput",
		Unit: "tokens/sec", Show: "tokens/sec", Group: "effective",
		Kind: KindSweep, Value: "float",
	},
	{
		Tag: "effective_decode_concurrency", Header: "Effective Decode Concurrency",
		Unit: "requests", Show: "requests", Group: "effective",
		Kind: KindSweep, Value: "float",
	},
	{
		Tag: "effective_prefill_concurrency", Header: "Effective Prefill Concurrency",
		Unit: "requests", Show: "requests", Group: "effective",
		Kind: KindSweep, Value: "float",
	},
	{
		Tag: "effective_total_throughput", Header: "Effective Total Throughput",
		Unit: "tokens/sec", Show: "tokens/sec", Group: "effective",
		Kind: KindSweep, Value: "float",
	},
	{
		Tag: "effective_decode_throughput_per_user", Header: "Effective Decode Throughput Per User",
		Unit: "tokens/sec/user", Show: "tokens/sec/user", Group: "effective",
		Kind: KindSweep, Value: "float",
	},
	{
		Tag: "effective_prefill_throughput_per_user", Header: "Effective Prefill Throughput Per User",
		Unit: "tokens/sec/user", Show: "tokens/sec/user", Group: "effective",
		Kind: KindSweep, Value: "float",
	},
	{
		Tag: "tokens_in_flight", Header: "Tokens In Flight",
		Unit: "tokens", Show: "tokens", Group: "effective",
		Kind: KindSweep, Value: "float",
	},
	{
		Tag: "active_decode_throughput", Header: "Active Decode Throughput",
		Unit: "tokens/sec", Show: "tokens/sec", Group: "active",
		Kind: KindSweep, Value: "float",
	},
	{
		Tag: "active_prefill_throughput", Header: "Active Prefill Throughput",
		Unit: "tokens/sec", Show: "tokens/sec", Group: "active",
		Kind: KindSweep, Value: "float",
	},
	{
		Tag: "active_decode_throughput_per_user", Header: "Active Decode Throughput Per User",
		Unit: "tokens/sec/user", Show: "tokens/sec/user", Group: "active",
		Kind: KindSweep, Value: "float",
	},
	{
		Tag: "active_prefill_throughput_per_user", Header: "Active Prefill Throughput Per User",
		Unit: "tokens/sec/user", Show: "tokens/sec/user", Group: "active",
		Kind: KindSweep, Value: "float",
	},
	{
		Tag: "active_total_throughput", Header: "Active Total Throughput",
		Unit: "tokens/sec", Show: "tokens/sec", Group: "active",
		Kind: KindSweep, Value: "float",
	},
}
