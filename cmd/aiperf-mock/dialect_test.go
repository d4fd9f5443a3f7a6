package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"
)

// Named events keep to the same times as chat's: the opening comes right before the first token.
func TestNamedEventsComeWhenTheyAreDue(t *testing.T) {
	for _, c := range []struct{ path, body, delta string }{
		{responsesPath, `{"model":"m","stream":true,"max_output_tokens":4,"input":"x"}`, "response.output_text.delta"},
		{messagesPath, `{"model":"m","stream":true,"max_tokens":4,"messages":[{"role":"user","content":"x"}]}`, "content_block_delta"},
	} {
		log := &bytes.Buffer{}
		d := start(t, behaviour{ttft: 20 * time.Millisecond, itl: 7 * time.Millisecond, stamp: true}, &recorder{w: log})
		_, body := d.post(t, c.path, c.body)
		var q seen
		if err := json.Unmarshal(log.Bytes(), &q); err != nil {
			t.Fatal(err)
		}
		k := 0
		for _, line := range strings.Split(body, "\n") {
			data, ok := strings.CutPrefix(line, "data: ")
			if !ok {
				continue
			}
			var e struct {
				Type     string
				ServerNS int64 `json:"server_ns"`
			}
			if err := json.Unmarshal([]byte(data), &e); err != nil {
				t.Fatalf("%v: %s", err, data)
			}
			if at := time.Duration(e.ServerNS - q.ArrivalNS); at < 20*time.Millisecond+time.Duration(max(k-1, 0))*7*time.Millisecond-time.Microsecond {
				t.Errorf("%s is early: %v after %d deltas", e.Type, at, k)
			}
			if e.Type == c.delta {
				if at := time.Duration(e.ServerNS - q.ArrivalNS); at < 20*time.Millisecond+time.Duration(k)*7*time.Millisecond-time.Microsecond {
					t.Errorf("delta %d is early: %v", k, at)
				}
				k++
			}
		}
		if k != 4 {
			t.Errorf("%s: %d deltas, want 4", c.path, k)
		}
	}
}

func TestRefusalsOfTheOtherAPIs(t *testing.T) {
	d := start(t, behaviour{fast: true, modelNames: []string{"m"}}, nil)
	for _, c := range []struct {
		name, path, body string
		status           int
		says             string // part of the answer
	}{
		{"responses without input", responsesPath, `{"model":"m"}`, 400, `"param":"input"`},
		{"responses that are to be empty", responsesPath, `{"model":"m","input":"x","max_output_tokens":0}`, 400, `"param":"max_output_tokens"`},
		{"responses of an empty list", responsesPath, `{"model":"m","input":[]}`, 400, `"param":"input"`},
		{"messages that are cut", messagesPath, `{"model":`, 400, `"type":"invalid_request_error"`},
		{"messages of an unknown model", messagesPath, `{"model":"x","max_tokens":1,"messages":[{"role":"user","content":"x"}]}`, 404, `"type":"not_found_error"`},
		{"messages with a system prompt that is a number", messagesPath, `{"model":"m","max_tokens":1,"system":3,"messages":[{"role":"user","content":"x"}]}`, 400, `system`},
		{"embeddings without input", embeddingsPath, `{"model":"m"}`, 400, `"param":"input"`},
		{"embeddings of objects", embeddingsPath, `{"model":"m","input":[{}]}`, 400, `"param":"input"`},
		{"embeddings in base64", embeddingsPath, `{"model":"m","input":"x","encoding_format":"base64"}`, 400, `"param":"encoding_format"`},
		{"embeddings of no length", embeddingsPath, `{"model":"m","input":"x","dimensions":0}`, 400, `"param":"dimensions"`},
		{"a ranking by an unknown model", nimPath, `{"model":"x","query":{"text":"q"},"passages":[{"text":"a"}]}`, 404, `"param":"model"`},
		{"a ranking of none", coherePath, `{"model":"m","query":"q","documents":["a"],"top_n":0}`, 400, `"param":"top_n"`},
		{"a ranking without a query", teiPath, `{"texts":["a"]}`, 400, `"param":"query"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, body := d.post(t, c.path, c.body)
			if status != c.status || !strings.Contains(body, c.says) {
				t.Errorf("%d %s, want %d and %s", status, body, c.status, c.says)
			}
		})
	}
}

func TestInjectedErrorsInEveryAPI(t *testing.T) {
	d := start(t, behaviour{fast: true, errorRate: 100}, nil)
	for _, path := range []string{responsesPath, messagesPath, embeddingsPath, nimPath, teiPath, coherePath} {
		if status, body := d.post(t, path, `{}`); status != 500 || !strings.Contains(body, "--error-rate") {
			t.Errorf("%s: %d %s", path, status, body)
		}
	}
}

func TestWhatTheOtherAPIsCountAndHonour(t *testing.T) {
	d := start(t, behaviour{fast: true}, nil)
	for _, c := range []struct{ name, path, body, says string }{
		{"instructions are prompt", responsesPath, `{"model":"m","instructions":"one two","input":"three","max_output_tokens":1}`, `"input_tokens":3`},
		{"a response that ends by itself", responsesPath, `{"model":"m","input":"three"}`, `"status":"completed","usage"`},
		{"a system prompt of blocks is prompt", messagesPath, `{"model":"m","system":[{"type":"text","text":"one two"}],"messages":[{"role":"user","content":"three"}],"max_tokens":1}`, `"input_tokens":3`},
		{"token ids are one input", embeddingsPath, `{"model":"m","input":[5,6,7],"dimensions":1}`, `"usage":{"prompt_tokens":3,`},
		{"lists of token ids are as many inputs", embeddingsPath, `{"model":"m","input":[[5,6],[7]],"dimensions":1}`, `"index":1,`},
		{"a conversation is one input", embeddingsPath, `{"model":"m","messages":[{"role":"user","content":"one two"}]}`, `"usage":{"prompt_tokens":2,`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if status, body := d.post(t, c.path, c.body); status != 200 || !strings.Contains(body, c.says) {
				t.Errorf("%d %s, want %s", status, body, c.says)
			}
		})
	}
	_, body := d.post(t, embeddingsPath, `{"model":"m","input":"x","dimensions":5}`)
	if v := decode(t, body)["data"].([]any)[0].(object)["embedding"].([]any); len(v) != 5 {
		t.Errorf("%d dimensions, want 5", len(v))
	}
	_, body = d.post(t, coherePath, `{"model":"m","query":"q","documents":["a","b","c"],"top_n":2}`)
	if list := decode(t, body)["results"].([]any); len(list) != 2 {
		t.Errorf("%d results, want 2", len(list))
	}
}

// The cap may come before the text: the message is there and empty.
func TestAResponseThatOnlyReasoned(t *testing.T) {
	d := start(t, behaviour{fast: true, reasoning: 9}, nil)
	_, body := d.post(t, responsesPath, `{"model":"m","stream":true,"input":"x","max_output_tokens":3}`)
	list := namedEvents(t, body)
	last := list[len(list)-1]["response"].(object)
	if n := len(last["output"].([]any)); n != 2 || last["status"] != "incomplete" {
		t.Errorf("%d items, status %v", n, last["status"])
	}
	_, body = d.post(t, messagesPath, `{"model":"m","max_tokens":3,"messages":[{"role":"user","content":"x"}]}`)
	if content := decode(t, body)["content"].([]any); len(content) != 1 || content[0].(object)["type"] != "thinking" {
		t.Errorf("content %v", content)
	}
}
