package judge

import (
	"encoding/base64"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"aiperf/schema"
)

func data(s string) string { return "data: " + s + "\n\n" }

func event(name, s string) string { return "event: " + name + "\ndata: " + s + "\n\n" }

// verdict is what a Sample says, in plain words. Absent texts are "-".
type verdict struct {
	err             string // error type, "" when valid
	at              []int64
	output          int64 // first output, ms; -1 none
	text, reasoning string
	usage           string // prompt/completion, -1 absent; "" none
	rules           string
}

func judged(r *schema.Record, opt Options) verdict {
	s := New(opt).Judge(r)
	v := verdict{at: gaps(s), output: -1, text: "-", reasoning: "-", rules: strings.Join(s.Rules, ",")}
	if s.Error != nil {
		v.err = s.Error.Type
	}
	if s.FirstOutputPerfNS != nil {
		v.output = (*s.FirstOutputPerfNS - s.StartPerfNS) / 1e6
	}
	if s.output != nil {
		v.text = *s.output
	}
	if s.reasoning != nil {
		v.reasoning = *s.reasoning
	}
	if u := s.Usage; u != nil {
		b, _ := json.Marshal([]int64{val(u.PromptTokens), val(u.CompletionTokens)})
		v.usage = string(b)
	}
	return v
}

func (v verdict) equal(w verdict) bool {
	return slices.Equal(v.at, w.at) && v.err == w.err && v.output == w.output && v.text == w.text && v.reasoning == w.reasoning && v.usage == w.usage && v.rules == w.rules
}

// none is an answer without any content.
func none(usage string) verdict {
	return verdict{err: invalidType, output: -1, text: "-", reasoning: "-", usage: usage}
}

// one is a text that came with the first read.
func one(text, usage string) verdict {
	return verdict{at: []int64{10}, output: 10, text: text, reasoning: "-", usage: usage}
}

// mute is content without text, such as an embedding: it counts as an empty text.
func mute(usage string) verdict {
	return verdict{at: []int64{10}, output: -1, text: "", reasoning: "-", usage: usage}
}

