package metric

import "aiperf/internal/judge"

var usageMetrics = []Metric{
	{
		Tag: "overall_usage_prompt_cache_read_pct", Header: "Overall Usage Prompt Cache Read %", Short: "Overall Cache Read %", HideUnit: true,
		Unit: "%", Show: "%", Group: "usage", Order: 2012,
		Kind: KindDerived, Value: "float", Registered: KindDerived,
		Flags:   LargerIsBetter,
		Needs:   []string{"total_usage_prompt_cache_read_tokens", "total_usage_prompt_tokens"},
		Formula: "100 * total_usage_prompt_cache_read_tokens / total_usage_prompt_tokens",
		Derive:  func(v, u []float64) (float64, bool) { return quotient(100*v[0], v[1]) },
	},
	{
		Tag: "total_usage_accepted_prediction_tokens", Header: "Total Usage Accepted Prediction Tokens", Short: "Total Usage Accepted Pred", HideUnit: true,
		Unit: "tokens", Show: "tokens", Group: "usage", Order: 2130,
		Kind: KindDerived, Value: "int", Registered: KindDerived,
		Flags:   Tokens | LargerIsBetter,
		Needs:   []string{"usage_accepted_prediction_tokens"},
		Formula: "sum",
		Derive:  func(v, u []float64) (float64, bool) { return v[0], true },
	},
	{
		Tag: "total_usage_completion_audio_tokens", Header: "Total Usage Completion Audio Tokens", Short: "Total Usage Comp Audio", HideUnit: true,
		Unit: "tokens", Show: "tokens", Group: "usage", Order: 2120,
		Kind: KindDerived, Value: "int", Registered: KindDerived,
		Flags:   Tokens | LargerIsBetter | Audio,
		Needs:   []string{"usage_completion_audio_tokens"},
		Formula: "sum",
		Derive:  func(v, u []float64) (float64, bool) { return v[0], true },
	},
	{
		Tag: "total_usage_completion_tokens", Header: "Total Usage Completion Tokens", Short: "Total Usage Completion", HideUnit: true,
		Unit: "tokens", Show: "tokens", Group: "usage", Order: 2100,
		Kind: KindDerived, Value: "int", Registered: KindDerived,
		Flags:   Tokens | LargerIsBetter,
		Needs:   []string{"usage_completion_tokens"},
		Formula: "sum",
		Derive:  func(v, u []float64) (float64, bool) { return v[0], true },
	},
	{
		Tag: "total_usage_prompt_audio_seconds", Header: "Total Usage Prompt Audio Seconds", Short: "Total Usage Prompt Audio Sec",
		Unit: "sec", Show: "sec", Group: "usage", Order: 2040,
		Kind: KindDerived, Value: "float", Registered: KindDerived,
		Flags:   LargerIsBetter | Audio,
		Needs:   []string{"usage_prompt_audio_seconds"},
		Formula: "sum",
		Derive:  func(v, u []float64) (float64, bool) { return v[0], true },
	},
	{
		Tag: "total_usage_prompt_audio_tokens", Header: "Total Usage Prompt Audio Tokens", Short: "Total Usage Prompt Audio", HideUnit: true,
		Unit: "tokens", Show: "tokens", Group: "usage", Order: 2020,
		Kind: KindDerived, Value: "int", Registered: KindDerived,
		Flags:   LargerIsBetter | Audio,
		Needs:   []string{"usage_prompt_audio_tokens"},
		Formula: "sum",
		Derive:  func(v, u []float64) (float64, bool) { return v[0], true },
	},
	{
		Tag: "total_usage_prompt_cache_miss_tokens", Header: "Total Usage Prompt Cache Miss Tokens", Short: "Total Usage Prompt Cache Miss", HideUnit: true,
		Unit: "tokens", Show: "tokens", Group: "usage", Order: 2017,
		Kind: KindDerived, Value: "int", Registered: KindDerived,
		Needs:   []string{"usage_prompt_cache_miss_tokens"},
		Formula: "sum",
		Derive:  func(v, u []float64) (float64, bool) { return v[0], true },
	},
	{
		Tag: "total_usage_prompt_cache_read_tokens", Header: "Total Usage Prompt Cache Read Tokens", Short: "Total Usage Prompt Cache Read", HideUnit: true,
		Unit: "tokens", Show: "tokens", Group: "usage", Order: 2010,
		Kind: KindDerived, Value: "int", Registered: KindDerived,
		Flags:   LargerIsBetter,
		Needs:   []string{"usage_prompt_cache_read_tokens"},
		Formula: "sum",
		Derive:  func(v, u []float64) (float64, bool) { return v[0], true },
	},
	{
		Tag: "total_usage_prompt_cache_write_tokens", Header: "Total Usage Prompt Cache Write Tokens", Short: "Total Usage Prompt Cache Write", HideUnit: true,
		Unit: "tokens", Show: "tokens", Group: "usage", Order: 2015,
		Kind: KindDerived, Value: "int", Registered: KindDerived,
		Needs:   []string{"usage_prompt_cache_write_tokens"},
		Formula: "sum",
		Derive:  func(v, u []float64) (float64, bool) { return v[0], true },
	},
	{
		Tag: "total_usage_prompt_tokens", Header: "Total Usage Prompt Tokens", Short: "Total Usage Prompt", HideUnit: true,
		Unit: "tokens", Show: "tokens", Group: "usage", Order: 2000,
		Kind: KindDerived, Value: "int", Registered: KindDerived,
		Flags:   LargerIsBetter | TokenizesInput,
		Needs:   []string{"usage_prompt_tokens"},
		Formula: "sum",
		Derive:  func(v, u []float64) (float64, bool) { return v[0], true },
	},
	{
		Tag: "total_usage_reasoning_tokens", Header: "Total Usage Reasoning Tokens", Short: "Total Usage Reasoning", HideUnit: true,
		Unit: "tokens", Show: "tokens", Group: "usage", Order: 2110,
		Kind: KindDerived, Value: "int", Registered: KindDerived,
		Flags:   Tokens | LargerIsBetter,
		Needs:   []string{"usage_reasoning_tokens"},
		Formula: "sum",
		Derive:  func(v, u []float64) (float64, bool) { return v[0], true },
	},
	{
		Tag: "total_usage_rejected_prediction_tokens", Header: "Total Usage Rejected Prediction Tokens", Short: "Total Usage Rejected Pred", HideUnit: true,
		Unit: "tokens", Show: "tokens", Group: "usage", Order: 2140,
		Kind: KindDerived, Value: "int", Registered: KindDerived,
		Flags:   Tokens,
		Needs:   []string{"usage_rejected_prediction_tokens"},
		Formula: "sum",
		Derive:  func(v, u []float64) (float64, bool) { return v[0], true },
	},
	{
		Tag: "total_usage_tool_use_prompt_tokens", Header: "Total Usage Tool Use Prompt Tokens", Short: "Total Usage Tool Prompt", HideUnit: true,
		Unit: "tokens", Show: "tokens", Group: "usage", Order: 2030,
		Kind: KindDerived, Value: "int", Registered: KindDerived,
		Needs:   []string{"usage_tool_use_prompt_tokens"},
		Formula: "sum",
		Derive:  func(v, u []float64) (float64, bool) { return v[0], true },
	},
	{
		Tag: "total_usage_total_tokens", Header: "Total Usage Total Tokens", Short: "Total Usage Total", HideUnit: true,
		Unit: "tokens", Show: "tokens", Group: "usage", Order: 2200,
		Kind: KindDerived, Value: "int", Registered: KindDerived,
		Flags:   Tokens | LargerIsBetter,
		Needs:   []string{"usage_total_tokens"},
		Formula: "sum",
		Derive:  func(v, u []float64) (float64, bool) { return v[0], true },
	},
	{
		Tag: "usage_accepted_prediction_tokens", Header: "Usage Accepted Prediction Tokens", Short: "Usage Accepted Pred", HideUnit: true,
		Unit: "tokens", Show: "tokens", Group: "usage", Order: 1130,
		Kind: KindRecord, Value: "int", Registered: KindRecord,
		Flags:   Tokens | LargerIsBetter,
		Formula: "as the server says",
		Record: func(s *judge.Sample, v []float64) (float64, bool) {
			return used(s, func(u *judge.Usage) *int64 { return u.AcceptedPrediction })
		},
	},
	{
		Tag: "usage_completion_audio_tokens", Header: "Usage Completion Audio Tokens", Short: "Usage Completion Audio", HideUnit: true,
		Unit: "tokens", Show: "tokens", Group: "usage", Order: 1120,
		Kind: KindRecord, Value: "int", Registered: KindRecord,
		Flags:   Tokens | LargerIsBetter | Audio,
		Formula: "as the server says",
		Record: func(s *judge.Sample, v []float64) (float64, bool) {
			return used(s, func(u *judge.Usage) *int64 { return u.CompletionAudioTokens })
		},
	},
	{
		Tag: "usage_completion_tokens", Header: "Usage Completion Tokens", Short: "Usage Completion", HideUnit: true,
		Unit: "tokens", Show: "tokens", Group: "usage", Order: 1100,
		Kind: KindRecord, Value: "int", Registered: KindRecord,
		Flags:   Tokens | LargerIsBetter,
		Formula: "as the server says",
		Record: func(s *judge.Sample, v []float64) (float64, bool) {
			return used(s, func(u *judge.Usage) *int64 { return u.CompletionTokens })
		},
	},
	{
		Tag: "usage_prompt_audio_seconds", Header: "Usage Prompt Audio Seconds", Short: "Usage Prompt Audio Sec",
		Unit: "sec", Show: "sec", Group: "usage", Order: 1040,
		Kind: KindRecord, Value: "float", Registered: KindRecord,
		Flags:   LargerIsBetter | Audio,
		Formula: "as the server says",
		Record:  func(s *judge.Sample, v []float64) (float64, bool) { return usedSeconds(s) },
	},
	{
		Tag: "usage_prompt_audio_tokens", Header: "Usage Prompt Audio Tokens", Short: "Usage Prompt Audio", HideUnit: true,
		Unit: "tokens", Show: "tokens", Group: "usage", Order: 1020,
		Kind: KindRecord, Value: "int", Registered: KindRecord,
		Flags:   LargerIsBetter | Audio,
		Formula: "as the server says",
		Record: func(s *judge.Sample, v []float64) (float64, bool) {
			return used(s, func(u *judge.Usage) *int64 { return u.PromptAudioTokens })
		},
	},
	{
		Tag: "usage_prompt_cache_miss_tokens", Header: "Usage Prompt Cache Miss Tokens", Short: "Usage Prompt Cache Miss", HideUnit: true,
		Unit: "tokens", Show: "tokens", Group: "usage", Order: 1017,
		Kind: KindRecord, Value: "int", Registered: KindRecord,
		Formula: "as the server says",
		Record: func(s *judge.Sample, v []float64) (float64, bool) {
			return used(s, func(u *judge.Usage) *int64 { return u.PromptCacheMissTokens })
		},
	},
	{
		Tag: "usage_prompt_cache_read_tokens", Header: "Usage Prompt Cache Read Tokens", Short: "Usage Prompt Cache Read", HideUnit: true,
		Unit: "tokens", Show: "tokens", Group: "usage", Order: 1010,
		Kind: KindRecord, Value: "int", Registered: KindRecord,
		Flags:   LargerIsBetter,
		Formula: "as the server says",
		Record: func(s *judge.Sample, v []float64) (float64, bool) {
			return used(s, func(u *judge.Usage) *int64 { return u.PromptCacheReadTokens })
		},
	},
	{
		Tag: "usage_prompt_cache_write_tokens", Header: "Usage Prompt Cache Write Tokens", Short: "Usage Prompt Cache Write", HideUnit: true,
		Unit: "tokens", Show: "tokens", Group: "usage", Order: 1015,
		Kind: KindRecord, Value: "int", Registered: KindRecord,
		Formula: "as the server says",
		Record: func(s *judge.Sample, v []float64) (float64, bool) {
			return used(s, func(u *judge.Usage) *int64 { return u.PromptCacheWriteTokens })
		},
	},
	{
		Tag: "usage_prompt_tokens", Header: "Usage Prompt Tokens", Short: "Usage Prompt", HideUnit: true,
		Unit: "tokens", Show: "tokens", Group: "usage", Order: 1000,
		Kind: KindRecord, Value: "int", Registered: KindRecord,
		Flags:   LargerIsBetter | TokenizesInput,
		Formula: "as the server says",
		Record: func(s *judge.Sample, v []float64) (float64, bool) {
			return used(s, func(u *judge.Usage) *int64 { return u.PromptTokens })
		},
	},
	{
		Tag: "usage_reasoning_tokens", Header: "Usage Reasoning Tokens", Short: "Usage Reasoning", HideUnit: true,
		Unit: "tokens", Show: "tokens", Group: "usage", Order: 1110,
		Kind: KindRecord, Value: "int", Registered: KindRecord,
		Flags:   Tokens | LargerIsBetter,
		Formula: "as the server says",
		Record: func(s *judge.Sample, v []float64) (float64, bool) {
			return used(s, func(u *judge.Usage) *int64 { return u.ReasoningTokens })
		},
	},
	{
		Tag: "usage_rejected_prediction_tokens", Header: "Usage Rejected Prediction Tokens", Short: "Usage Rejected Pred", HideUnit: true,
		Unit: "tokens", Show: "tokens", Group: "usage", Order: 1140,
		Kind: KindRecord, Value: "int", Registered: KindRecord,
		Flags:   Tokens,
		Formula: "as the server says",
		Record: func(s *judge.Sample, v []float64) (float64, bool) {
			return used(s, func(u *judge.Usage) *int64 { return u.RejectedPrediction })
		},
	},
	{
		Tag: "usage_tool_use_prompt_tokens", Header: "Usage Tool Use Prompt Tokens", Short: "Usage Tool Prompt", HideUnit: true,
		Unit: "tokens", Show: "tokens", Group: "usage", Order: 1030,
		Kind: KindRecord, Value: "int", Registered: KindRecord,
		Formula: "as the server says",
		Record: func(s *judge.Sample, v []float64) (float64, bool) {
			return used(s, func(u *judge.Usage) *int64 { return u.ToolUsePromptTokens })
		},
	},
	{
		Tag: "usage_total_tokens", Header: "Usage Total Tokens", Short: "Usage Total", HideUnit: true,
		Unit: "tokens", Show: "tokens", Group: "usage", Order: 1200,
		Kind: KindRecord, Value: "int", Registered: KindRecord,
		Flags:   Tokens | LargerIsBetter,
		Formula: "as the server says",
		Record: func(s *judge.Sample, v []float64) (float64, bool) {
			return used(s, func(u *judge.Usage) *int64 { return u.TotalTokens })
		},
	},
}
