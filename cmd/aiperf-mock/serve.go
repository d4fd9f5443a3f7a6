package main

import (
	"context"
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
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
	case "/metrics":
		if r.Method == http.MethodGet || r.Method == http.MethodHead {
			writeBody(w, http.StatusOK, pageType, s.stats.page())
			return
		}
	case chatPath, textPath, responsesPath, messagesPath, embeddingsPath, nimPath, teiPath, coherePath:
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

// The paths of inference.
const (
	chatPath       = "/v1/chat/completions"
	textPath       = "/v1/completions"
	responsesPath  = "/v1/responses"
	messagesPath   = "/v1/messages"
	embeddingsPath = "/v1/embeddings"
	nimPath        = "/v1/ranking"
	teiPath        = "/rerank"
	coherePath     = "/v2/rerank"
)

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

// A dialect says an answer in the words of an API. Its methods append to what is to be written.
type dialect interface {
	opening(dst []byte) []byte      // events before the first token, if any
	event(dst []byte, k int) []byte // the k-th that carries tokens
	end(dst []byte) []byte          // what follows the last token
	whole(dst []byte) []byte        // the answer as one object
}

// answer speaks as the model. The error is the client's having gone.
func (s *server) answer(w http.ResponseWriter, r *http.Request, body []byte, at time.Time, number int64) (status int, err error) {
	j, path := newJitter(s.seed, number), r.URL.Path
	no := func(err error) (int, error) {
		e := err.(*refusal)
		if path == messagesPath {
			return e.status, writeJSON(w, e.status, e.anthropic())
		}
		return e.status, writeJSON(w, e.status, e.body())
	}
	if j.fails(s.errorRate) {
		return no(injected())
	}
	sum := crc32.ChecksumIEEE(body)
	switch path {
	case embeddingsPath, nimPath, teiPath, coherePath:
		reply, err := s.reply(path, body, sum)
		if err != nil {
			return no(err)
		}
		return http.StatusOK, s.later(w, r.Context(), reply, at.Add(j.around(s.ttft, s.ttftCV)))
	}
	parse := func() (*ask, error) { return parseAsk(body, path == chatPath, s.modelNames) }
	switch path {
	case responsesPath:
		parse = func() (*ask, error) { return parseResponses(body, s.modelNames) }
	case messagesPath:
		parse = func() (*ask, error) { return parseMessages(body, s.modelNames) }
	}
	q, err := parse()
	if err != nil {
		return no(err)
	}
	a := s.plan(q, path != textPath, sum, at, number)
	var d dialect = a
	switch path {
	case responsesPath:
		d = newResponses(a)
	case messagesPath:
		d = newMessages(a)
	}
	if path != chatPath && path != textPath {
		a.prompt = s.tally.of(q.prompt) // their usage is not asked for
	}
	if q.Stream {
		return http.StatusOK, s.stream(w, r.Context(), a, d, at, j)
	}
	return http.StatusOK, s.whole(w, r.Context(), a, d, at, j)
}

// reply makes the answer of an API that generates nothing; its error is a *refusal.
func (s *server) reply(path string, body []byte, sum uint32) ([]byte, error) {
	if path == embeddingsPath {
		return s.embed(body, sum)
	}
	return s.rank(path, body, sum)
}

// later writes an answer in one piece at due.
func (s *server) later(w http.ResponseWriter, ctx context.Context, body []byte, due time.Time) error {
	if err := s.clock.wait(ctx, newWaiter(), due); err != nil {
		return err
	}
	s.stats.events.Add(1)
	return writeJSON(w, http.StatusOK, body)
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
func (s *server) stream(w http.ResponseWriter, ctx context.Context, a *answer, d dialect, at time.Time, j jitter) error {
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
		if k == 0 {
			if b := d.opening(out.buf); len(b) > 0 {
				out.add(b)
			}
		}
		if k == 0 && len(out.buf) > 0 && s.eventsPerWrite == 1 {
			if err := s.clock.wait(ctx, place, due); err != nil {
				return err
			}
			if err := out.flush(); err != nil {
				return err
			}
		}
		next := due
		for last := min(k+s.eventsPerWrite, n); k < last; k++ {
			out.add(d.event(out.buf, k))
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
	out.buf = d.end(out.buf)
	return out.put() // the end of the body leaves with it when the handler returns
}

// whole writes the answer in one piece when the last event of a stream would have left.
func (s *server) whole(w http.ResponseWriter, ctx context.Context, a *answer, d dialect, at time.Time, j jitter) error {
	due := at.Add(j.around(s.ttft, s.ttftCV))
	if s.itl > 0 {
		for range a.events() - 1 {
			due = due.Add(j.around(s.gap(), s.itlCV))
		}
	}
	body := d.whole(nil)
	if err := s.clock.wait(ctx, newWaiter(), due); err != nil {
		return err
	}
	a.setStamps(body, time.Now().UnixNano())
	s.stats.events.Add(1)
	return writeJSON(w, http.StatusOK, body)
}