func TestEveryEndpointType(t *testing.T) {
	raw := func(q string) Options { return Options{ResponseField: q} }
	noDone := func(v verdict) verdict { v.rules = ruleRawDone; return v }
	for _, c := range []struct {
		name string
		rec  *schema.Record
		opt  Options
		ours verdict
		them *verdict // nil: as ours
	}{
		// chat
		{"chat, whole", answer("chat", false, `{"object":"chat.completion","choices":[{"message":{"content":"hi"}}],"usage":{"prompt_tokens":3,"completion_tokens":1}}`), Options{}, one("hi", "[3,1]"), nil},
		{"chat, whole, several choices: the first, usage the sum", answer("chat", false, `{"object":"chat.completion","choices":[{"message":{"content":"a"}},{"message":{"content":"b"}}],"usage":{"prompt_tokens":3,"completion_tokens":2}}`), Options{}, one("a", "[3,2]"), nil},
		{"chat, whole, over two reads: it came with the last", answer("chat", false, `{"object":"chat.completion","choices":[{"mess`, `age":{"content":"hi"}}]}`), Options{}, verdict{at: []int64{20}, output: 20, text: "hi", reasoning: "-"}, nil},
		{"chat, whole, empty content", answer("chat", false, `{"object":"chat.completion","choices":[{"message":{"content":""}}],"usage":{"prompt_tokens":3,"completion_tokens":0}}`), Options{}, none("[3,0]"), nil},
		{"chat, whole, not JSON", answer("chat", false, `<html>busy</html>`), Options{}, none(""), nil},
		{"chat, whole, an error object", answer("chat", false, `{"error":{"message":"m","code":429}}`), Options{}, verdict{err: "ServerError", output: -1, text: "-", reasoning: "-", rules: ruleErrorObject}, ptr(none(""))},
		{"chat, whole, nothing", answer("chat", false, ""), Options{}, none(""), nil},
		{"chat, streamed: reasoning, then text, then usage, which is no content", answer("chat", true, chunk(`{"role":"assistant"}`, ""), chunk(`{"reasoning_content":"r"}`, ""), chunk(`{"content":"a"}`, ""), chunk(`{"content":"b"}`, "stop"), usage(`{"prompt_tokens":3,"completion_tokens":3}`), doneLine),
			Options{}, verdict{at: []int64{20, 30, 40}, output: 30, text: "ab", reasoning: "r", usage: "[3,3]"}, nil},
		{"chat, streamed: reasoning alone has no output", answer("chat", true, chunk(`{"reasoning_content":"r"}`, "stop"), doneLine), Options{}, verdict{at: []int64{10}, output: -1, text: "-", reasoning: "r"}, nil},
		{"chat, streamed: two choices, the events of the second alone count too", answer("chat", true,
			`data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"a"}}]}`+"\n\n", `data: {"object":"chat.completion.chunk","choices":[{"index":1,"delta":{"content":"b"}}]}`+"\n\n", doneLine),
			Options{}, verdict{at: []int64{10, 20}, output: 10, text: "ab", reasoning: "-"}, nil},
		{"chat, streamed: the last non-empty usage is taken whole", answer("chat", true, chunk(`{"content":"a"}`, "stop"), usage(`{"prompt_tokens":3,"completion_tokens":1}`), usage(`{"completion_tokens":2}`), usage(`{}`), doneLine), Options{}, one("a", "[-1,2]"), nil},
		{"chat, streamed though it was not asked for", answer("", true, chunk(`{"content":"a"}`, "stop"), doneLine), Options{EndpointType: "chat"}, one("a", ""), nil},
		{"chat, streamed: [DONE] alone ends it", answer("chat", true, chunk(`{"content":"a"}`, ""), doneLine), Options{}, one("a", ""), nil},
		{"chat, streamed: an error event alone", answer("chat", true, event("error", `{"error":{"message":"m"}}`)), Options{}, verdict{err: "SSEResponseError", output: -1, text: "-", reasoning: "-"}, nil},
		// completions
		{"completions, whole", answer("completions", false, `{"object":"text_completion","choices":[{"text":"hi"}],"usage":{"prompt_tokens":3,"completion_tokens":1}}`), Options{}, one("hi", "[3,1]"), nil},
		{"completions, streamed", answer("completions", true, data(`{"object":"text_completion","choices":[{"text":"a"}]}`), data(`{"object":"text_completion","choices":[{"text":"","finish_reason":"stop"}]}`), data(`{"object":"text_completion","choices":[],"usage":{"prompt_tokens":3,"completion_tokens":1}}`), doneLine), Options{}, one("a", "[3,1]"), nil},
		// responses
		{"responses, whole", answer("responses", false, `{"object":"response","output":[{"type":"message","content":[{"type":"output_text","text":"hi"}]}],"usage":{"input_tokens":3,"output_tokens":1}}`), Options{}, one("hi", "[3,1]"), nil},
		{"responses, streamed: done after deltas moves the end, not the text", answer("responses", true, event("response.created", `{"type":"response.created","response":{}}`), event("x", `{"type":"response.output_text.delta","delta":"a"}`), event("x", `{"type":"response.output_text.done","text":"a"}`), event("x", `{"type":"response.completed","response":{"usage":{"input_tokens":3,"output_tokens":1}}}`)),
			Options{}, verdict{at: []int64{20, 30}, output: 20, text: "a", reasoning: "-", usage: "[3,1]"}, nil},
		{"responses, streamed: failed", answer("responses", true, event("x", `{"type":"response.output_text.delta","delta":"a"}`), event("x", `{"type":"response.failed","response":{"error":{"message":"m"}}}`)),
			Options{}, verdict{err: "SSEResponseError", at: []int64{10}, output: 10, text: "a", reasoning: "-", rules: ruleErrorObject}, ptr(one("a", ""))},
		{"responses, streamed: incomplete is an end", answer("responses", true, event("x", `{"type":"response.output_text.delta","delta":"a"}`), event("x", `{"type":"response.incomplete","response":{"usage":{"input_tokens":3}}}`)), Options{}, one("a", ""), nil},
		{"responses, streamed: cut off", answer("responses", true, event("x", `{"type":"response.output_text.delta","delta":"a"}`)),
			Options{}, verdict{err: "IncompleteStreamError", at: []int64{10}, output: 10, text: "a", reasoning: "-", rules: ruleIncomplete}, ptr(one("a", ""))},
		// messages
		{"messages, whole", answer("messages", false, `{"type":"message","content":[{"type":"text","text":"hi"}],"usage":{"input_tokens":3,"output_tokens":1,"cache_read_input_tokens":7}}`), Options{}, one("hi", "[10,1]"), nil},
		{"messages, streamed: usage is folded", answer("messages", true, event("message_start", `{"type":"message_start","message":{"usage":{"input_tokens":3,"cache_read_input_tokens":7,"output_tokens":1}}}`), event("content_block_delta", `{"type":"content_block_delta","delta":{"type":"thinking_delta","thinking":"r"}}`),
			event("content_block_delta", `{"type":"content_block_delta","delta":{"type":"text_delta","text":"a"}}`), event("message_delta", `{"type":"message_delta","usage":{"output_tokens":4}}`), event("message_stop", `{"type":"message_stop"}`)),
			Options{}, verdict{at: []int64{20, 30}, output: 30, text: "a", reasoning: "r", usage: "[10,4]"}, nil},
		{"messages, streamed: a named error event fails under both", answer("messages", true, event("content_block_delta", `{"type":"content_block_delta","delta":{"type":"text_delta","text":"a"}}`), event("error", `{"type":"error","error":{"message":"m"}}`)),
			Options{}, verdict{err: "SSEResponseError", at: []int64{10}, output: 10, text: "a", reasoning: "-"}, nil},
		{"messages, streamed: an error in a bare data line", answer("messages", true, data(`{"type":"content_block_delta","delta":{"type":"text_delta","text":"a"}}`), data(`{"type":"error","error":{"message":"m"}}`), data(`{"type":"message_stop"}`)),
			Options{}, verdict{err: "SSEResponseError", at: []int64{10}, output: 10, text: "a", reasoning: "-", rules: ruleErrorObject}, ptr(one("a", ""))},
		// the other types with text
		{"huggingface_generate, whole", answer("huggingface_generate", false, `{"generated_text":"hi"}`), Options{}, one("hi", ""), nil},
		{"huggingface_generate, streamed: its last event ends it", answer("huggingface_generate", true, "data:"+`{"token":{"text":"a"},"generated_text":null}`+"\n\n", "data:"+`{"token":{"text":"b"},"generated_text":"ab"}`+"\n\n"), Options{}, verdict{at: []int64{10, 20}, output: 10, text: "ab", reasoning: "-"}, nil},
		{"huggingface_generate, cut off", answer("huggingface_generate", true, data(`{"token":{"text":"a"}}`)), Options{}, verdict{err: "IncompleteStreamError", at: []int64{10}, output: 10, text: "a", reasoning: "-", rules: ruleIncomplete}, ptr(one("a", ""))},
		{"solido_rag, whole", answer("solido_rag", false, `{"content":"hi","sources":[]}`), Options{}, one("hi", ""), nil},
		{"solido_rag, streamed, has no end to miss", answer("solido_rag", true, data(`{"content":"a"}`), data(`{"content":"b"}`)), Options{}, verdict{at: []int64{10, 20}, output: 10, text: "ab", reasoning: "-"}, nil},
		// raw and template
		{"raw, whole, not JSON", answer("raw", false, "plain words"), Options{}, one("plain words", ""), nil},
		{"raw, whole, by query", answer("raw", false, `{"a":{"b":"x"},"text":"y"}`), raw("a.b"), one("x", ""), nil},
		{"raw, whole, query misses", answer("raw", false, `{"a":{},"text":"y"}`), raw("a.b"), one("y", ""), nil},
		{"raw, whole, JSON without anything known", answer("raw", false, `{"a":1}`), Options{}, none(""), nil},
		{"raw, whole, embeddings", answer("raw", false, `{"data":[{"object":"embedding","embedding":[1]}]}`), Options{}, mute(""), nil},
		{"raw, streamed: [DONE] is text in 0.13.0 alone", answer("raw", true, data(`{"text":"a"}`), doneLine), Options{}, noDone(one("a", "")), &verdict{at: []int64{10, 20}, output: 10, text: "a[DONE]", reasoning: "-"}},
		{"raw, streamed: [DONE] alone is an answer in 0.13.0 alone", answer("raw", true, doneLine), Options{}, noDone(none("")), ptr(one("[DONE]", ""))},
		{"raw, streamed text", answer("raw", true, "event: output\ndata: a\n\n", "event: output\ndata: \n\n", "event: output\ndata:  b\n\n"), Options{}, verdict{at: []int64{10, 30}, output: 10, text: "a b", reasoning: "-"}, nil},
		{"template, whole, query misses", answer("template", false, `{"a":{},"text":"y"}`), raw("a.b"), none(""), nil},
		{"template, whole, query text", answer("template", false, `{"content":"y"}`), raw("text"), one("y", ""), nil},
		{"template, streamed", answer("template", true, data(`{"r":{"t":"a"}}`), doneLine), raw("r.t"), noDone(one("a", "")), &verdict{at: []int64{10, 20}, output: 10, text: "a[DONE]", reasoning: "-"}},
		// content without text
		{"embeddings, usage not read", answer("embeddings", false, `{"data":[{"object":"embedding","embedding":[0.1]}],"usage":{"prompt_tokens":3}}`), Options{}, mute(""), nil},
		{"embeddings with a foreign item", answer("embeddings", false, `{"data":[{"object":"embedding"},{"object":"x"}]}`), Options{}, none(""), nil},
		{"embeddings, empty", answer("embeddings", false, `{"data":[]}`), Options{}, none(""), nil},
		{"chat_embeddings", answer("chat_embeddings", false, `{"embeddings":[[0.1]]}`), Options{}, mute(""), nil},
		{"nim_embeddings", answer("nim_embeddings", false, `{"data":[{"object":"embedding","embedding":[0.1]}]}`), Options{}, mute(""), nil},
		{"cohere_rankings", answer("cohere_rankings", false, `{"results":[{"index":0,"relevance_score":1}]}`), Options{}, mute(""), nil},
		{"hf_tei_rankings", answer("hf_tei_rankings", false, `[{"index":0,"score":1}]`), Options{}, mute(""), nil},
		{"nim_rankings", answer("nim_rankings", false, `{"rankings":[{"index":0,"logit":1}]}`), Options{}, mute(""), nil},
		{"nim_rankings, empty", answer("nim_rankings", false, `{"rankings":[]}`), Options{}, none(""), nil},
		{"image_generation, whole", answer("image_generation", false, `{"data":[{"url":"u"}],"usage":{"input_tokens":3,"output_tokens":4}}`), Options{}, mute("[3,4]"), nil},
		{"image_generation, streamed: every JSON event", answer("image_generation", true, data(`{"type":"image_generation.partial_image","b64_json":"AA"}`), data(`{"type":"image_generation.completed","usage":{"input_tokens":3,"output_tokens":4}}`), doneLine), Options{}, verdict{at: []int64{10, 20}, output: -1, text: "", reasoning: "-", usage: "[3,4]"}, nil},
		{"image_generation, an error object", answer("image_generation", false, `{"error":{"message":"m"}}`), Options{}, verdict{err: "ServerError", output: -1, text: "-", reasoning: "-", rules: ruleErrorObject}, ptr(mute(""))},
		{"image_generation, not JSON", answer("image_generation", false, `oops`), Options{}, none(""), nil},
		{"image_edit", answer("image_edit", false, `{"data":[{"b64_json":"AA"}]}`), Options{}, mute(""), nil},
		{"video_generation", answer("video_generation", false, `{"status":"completed","inference_time_s":2}`), Options{}, mute(""), nil},
		{"image_retrieval", answer("image_retrieval", false, `{"data":[{}]}`), Options{}, mute(""), nil},
		{"image_retrieval without data", answer("image_retrieval", false, `{}`), Options{}, none(""), nil},
		{"audio_transcription, JSON", answer("audio_transcription", false, `{"text":"hi","usage":{"input_tokens":3,"output_tokens":1}}`), Options{}, one("hi", "[3,1]"), nil},
		{"audio_transcription, text", answer("audio_transcription", false, "hi there\n"), Options{}, one("hi there\n", ""), nil},
		{"audio_transcription, blank", answer("audio_transcription", false, " \n"), Options{}, none(""), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := judged(c.rec, c.opt); !got.equal(c.ours) {
				t.Errorf("ours:\n got %+v\nwant %+v", got, c.ours)
			}
			want := c.ours
			if c.them != nil {
				want = *c.them
			}
			c.opt.Definitions = Definitions013
			if got := judged(c.rec, c.opt); !got.equal(want) {
				t.Errorf("0.13.0:\n got %+v\nwant %+v", got, want)
			}
		})
	}
}

