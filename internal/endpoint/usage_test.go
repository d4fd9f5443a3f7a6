package endpoint

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/valyala/fastjson"
)

// words writes the fields that are there, in the order of the struct.
func (u *Usage) words() string {
	if u == nil {
		return "none"
	}
	var out []string
	for _, f := range []struct {
		name string
		n    *int64
	}{{"prompt", u.PromptTokens}, {"completion", u.CompletionTokens}, {"total", u.TotalTokens}, {"reasoning", u.ReasoningTokens},
		{"read", u.PromptCacheReadTokens}, {"write", u.PromptCacheWriteTokens}, {"miss", u.PromptCacheMissTokens},
		{"audio", u.PromptAudioTokens}, {"spoken", u.CompletionAudioTokens}, {"accepted", u.AcceptedPrediction},
		{"rejected", u.RejectedPrediction}, {"tool", u.ToolUsePromptTokens}} {
		if f.n != nil {
			out = append(out, fmt.Sprintf("%s %d", f.name, *f.n))
		}
	}
	if u.PromptAudioSeconds != nil {
		out = append(out, fmt.Sprintf("seconds %v", *u.PromptAudioSeconds))
	}
	return strings.Join(out, ", ")
}

func TestUsage(t *testing.T) {
	for _, c := range []struct{ name, usage, want string }{
		{"OpenAI chat", `{"prompt_tokens":100,"completion_tokens":50,"total_tokens":150,
			"prompt_tokens_details":{"cached_tokens":64,"audio_tokens":3},
			"completion_tokens_details":{"reasoning_tokens":20,"audio_tokens":4,"accepted_prediction_tokens":5,"rejected_prediction_tokens":6}}`,
			"prompt 100, completion 50, total 150, reasoning 20, read 64, audio 3, spoken 4, accepted 5, rejected 6"},
		{"OpenAI responses: cached tokens are part of the input", `{"input_tokens":100,"output_tokens":50,"total_tokens":150,"input_tokens_details":{"cached_tokens":64},"output_tokens_details":{"reasoning_tokens":20}}`,
			"prompt 100, completion 50, total 150, reasoning 20, read 64"},
		{"Anthropic: cached tokens stand apart and are added", `{"input_tokens":10,"output_tokens":5,"cache_creation_input_tokens":300,"cache_read_input_tokens":2000}`,
			"prompt 2310, completion 5, read 2000, write 300"},
		{"Anthropic without a cache", `{"input_tokens":10,"output_tokens":5,"cache_creation_input_tokens":0,"cache_read_input_tokens":0}`, "prompt 10, completion 5, read 0, write 0"},
		{"Anthropic: a null cache count adds nothing", `{"input_tokens":10,"output_tokens":5,"cache_creation_input_tokens":null,"cache_read_input_tokens":7}`, "prompt 17, completion 5, read 7"},
		{"Bedrock", `{"inputTokens":10,"outputTokens":5,"totalTokens":15,"cacheReadInputTokens":40,"cacheWriteInputTokens":50}`, "prompt 100, completion 5, total 15, read 40, write 50"},
		{"prompt_tokens is never re-totalled", `{"prompt_tokens":10,"cache_read_input_tokens":40,"cache_creation_input_tokens":1}`, "prompt 10, read 40, write 1"},
		{"Gemini flat", `{"promptTokenCount":11,"candidatesTokenCount":2,"totalTokenCount":34,"thoughtsTokenCount":21,"cachedContentTokenCount":8,"toolUsePromptTokenCount":3}`,
			"prompt 11, completion 2, total 34, reasoning 21, read 8, tool 3"},
		{"Gemini nested", `{"usageMetadata":{"promptTokenCount":11,"candidatesTokenCount":2,"totalTokenCount":34,"thoughtsTokenCount":21}}`, "prompt 11, completion 2, total 34, reasoning 21"},
		{"a key beside usageMetadata wins over the one in it", `{"promptTokenCount":1,"usageMetadata":{"promptTokenCount":11,"candidatesTokenCount":2}}`, "prompt 1, completion 2"},
		{"usageMetadata that is null is none", `{"usageMetadata":null,"prompt_tokens":1}`, "prompt 1"},
		{"DeepSeek hit and miss", `{"prompt_tokens":12,"completion_tokens":8,"total_tokens":20,"prompt_cache_hit_tokens":4,"prompt_cache_miss_tokens":8}`, "prompt 12, completion 8, total 20, read 4, miss 8"},
		{"DeepSeek with details: the details win", `{"prompt_tokens":12,"prompt_tokens_details":{"cached_tokens":3},"prompt_cache_hit_tokens":4}`, "prompt 12, read 3"},
		{"Mistral", `{"prompt_tokens":24,"total_tokens":26,"completion_tokens":2,"prompt_audio_seconds":{}}`, "prompt 24, completion 2, total 26"},
		{"Mistral audio", `{"prompt_tokens":24,"prompt_audio_seconds":7}`, "prompt 24, seconds 7"},
		{"audio seconds may be a fraction", `{"prompt_audio_seconds":7.25}`, "seconds 7.25"},
		{"audio seconds that are true, null, text or no number", `{"prompt_tokens":1,"prompt_audio_seconds":true}`, "prompt 1"},
		{"audio seconds that no float64 holds", `{"prompt_tokens":1,"prompt_audio_seconds":1e999}`, "prompt 1"},
		{"Cohere v1", `{"meta":{"tokens":{"input_tokens":9,"output_tokens":4},"cached_tokens":2}}`, "prompt 9, completion 4, read 2"},
		{"Cohere v2", `{"billed_units":{"input_tokens":1,"output_tokens":1},"tokens":{"input_tokens":70,"output_tokens":4},"cached_tokens":16}`, "prompt 70, completion 4, read 16"},
		{"meta.tokens wins over tokens", `{"tokens":{"input_tokens":1},"meta":{"tokens":{"input_tokens":9}}}`, "prompt 9"},
		{"watsonx", `{"model_id":"m","generated_token_count":4,"input_token_count":9}`, "prompt 9, completion 4"},
		{"DashScope: no total is made up", `{"input_tokens":9,"output_tokens":4}`, "prompt 9, completion 4"},
		{"vLLM without details", `{"prompt_tokens":9,"completion_tokens":4,"total_tokens":13,"prompt_tokens_details":null}`, "prompt 9, completion 4, total 13"},
		{"zero is a value", `{"prompt_tokens":0,"completion_tokens":0,"total_tokens":0}`, "prompt 0, completion 0, total 0"},
		{"the first key wins even with 0", `{"prompt_tokens":0,"input_tokens":9,"cache_read_input_tokens":5,"completion_tokens":0,"output_tokens":4}`, "prompt 0, completion 0, read 5"},
		{"the first key wins even with null", `{"prompt_tokens":null,"input_tokens":9,"completion_tokens":null,"output_tokens":4,"total_tokens":13}`, "total 13"},
		{"prompt_tokens wins over input_tokens, wherever it stands", `{"input_tokens":9,"prompt_tokens":7}`, "prompt 7"},
		{"only a total", `{"total_tokens":13}`, "total 13"},
		{"unknown keys alone are a usage of nothing", `{"queue_time":0.1}`, ""},
		{"empty is none", `{}`, "none"},
		{"null is none", `null`, "none"},
		{"a list is none", `[1]`, "none"},
		{"details that are no object are skipped", `{"prompt_tokens":1,"prompt_tokens_details":[5],"input_tokens_details":{"cached_tokens":6}}`, "prompt 1, read 6"},
		{"details without the key are passed over", `{"prompt_tokens":1,"prompt_tokens_details":{"audio_tokens":2},"input_tokens_details":{"cached_tokens":6,"audio_tokens":9}}`, "prompt 1, read 6, audio 2"},
		{"a null in details ends that walk and falls to the top keys", `{"prompt_tokens":1,"prompt_tokens_details":{"cached_tokens":null},"input_tokens_details":{"cached_tokens":6},"prompt_cache_hit_tokens":4}`, "prompt 1, read 4"},
		{"a null in details with nothing on top is absent", `{"completion_tokens":1,"completion_tokens_details":{"reasoning_tokens":null,"audio_tokens":null}}`, "completion 1"},
		{"zero in details is a value", `{"completion_tokens_details":{"reasoning_tokens":0},"thoughtsTokenCount":5}`, "reasoning 0"},
		{"cache_read_input_tokens comes before prompt_cache_hit_tokens", `{"prompt_cache_hit_tokens":4,"cache_read_input_tokens":5}`, "read 5"},
		{"a whole float is an integer", `{"prompt_tokens":5.0,"completion_tokens":1e1}`, "prompt 5, completion 10"},
		{"a fraction is no count", `{"prompt_tokens":5.5,"total_tokens":9}`, "total 9"},
		{"text and true are no counts", `{"prompt_tokens":"5","completion_tokens":true,"total_tokens":9}`, "total 9"},
		{"what int64 does not hold is no count", `{"prompt_tokens":1e300,"completion_tokens":99999999999999999999,"total_tokens":NaN}`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, err := fastjson.Parse(c.usage)
			if err != nil {
				t.Fatal(err)
			}
			if got := ParseUsage(v).words(); got != c.want {
				t.Errorf("%s\n got %s\nwant %s", c.usage, got, c.want)
			}
		})
	}
	if ParseUsage(nil) != nil {
		t.Error("a usage of nothing")
	}
}

