package main

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
)

func TestRefusals(t *testing.T) {
	d := start(t, behaviour{fast: true, modelNames: []string{"m", "big"}}, nil)
	const msg = `"messages":[{"role":"user","content":"x"}]`
	for _, tt := range []struct {
		name, path, body string
		status           int
		param            string
	}{
		{"cut JSON", chatPath, `{"model":"m",`, 400, "body"},
		{"no JSON at all", chatPath, ``, 400, "body"},
		{"not an object", chatPath, `[1]`, 400, "body"},
		{"a field of the wrong kind", chatPath, `{"model":"m","max_tokens":"x",` + msg + `}`, 400, "max_tokens"},
		{"no model", chatPath, `{` + msg + `}`, 400, "model"},
		{"a model it does not have", chatPath, `{"model":"absent",` + msg + `}`, 404, "model"},
		{"no messages", chatPath, `{"model":"m"}`, 400, "messages"},
		{"empty messages", chatPath, `{"model":"m","messages":[]}`, 400, "messages"},
		{"messages that are no list", chatPath, `{"model":"m","messages":"x"}`, 400, "messages"},
		{"a message without a role", chatPath, `{"model":"m","messages":[{"content":"x"}]}`, 400, "messages"},
		{"a content that is a number", chatPath, `{"model":"m","messages":[{"role":"user","content":3}]}`, 400, "messages"},
		{"no prompt", textPath, `{"model":"m"}`, 400, "prompt"},
		{"two prompts", textPath, `{"model":"m","prompt":["a","b"]}`, 400, "prompt"},
		{"a prompt that is an object", textPath, `{"model":"m","prompt":{}}`, 400, "prompt"},
		{"two choices", chatPath, `{"model":"m","n":2,` + msg + `}`, 400, "n"},
		{"no tokens wanted", chatPath, `{"model":"m","max_tokens":0,` + msg + `}`, 400, "max_tokens"},
		{"fewer tokens than none", chatPath, `{"model":"m","max_completion_tokens":-1,` + msg + `}`, 400, "max_completion_tokens"},
		{"a negative least", chatPath, `{"model":"m","min_tokens":-1,` + msg + `}`, 400, "min_tokens"},
		{"a least above the most", chatPath, `{"model":"m","min_tokens":5,"max_tokens":4,` + msg + `}`, 400, "min_tokens"},
		{"stream options without a stream", chatPath, `{"model":"m","stream_options":{"include_usage":true},` + msg + `}`, 400, "stream_options"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			status, body := d.post(t, tt.path, tt.body)
			var e struct {
				Error struct {
					Message, Type, Param string
					Code                 int
				}
			}
			if err := json.Unmarshal([]byte(body), &e); err != nil {
				t.Fatalf("%v: %s", err, body)
			}
			if status != tt.status || e.Error.Code != tt.status || e.Error.Param != tt.param || e.Error.Message == "" || e.Error.Type == "" {
				t.Errorf("got %d %s, want %d and param %s", status, body, tt.status, tt.param)
			}
		})
	}
	if got := d.stats.refused; got != 20 {
		t.Errorf("errors counted = %d, want 20", got)
	}
}

func TestPrompts(t *testing.T) {
	c, _, _ := openCounter("builtin")
	words := newTally(c)
	for _, tt := range []struct {
		name, body string
		chat       bool
		tokens     int
	}{
		{"a string", `{"model":"m","prompt":"one two three"}`, false, 3},
		{"token ids", `{"model":"m","prompt":[5,6,7,8]}`, false, 4},
		{"a list of one list", `{"model":"m","prompt":[[5,6]]}`, false, 2},
		{"messages are joined with one space", `{"model":"m","messages":[{"role":"system","content":"one"},{"role":"user","content":"two"}]}`, true, 2},
		{"parts are texts of their own, images none", `{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"one"},{"type":"image_url","image_url":{}},{"type":"text","text":"two"}]}]}`, true, 2},
		{"a message without content", `{"model":"m","messages":[{"role":"assistant","content":null},{"role":"user","content":"one"}]}`, true, 1},
		{"no text at all", `{"model":"m","messages":[{"role":"user","content":""}]}`, true, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, err := parseAsk([]byte(tt.body), tt.chat, nil)
			if err != nil {
				t.Fatal(err)
			}
			for range 2 { // counted, and remembered
				if got := words.of(a.prompt); got != tt.tokens {
					t.Errorf("tokens = %d, want %d", got, tt.tokens)
				}
			}
		})
	}
}

func TestPaths(t *testing.T) {
	d := start(t, behaviour{fast: true}, nil)
	for _, tt := range []struct {
		method, path string
		status       int
		body         string // part of it
	}{
		{"GET", "/health", 200, ""},
		{"GET", "/v1/models", 200, `"id":"mock"`},
		{"GET", "/mock/stats", 200, `"requests":0`},
		{"GET", "/v1/absent", 404, `{"detail":"Not Found"}`},
		{"POST", "/v1/audio/speech", 404, `{"detail":"Not Found"}`},
		{"GET", embeddingsPath, 405, `{"detail":"Method Not Allowed"}`},
		{"POST", "/metrics", 405, `{"detail":"Method Not Allowed"}`},
		{"GET", chatPath, 405, `{"detail":"Method Not Allowed"}`},
		{"POST", "/v1/models", 405, `{"detail":"Method Not Allowed"}`},
	} {
		q, _ := http.NewRequest(tt.method, d.url+tt.path, nil)
		r, err := http.DefaultClient.Do(q)
		if err != nil {
			t.Fatal(err)
		}
		b := new(strings.Builder)
		_, err = copyAll(b, r)
		if err != nil || r.StatusCode != tt.status || !strings.Contains(b.String(), tt.body) {
			t.Errorf("%s %s = %d %s, %v; want %d %s", tt.method, tt.path, r.StatusCode, b, err, tt.status, tt.body)
		}
	}
}

// Whatever the body, parseAsk takes it or refuses it with a status of the client's fault.
func FuzzParseAsk(f *testing.F) {
	f.Add([]byte(`{"model":"m","stream":true,"max_tokens":4,"messages":[{"role":"user","content":[{"text":"a"}]}]}`), true)
	f.Add([]byte(`{"model":"m","prompt":[[1,2]],"stream_options":null,"n":1}`), false)
	f.Add([]byte(`{"model":"m","min_tokens":3,"max_tokens":2`), false)
	f.Fuzz(func(t *testing.T, body []byte, chat bool) {
		a, err := parseAsk(body, chat, nil)
		if err == nil {
			if n, _ := extent(a, 0, 0); n < 1 {
				t.Errorf("an answer of %d tokens", n)
			}
			return
		}
		var r *refusal
		if !errors.As(err, &r) || r.status != 400 || !json.Valid(r.body()) {
			t.Errorf("%v is no refusal", err)
		}
	})
}