func ptr[T any](v T) *T { return &v }

func TestTheLastFieldsOfAVideoJobCount(t *testing.T) {
	s := New(Options{}).Judge(answer("video_generation", false, `{"status":"completed","inference_time_s":2.5,"peak_memory_mb":100}`))
	if s.VideoInferenceTime == nil || *s.VideoInferenceTime != 2.5 || s.VideoPeakMemoryMB == nil || *s.VideoPeakMemoryMB != 100 {
		t.Errorf("%v, %v", s.VideoInferenceTime, s.VideoPeakMemoryMB)
	}
}

// cancelled is a request that its client gave up after what parts say.
func cancelled(parts ...string) *schema.Record {
	r := answer("chat", true, parts...)
	code, end := 499, r.Metadata.RequestStartNS+95e6
	r.Error = &schema.Error{Code: &code, Type: "RequestCancellationError", Message: "Request cancelled 0.095s after being sent"}
	r.Metadata.WasCancelled, r.Metadata.RequestEndNS, r.Metadata.CancellationTimeNS = true, &end, &end
	return r
}

func TestCancelledChunksAreKept(t *testing.T) {
	running := `data: {"object":"chat.completion.chunk","choices":[{"delta":{"content":"b"}}],"usage":{"prompt_tokens":3,"completion_tokens":2}}` + "\n\n"
	for _, c := range []struct {
		name       string
		rec        *schema.Record
		ours, them verdict
	}{
		{"chunks and running usage stay", cancelled(chunk(`{"content":"a"}`, ""), running),
			verdict{err: "RequestCancellationError", at: []int64{10, 20}, output: 10, text: "ab", reasoning: "-", usage: "[3,2]", rules: ruleCancelled}, verdict{err: "RequestCancellationError", output: -1, text: "-", reasoning: "-"}},
		{"usage alone is something to keep", cancelled(usage(`{"prompt_tokens":3}`)),
			verdict{err: "RequestCancellationError", output: -1, text: "-", reasoning: "-", usage: "[3,-1]", rules: ruleCancelled}, verdict{err: "RequestCancellationError", output: -1, text: "-", reasoning: "-"}},
		{"before the first content there was nothing to keep", cancelled(": ping\n\n", chunk(`{"role":"assistant"}`, "")),
			verdict{err: "RequestCancellationError", output: -1, text: "-", reasoning: "-"}, verdict{err: "RequestCancellationError", output: -1, text: "-", reasoning: "-"}},
		{"nor before the head", cancelled(), verdict{err: "RequestCancellationError", output: -1, text: "-", reasoning: "-"}, verdict{err: "RequestCancellationError", output: -1, text: "-", reasoning: "-"}},
	} {
		if got := judged(c.rec, Options{}); !got.equal(c.ours) {
			t.Errorf("%s, ours:\n got %+v\nwant %+v", c.name, got, c.ours)
		}
		if got := judged(c.rec, Options{Definitions: Definitions013}); !got.equal(c.them) {
			t.Errorf("%s, 0.13.0:\n got %+v\nwant %+v", c.name, got, c.them)
		}
		if s := New(Options{}).Judge(c.rec); s.EndNS != *c.rec.Metadata.RequestEndNS || s.Valid {
			t.Errorf("%s: end %d, valid %v", c.name, s.EndNS, s.Valid)
		}
	}
}

