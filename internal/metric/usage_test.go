package metric

import (
	"testing"

	"aiperf/internal/judge"
)

func used2(u judge.Usage) func(*judge.Sample) { return func(s *judge.Sample) { s.Usage = &u } }

func p(n int64) *int64 { return &n }

func f(x float64) *float64 { return &x }

// usageOf has another number in every field; a step further, every number is larger by one.
func usageOf(step int64) judge.Usage {
	return judge.Usage{PromptTokens: p(101 + step), PromptCacheReadTokens: p(102 + step), PromptCacheWriteTokens: p(103 + step), PromptCacheMissTokens: p(104 + step),
		PromptAudioTokens: p(105 + step), ToolUsePromptTokens: p(106 + step), PromptAudioSeconds: f(7.25 + float64(step)), CompletionTokens: p(108 + step), ReasoningTokens: p(109 + step),
		CompletionAudioTokens: p(110 + step), AcceptedPrediction: p(111 + step), RejectedPrediction: p(112 + step), TotalTokens: p(113 + step)}
}

var zeroUsage = judge.Usage{PromptTokens: p(0), PromptCacheReadTokens: p(0), PromptCacheWriteTokens: p(0), PromptCacheMissTokens: p(0), PromptAudioTokens: p(0), ToolUsePromptTokens: p(0),
	PromptAudioSeconds: f(0), CompletionTokens: p(0), ReasoningTokens: p(0), CompletionAudioTokens: p(0), AcceptedPrediction: p(0), RejectedPrediction: p(0), TotalTokens: p(0)}

func usageRows() []rowCase {
	out := []rowCase{
		{"is of the sums", chat, of(with(at(1, 9), used2(judge.Usage{PromptTokens: p(100), PromptCacheReadTokens: p(50)})), with(at(2, 9), used2(judge.Usage{PromptTokens: p(300), PromptCacheReadTokens: p(50)}))), "overall_usage_prompt_cache_read_pct", nil, avg(25)},
		{"counts prompts of which the server did not say what it had cached", chat, of(with(at(1, 9), used2(judge.Usage{PromptTokens: p(100), PromptCacheReadTokens: p(50)})), with(at(2, 9), used2(judge.Usage{PromptTokens: p(100)}))), "overall_usage_prompt_cache_read_pct", nil, avg(25)},
		{"is 0 where nothing was cached", chat, of(with(at(1, 9), used2(judge.Usage{PromptTokens: p(100), PromptCacheReadTokens: p(0)}))), "overall_usage_prompt_cache_read_pct", nil, avg(0)},
		{"is absent where no prompt has a token", chat, of(with(at(1, 9), used2(judge.Usage{PromptTokens: p(0), PromptCacheReadTokens: p(0)}))), "overall_usage_prompt_cache_read_pct", nil, nil},
		{"is absent where the server does not say", chat, of(with(at(1, 9), used2(judge.Usage{PromptTokens: p(100)}))), "overall_usage_prompt_cache_read_pct", nil, nil},
	}
	for _, c := range []struct {
		tag, one string
		total    float64 // of two requests, one of them a step further
	}{
		{"usage_prompt_tokens", "101", 203}, {"usage_prompt_cache_read_tokens", "102", 205}, {"usage_prompt_cache_write_tokens", "103", 207},
		{"usage_prompt_cache_miss_tokens", "104", 209}, {"usage_prompt_audio_tokens", "105", 211}, {"usage_tool_use_prompt_tokens", "106", 213},
		{"usage_prompt_audio_seconds", "7.25", 15.5}, {"usage_completion_tokens", "108", 217}, {"usage_reasoning_tokens", "109", 219},
		{"usage_completion_audio_tokens", "110", 221}, {"usage_accepted_prediction_tokens", "111", 223}, {"usage_rejected_prediction_tokens", "112", 225}, {"usage_total_tokens", "113", 227},
	} {
		two := of(with(at(1, 9), used2(usageOf(0))), with(at(2, 9), used2(usageOf(1))), at(3, 9), with(broken(4, "x"), used2(usageOf(2))))
		out = append(out,
			rowCase{"is what the server says", chat, two, c.tag, []string{c.one, "*", "", ""}, stats{"sum": c.total, "count": 2, "avg": c.total / 2}},
			rowCase{"is 0 where the server says so", chat, of(with(at(1, 9), used2(zeroUsage))), c.tag, []string{"0"}, stats{"avg": 0, "count": 1}},
			rowCase{"is absent where the server says another thing", chat, of(with(at(1, 9), used2(judge.Usage{}))), c.tag, []string{""}, nil},
			rowCase{"is the sum", chat, two, "total_" + c.tag, nil, avg(c.total)},
			rowCase{"may be 0", chat, of(with(at(1, 9), used2(zeroUsage))), "total_" + c.tag, nil, avg(0)},
			rowCase{"is absent where the server says nothing", chat, of(at(1, 9)), "total_" + c.tag, nil, nil})
	}
	return out
}

func TestUsageRows(t *testing.T) { checkRows(t, usageRows()) }
