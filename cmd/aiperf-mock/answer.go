package main

import (
	"encoding/json"
	"strconv"
)

// An answer is what one request gets, before a byte of it is written.
type answer struct {
	chat      bool
	id        string
	created   int64 // s since the epoch
	model     string
	reasoning int // tokens; they come first
	content   int // tokens
	finish    string
	prompt    int  // tokens, where usage is asked for
	usage     bool // an event with the usage at the end
	running   bool // usage in every event too
	words     []string
	first     int // index of the first word
	step      int // tokens an event
	stamp     bool

	head   []byte // what every event starts with
	stamps []int  // offsets of the stamps in the buffer that is being filled
}

// extent decides how many tokens an answer has and why it ends there. It would end by itself after
// the reasoning and natural tokens (0: only at the cap; where there is no cap, after defaultTokens);
// min_tokens and ignore_eos put that off, the cap comes before it.
func extent(a *ask, natural, reasoning int) (tokens int, finish string) {
	limit := a.cap()
	if limit != nil && (natural == 0 || a.IgnoreEOS) {
		return *limit, "length"
	}
	if natural == 0 {
		natural = defaultTokens
	}
	tokens = natural + reasoning
	if a.IgnoreEOS {
		return tokens, "length"
	}
	if a.MinTokens != nil {
		tokens = max(tokens, *a.MinTokens)
	}
	if limit != nil && tokens >= *limit {
		return *limit, "length"
	}
	return tokens, "stop"
}

const defaultTokens = 128

func (a *answer) tokens() int { return a.reasoning + a.content }

// thoughts is how many events carry reasoning, events how many carry tokens at all; an event has
// one of the two kinds only.
func (a *answer) thoughts() int { return (a.reasoning + a.step - 1) / a.step }
func (a *answer) events() int   { return a.thoughts() + (a.content+a.step-1)/a.step }

const (
	stampKey  = `"server_ns":`
	stampZero = "0000000000000000000" // as long as the epoch in ns is until 2286
)

// open starts a JSON object with what is the same in all of an answer's.
func (a *answer) open(dst []byte, object string) []byte {
	dst = append(dst, '{')
	if a.stamp {
		dst = append(dst, stampKey...)
		a.stamps = append(a.stamps, len(dst))
		dst = append(append(dst, stampZero...), ',')
	}
	if a.head == nil {
		model, _ := json.Marshal(a.model)
		a.head = append(append(append(a.head, `"id":"`...), a.id...), `","object":"`...)
		a.head = append(append(append(a.head, object...), `","created":`...), strconv.FormatInt(a.created, 10)...)
		a.head = append(append(append(a.head, `,"model":`...), model...), `,"choices":[`...)
	}
	return append(dst, a.head...)
}

// chunk starts an event.
func (a *answer) chunk(dst []byte) []byte {
	if a.chat {
		return a.open(append(dst, "data: "...), "chat.completion.chunk")
	}
	return a.open(append(dst, "data: "...), "text_completion")
}

// setStamps writes now (ns) into the events gathered in buf, and forgets where they were.
func (a *answer) setStamps(buf []byte, now int64) {
	for _, at := range a.stamps {
		strconv.AppendInt(buf[at:at], now, 10)
	}
	a.stamps = a.stamps[:0]
}

// opening appends the event of chat that only names the speaker.
func (a *answer) opening(dst []byte) []byte {
	if !a.chat {
		return dst
	}
	dst = append(a.chunk(dst), `{"index":0,"delta":{"role":"assistant","content":""},"logprobs":null,"finish_reason":null}]`...)
	return a.closeEvent(dst, 0)
}

// span is the tokens of the k-th event that carries any.
func (a *answer) span(k int) (from, to int) {
	if k < a.thoughts() {
		return k * a.step, min((k+1)*a.step, a.reasoning)
	}
	from = (k-a.thoughts())*a.step + a.reasoning
	return from, min(from+a.step, a.tokens())
}

// event appends the k-th event that carries tokens.
func (a *answer) event(dst []byte, k int) []byte {
	dst = append(a.chunk(dst), `{"index":0,`...)
	from, to := a.span(k)
	key := `"text":"`
	if a.chat {
		key = `"delta":{"content":"`
	}
	if k < a.thoughts() {
		key = `"delta":{"reasoning_content":"`
	}
	dst = a.text(append(dst, key...), from, to)
	if a.chat {
		dst = append(dst, `"},"logprobs":null,"finish_reason":`...)
	} else {
		dst = append(dst, `","logprobs":null,"finish_reason":`...)
	}
	if to < a.tokens() {
		dst = append(dst, `null}]`...)
	} else {
		dst = append(append(append(dst, '"'), a.finish...), `","stop_reason":null}]`...)
	}
	return a.closeEvent(dst, to)
}

func (a *answer) closeEvent(dst []byte, tokens int) []byte {
	if a.running {
		dst = a.appendUsage(dst, tokens)
	}
	return append(dst, "}\n\n"...)
}

// end appends what follows the last token: the usage if asked for, and [DONE].
func (a *answer) end(dst []byte) []byte {
	if a.usage {
		dst = append(a.appendUsage(append(a.chunk(dst), ']'), a.tokens()), "}\n\n"...)
	}
	return append(dst, "data: [DONE]\n\n"...)
}

// whole appends the answer as one object.
func (a *answer) whole(dst []byte) []byte {
	if a.chat {
		dst = append(a.open(dst, "chat.completion"), `{"index":0,"message":{"role":"assistant","content":`...)
	} else {
		dst = append(a.open(dst, "text_completion"), `{"index":0,"text":`...)
	}
	if a.chat && a.content == 0 {
		dst = append(dst, "null"...) // the cap came while it was still reasoning
	} else {
		dst = append(a.text(append(dst, '"'), a.reasoning, a.tokens()), '"')
	}
	if a.reasoning > 0 {
		dst = append(a.text(append(dst, `,"reasoning_content":"`...), 0, a.reasoning), '"')
	}
	if a.chat {
		dst = append(dst, '}')
	}
	dst = append(append(append(dst, `,"logprobs":null,"finish_reason":"`...), a.finish...), `","stop_reason":null}]`...)
	return append(a.appendUsage(dst, a.tokens()), '}')
}

// text appends the words of tokens from up to to; none needs escaping.
func (a *answer) text(dst []byte, from, to int) []byte {
	for i := from; i < to; i++ {
		dst = append(dst, a.words[(a.first+i)%len(a.words)]...)
	}
	return dst
}

func (a *answer) appendUsage(dst []byte, tokens int) []byte {
	dst = strconv.AppendInt(append(dst, `,"usage":{"prompt_tokens":`...), int64(a.prompt), 10)
	dst = strconv.AppendInt(append(dst, `,"total_tokens":`...), int64(a.prompt+tokens), 10)
	dst = strconv.AppendInt(append(dst, `,"completion_tokens":`...), int64(tokens), 10)
	if a.reasoning > 0 {
		dst = strconv.AppendInt(append(dst, `,"completion_tokens_details":{"reasoning_tokens":`...), int64(min(tokens, a.reasoning)), 10)
		dst = append(dst, '}')
	}
	return append(dst, '}')
}
