package judge

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"aiperf/schema"
)

// answer is a body with one read per part, 10 ms apart from 10 ms on.
func answer(typ string, stream bool, parts ...string) *schema.Record {
	ok := 200
	r := &schema.Record{EndpointType: typ, Streaming: &stream, Status: &ok, StartPerfNS: 1e9,
		Metadata: schema.Metadata{RequestStartNS: 5e9, BenchmarkPhase: schema.PhaseProfiling}}
	ct := "application/json"
	if stream {
		ct = "text/event-stream"
	}
	r.ResponseHeaders = map[string]string{"Content-Type": ct}
	for i, p := range parts {
		r.Body += p
		at := int64(1e9) + int64(i+1)*10e6
		r.Reads = append(r.Reads, schema.Read{End: int64(len(r.Body)), PerfNS: at, ReadNS: at})
	}
	return r
}

func chunk(delta, finish string) string {
	if finish != "" {
		finish = `"` + finish + `"`
	} else {
		finish = "null"
	}
	return `data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":` + delta + `,"finish_reason":` + finish + `}]}` + "\n\n"
}

func usage(u string) string {
	return `data: {"object":"chat.completion.chunk","choices":[],"usage":` + u + "}\n\n"
}

const doneLine = "data: [DONE]\n\n"

func gaps(s *Sample) (ms []int64) {
	for _, c := range s.Contents {
		ms = append(ms, (c.PerfNS-s.StartPerfNS)/1e6)
	}
	return ms
}

func val(p *int64) int64 {
	if p == nil {
		return -1
	}
	return *p
}

func TestFaults(t *testing.T) {
	u5 := usage(`{"prompt_tokens":5,"completion_tokens":2}`)
	for _, c := range []struct {
		name      string
		rec       *schema.Record
		at        []int64 // content, ms after the start
		err       string  // type, "" for valid
		osl       int64
		malformed int
	}{
		{"B02: usage never moves the only content", answer("chat", true, chunk(`{"content":"Yes."}`, "stop"), u5, doneLine), []int64{10}, "", 2, 0},
		{"B04: no content event is no first token of 0", answer("chat", true, chunk(`{"role":"assistant","content":""}`, "stop"), u5, doneLine), nil, "InvalidInferenceResultError", 2, 0},
		{"B05: tool calls are content", answer("chat", true,
			chunk(`{"tool_calls":[{"index":0,"function":{"name":"f","arguments":""}}]}`, ""),
			chunk(`{"tool_calls":[{"index":0,"function":{"arguments":"{\"a\":"}}]}`, ""),
			chunk(`{"tool_calls":[{"index":0,"function":{"arguments":"1}"}}]}`, "tool_calls"),
			usage(`{"prompt_tokens":30,"completion_tokens":9}`), doneLine), []int64{10, 20, 30}, "", 9, 0},
		{"B11: a space is content", answer("chat", true, chunk(`{"content":" "}`, "stop"), u5, doneLine), []int64{10}, "", 2, 0},
		{"B16: role and finish alone are no content", answer("chat", true, chunk(`{"role":"assistant"}`, ""), chunk(`{}`, "stop"), usage(`{"prompt_tokens":10,"completion_tokens":0}`), doneLine), nil, "InvalidInferenceResultError", 0, 0},
		{"B18: two events of one read are two and share the stamp", answer("chat", true, chunk(`{"content":"a"}`, "")+chunk(`{"content":"b"}`, "stop"), u5), []int64{10, 10}, "", 2, 0},
		{"B20: an event over three reads arrives with its last byte", answer("chat", true, "data:", ` {"object":"chat.completion.chunk",`, `"choices":[{"delta":{"content":" two"},"finish_reason":"stop"}]}`, "\n\n", u5), []int64{30}, "", 2, 0},
		{"B21: comments are neither content nor error", answer("chat", true, ": keep-alive\n\n", ":\n\n", chunk(`{"content":"a"}`, "stop"), u5), []int64{30}, "", 2, 0},
		{"B23: U+2028 inside an event does not cut it", answer("chat", true, chunk("{\"content\":\"a\u2028b\"}", "stop"), u5), []int64{10}, "", 2, 0},
		{"B24: an event of 200 KiB is one", answer("chat", true, chunk(`{"content":"`+strings.Repeat("x", 200<<10)+`"}`, "stop"), u5), []int64{10}, "", 2, 0},
		{"B26: broken JSON is counted and the rest stands", answer("chat", true, chunk(`{"content":"a"}`, ""), "data: {\"choices\":[{bad\n\n", chunk(`{"content":"b"}`, "stop"), u5, doneLine), []int64{10, 30}, "", 2, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := New(Options{UseServerTokenCount: true}).Judge(c.rec)
			if got := gaps(s); !slices.Equal(got, c.at) {
				t.Errorf("content at %v ms, want %v", got, c.at)
			}
			typ := ""
			if s.Error != nil {
				typ = s.Error.Type
			}
			if typ != c.err || s.Valid != (c.err == "") {
				t.Errorf("valid %v, error %q, want %q", s.Valid, typ, c.err)
			}
			if val(s.OutputTokens) != c.osl {
				t.Errorf("output %d, want %d", val(s.OutputTokens), c.osl)
			}
			if s.Malformed != c.malformed {
				t.Errorf("malformed %d, want %d", s.Malformed, c.malformed)
			}
		})
	}
}

