package main

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// wanted is what the mock understands of a request.
type wanted struct {
	Model               string          `json:"model"`
	Messages            []message       `json:"messages"`
	Prompt              json.RawMessage `json:"prompt"`
	Stream              bool            `json:"stream"`
	MaxTokens           *int            `json:"max_tokens"`
	MaxCompletionTokens *int            `json:"max_completion_tokens"`
	MinTokens           int             `json:"min_tokens"`
	IgnoreEOS           bool            `json:"ignore_eos"`
	N                   *int            `json:"n"`
	StreamOptions       *struct {
		IncludeUsage         bool `json:"include_usage"`
		ContinuousUsageStats bool `json:"continuous_usage_stats"`
	} `json:"stream_options"`
}

type message struct {
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
}

// text is the prompt's text: messages (or prompts) joined by one space.
func (q *wanted) text() string {
	var out []string
	add := func(raw json.RawMessage) {
		var s string
		var list []json.RawMessage
		switch {
		case json.Unmarshal(raw, &s) == nil:
			out = append(out, s)
		case json.Unmarshal(raw, &list) == nil:
			for _, p := range list {
				var part struct{ Text string }
				if json.Unmarshal(p, &s) == nil {
					out = append(out, s)
				} else if json.Unmarshal(p, &part) == nil && part.Text != "" {
					out = append(out, part.Text)
				}
			}
		}
	}
	for _, m := range q.Messages {
		add(m.Content)
	}
	if q.Prompt != nil {
		add(q.Prompt)
	}
	return strings.Join(out, " ")
}

// length is how many tokens the answer has and why it ends there.
func (s *server) length(q *wanted) (n int, finish string) {
	n, finish = 128, "stop"
	limit := q.MaxTokens
	if q.MaxCompletionTokens != nil {
		limit = q.MaxCompletionTokens
	}
	if limit != nil {
		n, finish = *limit, "length"
	} else {
		n = max(n, q.MinTokens)
	}
	if s.stopAfter > 0 && !q.IgnoreEOS {
		if end := max(s.stopAfter, q.MinTokens); end < n || limit == nil {
			n, finish = end, "stop"
		}
	}
	return n, finish
}

func (s *server) generate(x *exchange, chat bool) error {
	var q wanted
	if err := json.Unmarshal(x.body, &q); err != nil {
		return x.fail(400, "the body is not the JSON that is expected: "+err.Error(), "BadRequestError")
	}
	switch {
	case q.Model == "":
		return x.fail(400, "model: field required", "BadRequestError")
	case chat && len(q.Messages) == 0:
		return x.fail(400, "messages: at least one is required", "BadRequestError")
	case !chat && q.Prompt == nil:
		return x.fail(400, "prompt: field required", "BadRequestError")
	case q.N != nil && *q.N != 1:
		return x.fail(400, "n: only 1 is served", "BadRequestError")
	}
	a, due, err := s.begin(x, &q, chat)
	if a == nil {
		return err
	}
	if q.Stream {
		return a.stream(x, due)
	}
	return a.later(x, due, a.whole())
}

// begin draws an answer and when its events are due. The answer is nil when the request was refused.
func (s *server) begin(x *exchange, q *wanted, reasons bool) (*answer, []time.Duration, error) {
	n, finish := s.length(q)
	if n < 1 {
		return nil, nil, x.fail(400, "max_tokens must be at least 1", "BadRequestError")
	}
	num := s.turn.Add(1) - 1
	rng := s.rng(num)
	if rng.Float64()*100 < s.errorRate {
		s.stats.errors.Add(1)
		return nil, nil, x.fail(500, "the mock failed this request on purpose (--error-rate)", "InternalServerError")
	}
	a := &answer{s: s, q: q, chat: reasons, n: n, finish: finish, from: int(num % 1009), id: num}
	if reasons {
		a.reasoning = min(s.reason, n)
	}
	return a, s.schedule(rng, (n+s.perChunk-1)/s.perChunk), nil
}

// later sends a whole body when the last event of a stream would have been due.
func (a *answer) later(x *exchange, due []time.Duration, body any) error {
	if d := due[len(due)-1] - time.Since(x.read); d > 0 {
		time.Sleep(d)
	}
	a.s.stats.events.Add(1)
	return x.json(200, body)
}

