package metric

import "aiperf/internal/judge"

import "math"

var discrepancyMetrics = []Metric{
	{
		Tag: "osl_mismatch_count", Header: "OSL Mismatch Count", Short: "OSL Mismatches", HideUnit: true,
		Unit: "requests", Show: "requests", Group: "none",
		Kind: KindAggregate, Value: "int", Registered: KindAggregate, Aggregation: "sum",
		Flags:   Tokens | NoRecords | DisableOnAccuracy,
		Needs:   []string{"osl_mismatch_diff_pct", "output_sequence_length", "requested_osl"},
		Formula: "requests whose OSL is off by more than min(requested_osl * 5 %, 50)",
		Count: func(o *Options, _ *judge.Sample, v []float64) (float64, bool) {
			return oslMismatch(o, v[1], v[2]), true
		},
	},
	{
		Tag: "osl_mismatch_diff_pct", Header: "OSL Mismatch Diff %", Short: "OSL Diff", HideUnit: true,
		Unit: "%", Show: "%", Group: "none",
		Kind: KindRecord, Value: "float", Registered: KindRecord,
		Flags:   Tokens | DisableOnAccuracy,
		Needs:   []string{"output_sequence_length", "requested_osl"},
		Formula: "100 * (output_sequence_length - requested_osl) / requested_osl",
		Record:  func(s *judge.Sample, v []float64) (float64, bool) { return quotient(100*(v[0]-v[1]), v[1]) },
	},
	{
		Tag: "requested_osl", Header: "Requested OSL", Short: "Req OSL",
		Unit: "tokens", Show: "tokens", Group: "none",
		Kind: KindRecord, Value: "int", Registered: KindRecord,
		Flags:   Tokens | Internal,
		Formula: "output cap asked for",
		Record:  func(s *judge.Sample, v []float64) (float64, bool) { return whole(s.RequestedOSL) },
	},
	{
		Tag: "usage_completion_tokens_diff_pct", Header: "Usage Completion Diff %", Short: "Completion Diff", HideUnit: true,
		Unit: "%", Show: "%", Group: "none",
		Kind: KindRecord, Value: "float", Registered: KindRecord,
		Flags:   Tokens | UsageDiff,
		Needs:   []string{"output_sequence_length", "usage_completion_tokens"},
		Formula: "100 * |usage_completion_tokens - output_sequence_length| / output_sequence_length",
		Record:  func(s *judge.Sample, v []float64) (float64, bool) { return quotient(100*math.Abs(v[1]-v[0]), v[0]) },
	},
	{
		Tag: "usage_discrepancy_count", Header: "Usage Discrepancy Count", Short: "Discrepancies", HideUnit: true,
		Unit: "requests", Show: "requests", Group: "none",
		Kind: KindAggregate, Value: "int", Registered: KindAggregate, Aggregation: "sum",
		Flags:   NoRecords | UsageDiff,
		Needs:   []string{"usage_completion_tokens_diff_pct", "usage_prompt_tokens_diff_pct"},
		Formula: "requests with a usage difference above 10 %",
		Count: func(o *Options, s *judge.Sample, v []float64) (float64, bool) {
			return discrepant(o, s, v[0], v[1]), true
		},
	},
	{
		Tag: "usage_prompt_tokens_diff_pct", Header: "Usage Prompt Diff %", Short: "Prompt Diff", HideUnit: true,
		Unit: "%", Show: "%", Group: "none",
		Kind: KindRecord, Value: "float", Registered: KindRecord,
		Flags:   TokenizesInput | UsageDiff,
		Needs:   []string{"input_sequence_length", "usage_prompt_tokens"},
		Formula: "100 * |usage_prompt_tokens - input_sequence_length| / input_sequence_length",
		Record:  func(s *judge.Sample, v []float64) (float64, bool) { return quotient(100*math.Abs(v[1]-v[0]), v[0]) },
	},
	{
		Tag: "usage_reasoning_tokens_diff_pct", Header: "Usage Reasoning Diff %", Short: "Reasoning Diff", HideUnit: true,
		Unit: "%", Show: "%", Group: "none",
		Kind: KindRecord, Value: "float", Registered: KindRecord,
		Flags:   Tokens | Reasoning | UsageDiff,
		Needs:   []string{"reasoning_token_count", "usage_reasoning_tokens"},
		Formula: "100 * |usage_reasoning_tokens - reasoning_token_count| / reasoning_token_count",
		Record:  func(s *judge.Sample, v []float64) (float64, bool) { return quotient(100*math.Abs(v[1]-v[0]), v[0]) },
	},
}