func TestB09TheFirstChunkCountIsKept(t *testing.T) {
	first := `data: {"object":"chat.completion.chunk","choices":[{"delta":{"content":"abcde"}}],"usage":{"prompt_tokens":8,"completion_tokens":5}}` + "\n\n"
	s := New(Options{UseServerTokenCount: true, PerChunkUsage: true}).Judge(answer("chat", true, first, chunk(`{"content":"f"}`, "stop"), usage(`{"prompt_tokens":8,"completion_tokens":21}`)))
	if val(s.FirstChunkTokens) != 5 || val(s.OutputTokens) != 21 {
		t.Errorf("first %d of %d, want 5 of 21", val(s.FirstChunkTokens), val(s.OutputTokens))
	}
}

func TestB11AnAnswerInTheNanosecondOfItsRequestIsValid(t *testing.T) {
	r := answer("chat", true, chunk(`{"content":"a"}`, "stop"))
	r.Reads[0].PerfNS = r.StartPerfNS
	if s := New(Options{}).Judge(r); !s.Valid || !slices.Contains(s.Rules, ruleZeroLatency) {
		t.Errorf("valid %v, rules %v", s.Valid, s.Rules)
	}
	if s := New(Options{Definitions: Definitions013}).Judge(r); s.Valid {
		t.Error("valid under 0.13.0")
	}
}

// words counts words, and remembers the texts it saw.
type words struct{ seen []string }

func (w *words) Count(t string) int { w.seen = append(w.seen, t); return len(strings.Fields(t)) }

func TestB13B14TextsAreJoinedAndCountedOnceReasoningApart(t *testing.T) {
	r := answer("chat", true, chunk(`{"reasoning_content":"let me "}`, ""), chunk(`{"reasoning":"think"}`, ""), chunk(`{"content":"a  "}`, ""), chunk(`{"content":"b "}`, ""), chunk(`{"content":"c"}`, "stop"))
	r.Payload = json.RawMessage(`{"messages":[{"role":"system","content":"be brief"},{"role":"user","content":[{"type":"text","text":"hi"}]}]}`)
	s := New(Options{}).Judge(r)
	var w words
	s.CountTokens(&w)
	if want := []string{"be brief hi", "a  b c", "let me think"}; !slices.Equal(w.seen, want) {
		t.Errorf("counted %q, want %q", w.seen, want)
	}
	if val(s.ISL) != 3 || val(s.OutputTokens) != 3 || val(s.ReasoningTokens) != 3 {
		t.Errorf("isl %d, output %d, reasoning %d, want 3 each", val(s.ISL), val(s.OutputTokens), val(s.ReasoningTokens))
	}
	if val(s.FirstOutputPerfNS)-s.StartPerfNS != 30e6 {
		t.Errorf("first output at %d", val(s.FirstOutputPerfNS)-s.StartPerfNS)
	}
}

