package judge

import (
	"encoding/json"
	"strings"
	"testing"

	"aiperf/schema"
)

func TestWhatTheRecordLacksIsTakenFromItsPayload(t *testing.T) {
	one, five := int64(1), int64(5)
	yes := true
	for _, c := range []struct {
		name, payload string
		change        func(*schema.Record)
		model         string
		streaming     bool
		osl, images   int64
		texts         string // "-": none
		ids           int64
	}{
		{"chat", `{"model":"m","stream":true,"max_completion_tokens":7,"messages":[{"content":[{"type":"text","text":"a"},{"type":"image_url"}]},{"content":"b"}]}`, nil, "m", true, 7, 1, "a b", 0},
		{"max_completion_tokens comes before max_tokens", `{"max_tokens":9,"max_completion_tokens":7}`, nil, "", false, 7, -1, "-", 0},
		{"max_tokens", `{"max_tokens":9,"prompt":"a"}`, nil, "", false, 9, -1, "a", 0},
		{"max_output_tokens of responses", `{"max_output_tokens":9,"input":"a"}`, nil, "", false, 9, -1, "a", 0},
		{"max_new_tokens of TGI", `{"parameters":{"max_new_tokens":9},"inputs":"a"}`, nil, "", false, 9, -1, "a", 0},
		{"a cap that is no number is none", `{"max_tokens":"9","prompt":"a"}`, nil, "", false, -1, -1, "a", 0},
		{"no images are absent, not 0", `{"messages":[{"content":"a"}]}`, nil, "", false, -1, -1, "a", 0},
		{"ids count without text", `{"prompt":[1,2,3]}`, nil, "", false, -1, -1, "", 3},
		{"what the record says stands", `{"model":"m","stream":false,"max_tokens":9,"messages":[{"content":[{"type":"image_url"},{"type":"image_url"}]}]}`,
			func(r *schema.Record) { r.Model, r.Streaming, r.RequestedOSL, r.NumImages = "own", &yes, &five, &one }, "own", true, 5, 1, "-", 0},
		{"a payload that is no JSON says nothing", `{"model"`, nil, "", false, -1, -1, "-", 0},
		{"nor does none", ``, nil, "", false, -1, -1, "-", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := answer("", false, `{"object":"chat.completion","choices":[{"message":{"content":"hi"}}]}`)
			r.Streaming, r.Payload = nil, json.RawMessage(c.payload)
			if c.change != nil {
				c.change(r)
			}
			s := New(Options{}).Judge(r)
			if !s.Valid || s.EndpointType != "chat" || s.Model != c.model || s.Streaming != c.streaming || val(s.RequestedOSL) != c.osl || val(s.NumImages) != c.images {
				t.Errorf("valid %v, type %q, model %q, streaming %v, osl %d, images %d", s.Valid, s.EndpointType, s.Model, s.Streaming, val(s.RequestedOSL), val(s.NumImages))
			}
			texts := "-"
			if s.input != nil {
				texts = *s.input
			}
			if texts != c.texts || s.inputIDs != c.ids {
				t.Errorf("input %q and %d ids, want %q and %d", texts, s.inputIDs, c.texts, c.ids)
			}
			s.CountTokens(&words{})
			if want := int64(len(strings.Fields(texts))) + c.ids; texts == "-" && s.ISL != nil || texts != "-" && val(s.ISL) != want {
				t.Errorf("isl %d, want %d", val(s.ISL), want)
			}
		})
	}
}

