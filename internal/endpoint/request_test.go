package endpoint

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/valyala/fastjson"
)

func cap64(n int64) *int64 { return &n }

func body(t testing.TB, text string) *Body {
	t.Helper()
	b, err := ParseBody([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestRequestBodies(t *testing.T) {
	for _, c := range []struct {
		name, want string
		make       func(*Message, *Options) []byte
		m          Message
		o          Options
	}{
		{"one text is a bare string", `{"messages":[{"role":"user","content":"hi"}],"model":"m","stream":false}`, ChatRequest,
			Message{Texts: []string{"hi"}, Model: "m"}, Options{}},
		{"a cap, extras over it, the turn's own last, usage asked for at the end",
			`{"messages":[{"role":"user","content":"hi"}],"model":"x","stream":true,"max_completion_tokens":9,"a":1,"b":2,"stream_options":{"include_usage":true}}`, ChatRequest,
			Message{Texts: []string{"hi"}, Model: "m", MaxTokens: cap64(6), Extra: body(t, `{"b":2,"model":"x"}`)}, Options{Streaming: true, Extra: body(t, `{"max_completion_tokens":9,"a":1}`)}},
		{"an author's include_usage stays", `{"messages":[{"role":"user","content":""}],"model":"m","stream":true,"stream_options":{"include_usage":false,"continuous_usage_stats":true}}`, ChatRequest,
			Message{Model: "m"}, Options{Streaming: true, PerChunkUsage: true, Extra: body(t, `{"stream_options":{"include_usage":false}}`)}},
		{"stream_options that are no object are left alone", `{"messages":[{"role":"user","content":""}],"model":"m","stream":true,"stream_options":"x"}`, ChatRequest,
			Message{Model: "m"}, Options{Streaming: true, Extra: body(t, `{"stream_options":"x"}`)}},
		{"the merged body decides whether it streams", `{"messages":[{"role":"user","content":""}],"model":"m","stream":true,"stream_options":{"include_usage":true}}`, ChatRequest,
			Message{Model: "m"}, Options{Extra: body(t, `{"stream":true}`)}},
		{"a system message and a user context stand first", `{"messages":[{"role":"system","content":"s"},{"role":"user","content":"c"},{"role":"user","content":"t"}],"model":"m","stream":false}`, ChatRequest,
			Message{System: "s", Context: "c", Texts: []string{"t"}, Model: "m"}, Options{}},
		{"authored messages are spliced in", `{"messages":[{"role":"system","content":"s"},{"role":"user","x":[1]}],"model":"m","stream":false,"tools":[{"a":1}]}`, ChatRequest,
			Message{System: "s", Messages: json.RawMessage(`[{"role":"user","x":[1]}]`), Tools: json.RawMessage(`[{"a":1}]`), Model: "m"}, Options{}},
		{"an empty text of several is left out", `{"messages":[{"role":"user","content":[{"type":"text","text":"b"},{"type":"text","text":"c"}]}],"model":"m","stream":false}`, ChatRequest,
			Message{Texts: []string{"", "b", "c"}, Model: "m"}, Options{}},
		{"completions: several texts are an array", `{"prompt":["a","b"],"model":"m","stream":false,"max_tokens":6}`, CompletionsRequest,
			Message{Texts: []string{"a", "b"}, Model: "m", MaxTokens: cap64(6)}, Options{}},
		{"completions: a cap of 0 is not sent", `{"prompt":"a","model":"m","stream":false}`, CompletionsRequest,
			Message{Texts: []string{"a", ""}, Model: "m", MaxTokens: cap64(0)}, Options{}},
	} {
		if got := string(c.make(&c.m, &c.o)); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestExtraInputs(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"kinds of value", "a:1,b:-3,c:0.9,d:true,e:FALSE,f:none,g:null,h:x", `{"a":1,"b":-3,"c":0.9,"d":true,"e":false,"f":null,"g":null,"h":"x"}`},
		{"an exponent and a leading zero stay text", "a:1e-3,b:007", `{"a":"1e-3","b":"007"}`},
		{"a value may have colons", "tag:a:b", `{"tag":"a:b"}`},
		{"JSON as it is", `{"x":[1,2.50,1e3],"y":{"z":null}}`, `{"x":[1,2.5,1000.0],"y":{"z":null}}`},
	} {
		b, err := ExtraInputs([]string{c.in})
		if err != nil || string(b.JSON()) != c.want {
			t.Errorf("%s: %v, %v, want %s", c.name, b, err, c.want)
		}
	}
	b, err := ExtraInputs([]string{"a:1,b:2", `{"a":3}`})
	if err != nil || string(b.JSON()) != `{"a":3,"b":2}` {
		t.Errorf("later keys win in the earlier place: %s, %v", b.JSON(), err)
	}
	for _, bad := range []string{"flag", "a:1,b", ":1", `{"a":`, ""} {
		if _, err := ExtraInputs([]string{bad}); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
}

func TestB23LineSeparatorsAndOthersStayAsTheyAre(t *testing.T) {
	in := "a\u2028b\u0085\"\\/<>&é😀\x00\x1f\n\x7f"
	got := string(AppendString(nil, in))
	want := "\"a\u2028b\u0085\\\"\\\\/<>&é😀\\u0000\\u001f\\n\x7f\""
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	var back string
	if err := json.Unmarshal([]byte(got), &back); err != nil || back != in {
		t.Errorf("reads back as %q, %v", back, err)
	}
}

func TestFloatsInTheirShortestForm(t *testing.T) {
	for in, want := range map[string]string{"2.50": "2.5", "1e3": "1000.0", "1E16": "1e16", "0.00001": "0.00001", "1e-6": "1e-6", "-0.0": "-0.0", "12": "12", "1e22": "1e22", "12345678901234567890": "12345678901234567890"} {
		if got := string(appendNumber(nil, []byte(in))); got != want {
			t.Errorf("%s becomes %s, want %s", in, got, want)
		}
	}
}

func FuzzCompact(f *testing.F) {
	for _, s := range []string{`{"a":[1,2.5,"x\u2028"],"a":null}`, `"\ud83d\ude00"`, `[[],{},1e400]`, `"\u0000"`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v, err := fastjson.Parse(s)
		if err != nil || !json.Valid([]byte(s)) {
			return
		}
		once := Compact(nil, v)
		again, err := fastjson.ParseBytes(once)
		if err != nil || !json.Valid(once) {
			t.Fatalf("%q becomes %q: %v", s, once, err)
		}
		if twice := Compact(nil, again); string(twice) != string(once) {
			t.Fatalf("%q, then %q", once, twice)
		}
	})
}

func FuzzExtraInputs(f *testing.F) {
	f.Add("a:1,b:x")
	f.Add(`{"a":{"b":[1]}}`)
	f.Fuzz(func(t *testing.T, s string) {
		if b, err := ExtraInputs([]string{s}); err == nil && !strings.Contains(s, "{") && !json.Valid(b.JSON()) {
			t.Fatalf("%q gives %s", s, b.JSON())
		}
	})
}
