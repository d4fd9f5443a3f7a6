package main

import (
	"encoding/json"
	"fmt"
	"time"
)

// messages serves the Anthropic Messages API.
func (s *server) messages(x *exchange) error {
	refuse := func(why string) error {
		return x.json(400, object{"type": "error", "error": object{"type": "invalid_request_error", "message": why}})
	}
	var q struct {
		wanted
		System json.RawMessage `json:"system"`
	}
	if err := json.Unmarshal(x.body, &q); err != nil {
		return refuse("the body is not the JSON that is expected: " + err.Error())
	}
	switch {
	case q.Model == "":
		return refuse("model: field required")
	case len(q.Messages) == 0:
		return refuse("messages: at least one is required")
	case q.MaxTokens == nil:
		return refuse("max_tokens: field required")
	}
	if q.System != nil {
		q.Messages = append([]message{{Role: "system", Content: q.System}}, q.Messages...)
	}
	q.MaxCompletionTokens = nil
	a, due, err := s.begin(x, &q.wanted, true)
	if a == nil {
		return err
	}
	m := anthropic{a}
	if q.Stream {
		return m.stream(x, due)
	}
	var content []any
	if a.reasoning > 0 {
		content = append(content, object{"type": "thinking", "thinking": a.join(0, a.reasoning), "signature": "mock"})
	}
	return a.later(x, due, m.body(append(content, object{"type": "text", "text": a.join(a.reasoning, a.n)}), m.reason(), a.n))
}

// An anthropic says an answer in the words of the Messages API.
type anthropic struct{ *answer }

func (m anthropic) reason() any {
	if m.finish == "length" {
		return "max_tokens"
	}
	return "end_turn"
}

func (m anthropic) body(content []any, reason any, out int) object {
	m.usage(m.n) // counts the prompt
	return object{"id": fmt.Sprintf("msg_mock_%d", m.id), "type": "message", "role": "assistant", "model": m.q.Model, "content": content,
		"stop_reason": reason, "stop_sequence": nil, "usage": object{"input_tokens": m.prompt, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0, "output_tokens": out}}
}

func (m anthropic) stream(x *exchange, due []time.Duration) error {
	var e named
	add := func(at time.Duration, kind string, data object) {
		data["type"] = kind
		e.add(at, kind, data)
	}
	add(due[0], "message_start", object{"message": m.body([]any{}, nil, 1)})
	index, open := 0, ""
	block := func(at time.Duration, kind string) {
		if open == kind {
			return
		}
		if open != "" {
			add(at, "content_block_stop", object{"index": index})
			index++
		}
		open = kind
		add(at, "content_block_start", object{"index": index, "content_block": object{"type": kind, kind: ""}})
		if index == 0 {
			add(at, "ping", object{})
		}
	}
	m.runs(due, func(at time.Duration, reasoning bool, from, to int) {
		kind := "text"
		if reasoning {
			kind = "thinking"
		}
		block(at, kind)
		add(at, "content_block_delta", object{"index": index, "delta": object{"type": kind + "_delta", kind: m.join(from, to)}})
	})
	last := due[len(due)-1]
	add(last, "content_block_stop", object{"index": index})
	add(last, "message_delta", object{"delta": object{"stop_reason": m.reason(), "stop_sequence": nil}, "usage": object{"output_tokens": m.n}})
	add(last, "message_stop", object{})
	return e.write(m.answer, x)
}
