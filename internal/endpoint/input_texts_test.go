package endpoint

import (
	"slices"
	"testing"

	"github.com/valyala/fastjson"
)

func TestInputTexts(t *testing.T) {
	for _, c := range []struct {
		name, payload string
		want          []string
		ids           int64
	}{
		{"chat: a string and text parts", `{"messages":[{"role":"system","content":"s"},{"role":"user","content":[{"type":"text","text":"a"},{"type":"image_url","image_url":{"url":"u"}},{"type":"text","text":"b"}]}],"model":"m"}`, []string{"s", "a", "b"}, 0},
		{"chat: an empty text is none", `{"messages":[{"role":"user","content":""},{"role":"user","content":"a"}]}`, []string{"a"}, 0},
		{"chat: tool calls after the content of their message, then the tool's answer", `{"messages":[{"role":"assistant","content":"p","tool_calls":[{"function":{"name":"f","arguments":"{\"x\":1}"}},{"function":{"name":"g","arguments":""}}]},{"role":"tool","content":"42","tool_call_id":"c"}]}`,
			[]string{"p", "f", `{"x":1}`, "g", "42"}, 0},
		{"chat: tools after the messages, nested form", `{"tools":[{"type":"function","function":{"name":"f","description":"d","parameters":{"type": "object", "title": "K\u00f6ln"}}}],"messages":[{"role":"user","content":"a"}]}`,
			[]string{"a", "f", "d", `{"type":"object","title":"Köln"}`}, 0},
		{"responses: tools in the flat form", `{"input":[{"role":"user","content":"a"}],"tools":[{"type":"function","name":"f","description":"d","parameters":{"type":"object"}}]}`, []string{"a", "f", "d", `{"type":"object"}`}, 0},
		{"messages: tools with input_schema", `{"messages":[{"role":"user","content":"a"}],"tools":[{"name":"f","input_schema":{"type":"object"}}]}`, []string{"a", "f", `{"type":"object"}`}, 0},
		{"a null schema adds nothing", `{"messages":[{"role":"user","content":"a"}],"tools":[{"name":"f","description":null,"parameters":null}]}`, []string{"a", "f"}, 0},
		{"messages: system in front, as text", `{"messages":[{"role":"user","content":"a"}],"system":"s"}`, []string{"s", "a"}, 0},
		{"messages: system in front, as parts", `{"messages":[{"role":"user","content":"a"}],"system":[{"type":"text","text":"s"},{"type":"text","text":"t"}]}`, []string{"s", "t", "a"}, 0},
		{"messages: tool_use and tool_result blocks", `{"messages":[{"role":"assistant","content":[{"type":"tool_use","name":"f","input":{"x": 1}}]},{"role":"user","content":[{"type":"tool_result","content":"r"},{"type":"tool_result","content":[{"type":"text","text":"s"}]}]}]}`,
			[]string{"f", `{"x":1}`, "r", "s"}, 0},
		{"responses: instructions in front, input as text", `{"input":"a","instructions":"i"}`, []string{"i", "a"}, 0},
		{"responses: items", `{"instructions":"i","input":[{"role":"user","content":[{"type":"input_text","text":"a"},{"type":"input_image","image_url":"u"}]},{"role":"assistant","content":[{"type":"output_text","text":"b"}]}]}`, []string{"i", "a", "b"}, 0},
		{"responses: calls and their outputs", `{"input":[{"type":"function_call","name":"f","arguments":"{}","call_id":"c"},{"type":"function_call_output","call_id":"c","output":"42"},{"type":"function_call_output","output":[{"type":"input_text","text":"43"}]}]}`, []string{"f", "{}", "42", "43"}, 0},
		{"completions: one prompt", `{"prompt":"a","model":"m"}`, []string{"a"}, 0},
		{"completions: several", `{"prompt":["a","b"]}`, []string{"a", "b"}, 0},
		{"completions: token ids", `{"prompt":[5,6,7]}`, nil, 3},
		{"completions: lists of token ids", `{"prompt":[[5,6,7],[8]]}`, nil, 4},
		{"embeddings: texts", `{"input":["a","b"],"model":"m"}`, []string{"a", "b"}, 0},
		{"embeddings: lists of ids beside a text", `{"input":["a",[1,2]]}`, []string{"a"}, 2},
		{"TGI: inputs", `{"inputs":"a","parameters":{"max_new_tokens":8}}`, []string{"a"}, 0},
		{"flat keys in order: prompt, input, query and passages, inputs", `{"inputs":"e","passages":["c",{"text":"d"}],"query":"q","input":"b","prompt":"a"}`, []string{"a", "b", "q", "c", "d", "e"}, 0},
		{"a query without passages is none", `{"query":"q","documents":["d"]}`, nil, 0},
		{"NIM ranking: its query is an object", `{"query":{"text":"q"},"passages":[{"text":"p"}]}`, nil, 0},
		{"TEI ranking: its texts are not known", `{"query":"q","texts":["p"]}`, nil, 0},
		{"messages hide the flat keys", `{"messages":[{"role":"user","content":"a"}],"prompt":"b","inputs":"c"}`, []string{"a"}, 0},
		{"no messages in the list: the flat keys count", `{"messages":[],"prompt":"b"}`, []string{"b"}, 0},
		{"solido: a query list of no passages", `{"query":["q"],"filters":{},"inference_model":"m"}`, nil, 0},
		{"nothing", `{}`, nil, 0},
		{"a list is nothing", `["a"]`, nil, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			texts, ids := InputTexts(fastjson.MustParse(c.payload))
			if !slices.Equal(texts, c.want) || ids != c.ids {
				t.Errorf("got %q and %d ids, want %q and %d", texts, ids, c.want, c.ids)
			}
		})
	}
}

func TestImages(t *testing.T) {
	for _, c := range []struct {
		name, payload string
		want          int64
	}{
		{"chat", `{"messages":[{"content":[{"type":"image_url"},{"type":"text","text":"a"}]},{"content":[{"type":"image_url"}]}]}`, 2},
		{"responses", `{"input":[{"content":[{"type":"input_image"}]}]}`, 1},
		{"messages", `{"messages":[{"content":[{"type":"image"}]}]}`, 1},
		{"text alone", `{"messages":[{"content":"image"}]}`, 0},
		{"a list of texts", `{"input":["image"]}`, 0},
	} {
		if got := Images(fastjson.MustParse(c.payload)); got != c.want {
			t.Errorf("%s: %d images, want %d", c.name, got, c.want)
		}
	}
}

func FuzzInputTexts(f *testing.F) {
	f.Add(`{"messages":[{"role":"user","content":[{"type":"tool_use","input":{"a":"\u0007"}}]}],"tools":[{"parameters":{"a":1e5}}]}`)
	f.Add(`{"prompt":[[1,2],"a"],"query":"q","passages":[{"text":"p"}]}`)
	f.Add(`{"input":[{"type":"function_call_output","output":[{"type":"input_text","text":"a"}]}],"instructions":"i"}`)
	f.Fuzz(func(t *testing.T, s string) {
		v, err := fastjson.Parse(s)
		if err != nil {
			return
		}
		texts, ids := InputTexts(v)
		if slices.Contains(texts, "") || ids < 0 || Images(v) < 0 {
			t.Fatalf("%q, %d ids", texts, ids)
		}
	})
}
