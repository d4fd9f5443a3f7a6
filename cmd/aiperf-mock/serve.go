package main

import (
	"context"
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
	"strings"
	"time"
)

// ServeHTTP answers one request.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.script != nil && r.Method == http.MethodPost {
		s.infer(w, r)
		return
	}
	switch r.URL.Path {
	case "/health":
		w.Header()["Content-Length"] = []string{"0"}
		return
	case "/":
		if r.Method == http.MethodGet {
			w.Header()["Content-Length"] = []string{"0"}
			return
		}
	case "/v1/models":
		if r.Method == http.MethodGet {
			writeJSON(w, http.StatusOK, s.models)
			return
		}
	case "/mock/stats":
		writeJSON(w, http.StatusOK, s.stats.json())
		return
	case "/v1/chat/completions", "/v1/completions":
		if r.Method == http.MethodPost {
			s.infer(w, r)
			return
		}
	default:
		detail(w, http.StatusNotFound, "Not Found")
		return
	}
	detail(w, http.StatusMethodNotAllowed, "Method Not Allowed")
}

const bodyLimit = 256 << 20 // bytes

// infer reads the body, keeps the books, and lets the script or the model answer.
func (s *server) infer(w http.ResponseWriter, r *http.Request) {
	number := s.stats.begin()
	status := 0
	defer func() { s.stats.end(status) }()
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, bodyLimit))
	at := time.Now()
	if err != nil {
		status = http.StatusBadRequest
		if _, tooLong := err.(*http.MaxBytesError); tooLong {
			status = http.StatusRequestEntityTooLarge
		} else if r.Context().Err() != nil || err == io.ErrUnexpectedEOF {
			s.stats.disconnects.Add(1)
		}
		detail(w, status, err.Error())
		return
	}
	if s.requests != nil {
		s.requests.add(number, at, r, body)
	}
	if s.script != nil {
		status, err = s.replay(w, r, s.script.next(), at)
	} else {
		status, err = s.answer(w, r, body, at, number)
	}
	if err != nil && s.base.Err() == nil {
		s.stats.disconnects.Add(1)
	}
}

// answer speaks as the model. The error is the client's having gone.
func (s *server) answer(w http.ResponseWriter, r *http.Request, body []byte, at time.Time, number int64) (status int, err error) {
	j := newJitter(s.seed, number)
	if j.fails(s.errorRate) {
		e := &refusal{status: http.StatusInternalServerError, kind: "InternalServerError", message: "injected by --error-rate"}
		e.write(w)
		return e.status, nil
	}
	chat := strings.HasSuffix(r.URL.Path, "/chat/completions")
	q, err := parseAsk(body, chat, s.modelNames)
	if err != nil {
		e := err.(*refusal)
		e.write(w)
		return e.status, nil
	}
	a := s.plan(q, chat, crc32.ChecksumIEEE(body), at, number)
	if q.Stream {
		return http.StatusOK, s.stream(w, r.Context(), a, at, j)
	}
	return http.StatusOK, s.whole(w, r.Context(), a, at, j)
}

// plan makes the answer; the same body always gets the same words.
func (s *server) plan(q *ask, chat bool, sum uint32, at time.Time, number int64) *answer {
	a := &answer{chat: chat, created: at.Unix(), model: *q.Model, words: s.words, first: int(sum % uint32(len(s.words))),
		step: s.tokensPerChunk, stamp: s.stamp, usage: !q.Stream}
	kind, reasoning := "cmpl", 0
	if chat {
		kind, reasoning = "chatcmpl", s.reasoning
	}
	a.id = fmt.Sprintf("%s-%016x", kind, uint64(sum)<<32|uint64(uint32(number)))
	n, finish := extent(q, s.stopAfter, reasoning)
	a.finish, a.reasoning = finish, min(reasoning, n)
	a.content = n - a.reasoning
	if o := q.StreamOptions; o != nil {
		a.usage, a.running = o.IncludeUsage, o.IncludeUsage && o.ContinuousUsageStats
	}
	if a.usage {
		a.prompt = s.tally.of(q.prompt)
	}
	return a
}

// gap is the distance of events with tokens.
func (s *server) gap() time.Duration { return s.itl * time.Duration(s.tokensPerChunk) }

// stream writes events at their times: the k-th is due at ttft + k gaps after the request was read.
func (s *server) stream(w http.ResponseWriter, ctx context.Context, a *answer, at time.Time, j jitter) error {
	h := w.Header()
	h["Content-Type"] = []string{"text/event-stream; charset=utf-8"}
	h["Cache-Control"] = []string{"no-cache"}
	out := &sink{w: w, flusher: w.(flusher), answer: a, events: &s.stats.events}
	place := newWaiter()
	if !s.fast {
		if err := out.flush(); err != nil { // the headers go ahead, as engines send them
			return err
		}
	}
	due := at.Add(j.around(s.ttft, s.ttftCV))
	for k, n := 0, a.events(); k < n; {
		if k == 0 && a.chat {
			out.add(a.role(out.buf))
		}
		if k == 0 && a.chat && s.eventsPerWrite == 1 {
			if err := s.clock.wait(ctx, place, due); err != nil {
				return err
			}
			if err := out.flush(); err != nil {
				return err
			}
		}
		next := due
		for last := min(k+s.eventsPerWrite, n); k < last; k++ {
			out.add(a.event(out.buf, k))
			next = next.Add(j.around(s.gap(), s.itlCV))
		}
		if err := s.clock.wait(ctx, place, due); err != nil {
			return err
		}
		if err := out.flush(); err != nil {
			return err
		}
		due = next
	}
	out.buf = a.end(out.buf)
	return out.put() // the end of the body leaves with it when the handler returns
}

// whole writes the answer in one piece when the last event of a stream would have left.
func (s *server) whole(w http.ResponseWriter, ctx context.Context, a *answer, at time.Time, j jitter) error {
	due := at.Add(j.around(s.ttft, s.ttftCV))
	if s.itl > 0 {
		for range a.events() - 1 {
			due = due.Add(j.around(s.gap(), s.itlCV))
		}
	}
	body := a.whole(nil)
	if err := s.clock.wait(ctx, newWaiter(), due); err != nil {
		return err
	}
	a.setStamps(body, time.Now().UnixNano())
	s.stats.events.Add(1)
	return writeJSON(w, http.StatusOK, body)
}
