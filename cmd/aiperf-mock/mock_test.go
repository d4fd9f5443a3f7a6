package main

import (
	"encoding/json"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
	"testing"
)

// A double is a server under test, and how to speak to it.
type double struct {
	*server
	url, addr string
}

func start(t testing.TB, b behaviour, requests *recorder) *double {
	t.Helper()
	b.tokensPerChunk, b.eventsPerWrite = max(b.tokensPerChunk, 1), max(b.eventsPerWrite, 1)
	c, _, err := openCounter("builtin")
	if err != nil {
		t.Fatal(err)
	}
	s, err := newServer(b, c, requests, log.New(io.Discard, "", 0))
	if err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- s.serve(ln) }()
	t.Cleanup(func() {
		s.stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		http.DefaultClient.CloseIdleConnections()
	})
	return &double{s, url(ln.Addr()), ln.Addr().String()}
}

// post returns the status and the body.
func (d *double) post(t testing.TB, path, body string) (int, string) {
	t.Helper()
	r, err := http.Post(d.url+path, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(b)
}

// What a client makes of the answers.
type (
	usage struct {
		Prompt     int `json:"prompt_tokens"`
		Completion int `json:"completion_tokens"`
		Total      int `json:"total_tokens"`
		Details    *struct {
			Reasoning int `json:"reasoning_tokens"`
		} `json:"completion_tokens_details"`
	}
	message struct {
		Role      string  `json:"role"`
		Content   *string `json:"content"`
		Reasoning *string `json:"reasoning_content"`
	}
	heard struct {
		ServerNS *int64 `json:"server_ns"`
		ID       string `json:"id"`
		Object   string `json:"object"`
		Model    string `json:"model"`
		Choices  []struct {
			Delta, Message *message
			Text           *string
			Finish         *string `json:"finish_reason"`
		}
		Usage *usage
	}
)

// events takes a stream apart; it fails unless the last event, and only that, is [DONE].
func events(t testing.TB, body string) []heard {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(body, "\n\n"), "\n\n")
	var out []heard
	for i, line := range lines {
		data, ok := strings.CutPrefix(line, "data: ")
		if !ok || (data == "[DONE]") != (i == len(lines)-1) {
			t.Fatalf("event %d of %d is %q", i+1, len(lines), line)
		}
		if data == "[DONE]" {
			break
		}
		var h heard
		if err := json.Unmarshal([]byte(data), &h); err != nil {
			t.Fatalf("event %d: %v in %s", i+1, err, data)
		}
		out = append(out, h)
	}
	return out
}

// sketch says what a stream consists of: r role, t thought, c content, e end (finish_reason), u usage
// without a choice; + marks usage beside a choice.
func sketch(list []heard) string {
	var b strings.Builder
	for _, h := range list {
		if len(h.Choices) == 0 {
			b.WriteByte('u')
			continue
		}
		c := h.Choices[0]
		switch {
		case c.Finish != nil:
			b.WriteByte('e')
		case c.Text != nil:
			b.WriteByte('c')
		case c.Delta.Role != "":
			b.WriteByte('r')
		case c.Delta.Reasoning != nil:
			b.WriteByte('t')
		default:
			b.WriteByte('c')
		}
		if h.Usage != nil {
			b.WriteByte('+')
		}
	}
	return b.String()
}

// said joins what was said and what was thought.
func said(list []heard) (content, thought string) {
	for _, h := range list {
		for _, c := range h.Choices {
			m := c.Delta
			if m == nil {
				m = c.Message
			}
			if m == nil {
				m = &message{Content: c.Text}
			}
			if m.Content != nil {
				content += *m.Content
			}
			if m.Reasoning != nil {
				thought += *m.Reasoning
			}
		}
	}
	return content, thought
}
