package metric

var prefixMetrics = []Metric{
	{
		Tag: "theoretical_prefix_cache_hit", Header: "Theoretical Prefix Cache Hit",
		Unit: "%", Show: "%", Group: "default",
		Kind: KindInjected, Value: "float",
		Formula: "100 * prompt blocks seen before / prompt blocks, over valid requests",
	},
}
