package metric

import "aiperf/internal/judge"

var speculativeMetrics = []Metric{
	{
		Tag: "spec_decode_acceptance_length", Header: "Acceptance Length", Short: "Acceptance Length", HideUnit: true,
		Unit: "ratio", Show: "ratio", Group: "spec_decode", Order: 5000,
		Kind: KindRecord, Value: "float", Registered: KindRecord,
		Flags:   LargerIsBetter,
		Formula: "as the server says",
		Record: func(s *judge.Sample, v []float64) (float64, bool) {
			return drafted(s, func(d *judge.SpecDecode) (float64, bool) { return d.MeanAcceptanceLength, true })
		},
	},
	{
		Tag: "spec_decode_accepted_draft_tokens", Header: "Accepted Draft Tokens", Short: "Accepted Draft", HideUnit: true,
		Unit: "tokens", Show: "tokens", Group: "none", Order: 5050,
		Kind: KindRecord, Value: "int", Registered: KindRecord,
		Formula: "accepted",
		Record: func(s *judge.Sample, v []float64) (float64, bool) {
			return drafted(s, func(d *judge.SpecDecode) (float64, bool) { return float64(d.Accepted), true })
		},
	},
	{
		Tag: "spec_decode_accepted_per_verified", Header: "Accepted per Verified", Short: "Accepted / Verified", HideUnit: true,
		Unit: "ratio", Show: "ratio", Group: "spec_decode", Order: 5030,
		Kind: KindRecord, Value: "float", Registered: KindRecord,
		Flags:   LargerIsBetter,
		Formula: "(accepted + steps) / (draft + steps)",
		Record: func(s *judge.Sample, v []float64) (float64, bool) {
			return drafted(s, func(d *judge.SpecDecode) (float64, bool) {
				return quotient(float64(d.Accepted+d.Steps), float64(d.Draft+d.Steps))
			})
		},
	},
	{
		Tag: "spec_decode_draft_acceptance_rate", Header: "Draft Acceptance Rate", Short: "Draft Accept Rate", HideUnit: true,
		Unit: "%", Show: "%", Group: "spec_decode", Order: 5020,
		Kind: KindRecord, Value: "float", Registered: KindRecord,
		Flags:   LargerIsBetter,
		Formula: "100 * what the server says",
		Record: func(s *judge.Sample, v []float64) (float64, bool) {
			return drafted(s, func(d *judge.SpecDecode) (float64, bool) { return 100 * d.DraftAcceptanceRate, true })
		},
	},
	{
		Tag: "spec_decode_draft_tokens", Header: "Draft Tokens", Short: "Draft Tokens", HideUnit: true,
		Unit: "tokens", Show: "tokens", Group: "none", Order: 5060,
		Kind: KindRecord, Value: "int", Registered: KindRecord,
		Formula: "draft",
		Record: func(s *judge.Sample, v []float64) (float64, bool) {
			return drafted(s, func(d *judge.SpecDecode) (float64, bool) { return float64(d.Draft), true })
		},
	},
	{
		Tag: "spec_decode_overall_draft_acceptance_rate", Header: "Overall Draft Acceptance Rate", Short: "Overall Draft Accept Rate", HideUnit: true,
		Unit: "%", Show: "%", Group: "spec_decode", Order: 5025,
		Kind: KindDerived, Value: "float", Registered: KindDerived,
		Flags:   LargerIsBetter,
		Needs:   []string{"total_accepted_draft_tokens", "total_draft_tokens"},
		Formula: "100 * total_accepted_draft_tokens / total_draft_tokens",
		Derive:  func(v, u []float64) (float64, bool) { return quotient(100*v[0], v[1]) },
	},
	{
		Tag: "spec_decode_steps", Header: "Spec Decode Steps", Short: "Spec Decode Steps", HideUnit: true,
		Unit: "count", Show: "count", Group: "spec_decode", Order: 5040,
		Kind: KindRecord, Value: "int", Registered: KindRecord,
		Formula: "steps",
		Record: func(s *judge.Sample, v []float64) (float64, bool) {
			return drafted(s, func(d *judge.SpecDecode) (float64, bool) { return float64(d.Steps), true })
		},
	},
	{
		Tag: "spec_decode_token_weighted_acceptance_length", Header: "Token-Weighted Acceptance Length", Short: "Token-Wtd Accept Len", HideUnit: true,
		Unit: "ratio", Show: "ratio", Group: "spec_decode", Order: 5010,
		Kind: KindDerived, Value: "float", Registered: KindDerived,
		Flags:   LargerIsBetter,
		Needs:   []string{"total_accepted_draft_tokens", "total_spec_decode_steps"},
		Formula: "1 + total_accepted_draft_tokens / total_spec_decode_steps",
		Derive: func(v, _ []float64) (float64, bool) {
			x, ok := quotient(v[0], v[1])
			return 1 + x, ok
		},
	},
	{
		Tag: "total_accepted_draft_tokens", Header: "Total Accepted Draft Tokens", Short: "Total Accepted Draft", HideUnit: true,
		Unit: "tokens", Show: "tokens", Group: "none", Order: 5150,
		Kind: KindDerived, Value: "int", Registered: KindDerived,
		Needs:   []string{"spec_decode_accepted_draft_tokens"},
		Formula: "sum",
		Derive:  func(v, u []float64) (float64, bool) { return v[0], true },
	},
	{
		Tag: "total_draft_tokens", Header: "Total Draft Tokens", Short: "Total Draft", HideUnit: true,
		Unit: "tokens", Show: "tokens", Group: "none", Order: 5160,
		Kind: KindDerived, Value: "int", Registered: KindDerived,
		Needs:   []string{"spec_decode_draft_tokens"},
		Formula: "sum",
		Derive:  func(v, u []float64) (float64, bool) { return v[0], true },
	},
	{
		Tag: "total_spec_decode_steps", Header: "Total Spec Decode Steps", Short: "Total Spec Decode Steps", HideUnit: true,
		Unit: "count", Show: "count", Group: "none", Order: 5140,
		Kind: KindDerived, Value: "int", Registered: KindDerived,
		Needs:   []string{"spec_decode_steps"},
		Formula: "sum",
		Derive:  func(v, u []float64) (float64, bool) { return v[0], true },
	},
}