// An answer is the tokens that one request gets.
type answer struct {
	s         *server
	q         *wanted
	chat      bool
	n         int
	reasoning int // of n, in front
	finish    string
	from      int
	id        int64
	prompt    int
	counted   bool
}

func (a *answer) join(from, to int) string {
	var b strings.Builder
	for i := from; i < to; i++ {
		b.WriteString(a.s.words.token(a.from, i))
	}
	return b.String()
}

// usage is the count after n tokens.
func (a *answer) usage(n int) map[string]any {
	if !a.counted {
		a.prompt, a.counted = a.s.words.count(a.q.text()), true
	}
	u := map[string]any{"prompt_tokens": a.prompt, "completion_tokens": n, "total_tokens": a.prompt + n}
	if a.reasoning > 0 {
		u["completion_tokens_details"] = map[string]int{"reasoning_tokens": min(n, a.reasoning)}
	}
	return u
}

func (a *answer) whole() map[string]any {
	text := a.join(a.reasoning, a.n)
	choice := map[string]any{"index": 0, "finish_reason": a.finish}
	object, prefix := "text_completion", "cmpl-"
	if a.chat {
		object, prefix = "chat.completion", "chatcmpl-"
		m := map[string]any{"role": "assistant", "content": text}
		if a.reasoning > 0 {
			m["reasoning_content"] = a.join(0, a.reasoning)
		}
		choice["message"] = m
	} else {
		choice["text"] = text
	}
	return map[string]any{"id": fmt.Sprintf("%smock-%d", prefix, a.id), "object": object, "created": created, "model": a.q.Model,
		"choices": []any{choice}, "usage": a.usage(a.n)}
}

// stampZero stands where the time of the write goes: as many digits as an epoch in ns has.
const stampZero = "0000000000000000000"

// event appends one SSE event as a chunk of the transfer encoding. choices is the JSON of the choices
// array, usage that of the usage or "". It returns where the stamp's digits stand, -1 for none.
func (a *answer) event(b []byte, choices, usage string) ([]byte, int) {
	object, prefix := "text_completion", "cmpl-"
	if a.chat {
		object, prefix = "chat.completion.chunk", "chatcmpl-"
	}
	data := make([]byte, 0, 256)
	data = append(data, `data: {"id":"`...)
	data = append(data, prefix...)
	data = append(data, "mock-"...)
	data = strconv.AppendInt(data, a.id, 10)
	data = append(data, `","object":"`...)
	data = append(data, object...)
	data = append(data, `","created":`...)
	data = strconv.AppendInt(data, created, 10)
	data = append(data, `,"model":`...)
	data = appendString(data, a.q.Model)
	data = append(data, `,"choices":`...)
	data = append(data, choices...)
	if usage != "" {
		data = append(data, `,"usage":`...)
		data = append(data, usage...)
	}
	at := -1
	if a.s.stamp {
		data = append(data, `,"server_ns":`...)
		at = len(data)
		data = append(data, "1"+stampZero[1:]...)
	}
	data = append(data, "}\n\n"...)
	b = strconv.AppendInt(b, int64(len(data)), 16)
	b = append(b, "\r\n"...)
	if at >= 0 {
		at += len(b)
	}
	b = append(b, data...)
	return append(b, "\r\n"...), at
}

func appendString(b []byte, s string) []byte {
	q, _ := json.Marshal(s)
	return append(b, q...)
}

func (a *answer) choice(kind, text, finish string) string {
	f := "null"
	if finish != "" {
		f = `"` + finish + `"`
	}
	t, _ := json.Marshal(text)
	switch {
	case !a.chat:
		return `[{"index":0,"text":` + string(t) + `,"logprobs":null,"finish_reason":` + f + `}]`
	case kind == "role":
		return `[{"index":0,"delta":{"role":"assistant","content":""},"logprobs":null,"finish_reason":null}]`
	case kind == "finish":
		return `[{"index":0,"delta":{},"logprobs":null,"finish_reason":` + f + `}]`
	}
	return `[{"index":0,"delta":{"` + kind + `":` + string(t) + `},"logprobs":null,"finish_reason":` + f + `}]`
}
