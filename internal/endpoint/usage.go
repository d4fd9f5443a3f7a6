package endpoint

import (
	"math"

	"github.com/valyala/fastjson"
)

// Usage is what a server said it used; nil is absent. The key paths are those of AIPerf 0.13.0: the
// first key that is present wins, even when its value is 0.
type Usage struct {
	PromptTokens           *int64 // re-totalled for vendors that count cached tokens apart
	CompletionTokens       *int64
	TotalTokens            *int64
	ReasoningTokens        *int64
	PromptCacheReadTokens  *int64
	PromptCacheWriteTokens *int64
	PromptCacheMissTokens  *int64
	PromptAudioTokens      *int64
	CompletionAudioTokens  *int64
	AcceptedPrediction     *int64
	RejectedPrediction     *int64
	ToolUsePromptTokens    *int64
	PromptAudioSeconds     *float64
}

var (
	promptDetails     = []string{"prompt_tokens_details", "input_tokens_details"}
	completionDetails = []string{"completion_tokens_details", "output_tokens_details"}
	disjoint          = []string{"cache_read_input_tokens", "cache_creation_input_tokens", "cacheReadInputTokens", "cacheWriteInputTokens"}
)

// ParseUsage resolves the usage object v; nil when it is no object or empty.
func ParseUsage(v *fastjson.Value) *Usage {
	if v == nil || v.Type() != fastjson.TypeObject || v.GetObject().Len() == 0 {
		return nil
	}
	s := newSources(v)
	u := &Usage{
		CompletionTokens:       s.top("completion_tokens", "output_tokens", "candidatesTokenCount", "outputTokens", "generated_token_count"),
		TotalTokens:            s.top("total_tokens", "totalTokenCount", "totalTokens"),
		ReasoningTokens:        s.nested(completionDetails, "reasoning_tokens", "thoughtsTokenCount"),
		PromptCacheReadTokens:  s.nested(promptDetails, "cached_tokens", "cache_read_input_tokens", "prompt_cache_hit_tokens", "cachedContentTokenCount", "cacheReadInputTokens", "cached_tokens"),
		PromptCacheWriteTokens: s.top("cache_creation_input_tokens", "cacheWriteInputTokens"),
		PromptCacheMissTokens:  s.top("prompt_cache_miss_tokens"),
		PromptAudioTokens:      s.nested(promptDetails, "audio_tokens"),
		CompletionAudioTokens:  s.nested(completionDetails, "audio_tokens"),
		AcceptedPrediction:     s.nested(completionDetails, "accepted_prediction_tokens"),
		RejectedPrediction:     s.nested(completionDetails, "rejected_prediction_tokens"),
		ToolUsePromptTokens:    s.top("toolUsePromptTokenCount"),
	}
	u.PromptAudioSeconds = number(s.get("prompt_audio_seconds"))
	for _, key := range []string{"prompt_tokens", "input_tokens", "promptTokenCount", "inputTokens", "input_token_count"} {
		x := s.get(key)
		if x == nil {
			continue
		}
		u.PromptTokens = integer(x)
		if u.PromptTokens != nil && (key == "input_tokens" || key == "inputTokens") {
			for _, d := range disjoint {
				if n := integer(s.get(d)); n != nil {
					*u.PromptTokens += *n
				}
			}
		}
		break
	}
	return u
}

// sources are the objects a top-level key may stand in, the usage object itself first.
type sources struct {
	v [4]*fastjson.Value
	n int
}

func newSources(v *fastjson.Value) sources {
	s := sources{n: 1}
	s.v[0] = v
	for _, w := range []*fastjson.Value{v.Get("usageMetadata"), v.Get("meta", "tokens"), v.Get("tokens")} {
		if w != nil && w.Type() == fastjson.TypeObject {
			s.v[s.n], s.n = w, s.n+1
		}
	}
	return s
}

func (s *sources) get(key string) *fastjson.Value {
	for _, v := range s.v[:s.n] {
		if x := v.Get(key); x != nil {
			return x
		}
	}
	if key == "cached_tokens" {
		return s.v[0].Get("meta", key) // Cohere v1
	}
	return nil
}

func (s *sources) top(keys ...string) *int64 {
	for _, k := range keys {
		if x := s.get(k); x != nil {
			return integer(x)
		}
	}
	return nil
}

// nested looks into the details objects: the first that holds the key ends the walk, and a null there
// falls through to the top-level keys.
func (s *sources) nested(details []string, key string, tops ...string) *int64 {
	for _, d := range details {
		o := s.get(d)
		if o == nil || o.Type() != fastjson.TypeObject {
			continue
		}
		if x := o.Get(key); x != nil {
			if n := integer(x); n != nil {
				return n
			}
			break
		}
	}
	return s.top(tops...)
}

// number is a JSON number; nil for anything else, and for what no float64 holds (1e999, NaN).
func number(v *fastjson.Value) *float64 {
	if v == nil || v.Type() != fastjson.TypeNumber {
		return nil
	}
	f := v.GetFloat64()
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil
	}
	return &f
}

// integer accepts a JSON integer, and a float that is one (5.0).
func integer(v *fastjson.Value) *int64 {
	if v == nil || v.Type() != fastjson.TypeNumber {
		return nil
	}
	n, err := v.Int64()
	if err != nil {
		f := v.GetFloat64()
		if f != math.Trunc(f) || math.Abs(f) > 1<<53 {
			return nil
		}
		n = int64(f)
	}
	return &n
}