func TestAnAnswerThatFailedOnTheWayKeepsItsChunksNotItsUsage(t *testing.T) {
	r := answer("chat", true, `data: {"object":"chat.completion.chunk","choices":[{"delta":{"content":"a"}}],"usage":{"prompt_tokens":3}}`+"\n\n")
	r.Error = &schema.Error{Type: "ClientPayloadError"}
	want := verdict{err: "ClientPayloadError", at: []int64{10}, output: 10, text: "a", reasoning: "-"}
	for _, d := range []string{"", Definitions013} {
		if got := judged(r, Options{Definitions: d}); !got.equal(want) {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
}

func TestEveryRuleHasARowThatFiresIt(t *testing.T) {
	for _, r := range Rules {
		fires := answer("chat", true, chunk(`{"content":"a"}`, "stop"), doneLine)
		switch r.Name {
		case ruleErrorObject:
			fires = answer("chat", true, data(`{"error":{"message":"m"}}`))
		case ruleIncomplete:
			fires = answer("chat", true, chunk(`{"content":"a"}`, ""))
		case ruleNoObject:
			fires = answer("chat", true, data(`{"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}`))
		case ruleRawDone:
			fires = answer("raw", true, "data: a\n\n", doneLine)
		case ruleToolProse:
			fires = answer("chat", true, chunk(`{"content":"p","tool_calls":[{"function":{"name":"f"}}]}`, "stop"))
		case ruleCancelled:
			fires = cancelled(chunk(`{"content":"a"}`, ""))
		case ruleZeroLatency:
			fires.Reads[0].PerfNS, fires.Reads[1].PerfNS = fires.StartPerfNS, fires.StartPerfNS
		default:
			t.Fatalf("no record for the rule %s", r.Name)
		}
		if s := New(Options{}).Judge(fires); !slices.Equal(s.Rules, []string{r.Name}) {
			t.Errorf("%s: rules %v", r.Name, s.Rules)
		}
		if s := New(Options{Definitions: Definitions013}).Judge(fires); len(s.Rules) > 0 {
			t.Errorf("%s under 0.13.0: rules %v", r.Name, s.Rules)
		}
	}
	if s := New(Options{}).Judge(answer("chat", true, chunk(`{"content":"a"}`, "stop"), doneLine)); len(s.Rules) > 0 || !s.Valid {
		t.Errorf("a plain answer: rules %v", s.Rules)
	}
}

func TestErrorObjectsSayWhatTheServerSaid(t *testing.T) {
	for _, c := range []struct {
		name, body, typ, message string
		code                     int
	}{
		{"an object with a code", `{"error":{"message":"slow down","code":429}}`, "ServerError", "slow down", 429},
		{"a status in place of a code", `{"error":{"message":"m","status":503}}`, "ServerError", "m", 503},
		{"a status_code beside a code of words", `{"error":{"message":"m","code":"tool_use_failed","status_code":400}}`, "ServerError", "m", 400},
		{"a code that is no error", `{"error":{"message":"m","code":200}}`, "ServerError", "m", 502},
		{"a text", `{"error":"out of memory"}`, "ServerError", "out of memory", 502},
		{"an object without message", `{"error":{"detail":"d"}}`, "ServerError", `{"detail":"d"}`, 502},
	} {
		e := New(Options{}).Judge(answer("chat", false, c.body)).Error
		if e == nil || e.Type != c.typ || e.Message != c.message || e.Code == nil || *e.Code != c.code {
			t.Errorf("%s: %+v", c.name, e)
		}
	}
	e := New(Options{}).Judge(answer("chat", true, "event: error\n: the engine died\ndata: {}\n\n")).Error
	if e == nil || e.Type != "SSEResponseError" || e.Message != "the engine died" || *e.Code != 502 {
		t.Errorf("an error event with a comment: %+v", e)
	}
	r := answer("chat", false, "queue full")
	*r.Status = 503
	if e := New(Options{}).Judge(r).Error; e == nil || *e.Code != 503 || e.Type != "Service Unavailable" || e.Message != "queue full" {
		t.Errorf("status 503: %+v", e)
	}
}

func TestSpeculativeDecodingIsTakenOnce(t *testing.T) {
	stats := `"metrics":{"speculative_decoding":{"num_spec_steps":1,"num_draft_tokens":3,"num_accepted_draft_tokens":2,"acceptance_histogram":[0,0,1],"mean_acceptance_length":3,"draft_acceptance_rate":0.5}}`
	with := data(`{"object":"chat.completion.chunk","choices":[],"usage":{"completion_tokens":3},` + stats + `}`)
	hello := chunk(`{"content":"a"}`, "stop")
	s := New(Options{}).Judge(answer("chat", true, hello, with, doneLine))
	if s.SpecDecode == nil || s.SpecDecode.Accepted != 2 || !strings.Contains(string(s.SpecDecode.JSON), `"completion_tokens":3`) {
		t.Errorf("%+v", s.SpecDecode)
	}
	if s := New(Options{}).Judge(answer("chat", true, hello, with, with, doneLine)); s.SpecDecode != nil || !s.Valid {
		t.Errorf("sent twice: %+v", s.SpecDecode)
	}
	if s := New(Options{}).Judge(answer("chat", true, hello, data(`{"object":"chat.completion.chunk","metrics":{"speculative_decoding":{}}}`), with, doneLine)); s.SpecDecode == nil {
		t.Error("empty stats beside it are none")
	}
	if s := New(Options{}).Judge(answer("completions", false, `{"object":"text_completion","choices":[{"text":"a"}],`+stats+`}`)); s.SpecDecode == nil {
		t.Error("completions have them too")
	}
}

func TestServerTokenCounts(t *testing.T) {
	for _, c := range []struct {
		name, usage            string
		isl, output, reasoning int64
	}{
		{"reasoning is taken off", `{"prompt_tokens":9,"completion_tokens":10,"completion_tokens_details":{"reasoning_tokens":4}}`, 9, 6, 4},
		{"more reasoning than completion is 0 output", `{"prompt_tokens":9,"completion_tokens":3,"completion_tokens_details":{"reasoning_tokens":4}}`, 9, 0, 4},
		{"no completion is no output", `{"prompt_tokens":9,"completion_tokens_details":{"reasoning_tokens":4}}`, 9, -1, 4},
		{"no prompt is no input", `{"completion_tokens":3}`, -1, 3, -1},
		{"empty is nothing", `{}`, -1, -1, -1},
		{"floats that are whole are counts", `{"prompt_tokens":9.0,"completion_tokens":3.0}`, 9, 3, -1},
	} {
		s := New(Options{UseServerTokenCount: true}).Judge(answer("chat", true, chunk(`{"content":"a"}`, "stop"), usage(c.usage), doneLine))
		if val(s.ISL) != c.isl || val(s.OutputTokens) != c.output || val(s.ReasoningTokens) != c.reasoning {
			t.Errorf("%s: %d, %d, %d", c.name, val(s.ISL), val(s.OutputTokens), val(s.ReasoningTokens))
		}
	}
}

func TestKeepTextIsTheWholeAnswer(t *testing.T) {
	r := answer("chat", true, chunk(`{"reasoning":"r"}`, ""), chunk(`{"content":"a "}`, ""), chunk(`{"content":"b"}`, "stop"), doneLine)
	if s := New(Options{KeepText: true, UseServerTokenCount: true}).Judge(r); s.Text != "a b" {
		t.Errorf("text %q", s.Text)
	}
	if s := New(Options{}).Judge(r); s.Text != "" {
		t.Errorf("text %q, not asked for", s.Text)
	}
}

// What is not UTF-8 travels as base64 and is judged by its bytes: a read ends where it ended.
func TestBodyB64(t *testing.T) {
	body := ": \xff\xfe\n\n" + chunk(`{"content":"a"}`, "") + chunk(`{"content":"b"}`, "stop")
	cut := strings.LastIndex(body, "data:")
	for _, header := range []string{"text/event-stream", ""} {
		line, _ := json.Marshal(map[string]any{"metadata": map[string]any{"request_start_ns": 5, "benchmark_phase": "profiling"}, "start_perf_ns": 100,
			"endpoint_type": "chat", "status": 200, "body_b64": base64.StdEncoding.EncodeToString([]byte(body)), "reads": [][3]int{{cut, 110, 111}, {len(body), 120, 121}},
			"response_headers": map[bool]map[string]string{true: {"content-type": header}, false: {}}[header != ""]})
		s, err := New(Options{}).Line(line)
		if err != nil {
			t.Fatal(err)
		}
		if !s.Valid || len(s.Contents) != 2 || s.Contents[0] != (Content{110, 0}) || s.Contents[1] != (Content{120, 1}) {
			t.Errorf("content type %q: valid %v, %v", header, s.Valid, s.Contents)
		}
	}
}

func TestBrokenUTF8IsReplaced(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"a byte that begins nothing", "a\xffb", "a\ufffdb"},
		{"two of them are two", "\xff\xfe", "\ufffd\ufffd"},
		{"a character cut short is one", "\xe2\x82", "\ufffd"},
		{"cut short by another", "\xe2\x82a", "\ufffda"},
		{"a lone tail, a cut lead, a whole character", "\x82\xf0\x9f\x98é", "\ufffd\ufffdé"},
		{"a surrogate is three", "\xed\xa0\x80", "\ufffd\ufffd\ufffd"},
		{"U+FFFD itself stays", "\ufffd", "\ufffd"},
	} {
		r := answer("chat", true, chunk(`{"content":"`+c.in+`"}`, "stop"))
		r.Body, r.BodyB64 = "", []byte(r.Body)
		s := New(Options{KeepText: true}).Judge(r)
		if s.Text != c.want || *s.output != c.want {
			t.Errorf("%s: %q, want %q", c.name, s.Text, c.want)
		}
	}
}

