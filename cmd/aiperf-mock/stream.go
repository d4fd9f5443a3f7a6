package main

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"
)

// A piece is one event, rendered, and when it is due.
type piece struct {
	from, to int // in the buffer
	stamp    int // where its stamp stands; -1: none
	due      time.Duration
}

// stream renders the whole answer ahead and writes it piece by piece at the absolute times.
//
// The role-only delta of chat stands in front of the first token in a write of its own at the same
// moment; usage and [DONE] follow the last token at once.
func (a *answer) stream(x *exchange, due []time.Duration) error {
	usageEach := a.q.StreamOptions != nil && a.q.StreamOptions.ContinuousUsageStats
	usageEnd := a.q.StreamOptions != nil && a.q.StreamOptions.IncludeUsage
	buf := make([]byte, 0, 320*(len(due)+4))
	pieces := make([]piece, 0, len(due)+4)
	usage := func(n int, show bool) string {
		if !show {
			return ""
		}
		b, _ := json.Marshal(a.usage(n))
		return string(b)
	}
	add := func(choices, usage string, at time.Duration) {
		p := piece{from: len(buf), due: at}
		buf, p.stamp = a.event(buf, choices, usage)
		p.to = len(buf)
		pieces = append(pieces, p)
	}
	if a.chat {
		add(a.choice("role", "", ""), usage(0, usageEach), due[0])
	}
	a.runs(due, func(at time.Duration, reasoning bool, from, to int) {
		kind, finish := "content", ""
		if reasoning {
			kind = "reasoning_content"
		}
		if to == a.n && !a.chat {
			finish = a.finish
		}
		add(a.choice(kind, a.join(from, to), finish), usage(to, usageEach), at)
	})
	last := due[len(due)-1]
	if a.chat {
		add(a.choice("finish", "", a.finish), usage(a.n, usageEach), last)
	}
	if usageEnd {
		add("[]", usage(a.n, true), last)
	}
	p := piece{from: len(buf), stamp: -1, due: last}
	buf = append(buf, "e\r\ndata: [DONE]\n\n\r\n0\r\n\r\n"...)
	p.to = len(buf)
	pieces = append(pieces, p)

	return a.write(x, buf, pieces)
}

// named collects events of the APIs that name them.
type named struct {
	buf    []byte
	pieces []piece
}

// add renders one event: its name, the JSON of its data.
func (e *named) add(due time.Duration, name string, data any) {
	b, _ := json.Marshal(data)
	text := fmt.Appendf(nil, "event: %s\ndata: %s\n\n", name, b)
	p := piece{from: len(e.buf), stamp: -1, due: due}
	e.buf = fmt.Appendf(e.buf, "%x\r\n%s\r\n", len(text), text)
	p.to = len(e.buf)
	e.pieces = append(e.pieces, p)
}

// write ends the body and sends it all in time.
func (e *named) write(a *answer, x *exchange) error {
	p := piece{from: len(e.buf), stamp: -1, due: e.pieces[len(e.pieces)-1].due}
	e.buf = append(e.buf, "0\r\n\r\n"...)
	p.to = len(e.buf)
	return a.write(x, e.buf, append(e.pieces, p))
}

// runs calls do for the tokens of each event, cut where reasoning ends: an event is one kind.
func (a *answer) runs(due []time.Duration, do func(at time.Duration, reasoning bool, from, to int)) {
	for i := range due {
		from, to := i*a.s.perChunk, min((i+1)*a.s.perChunk, a.n)
		if cut := a.reasoning; from < cut && to > cut {
			do(due[i], true, from, cut)
			from = cut
		}
		do(due[i], from < a.reasoning, from, to)
	}
}

// write sends the head, then each piece when it is due.
func (a *answer) write(x *exchange, buf []byte, pieces []piece) error {
	h := head(200, "text/event-stream; charset=utf-8", x.keep)
	h = append(h, "Transfer-Encoding: chunked\r\n\r\n"...)
	if _, err := x.c.Write(h); err != nil {
		return err
	}
	for i := 0; i < len(pieces); {
		if !a.s.fast {
			if d := pieces[i].due - time.Since(x.read); d > 0 {
				time.Sleep(d)
			}
		}
		end := i + 1
		for end < len(pieces) && end-i < a.s.perW && (a.s.fast || pieces[end].due <= time.Since(x.read)) {
			end++
		}
		for j := i; j < end; j++ {
			if at := pieces[j].stamp; at >= 0 {
				strconv.AppendInt(buf[at:at], time.Now().UnixNano(), 10)
			}
		}
		if _, err := x.c.Write(buf[pieces[i].from:pieces[end-1].to]); err != nil {
			return err
		}
		a.s.stats.events.Add(int64(end - i))
		i = end
	}
	return nil
}