func TestFoldUsageFillsOnlyWhatTheLastLacks(t *testing.T) {
	last := fastjson.MustParse(`{"output_tokens":52,"cache_read_input_tokens":null}`)
	FoldUsage(last, fastjson.MustParse(`{"input_tokens":3,"output_tokens":1,"cache_creation_input_tokens":20,"cache_read_input_tokens":1000}`))
	if got, want := ParseUsage(last).words(), "prompt 23, completion 52, write 20"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	FoldUsage(last, fastjson.MustParse(`7`)) // no object: nothing to fold
	if got := ParseUsage(last).words(); got != "prompt 23, completion 52, write 20" {
		t.Errorf("after a number: %s", got)
	}
}

func FuzzUsage(f *testing.F) {
	for _, s := range []string{`{"prompt_tokens":1,"prompt_tokens_details":{"cached_tokens":2}}`, `{"usageMetadata":{"promptTokenCount":1}}`,
		`{"meta":{"tokens":{"input_tokens":9},"cached_tokens":2}}`, `{"input_tokens":10,"cache_read_input_tokens":9223372036854775807}`, `{"prompt_audio_seconds":1e999}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v, err := fastjson.Parse(s)
		if err != nil {
			return
		}
		u := ParseUsage(v)
		if u != nil && u.PromptAudioSeconds != nil && (math.IsNaN(*u.PromptAudioSeconds) || math.IsInf(*u.PromptAudioSeconds, 0)) {
			t.Fatalf("%s: %v seconds", s, *u.PromptAudioSeconds)
		}
		if w, err := fastjson.Parse(s); err == nil && ParseUsage(w).words() != u.words() {
			t.Fatal("not the same twice")
		}
	})
}
