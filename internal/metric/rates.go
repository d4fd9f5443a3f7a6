package metric

import (
	"aiperf/internal/judge"
)

var ratesMetrics = []Metric{
	{
		Tag: "benchmark_duration", Header: "Benchmark Duration", Short: "Duration", HideUnit: true,
		Unit: "ns", Show: "sec", Group: "none",
		Kind: KindDerived, Value: "int", Registered: KindDerived,
		Needs:   []string{"max_response_timestamp", "min_request_timestamp"},
		Formula: "max_response_timestamp - min_request_timestamp",
		Derive:  func(v, _ []float64) (float64, bool) { return v[0] - v[1], v[0] > v[1] }, // exact in summarize: epoch ns do not fit a float64
	},
	{
		Tag: "completed_request_count", Header: "Completed Requests (Success + Error)", Short: "Completed", HideUnit: true,
		Unit: "requests", Show: "requests", Group: "default", Order: 1075,
		Kind: KindDerived, Value: "int", Registered: KindDerived,
		Flags:   NoRecords,
		Uses:    []string{"error_request_count", "request_count"},
		Formula: "request_count + error_request_count",
		Derive:  func(v, u []float64) (float64, bool) { return u[0] + u[1], u[0]+u[1] > 0 },
	},
	{
		Tag: "input_token_throughput", Header: "Input Token Throughput", Short: "Input TPS", HideUnit: true,
		Unit: "tokens/sec", Show: "tokens/sec", Group: "default", Order: 805,
		Kind: KindDerived, Value: "float", Registered: KindDerived,
		Flags:   LargerIsBetter,
		Needs:   []string{"benchmark_duration", "total_isl"},
		Formula: "total_isl / window",
		Derive:  func(v, u []float64) (float64, bool) { return quotient(v[1], v[0]) },
	},
	{
		Tag: "max_response_timestamp", Header: "Maximum Response Timestamp", Short: "Max Resp", HideUnit: true,
		Unit: "ns", Show: "ns", Group: "none",
		Kind: KindAggregate, Value: "int", Registered: KindAggregate, Aggregation: "max",
		Flags:   Internal | NoRecords,
		Needs:   []string{"request_latency"},
		Formula: "latest start + request_latency of a valid request",
		Record: func(s *judge.Sample, v []float64) (float64, bool) {
			return float64(s.Metadata.RequestStartNS) + v[0], true
		}, // exact in summarize
	},
	{
		Tag: "min_request_timestamp", Header: "Minimum Request Timestamp", Short: "Min Req", HideUnit: true,
		Unit: "ns", Show: "ns", Group: "none",
		Kind: KindAggregate, Value: "int", Registered: KindAggregate, Aggregation: "min",
		Flags:   Internal | NoRecords,
		Formula: "earliest start of a valid request",
		Record:  func(s *judge.Sample, _ []float64) (float64, bool) { return float64(s.Metadata.RequestStartNS), true }, // exact in summarize
	},
	{
		Tag: "output_token_throughput", Header: "Output Token Throughput", Short: "Output TPS", HideUnit: true,
		Unit: "tokens/sec", Show: "tokens/sec", Group: "default", Order: 800,
		Kind: KindDerived, Value: "float", Registered: KindDerived,
		Flags:   Tokens | LargerIsBetter,
		Needs:   []string{"benchmark_duration", "total_osl"},
		Formula: "total_osl / window",
		Derive:  func(v, u []float64) (float64, bool) { return quotient(v[1], v[0]) },
	},
	{
		Tag: "request_count", Header: "Request Count", Short: "Requests", HideUnit: true,
		Unit: "requests", Show: "requests", Group: "default", Order: 1100,
		Kind: KindAggregate, Value: "int", Registered: KindAggregate, Aggregation: "sum",
		Flags:   LargerIsBetter | NoRecords,
		Formula: "valid requests",
		Record:  func(s *judge.Sample, _ []float64) (float64, bool) { return 1, true },
	},
	{
		Tag: "request_error_rate", Header: "Request Error Rate", Short: "Err %", HideUnit: true,
		Unit: "%", Show: "%", Group: "default", Order: 1080,
		Kind: KindDerived, Value: "float", Registered: KindDerived,
		Flags:   NoRecords,
		Uses:    []string{"error_request_count", "request_count"},
		Formula: "100 * error_request_count / (request_count + error_request_count)",
		Derive:  func(v, u []float64) (float64, bool) { return quotient(100*u[0], u[0]+u[1]) },
	},
	{
		Tag: "request_throughput", Header: "Request Throughput", Short: "Req/sec", HideUnit: true,
		Unit: "requests/sec", Show: "requests/sec", Group: "default", Order: 900,
		Kind: KindDerived, Value: "float", Registered: KindDerived,
		Flags:   LargerIsBetter,
		Needs:   []string{"benchmark_duration", "request_count"},
		Formula: "request_count / window",
		Derive:  func(v, u []float64) (float64, bool) { return quotient(v[1], v[0]) },
	},
	{
		Tag: "total_token_throughput", Header: "Total Token Throughput", Short: "Total TPS", HideUnit: true,
		Unit: "tokens/sec", Show: "tokens/sec", Group: "none",
		Kind: KindDerived, Value: "float", Registered: KindDerived,
		Flags:   Tokens | LargerIsBetter,
		Needs:   []string{"benchmark_duration", "total_isl", "total_osl"},
		Formula: "(total_isl + total_osl) / window",
		Derive:  func(v, u []float64) (float64, bool) { return quotient(v[1]+v[2], v[0]) },
	},
}