// AIPerf's raw lines say what they are by their packets: a stream has them, a whole body has text.
func TestAIPerfsResponses(t *testing.T) {
	line := func(typ, responses string) []byte {
		return []byte(`{"metadata":{"request_start_ns":5000,"benchmark_phase":"profiling"},"start_perf_ns":100,"endpoint_type":"` + typ + `","status":200,"responses":[` + responses + `]}`)
	}
	packet := func(at, value string) string {
		return `{"perf_ns":` + at + `,"packets":[{"name":"data","value":` + value + `}]}`
	}
	const delta = `"{\"object\":\"chat.completion.chunk\",\"choices\":[{\"delta\":{\"content\":\"a\"}}]}"`
	for _, c := range []struct {
		name, err string
		line      []byte
		streaming bool
		text      string
		end       int64
	}{
		{"a stream", "", line("chat", packet("110", delta)+","+packet("120", `"[DONE]"`)), true, "a", 5020},
		{"a stream without its end", "IncompleteStreamError", line("chat", packet("110", delta)), true, "a", 5010},
		{"a whole body", "", line("chat", `{"perf_ns":130,"text":"{\"object\":\"chat.completion\",\"choices\":[{\"message\":{\"content\":\"b\"}}]}"}`), false, "b", 5030},
		{"a whole body in base64", "", line("chat", `{"perf_ns":130,"raw_bytes":"eyJvYmplY3QiOiJjaGF0LmNvbXBsZXRpb24iLCJjaG9pY2VzIjpbeyJtZXNzYWdlIjp7ImNvbnRlbnQiOiJiIn19XX0="}`), false, "b", 5030},
		{"an event over several data lines", "", line("chat", `{"perf_ns":110,"packets":[{"name":"event","value":"x"},{"name":"data","value":"{\"object\":\"chat.completion.chunk\","},{"name":"data","value":"\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}]}"}]}`), true, "a", 5010},
		{"an error event with its comment", "SSEResponseError", line("chat", packet("110", delta)+`,{"perf_ns":120,"packets":[{"name":"event","value":"error"},{"name":"comment","value":"the engine died"}]}`), true, "a", 5020},
		{"a stream of TGI, by its tokens", "", line("huggingface_generate", packet("110", `"{\"token\":{\"text\":\"a\"},\"generated_text\":\"a\"}"`)), true, "a", 5010},
		{"TGI whole, by its text", "", line("huggingface_generate", `{"perf_ns":130,"text":"{\"token\":{\"text\":\"x\"},\"generated_text\":\"b\"}"}`), false, "b", 5030},
	} {
		s, err := New(Options{}).Line(c.line)
		if err != nil {
			t.Fatal(err)
		}
		typ, text := "", "-"
		if s.Error != nil {
			typ = s.Error.Type
		}
		if s.output != nil {
			text = *s.output
		}
		if typ != c.err || s.Streaming != c.streaming || text != c.text || s.EndNS != c.end {
			t.Errorf("%s: error %q, streaming %v, text %q, end %d", c.name, typ, s.Streaming, text, s.EndNS)
		}
	}
}

func TestAStreamIsKnownByItsTypeElseByItsLook(t *testing.T) {
	const hello = `data: {"object":"chat.completion.chunk","choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}` + "\n\n"
	for _, c := range []struct {
		name, header, body string
		want               bool
	}{
		{"by its type", "Text/Event-Stream; charset=utf-8", hello, true},
		{"a type of JSON is no stream, however it looks", "application/json", hello, false},
		{"by a data line", "", hello, true},
		{"by a comment", "", ": hi\n\n" + hello, true},
		{"by an event line behind a byte order mark", "", "\ufeffevent: x\n" + hello, true},
		{"by an id line", "", "id: 1\n" + hello, true},
		{"JSON is no stream", "", `{"data":1}`, false},
	} {
		r := answer("chat", true, c.body)
		r.Streaming, r.ResponseHeaders = nil, nil
		if c.header != "" {
			r.ResponseHeaders = map[string]string{"CONTENT-TYPE": c.header}
		}
		if s := New(Options{}).Judge(r); s.Streaming != c.want || s.Valid != c.want {
			t.Errorf("%s: streaming %v, valid %v (%+v)", c.name, s.Streaming, s.Valid, s.Error)
		}
	}
}
