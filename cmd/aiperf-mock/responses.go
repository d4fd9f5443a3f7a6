package main

import (
	"encoding/json"
	"fmt"
	"time"
)

type object = map[string]any

// responses serves the OpenAI Responses API.
func (s *server) responses(x *exchange) error {
	var q struct {
		wanted
		Input           json.RawMessage `json:"input"`
		Instructions    string          `json:"instructions"`
		MaxOutputTokens *int            `json:"max_output_tokens"`
	}
	if err := json.Unmarshal(x.body, &q); err != nil {
		return x.fail(400, "the body is not the JSON that is expected: "+err.Error(), "invalid_request_error")
	}
	if q.Model == "" || q.Input == nil {
		return x.fail(400, "model and input are required", "invalid_request_error")
	}
	if json.Unmarshal(q.Input, &q.Messages) != nil { // a text, or a list of items with content
		q.Messages, q.Prompt = nil, q.Input
	}
	if q.Instructions != "" {
		b, _ := json.Marshal(q.Instructions)
		q.Messages = append([]message{{Role: "system", Content: b}}, q.Messages...)
	}
	q.MaxTokens, q.MaxCompletionTokens = q.MaxOutputTokens, nil
	a, due, err := s.begin(x, &q.wanted, true)
	if a == nil {
		return err
	}
	r := response{a}
	if q.Stream {
		return r.stream(x, due)
	}
	return a.later(x, due, r.body(r.status(), r.output(), r.usage()))
}

// A response says an answer in the words of the Responses API.
type response struct{ *answer }

// status is incomplete when the cap ended the answer.
func (r response) status() string {
	if r.finish == "length" {
		return "incomplete"
	}
	return "completed"
}

func (r response) body(status string, output []any, usage any) object {
	o := object{"id": fmt.Sprintf("resp_mock_%d", r.id), "object": "response", "created_at": created, "model": r.q.Model, "status": status,
		"error": nil, "incomplete_details": nil, "output": output, "usage": usage}
	if status == "incomplete" {
		o["incomplete_details"] = object{"reason": "max_output_tokens"}
	}
	return o
}

func (r response) usage() object {
	u := r.answer.usage(r.n)
	return object{"input_tokens": r.prompt, "input_tokens_details": object{"cached_tokens": 0}, "output_tokens": r.n,
		"output_tokens_details": object{"reasoning_tokens": r.reasoning}, "total_tokens": u["total_tokens"]}
}

// thought and said are the output items; said is the last.
func (r response) thought(text string) object {
	return object{"id": fmt.Sprintf("rs_mock_%d", r.id), "type": "reasoning", "summary": []any{object{"type": "summary_text", "text": text}}}
}

func (r response) said(status string, content []any) object {
	return object{"id": fmt.Sprintf("msg_mock_%d", r.id), "type": "message", "status": status, "role": "assistant", "content": content}
}

func part(text string) object {
	return object{"type": "output_text", "text": text, "annotations": []any{}}
}

func (r response) output() (items []any) {
	if r.reasoning > 0 {
		items = append(items, r.thought(r.join(0, r.reasoning)))
	}
	return append(items, r.said("completed", []any{part(r.join(r.reasoning, r.n))}))
}

func (r response) stream(x *exchange, due []time.Duration) error {
	var e named
	seq := 0
	add := func(at time.Duration, kind string, data object) {
		data["type"], data["sequence_number"] = kind, seq
		seq++
		e.add(at, kind, data)
	}
	index := 0
	add(due[0], "response.created", object{"response": r.body("in_progress", []any{}, nil)})
	add(due[0], "response.in_progress", object{"response": r.body("in_progress", []any{}, nil)})
	last := due[len(due)-1]
	id := fmt.Sprintf("msg_mock_%d", r.id)
	opened := false
	open := func(at time.Duration) {
		opened = true
		add(at, "response.output_item.added", object{"output_index": index, "item": r.said("in_progress", []any{})})
		add(at, "response.content_part.added", object{"output_index": index, "content_index": 0, "item_id": id, "part": part("")})
	}
	if r.reasoning > 0 {
		add(due[0], "response.output_item.added", object{"output_index": 0, "item": object{"id": fmt.Sprintf("rs_mock_%d", r.id), "type": "reasoning", "summary": []any{}}})
	}
	thinkEnd := func(at time.Duration) {
		add(at, "response.reasoning_text.done", object{"output_index": 0, "content_index": 0, "item_id": fmt.Sprintf("rs_mock_%d", r.id), "text": r.join(0, r.reasoning)})
		add(at, "response.output_item.done", object{"output_index": 0, "item": r.thought(r.join(0, r.reasoning))})
		index = 1
	}
	r.runs(due, func(at time.Duration, reasoning bool, from, to int) {
		if reasoning {
			add(at, "response.reasoning_text.delta", object{"output_index": 0, "content_index": 0, "item_id": fmt.Sprintf("rs_mock_%d", r.id), "delta": r.join(from, to)})
			if to == r.reasoning {
				thinkEnd(at)
			}
			return
		}
		if !opened {
			open(at)
		}
		add(at, "response.output_text.delta", object{"output_index": index, "content_index": 0, "item_id": id, "delta": r.join(from, to)})
	})
	if !opened {
		open(last)
	}
	text := r.join(r.reasoning, r.n)
	add(last, "response.output_text.done", object{"output_index": index, "content_index": 0, "item_id": id, "text": text})
	add(last, "response.content_part.done", object{"output_index": index, "content_index": 0, "item_id": id, "part": part(text)})
	add(last, "response.output_item.done", object{"output_index": index, "item": r.said("completed", []any{part(text)})})
	add(last, "response."+r.status(), object{"response": r.body(r.status(), r.output(), r.usage())})
	return e.write(r.answer, x)
}
