package metric

import (
	"testing"

	"aiperf/internal/judge"
)

// drafts is an acceptance record: steps by accepted count, and the server's own ratios.
func drafts(histogram map[int]int64, accepted, draft, steps int64, mean, rate float64) func(*judge.Sample) {
	return func(s *judge.Sample) {
		s.SpecDecode = &judge.SpecDecode{MeanAcceptanceLength: mean, DraftAcceptanceRate: rate, Histogram: histogram, Accepted: accepted, Draft: draft, Steps: steps, JSON: []byte(`{"engine":"vllm"}`)}
	}
}

var (
	drafted1 = drafts(map[int]int64{0: 2, 3: 2}, 6, 12, 4, 2.5, 0.5)
	drafted2 = drafts(map[int]int64{1: 1, 3: 1}, 4, 8, 2, 2.75, 0.625) // ratios unlike the counts: the server's stand
	drafted0 = drafts(map[int]int64{}, 0, 0, 0, 0, 0)
	drafters = of(with(at(1, 9), drafted1), with(at(2, 9), drafted2), at(3, 9))
	noDraft  = of(at(1, 9), with(broken(2, "x"), drafted1))
	noStep   = of(with(at(1, 9), drafted0))
)

var speculativeRows = []rowCase{
	{"is the server's own", chat, drafters, "spec_decode_acceptance_length", []string{"2.5", "2.75", ""}, stats{"avg": 2.625}},
	{"is absent without a record", chat, noDraft, "spec_decode_acceptance_length", []string{"", ""}, nil},
	{"is the server's own, in percent", chat, drafters, "spec_decode_draft_acceptance_rate", []string{"50", "62.5", ""}, stats{"avg": 56.25}},
	{"is absent without a record", chat, noDraft, "spec_decode_draft_acceptance_rate", []string{"", ""}, nil},
	{"counts a step as a token that was verified and accepted", chat, drafters, "spec_decode_accepted_per_verified", []string{"0.625", "0.6", ""}, stats{"avg": 0.6125}},
	{"is absent where nothing was verified", chat, noStep, "spec_decode_accepted_per_verified", []string{""}, nil},
	{"is the number of steps", chat, drafters, "spec_decode_steps", []string{"4", "2", ""}, stats{"sum": 6}},
	{"is 0 for a record without a step", chat, noStep, "spec_decode_steps", []string{"0"}, stats{"sum": 0}},
	{"is absent without a record", chat, noDraft, "spec_decode_steps", []string{"", ""}, nil},
	{"are the tokens accepted", chat, drafters, "spec_decode_accepted_draft_tokens", []string{"6", "4", ""}, stats{"sum": 10}},
	{"are absent without a record", chat, noDraft, "spec_decode_accepted_draft_tokens", []string{"", ""}, nil},
	{"are the tokens drafted", chat, drafters, "spec_decode_draft_tokens", []string{"12", "8", ""}, stats{"sum": 20}},
	{"are absent without a record", chat, noDraft, "spec_decode_draft_tokens", []string{"", ""}, nil},

	{"is a sum", chat, drafters, "total_spec_decode_steps", nil, avg(6)},
	{"is absent without a record", chat, noDraft, "total_spec_decode_steps", nil, nil},
	{"is a sum", chat, drafters, "total_accepted_draft_tokens", nil, avg(10)},
	{"is absent without a record", chat, noDraft, "total_accepted_draft_tokens", nil, nil},
	{"is a sum", chat, drafters, "total_draft_tokens", nil, avg(20)},
	{"is absent without a record", chat, noDraft, "total_draft_tokens", nil, nil},
	{"is one token a step and what was accepted besides, over all steps", chat, drafters, "spec_decode_token_weighted_acceptance_length", nil, avg(1 + 10.0/6)},
	{"is absent without a step", chat, noStep, "spec_decode_token_weighted_acceptance_length", nil, nil},
	{"is over all drafts", chat, drafters, "spec_decode_overall_draft_acceptance_rate", nil, avg(50)},
	{"is absent without a draft", chat, noStep, "spec_decode_overall_draft_acceptance_rate", nil, nil},
}

func TestSpeculativeRows(t *testing.T) { checkRows(t, speculativeRows) }

func TestThePooledHistogram(t *testing.T) {
	s := summary(t, chat, append(drafters, with(broken(4, "x"), drafted1))...)
	if got := marshal(t, s.PooledSpec); got != `{"0":2,"1":1,"3":3}` {
		t.Errorf("pooled over the valid requests: %s", got)
	}
	if got := marshal(t, summary(t, chat, with(at(1, 9), drafts(map[int]int64{2: 7}, 14, 14, 7, 3, 1))).PooledSpec); got != `{"2":7}` {
		t.Errorf("one bucket: %s", got)
	}
	if s := summary(t, chat, at(1, 9)); s.PooledSpec != nil {
		t.Errorf("without a record: %v, want none", s.PooledSpec)
	}
	records, _ := runOf(t, chat, of(with(at(1, 9), drafted1), with(broken(2, "x"), drafted1)))
	if string(records[0].SpecDecodeAcceptance) != `{"engine":"vllm"}` || records[1].SpecDecodeAcceptance != nil {
		t.Errorf("acceptance records %s and %s, want that of the valid request", records[0].SpecDecodeAcceptance, records[1].SpecDecodeAcceptance)
	}
}
