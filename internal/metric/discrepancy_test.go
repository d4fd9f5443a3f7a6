package metric

import (
	"testing"

	"aiperf/internal/judge"
)

func capped(n int64) func(*judge.Sample) { return func(s *judge.Sample) { s.RequestedOSL = &n } }

// counted2 has the server's counts beside ours.
func counted2(prompt, ours, completion, osl int64) *judge.Sample {
	return with(at(1, 9), tokens(ours, osl), used2(judge.Usage{PromptTokens: &prompt, CompletionTokens: &completion}))
}

// thought adds reasoning counts.
func thought(server, ours int64) func(*judge.Sample) {
	return func(s *judge.Sample) { s.Usage.ReasoningTokens, s.ReasoningTokens = &server, &ours }
}

func letOSL(pct float64, n int64) Options {
	return Options{EndpointType: "chat", Streaming: true, OSLMismatchPct: pct, OSLMismatchTokens: n}
}

var (
	serverCounts = Options{EndpointType: "chat", Streaming: true, UseServerTokenCount: true}
	accuracy     = Options{EndpointType: "chat", Streaming: true, Accuracy: true}
)

var discrepancyRows = []rowCase{
	{"is the difference in percent of ours, without a sign", chat, of(counted2(110, 100, 1, 1), counted2(80, 100, 1, 1)), "usage_prompt_tokens_diff_pct", []string{"10", "20"}, stats{"avg": 15}},
	{"is absent where we count 0", chat, of(counted2(110, 0, 1, 1)), "usage_prompt_tokens_diff_pct", []string{""}, nil},
	{"is absent without the server's count", chat, of(with(at(1, 9), tokens(1, 1))), "usage_prompt_tokens_diff_pct", []string{""}, nil},
	{"is absent where the server's counts are ours", serverCounts, of(counted2(110, 100, 1, 1)), "usage_prompt_tokens_diff_pct", []string{""}, nil},

	{"is the difference in percent of the whole output", chat, of(with(counted2(1, 1, 110, 60), reason(40))), "usage_completion_tokens_diff_pct", []string{"10"}, stats{"avg": 10}},
	{"is 100 where the server says 0", chat, of(counted2(1, 1, 0, 60)), "usage_completion_tokens_diff_pct", []string{"100"}, stats{"avg": 100}},
	{"is absent where we count 0", chat, of(counted2(1, 1, 5, 0)), "usage_completion_tokens_diff_pct", []string{""}, nil},

	{"is the difference in percent of our reasoning", chat, of(with(counted2(1, 1, 1, 1), thought(30, 40))), "usage_reasoning_tokens_diff_pct", []string{"25"}, stats{"avg": 25}},
	{"is absent where we count 0", chat, of(with(counted2(1, 1, 1, 1), thought(30, 0))), "usage_reasoning_tokens_diff_pct", []string{""}, nil},
	{"is absent without reasoning", chat, of(counted2(1, 1, 1, 1)), "usage_reasoning_tokens_diff_pct", []string{""}, nil},

	{"leaves a difference of exactly 10 % alone", chat, of(counted2(110, 100, 90, 100), counted2(111, 100, 1, 1), counted2(1, 1, 889, 1000)), "usage_discrepancy_count", []string{"0", "1", "1"}, avg(2)},
	{"counts a difference of the reasoning", chat, of(with(counted2(1, 1, 40, 0), thought(30, 40)), with(counted2(1, 1, 40, 0), thought(36, 40))), "usage_discrepancy_count", []string{"1", "0"}, avg(1)},
	{"is without our reasoning judged by the others", chat, of(with(counted2(1, 1, 40, 40), thought(30, 0))), "usage_discrepancy_count", []string{"0"}, avg(0)},
	{"takes the user's threshold", Options{EndpointType: "chat", UsageDiffPct: 25}, of(counted2(125, 100, 1, 1), counted2(126, 100, 1, 1)), "usage_discrepancy_count", []string{"0", "1"}, avg(1)},
	{"is absent where one of the two differences is", chat, of(with(at(1, 9), tokens(100, 100), used2(judge.Usage{PromptTokens: p(500)}))), "usage_discrepancy_count", []string{""}, nil},
	{"is absent where the server's counts are ours", serverCounts, of(counted2(150, 100, 1, 1)), "usage_discrepancy_count", []string{""}, nil},

	{"is the output cap asked for", chat, of(with(at(1, 9), capped(100))), "requested_osl", []string{"100"}, stats{"avg": 100}},
	{"is absent where none was", chat, of(at(1, 9)), "requested_osl", []string{""}, nil},
	{"has a sign", chat, of(with(at(1, 9), tokens(1, 80), capped(100)), with(at(1, 9), tokens(1, 130), capped(100))), "osl_mismatch_diff_pct", []string{"-20", "30"}, stats{"avg": 5}},
	{"is absent where 0 was asked for", chat, of(with(at(1, 9), tokens(1, 80), capped(0))), "osl_mismatch_diff_pct", []string{""}, nil},
	{"is absent in accuracy mode", accuracy, of(with(at(1, 9), tokens(1, 80), capped(100))), "osl_mismatch_diff_pct", []string{""}, nil},
	{"allows 5 % exactly", chat, of(with(at(1, 9), tokens(1, 95), capped(100)), with(at(1, 9), tokens(1, 94), capped(100)), with(at(1, 9), tokens(1, 106), capped(100))), "osl_mismatch_count", []string{"0", "1", "1"}, avg(2)},
	{"allows 50 tokens of a long answer", chat, of(with(at(1, 9), tokens(1, 1950), capped(2000)), with(at(1, 9), tokens(1, 1949), capped(2000))), "osl_mismatch_count", []string{"0", "1"}, avg(1)},
	{"takes the user's percentage", letOSL(20, 50), of(with(at(1, 9), tokens(1, 80), capped(100)), with(at(1, 9), tokens(1, 79), capped(100))), "osl_mismatch_count", []string{"0", "1"}, avg(1)},
	{"takes the user's number of tokens", letOSL(5, 2), of(with(at(1, 9), tokens(1, 98), capped(100)), with(at(1, 9), tokens(1, 97), capped(100))), "osl_mismatch_count", []string{"0", "1"}, avg(1)},
	{"is absent where nothing was asked for", chat, of(with(at(1, 9), tokens(1, 80))), "osl_mismatch_count", []string{""}, nil},
	{"is absent in accuracy mode", accuracy, of(with(at(1, 9), tokens(1, 80), capped(100))), "osl_mismatch_count", []string{""}, nil},
}

func TestDiscrepancyRows(t *testing.T) { checkRows(t, discrepancyRows) }
