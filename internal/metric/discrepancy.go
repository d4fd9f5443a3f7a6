package metric

import "aiperf/internal/judge"

import (
	"math"
	"slices"
)

var discrepancyMetrics = []Metric{
	{
		Tag: "osl_mismatch_count", Header: "OSL Mismatch Count", Short: "OSL Mismatches", HideUnit: true,
		Unit: "requests", Show: "requests", Group: "none",
		Kind: KindAggregate, Value: "int", Registered: KindAggregate, Aggregation: "sum",
		Flags:   Tokens | NoRecords | DisableOnAccuracy,
		Needs:   []string{"osl_mismatch_diff_pct", "output_sequence_length", "requested_osl"},
		Formula: "requests with |output_sequence_length - requested_osl| over min(5 % of it, 50 tokens)",
		Bind: func(o *Options) func(*judge.Sample, []float64) (float64, bool) {
			return func(_ *judge.Sample, v []float64) (float64, bool) {
				return count(math.Abs(v[1]-v[2]) > min(v[2]*o.OSLMismatchPct/100, float64(o.OSLMismatchTokens))), true
			}
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
		Also:    []string{"usage_reasoning_tokens_diff_pct"},
		Formula: "requests of which a difference is over 10 %",
		Bind: func(o *Options) func(*judge.Sample, []float64) (float64, bool) {
			return func(_ *judge.Sample, v []float64) (float64, bool) {
				return count(slices.Max([]float64{v[0], v[1], orZero(v[2])}) > o.UsageDiffPct), true
			}
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
