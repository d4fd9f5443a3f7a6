package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// namedEvents reads a stream of named events; the name is the data's own type.
func namedEvents(t *testing.T, body string) (out []object) {
	t.Helper()
	for _, e := range strings.Split(strings.TrimSuffix(body, "\n\n"), "\n\n") {
		name, data, ok := strings.Cut(e, "\ndata: ")
		var o object
		if err := json.Unmarshal([]byte(data), &o); err != nil || !ok || name != "event: "+o["type"].(string) {
			t.Fatalf("event %q (%v)", e, err)
		}
		out = append(out, o)
	}
	return out
}

func decode(t *testing.T, body string) (o object) {
	t.Helper()
	if err := json.Unmarshal([]byte(body), &o); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	return o
}

func TestResponses(t *testing.T) {
	d := start(t, behaviour{fast: true, reasoning: 3, tokensPerChunk: 2}, nil)
	const ask = `{"model":"m","input":[{"role":"user","content":[{"type":"input_text","text":"hello there"}]}],"max_output_tokens":8,"stream":`
	_, body := d.post(t, responsesPath, ask+"false}")
	whole := decode(t, body)
	items := whole["output"].([]any)
	if len(items) != 2 {
		t.Fatalf("output %v, want reasoning and message", items)
	}
	think := items[0].(object)["summary"].([]any)[0].(object)["text"].(string)
	said := items[1].(object)["content"].([]any)[0].(object)["text"].(string)
	if n := len(strings.Fields(think)); n != 3 {
		t.Errorf("%d reasoning tokens, want 3", n)
	}
	if n := len(strings.Fields(said)); n != 5 {
		t.Errorf("%d tokens, want 5", n)
	}
	u := whole["usage"].(object)
	if u["input_tokens"] != 2. || u["output_tokens"] != 8. || u["total_tokens"] != 10. || whole["status"] != "incomplete" {
		t.Errorf("usage %v, status %v", u, whole["status"])
	}
	_, body = d.post(t, responsesPath, ask+"true}")
	var text, thought string
	events := namedEvents(t, body)
	for i, e := range events {
		if e["sequence_number"] != float64(i) {
			t.Errorf("event %d has number %v", i, e["sequence_number"])
		}
		switch e["type"] {
		case "response.output_text.delta":
			text += e["delta"].(string)
		case "response.reasoning_text.delta":
			thought += e["delta"].(string)
		}
	}
	last := events[len(events)-1]
	if len(strings.Fields(text)) != 5 || len(strings.Fields(thought)) != 3 || last["type"] != "response.incomplete" {
		t.Errorf("streamed %q after %q, ended by %v", text, thought, last["type"])
	}
	if u := last["response"].(object)["usage"].(object); u["output_tokens"] != 8. {
		t.Errorf("usage %v", u)
	}
}

func TestMessages(t *testing.T) {
	d := start(t, behaviour{fast: true, reasoning: 2, stopAfter: 4}, nil)
	const ask = `{"model":"m","messages":[{"role":"user","content":"hello there"}],"max_tokens":50`
	_, body := d.post(t, messagesPath, ask+"}")
	whole := decode(t, body)
	content := whole["content"].([]any)
	if len(content) != 2 || len(strings.Fields(content[0].(object)["thinking"].(string))) != 2 || len(strings.Fields(content[1].(object)["text"].(string))) != 4 {
		t.Errorf("content %v", content)
	}
	if u := whole["usage"].(object); u["input_tokens"] != 2. || u["output_tokens"] != 6. || whole["stop_reason"] != "end_turn" {
		t.Errorf("usage %v, stop_reason %v", u, whole["stop_reason"])
	}
	_, body = d.post(t, messagesPath, ask+`,"stream":true}`)
	var text, thought, kinds string
	for _, e := range namedEvents(t, body) {
		kinds += e["type"].(string) + " "
		if d, ok := e["delta"].(object); ok && e["type"] == "content_block_delta" {
			if s, ok := d["text"].(string); ok {
				text += s
			}
			if s, ok := d["thinking"].(string); ok {
				thought += s
			}
		}
	}
	if len(strings.Fields(text)) != 4 || len(strings.Fields(thought)) != 2 {
		t.Errorf("streamed %q after %q", text, thought)
	}
	want := "message_start content_block_start ping " + strings.Repeat("content_block_delta ", 2) + "content_block_stop content_block_start " +
		strings.Repeat("content_block_delta ", 4) + "content_block_stop message_delta message_stop "
	if kinds != want {
		t.Errorf("events %s", kinds)
	}
	if status, _ := d.post(t, messagesPath, `{"model":"m","messages":[{"role":"user","content":"a"}]}`); status != 400 {
		t.Errorf("without max_tokens: %d, want 400", status)
	}
}

func TestEmbeddingsAndRankings(t *testing.T) {
	d := start(t, behaviour{fast: true}, nil)
	_, body := d.post(t, embeddingsPath, `{"model":"m","input":["hello there","hello"]}`)
	o := decode(t, body)
	data := o["data"].([]any)
	if len(data) != 2 || data[1].(object)["object"] != "embedding" || len(data[1].(object)["embedding"].([]any)) != dimensions {
		t.Errorf("data %v", data)
	}
	if u := o["usage"].(object); u["prompt_tokens"] != 3. {
		t.Errorf("usage %v, want 3 tokens of %q", u, "hello there hello")
	}
	for _, c := range []struct{ name, path, body, list, score string }{
		{"NIM ranks passages by logit", nimPath, `{"model":"m","query":{"text":"q"},"passages":[{"text":"a"},{"text":"b"},{"text":"c"}]}`, "rankings", "logit"},
		{"Cohere ranks documents by relevance", coherePath, `{"model":"m","query":"q","documents":["a","b","c"]}`, "results", "relevance_score"},
		{"TEI ranks texts in a bare list", teiPath, `{"query":"q","texts":["a","b","c"]}`, "", "score"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, body := d.post(t, c.path, c.body)
			if c.list == "" {
				body = `{"":` + body + `}`
			}
			list := decode(t, body)[c.list].([]any)
			if len(list) != 3 {
				t.Fatalf("ranked %v", list)
			}
			for i := 1; i < 3; i++ {
				if list[i-1].(object)[c.score].(float64) < list[i].(object)[c.score].(float64) {
					t.Errorf("not by %s: %v", c.score, list)
				}
			}
			if status, _ := d.post(t, c.path, `{"query":"q"}`); status != 400 {
				t.Errorf("nothing to rank: %d, want 400", status)
			}
		})
	}
}
