package main

import (
	"encoding/json"
	"net/http"
	"strings"
)

// parseMessages reads a body of the Anthropic Messages API; every error is a *refusal.
func parseMessages(body []byte, models []string) (*ask, error) {
	var q struct {
		ask
		System json.RawMessage `json:"system"`
	}
	if err := json.Unmarshal(body, &q); err != nil {
		return nil, badJSON(err)
	}
	if q.MaxTokens == nil {
		return nil, missing("max_tokens")
	}
	q.MaxCompletionTokens = nil
	if err := q.check(models); err != nil {
		return nil, err
	}
	p, err := chatPrompt(q.Messages, "messages")
	if err != nil {
		return nil, err
	}
	if !absent(q.System) {
		one, _ := json.Marshal([]object{{"content": q.System}})
		system, err := chatPrompt(one, "system")
		if err != nil {
			return nil, err
		}
		p.texts = append(system.texts, p.texts...)
	}
	q.prompt = p
	return &q.ask, nil
}

// anthropic is the refusal as the Messages API says it.
func (r *refusal) anthropic() []byte {
	kind := "invalid_request_error"
	switch {
	case r.status == http.StatusNotFound:
		kind = "not_found_error"
	case r.status >= 500:
		kind = "api_error"
	}
	b, _ := json.Marshal(object{"type": "error", "error": object{"type": kind, "message": r.message}}) // strings
	return b
}

// A messages says an answer in the words of the Messages API: a block of thinking if there is
// reasoning, then a block of text.
type messages struct {
	*answer
	id    string
	block string // the kind of the open one
	index int    // its number
}

func newMessages(a *answer) *messages {
	return &messages{answer: a, id: "msg_" + strings.TrimPrefix(a.id, "chatcmpl-")}
}

func (m *messages) reason() string {
	if m.finish == "length" {
		return "max_tokens"
	}
	return "end_turn"
}

func (m *messages) body(content []any, reason any, tokens int) object {
	return object{"id": m.id, "type": "message", "role": "assistant", "model": m.model, "content": content, "stop_reason": reason, "stop_sequence": nil,
		"usage": object{"input_tokens": m.prompt, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0, "output_tokens": tokens}}
}

func (m *messages) whole(dst []byte) []byte {
	content := []any{}
	if m.reasoning > 0 {
		content = append(content, object{"type": "thinking", "thinking": m.said(0, m.reasoning), "signature": "mock"})
	}
	if m.content > 0 {
		content = append(content, object{"type": "text", "text": m.said(m.reasoning, m.tokens())})
	}
	return m.document(dst, m.body(content, m.reason(), m.tokens()))
}

func (m *messages) opening(dst []byte) []byte {
	dst = m.named(dst, "message_start", object{"message": m.body([]any{}, nil, 1)})
	kind := "text"
	if m.reasoning > 0 {
		kind = "thinking"
	}
	return m.named(m.begin(dst, kind), "ping", object{})
}

// begin opens a block of that kind.
func (m *messages) begin(dst []byte, kind string) []byte {
	m.block = kind
	return m.named(dst, "content_block_start", object{"index": m.index, "content_block": object{"type": kind, kind: ""}})
}

func (m *messages) event(dst []byte, k int) []byte {
	if k >= m.thoughts() && m.block != "text" {
		dst = m.named(dst, "content_block_stop", object{"index": m.index})
		m.index++
		dst = m.begin(dst, "text")
	}
	return m.named(dst, "content_block_delta", object{"index": m.index, "delta": object{"type": m.block + "_delta", m.block: m.said(m.span(k))}})
}

func (m *messages) end(dst []byte) []byte {
	dst = m.named(dst, "content_block_stop", object{"index": m.index})
	dst = m.named(dst, "message_delta", object{"delta": object{"stop_reason": m.reason(), "stop_sequence": nil}, "usage": object{"output_tokens": m.tokens()}})
	return m.named(dst, "message_stop", object{})
}