func TestMergeTakesTheTraceOrWhatWasMadeOfIt(t *testing.T) {
	num := func(s string) schema.MetricValue { return schema.MetricValue{Value: json.RawMessage(s), Unit: "ns"} }
	m := &Sample{FromMetrics: map[string]schema.MetricValue{"http_req_waiting": num("5"), "http_req_list": num("[1]"), "request_latency": num("7")}}
	s := &Sample{}
	s.Merge(m)
	if len(s.HTTP) != 1 || s.HTTP["http_req_waiting"] != 5 || s.Trace != nil {
		t.Errorf("without a trace: %v", s.HTTP)
	}
	tr := &schema.TraceData{}
	s = &Sample{}
	s.Merge(&Sample{Trace: tr, FromMetrics: m.FromMetrics})
	if s.Trace != tr || s.HTTP != nil {
		t.Errorf("with a trace: %v, %v", s.Trace, s.HTTP)
	}
	own := &schema.TraceData{}
	s = &Sample{Trace: own}
	s.Merge(&Sample{Trace: tr, FromMetrics: m.FromMetrics})
	if s.Trace != own || s.HTTP != nil {
		t.Errorf("its own trace: %v, %v", s.Trace == own, s.HTTP)
	}
}

// However the bytes fall into reads, the events are the same and each comes with the read that holds
// its last byte.
func TestAnySplitIntoReadsGivesTheSameEvents(t *testing.T) {
	for _, f := range []struct{ file, typ string }{{"openai-chat-usage", "chat"}, {"groq-reasoning", "chat"}, {"openai-legacy-completions", "completions"}, {"anthropic-thinking", "messages"}, {"deepseek-responses-reasoning", "responses"}, {"openrouter-comments", "chat"}} {
		b, err := os.ReadFile("../../testdata/sse/" + f.file + ".sse")
		if err != nil {
			t.Fatal(err)
		}
		body := string(b)
		if f.typ == "completions" {
			body = strings.ReplaceAll(body, "\n", "\r\n")
		}
		j := New(Options{})
		whole := *j.Judge(answer(f.typ, true, body))
		// one read a byte: the offset where each content ends
		single := answer(f.typ, true, body)
		single.Reads = nil
		for i := range len(body) {
			n := int64(i) + 1
			single.Reads = append(single.Reads, schema.Read{End: n, PerfNS: single.StartPerfNS + 1 + n})
		}
		var ends []int64
		for _, c := range j.Judge(single).Contents {
			ends = append(ends, c.PerfNS-single.StartPerfNS-1)
		}
		if len(ends) != len(whole.Contents) || len(ends) == 0 {
			t.Fatalf("%s: %d contents byte by byte, %d at once", f.file, len(ends), len(whole.Contents))
		}
		rapid.Check(t, func(t *rapid.T) {
			cuts := rapid.SliceOfNDistinct(rapid.IntRange(1, len(body)-1), 0, 40, rapid.ID).Draw(t, "cuts")
			slices.Sort(cuts)
			var parts []string
			from := 0
			for _, c := range append(cuts, len(body)) {
				parts, from = append(parts, body[from:c]), c
			}
			r := answer(f.typ, true, parts...)
			s := j.Judge(r)
			if *s.output != *whole.output || (s.reasoning == nil) != (whole.reasoning == nil) || s.reasoning != nil && *s.reasoning != *whole.reasoning || s.Valid != whole.Valid {
				t.Fatalf("%s: another text", f.file)
			}
			if (s.Usage == nil) != (whole.Usage == nil) || s.Usage != nil && val(s.Usage.CompletionTokens) != val(whole.Usage.CompletionTokens) {
				t.Fatalf("%s: another usage", f.file)
			}
			if len(s.Contents) != len(ends) {
				t.Fatalf("%s: %d contents, want %d", f.file, len(s.Contents), len(ends))
			}
			for i, end := range ends {
				want := slices.IndexFunc(r.Reads, func(x schema.Read) bool { return x.End >= end })
				if c := s.Contents[i]; c.Read != want || c.PerfNS != r.Reads[want].PerfNS {
					t.Fatalf("%s: content %d, which ends at %d, came with read %d, want %d", f.file, i, end, c.Read, want)
				}
			}
		})
	}
}

