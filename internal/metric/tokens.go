package metric

var tokensMetrics = []Metric{
	{
		Tag: "error_isl", Header: "Error Input Sequence Length", Short: "Error ISL",
		Unit: "tokens", Show: "tokens", Group: "none", Order: 700,
		Kind: KindRecord, Value: "int", Registered: KindRecord,
		Flags: ErrorOnly | LargerIsBetter | TokenizesInput,
	},
	{
		Tag: "input_sequence_length", Header: "Input Sequence Length", Short: "ISL",
		Unit: "tokens", Show: "tokens", Group: "default", Order: 700,
		Kind: KindRecord, Value: "int", Registered: KindRecord,
		Flags: LargerIsBetter | TokenizesInput,
	},
	{
		Tag: "output_sequence_length", Header: "Output Sequence Length", Short: "OSL",
		Unit: "tokens", Show: "tokens", Group: "default", Order: 600,
		Kind: KindRecord, Value: "int", Registered: KindRecord,
		Flags: Tokens | LargerIsBetter,
	},
	{
		Tag: "output_token_count", Header: "Output Token Count", Short: "Output Tokens", HideUnit: true,
		Unit: "tokens", Show: "tokens", Group: "none",
		Kind: KindRecord, Value: "int", Registered: KindRecord,
		Flags: Tokens | LargerIsBetter,
	},
	{
		Tag: "overall_thinking_efficiency", Header: "Overall Thinking Efficiency", Short: "Overall Eff.", HideUnit: true,
		Unit: "ratio", Show: "ratio", Group: "default",
		Kind: KindDerived, Value: "float", Registered: KindDerived,
		Flags: Tokens | Reasoning | Experimental,
		Needs: []string{"total_output_tokens", "total_reasoning_tokens"},
	},
	{
		Tag: "reasoning_token_count", Header: "Reasoning Token Count", Short: "Reasoning Tokens", HideUnit: true,
		Unit: "tokens", Show: "tokens", Group: "none",
		Kind: KindRecord, Value: "int", Registered: KindRecord,
		Flags: Tokens | LargerIsBetter | Reasoning,
	},
	{
		Tag: "thinking_efficiency", Header: "Thinking Efficiency", HideUnit: true,
		Unit: "ratio", Show: "ratio", Group: "default",
		Kind: KindRecord, Value: "float", Registered: KindRecord,
		Flags: Tokens | Reasoning | Experimental,
		Needs: []string{"output_token_count", "reasoning_token_count"},
	},
	{
		Tag: "total_error_isl", Header: "Total Error Input Sequence Length", Short: "Total Error ISL", HideUnit: true,
		Unit: "tokens", Show: "tokens", Group: "none",
		Kind: KindDerived, Value: "int", Registered: KindDerived,
		Flags: ErrorOnly | LargerIsBetter | TokenizesInput,
		Needs: []string{"error_isl"},
	},
	{
		Tag: "total_isl", Header: "Total Input Sequence Length", Short: "Total ISL", HideUnit: true,
		Unit: "tokens", Show: "tokens", Group: "none",
		Kind: KindDerived, Value: "int", Registered: KindDerived,
		Flags: LargerIsBetter | TokenizesInput,
		Needs: []string{"input_sequence_length"},
	},
	{
		Tag: "total_osl", Header: "Total Output Sequence Length", Short: "Total OSL", HideUnit: true,
		Unit: "tokens", Show: "tokens", Group: "none",
		Kind: KindDerived, Value: "int", Registered: KindDerived,
		Flags: Tokens | LargerIsBetter,
		Needs: []string{"output_sequence_length"},
	},
	{
		Tag: "total_output_tokens", Header: "Total Output Tokens", Short: "Total Output", HideUnit: true,
		Unit: "tokens", Show: "tokens", Group: "none",
		Kind: KindDerived, Value: "int", Registered: KindDerived,
		Flags: Tokens | LargerIsBetter,
		Needs: []string{"output_token_count"},
	},
	{
		Tag: "total_reasoning_tokens", Header: "Total Reasoning Tokens", Short: "Total Reasoning", HideUnit: true,
		Unit: "tokens", Show: "tokens", Group: "none",
		Kind: KindDerived, Value: "int", Registered: KindDerived,
		Flags: Tokens | LargerIsBetter,
		Needs: []string{"reasoning_token_count"},
	},
}