func TestRules(t *testing.T) {
	hello := chunk(`{"content":"a"}`, "")
	for _, c := range []struct {
		rule       string
		rec        *schema.Record
		ours, them bool // valid
		code       int
	}{
		{ruleErrorObject, answer("chat", true, hello, `data: {"error":{"message":"overloaded","code":503}}`+"\n\n", doneLine), false, true, 503},
		{ruleErrorObject, answer("chat", true, hello, `data: {"error":{"message":"odd","code":7}}`+"\n\n", doneLine), false, true, 502},
		{ruleIncomplete, answer("chat", true, hello), false, true, 0},
		{ruleNoObject, answer("chat", true, `data: {"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}`+"\n\n"), true, false, 0},
		{ruleRawDone, answer("raw", true, "data: a\n\n", doneLine), true, true, 0},
		{ruleToolProse, answer("chat", true, chunk(`{"content":"p","tool_calls":[{"function":{"name":"f"}}]}`, "stop")), true, true, 0},
		{"", answer("chat", true, hello, chunk(`{}`, "stop"), doneLine), true, true, 0},
		{"", answer("chat", true, chunk(`{"content":"{\"error\": 1} is text"}`, "stop")), true, true, 0},
	} {
		s, o := New(Options{}).Judge(c.rec), New(Options{Definitions: Definitions013}).Judge(c.rec)
		if s.Valid != c.ours || o.Valid != c.them {
			t.Errorf("%s: valid %v and %v, want %v and %v", c.rule, s.Valid, o.Valid, c.ours, c.them)
		}
		if got := strings.Join(s.Rules, ","); got != c.rule || len(o.Rules) > 0 {
			t.Errorf("rules %q and %v, want %q", got, o.Rules, c.rule)
		}
		if c.code > 0 && (s.Error.Code == nil || *s.Error.Code != c.code) {
			t.Errorf("%s: code %v, want %d", c.rule, s.Error.Code, c.code)
		}
	}
	if s := New(Options{AcceptIncomplete: true}).Judge(answer("chat", true, hello)); !s.Valid || len(s.Rules) > 0 {
		t.Errorf("an incomplete stream that is accepted: %v %v", s.Error, s.Rules)
	}
}

func TestDecodeNamesTheField(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{`{}`, "metadata"},
		{`{"metadata":{}}`, "request_start_ns"},
		{`{"metadata":{"request_start_ns":1}}`, "benchmark_phase"},
		{`{"metadata":{"request_start_ns":1,"benchmark_phase":"profiling"}}`, "start_perf_ns"},
		{`{"metadata":{"request_start_ns":1,"benchmark_phase":"profiling"},"start_perf_ns":1,"body":"x"}`, "reads"},
		{`{"metadata":{"request_start_ns":1,"benchmark_phase":"profiling"},"start_perf_ns":1,"body":"x","reads":[[1,2]]}`, "reads[0]"},
		{`{"metadata":{"request_start_ns":1,"benchmark_phase":"profiling"},"start_perf_ns":1,"responses":[{}]}`, "responses[0].perf_ns"},
	} {
		if _, err := Decode([]byte(c.line)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want a word of %s", c.line, err, c.want)
		}
	}
}

func FuzzLine(f *testing.F) {
	for _, n := range []string{"faults", "stream-shapes", "messages-api", "not-streamed"} {
		for i, l := range jsonLines(f, peer+"/"+n+"/profile_export_raw.jsonl") {
			if i < 12 {
				f.Add(l, uint8(i))
			}
		}
	}
	types := []string{"chat", "completions", "responses", "messages", "huggingface_generate", "raw", "template", "embeddings", "chat_embeddings",
		"nim_rankings", "cohere_rankings", "hf_tei_rankings", "solido_rag", "image_generation", "image_retrieval", "video_generation", "audio_transcription"}
	f.Fuzz(func(t *testing.T, line []byte, typ uint8) {
		for _, d := range []string{"", Definitions013} {
			s, err := New(Options{EndpointType: types[int(typ)%len(types)], Definitions: d}).Line(line)
			if err == nil && s.Valid != (s.Error == nil) {
				t.Fatal("valid and an error")
			}
		}
	})
}

func BenchmarkLine(b *testing.B) {
	lines := jsonLines(b, peer+"/rate-slices/profile_export_raw.jsonl")
	size := 0
	for _, l := range lines {
		size += len(l)
	}
	b.Run("judge", func(b *testing.B) {
		j := New(Options{Definitions: Definitions013, UseServerTokenCount: true})
		b.SetBytes(int64(size))
		b.ReportAllocs()
		for b.Loop() {
			for _, l := range lines {
				if _, err := j.Line(l); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
	b.Run("encoding-json", func(b *testing.B) { // the outer line alone, events unread
		b.SetBytes(int64(size))
		b.ReportAllocs()
		for b.Loop() {
			for _, l := range lines {
				var r schema.Record
				if err := json.Unmarshal(l, &r); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
}