func FuzzBody(f *testing.F) {
	for _, n := range []string{"openai-chat-usage", "openrouter-error-comments", "anthropic-tooluse", "openai-responses-tool", "replicate-raw-text"} {
		b, err := os.ReadFile("../../testdata/sse/" + n + ".sse")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b, uint8(0), 100)
	}
	types := []string{"chat", "completions", "responses", "messages", "huggingface_generate", "raw", "template", "image_generation", "audio_transcription"}
	f.Fuzz(func(t *testing.T, body []byte, typ uint8, cut int) {
		if cut < 1 || cut >= len(body) {
			return
		}
		name := types[int(typ)%len(types)]
		for _, d := range []string{"", Definitions013} {
			for _, stream := range []bool{true, false} {
				s := New(Options{Definitions: d, KeepText: true}).Judge(answer(name, stream, string(body[:cut]), string(body[cut:])))
				if s.Valid != (s.Error == nil) || s.Valid && len(s.Contents) == 0 || d != "" && len(s.Rules) > 0 {
					t.Fatalf("valid %v, error %v, %d contents, rules %v", s.Valid, s.Error, len(s.Contents), s.Rules)
				}
				for i, c := range s.Contents {
					if c.Read < 0 || c.Read > 1 || i > 0 && c.Read < s.Contents[i-1].Read {
						t.Fatalf("contents %v", s.Contents)
					}
				}
			}
		}
	})
}
