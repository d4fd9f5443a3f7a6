package main

import (
	"encoding/json"
	"strings"
)

// parseResponses reads a body of the OpenAI Responses API; every error is a *refusal.
func parseResponses(body []byte, models []string) (*ask, error) {
	var q struct {
		ask
		Input           json.RawMessage `json:"input"`
		Instructions    *string         `json:"instructions"`
		MaxOutputTokens *int            `json:"max_output_tokens"`
	}
	if err := json.Unmarshal(body, &q); err != nil {
		return nil, badJSON(err)
	}
	if n := q.MaxOutputTokens; n != nil && *n < 1 {
		return nil, refuse("max_output_tokens", "max_output_tokens must be at least 1, got %d.", *n)
	}
	q.MaxTokens, q.MaxCompletionTokens = q.MaxOutputTokens, nil
	if err := q.check(models); err != nil {
		return nil, err
	}
	var text string
	if absent(q.Input) {
		return nil, missing("input")
	} else if json.Unmarshal(q.Input, &text) == nil {
		q.prompt.texts = []string{text}
	} else {
		p, err := chatPrompt(q.Input, "input")
		if err != nil {
			return nil, err
		}
		q.prompt = p
	}
	if q.Instructions != nil {
		q.prompt.texts = append([]string{*q.Instructions}, q.prompt.texts...)
	}
	return &q.ask, nil
}

// A responses says an answer in the words of the Responses API: a reasoning item if there is
// reasoning, then a message.
type responses struct {
	*answer
	id       string
	sequence int  // of the next event
	open     bool // the message has begun
}

func newResponses(a *answer) *responses {
	return &responses{answer: a, id: strings.TrimPrefix(a.id, "chatcmpl-")}
}

// status is incomplete when the cap ended the answer.
func (r *responses) status() string {
	if r.finish == "length" {
		return "incomplete"
	}
	return "completed"
}

func (r *responses) body(status string, output []any, usage any) object {
	o := object{"id": "resp_" + r.id, "object": "response", "created_at": r.created, "model": r.model, "status": status,
		"error": nil, "incomplete_details": nil, "output": output, "usage": usage}
	if status == "incomplete" {
		o["incomplete_details"] = object{"reason": "max_output_tokens"}
	}
	return o
}

// final is the body at the end.
func (r *responses) final() object {
	var items []any
	if r.reasoning > 0 {
		items = append(items, r.thought(summary(r.said(0, r.reasoning))))
	}
	items = append(items, r.message(r.status(), part(r.said(r.reasoning, r.tokens()))))
	return r.body(r.status(), items, object{"input_tokens": r.prompt, "input_tokens_details": object{"cached_tokens": 0},
		"output_tokens": r.tokens(), "output_tokens_details": object{"reasoning_tokens": r.reasoning}, "total_tokens": r.prompt + r.tokens()})
}

func (r *responses) thought(summary ...any) object {
	return object{"id": "rs_" + r.id, "type": "reasoning", "summary": append([]any{}, summary...)}
}

func (r *responses) message(status string, content ...any) object {
	return object{"id": "msg_" + r.id, "type": "message", "status": status, "role": "assistant", "content": append([]any{}, content...)}
}

func summary(text string) any { return object{"type": "summary_text", "text": text} }

func part(text string) any {
	return object{"type": "output_text", "text": text, "annotations": []any{}}
}

func (r *responses) whole(dst []byte) []byte { return r.document(dst, r.final()) }

// add appends the event response.NAME.
func (r *responses) add(dst []byte, name string, data object) []byte {
	data["sequence_number"] = r.sequence
	r.sequence++
	return r.named(dst, "response."+name, data)
}

// thinking and speaking place an event in the output: reasoning is its first item, the message its last.
func (r *responses) thinking(o object) object {
	o["output_index"], o["content_index"], o["item_id"] = 0, 0, "rs_"+r.id
	return o
}

func (r *responses) speaking(o object) object {
	o["output_index"], o["content_index"], o["item_id"] = min(r.reasoning, 1), 0, "msg_"+r.id
	return o
}

func (r *responses) opening(dst []byte) []byte {
	dst = r.add(dst, "created", object{"response": r.body("in_progress", []any{}, nil)})
	dst = r.add(dst, "in_progress", object{"response": r.body("in_progress", []any{}, nil)})
	if r.reasoning > 0 {
		return r.add(dst, "output_item.added", object{"output_index": 0, "item": r.thought()})
	}
	return r.speak(dst)
}

// speak begins the message.
func (r *responses) speak(dst []byte) []byte {
	r.open = true
	dst = r.add(dst, "output_item.added", object{"output_index": min(r.reasoning, 1), "item": r.message("in_progress")})
	return r.add(dst, "content_part.added", r.speaking(object{"part": part("")}))
}

func (r *responses) event(dst []byte, k int) []byte {
	from, to := r.span(k)
	if k >= r.thoughts() {
		if !r.open {
			dst = r.speak(dst)
		}
		return r.add(dst, "output_text.delta", r.speaking(object{"delta": r.said(from, to)}))
	}
	dst = r.add(dst, "reasoning_text.delta", r.thinking(object{"delta": r.said(from, to)}))
	if to < r.reasoning {
		return dst
	}
	text := r.said(0, r.reasoning)
	dst = r.add(dst, "reasoning_text.done", r.thinking(object{"text": text}))
	return r.add(dst, "output_item.done", object{"output_index": 0, "item": r.thought(summary(text))})
}

func (r *responses) end(dst []byte) []byte {
	if !r.open { // the cap came while it was still reasoning
		dst = r.speak(dst)
	}
	text := r.said(r.reasoning, r.tokens())
	dst = r.add(dst, "output_text.done", r.speaking(object{"text": text}))
	dst = r.add(dst, "content_part.done", r.speaking(object{"part": part(text)}))
	dst = r.add(dst, "output_item.done", object{"output_index": min(r.reasoning, 1), "item": r.message(r.status(), part(text))})
	return r.add(dst, r.status(), object{"response": r.final()})
}
