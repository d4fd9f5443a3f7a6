package metric

import (
	"testing"

	"aiperf/internal/judge"
)

func reason(n int64) func(*judge.Sample) { return func(s *judge.Sample) { s.ReasoningTokens = &n } }

var tokenRows = []rowCase{
	{"are the tokens that are no reasoning", chat, of(with(at(1, 9), tokens(1, 5), reason(3))), "output_token_count", []string{"5"}, stats{"avg": 5}},
	{"are absent when 0", chat, of(with(at(1, 9), tokens(1, 0), reason(3))), "output_token_count", []string{""}, nil},
	{"are absent when unknown", chat, of(at(1, 9)), "output_token_count", []string{""}, nil},

	{"are the reasoning tokens, and 0 is a value", chat, of(with(at(1, 9), reason(3)), with(at(1, 9), reason(0))), "reasoning_token_count", []string{"3", "0"}, stats{"avg": 1.5, "sum": 3, "count": 2}},
	{"are absent when unknown", chat, of(with(at(1, 9), tokens(1, 5))), "reasoning_token_count", []string{""}, nil},

	{"is both kinds of tokens", chat, of(with(at(1, 9), tokens(1, 5), reason(3))), "output_sequence_length", []string{"8"}, stats{"avg": 8}},
	{"is one kind where the other is unknown", chat, of(with(at(1, 9), tokens(1, 5)), with(at(1, 9), reason(3))), "output_sequence_length", []string{"5", "3"}, stats{"avg": 4}},
	{"may be 0", chat, of(with(at(1, 9), tokens(1, 0))), "output_sequence_length", []string{"0"}, stats{"avg": 0}},
	{"is absent where both are unknown", chat, of(at(1, 9)), "output_sequence_length", []string{""}, nil},

	{"is the tokens of the prompt", chat, of(with(at(1, 9), tokens(12, 5))), "input_sequence_length", []string{"12"}, stats{"avg": 12}},
	{"is absent when unknown, whatever was asked for", chat, of(at(1, 9)), "input_sequence_length", []string{""}, nil},
	{"is absent for a failed request", chat, of(with(broken(1, "x"), tokens(12, 5))), "input_sequence_length", []string{""}, nil},
	{"is there even where input is not tokenized, since a rate needs it", retrieval, of(with(at(1, 9), tokens(12, 5))), "input_sequence_length", []string{"12"}, stats{"avg": 12}},

	{"is the tokens of a failed request's prompt", chat, of(with(broken(1, "x"), tokens(12, 5)), with(at(1, 9), tokens(4, 5))), "error_isl", []string{"12", ""}, stats{"avg": 12, "count": 1}},
	{"is absent where input is not tokenized", retrieval, of(with(broken(1, "x"), tokens(12, 5))), "error_isl", []string{""}, nil},
	{"is absent on a clean run", chat, of(with(at(1, 9), tokens(12, 5))), "error_isl", []string{""}, nil},

	{"are a sum without the requests that have none", chat, of(with(at(1, 9), tokens(1, 5)), with(at(1, 9), tokens(1, 7)), at(1, 9)), "total_output_tokens", nil, avg(12)},
	{"are absent where every count is 0", chat, of(with(at(1, 9), tokens(1, 0))), "total_output_tokens", nil, nil},
	{"are a sum", chat, of(with(at(1, 9), reason(5)), with(at(1, 9), reason(7))), "total_reasoning_tokens", nil, avg(12)},
	{"may be 0", chat, of(with(at(1, 9), reason(0))), "total_reasoning_tokens", nil, avg(0)},
	{"are absent without reasoning", chat, of(with(at(1, 9), tokens(1, 5))), "total_reasoning_tokens", nil, nil},
	{"is a sum of both kinds", chat, of(with(at(1, 9), tokens(1, 5), reason(2)), with(at(1, 9), tokens(1, 7))), "total_osl", nil, avg(14)},
	{"may be 0", chat, of(with(at(1, 9), tokens(1, 0))), "total_osl", nil, avg(0)},
	{"is absent without counts", chat, of(at(1, 9)), "total_osl", nil, nil},
	{"is absent where no tokens are produced", Options{EndpointType: "embeddings"}, of(with(at(1, 9), tokens(4, 0))), "total_osl", nil, nil},
	{"is a sum over valid requests", chat, of(with(at(1, 9), tokens(5, 1)), with(at(1, 9), tokens(6, 1)), with(broken(1, "x"), tokens(100, 0))), "total_isl", nil, avg(11)},
	{"is absent without counts", chat, of(at(1, 9)), "total_isl", nil, nil},
	{"is a sum over failed requests", chat, of(with(broken(1, "x"), tokens(30, 0)), with(broken(1, "x"), tokens(12, 0)), with(at(1, 9), tokens(5, 1))), "total_error_isl", nil, avg(42)},
	{"is absent on a clean run", chat, of(with(at(1, 9), tokens(5, 1))), "total_error_isl", nil, nil},

	{"is reasoning per other token", dev, of(with(at(1, 9), tokens(1, 4), reason(6))), "thinking_efficiency", []string{"1.5"}, stats{"avg": 1.5}},
	{"is absent where nothing but reasoning came", dev, of(with(at(1, 9), tokens(1, 0), reason(6))), "thinking_efficiency", []string{""}, nil},
	{"is for developers alone", chat, of(with(at(1, 9), tokens(1, 4), reason(6))), "thinking_efficiency", []string{""}, nil},
	{"is of the sums, not of the ratios", dev, of(with(at(1, 9), tokens(1, 4), reason(6)), with(at(1, 9), tokens(1, 6), reason(0))), "overall_thinking_efficiency", nil, avg(0.6)},
	{"is absent without reasoning", dev, of(with(at(1, 9), tokens(1, 4))), "overall_thinking_efficiency", nil, nil},
}

func TestTokensRows(t *testing.T) { checkRows(t, tokenRows) }
