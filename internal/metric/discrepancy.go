package metric

var discrepancyMetrics = []Metric{
	{
		Tag: "osl_mismatch_count", Header: "OSL Mismatch Count", Short: "OSL Mismatches", HideUnit: true,
		Unit: "requests", Show: "requests", Group: "none",
		Kind: KindAggregate, Value: "int", Registered: KindAggregate, Aggregation: "sum",
		Flags: Tokens | NoRecords | DisableOnAccuracy,
		Needs: []string{"osl_mismatch_diff_pct", "output_sequence_length", "requested_osl"},
	},
	{
		Tag: "osl_mismatch_diff_pct", Header: "OSL Mismatch Diff %", Short: "OSL Diff", HideUnit: true,
		Unit: "%", Show: "%", Group: "none",
		Kind: KindRecord, Value: "float", Registered: KindRecord,
		Flags: Tokens | DisableOnAccuracy,
		Needs: []string{"output_sequence_length", "requested_osl"},
	},
	{
		Tag: "requested_osl", Header: "Requested OSL", Short: "Req OSL",
		Unit: "tokens", Show: "tokens", Group: "none",
		Kind: KindRecord, Value: "int", Registered: KindRecord,
		Flags: Tokens | Internal,
	},
	{
		Tag: "usage_completion_tokens_diff_pct", Header: "Usage Completion Diff %", Short: "Completion Diff", HideUnit: true,
		Unit: "%", Show: "%", Group: "none",
		Kind: KindRecord, Value: "float", Registered: KindRecord,
		Flags: Tokens | UsageDiff,
		Needs: []string{"output_sequence_length", "usage_completion_tokens"},
	},
	{
		Tag: "usage_discrepancy_count", Header: "Usage Discrepancy Count", Short: "Discrepancies", HideUnit: true,
		Unit: "requests", Show: "requests", Group: "none",
		Kind: KindAggregate, Value: "int", Registered: KindAggregate, Aggregation: "sum",
		Flags: NoRecords | UsageDiff,
		Needs: []string{"usage_completion_tokens_diff_pct", "usage_prompt_tokens_diff_pct"},
	},
	{
		Tag: "usage_prompt_tokens_diff_pct", Header: "Usage Prompt Diff %", Short: "Prompt Diff", HideUnit: true,
		Unit: "%", Show: "%", Group: "none",
		Kind: KindRecord, Value: "float", Registered: KindRecord,
		Flags: TokenizesInput | UsageDiff,
		Needs: []string{"input_sequence_length", "usage_prompt_tokens"},
	},
	{
		Tag: "usage_reasoning_tokens_diff_pct", Header: "Usage Reasoning Diff %", Short: "Reasoning Diff", HideUnit: true,
		Unit: "%", Show: "%", Group: "none",
		Kind: KindRecord, Value: "float", Registered: KindRecord,
		Flags: Tokens | Reasoning | UsageDiff,
		Needs: []string{"reasoning_token_count", "usage_reasoning_tokens"},
	},
}
