package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"aiperf/internal/cli"
)

// maxBody bounds a request's body.
const maxBody = 256 << 20

// stats count what was served; all atomic.
type stats struct {
	requests, inFlight, maxInFlight, events, disconnects, errors atomic.Int64
}

func (s *stats) words() string {
	return fmt.Sprintf("%d requests, %d events, at most %d in flight, %d clients left early", s.requests.Load(), s.events.Load(), s.maxInFlight.Load(), s.disconnects.Load())
}

func (s *stats) enter() {
	n := s.inFlight.Add(1)
	for {
		m := s.maxInFlight.Load()
		if n <= m || s.maxInFlight.CompareAndSwap(m, n) {
			return
		}
	}
}

type server struct {
	options
	words  *words
	script []play
	turn   atomic.Int64
	stats  stats
	record struct {
		sync.Mutex
		f *os.File
	}
}

func newServer(c *cli.Context) (*server, error) {
	s := &server{options: readOptions(c)}
	var err error
	if s.words, err = newWords(c.String("tokenizer"), c.Bool("no-tokenizer")); err != nil {
		return nil, err
	}
	if name := c.String("script"); name != "" {
		if s.script, err = readScript(name); err != nil {
			return nil, err
		}
	}
	if name := c.String("record-requests"); name != "" {
		if s.record.f, err = os.Create(name); err != nil {
			return nil, cli.Errorf(cli.ExitIO, "%v", err)
		}
	}
	return s, nil
}

func (s *server) close() {
	if s.record.f != nil {
		s.record.f.Close()
	}
}

func (s *server) serve(ln net.Listener) {
	for {
		c, err := ln.Accept()
		if err != nil {
			return
		}
		go s.connection(c)
	}
}

// An exchange is one request being answered.
type exchange struct {
	c     net.Conn
	req   *http.Request
	body  []byte
	read  time.Time // the request had been read
	keep  bool
	ended bool // the connection must be closed
}

func (s *server) connection(c net.Conn) {
	defer c.Close()
	br := bufio.NewReaderSize(c, 4<<10)
	for {
		req, err := http.ReadRequest(br)
		if err != nil {
			if err != io.EOF {
				fmt.Fprintf(c, "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
			}
			return
		}
		if req.Header.Get("Expect") == "100-continue" {
			fmt.Fprint(c, "HTTP/1.1 100 Continue\r\n\r\n")
		}
		body, err := io.ReadAll(io.LimitReader(req.Body, maxBody+1))
		if err != nil || len(body) > maxBody {
			fmt.Fprintf(c, "HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
			return
		}
		x := &exchange{c: c, req: req, body: body, read: time.Now(), keep: !req.Close}
		s.stats.enter()
		s.note(x)
		err = s.answer(x)
		s.stats.inFlight.Add(-1)
		if err != nil {
			s.stats.disconnects.Add(1)
			return
		}
		if !x.keep || x.ended {
			return
		}
	}
}

// note writes the request down when asked to.
func (s *server) note(x *exchange) {
	if s.record.f == nil {
		return
	}
	line := struct {
		ArrivalNS int64           `json:"arrival_ns"`
		Method    string          `json:"method"`
		Path      string          `json:"path"`
		Headers   http.Header     `json:"headers"`
		Body      json.RawMessage `json:"body,omitempty"`
		BodyB64   []byte          `json:"body_b64,omitempty"`
	}{x.read.UnixNano(), x.req.Method, x.req.URL.RequestURI(), x.req.Header, nil, nil}
	if json.Valid(x.body) {
		line.Body = x.body
	} else {
		line.BodyB64 = x.body
	}
	b, err := json.Marshal(line)
	if err != nil {
		return
	}
	s.record.Lock()
	defer s.record.Unlock()
	_, _ = s.record.f.Write(append(b, '\n'))
}

func (s *server) answer(x *exchange) error {
	switch path := x.req.URL.Path; {
	case path == "/health" || path == "/":
		return x.json(200, nil)
	case path == "/metrics":
		return s.metricsPage(x)
	case path == "/mock/stats":
		st := &s.stats
		return x.json(200, map[string]int64{"requests": st.requests.Load(), "in_flight": st.inFlight.Load() - 1, "max_in_flight": st.maxInFlight.Load(),
			"events": st.events.Load(), "disconnects": st.disconnects.Load(), "errors": st.errors.Load()})
	case path == "/v1/models" && x.req.Method == "GET":
		return x.json(200, map[string]any{"object": "list", "data": []any{map[string]any{"id": s.model, "object": "model", "created": created, "owned_by": "aiperf-mock"}}})
	case s.script != nil:
		s.stats.requests.Add(1)
		n := s.turn.Add(1) - 1
		return s.script[n%int64(len(s.script))].run(x, &s.stats)
	}
	serve := s.api(x.req.URL.Path)
	if serve == nil {
		return x.fail(404, "Not Found", "NotFoundError")
	}
	if x.req.Method != "POST" {
		return x.fail(405, "Method Not Allowed", "MethodNotAllowed")
	}
	s.stats.requests.Add(1)
	return serve(x)
}

// api is what answers a path; nil: nothing does.
func (s *server) api(path string) func(*exchange) error {
	switch path {
	case "/v1/chat/completions":
		return func(x *exchange) error { return s.generate(x, true) }
	case "/v1/completions":
		return func(x *exchange) error { return s.generate(x, false) }
	case "/v1/responses":
		return s.responses
	case "/v1/messages":
		return s.messages
	case "/v1/embeddings":
		return s.embeddings
	case "/v1/ranking", "/rerank", "/v2/rerank":
		return s.rankings
	}
	return nil
}

// json answers with a whole JSON body; nil is an empty one.
func (x *exchange) json(status int, v any) error {
	var body []byte
	if v != nil {
		var err error
		if body, err = json.Marshal(v); err != nil {
			return err
		}
	}
	return x.whole(status, "application/json", body)
}

// whole answers with a body of known length; HEAD gets the head alone.
func (x *exchange) whole(status int, contentType string, body []byte) error {
	b := head(status, contentType, x.keep)
	b = append(b, "Content-Length: "...)
	b = strconv.AppendInt(b, int64(len(body)), 10)
	b = append(b, "\r\n\r\n"...)
	if x.req.Method != "HEAD" {
		b = append(b, body...)
	}
	_, err := x.c.Write(b)
	return err
}

// fail answers with the error object that OpenAI-like servers send.
func (x *exchange) fail(status int, message, kind string) error {
	return x.json(status, map[string]any{"error": map[string]any{"message": message, "type": kind, "param": nil, "code": status}})
}

func head(status int, contentType string, keep bool) []byte {
	b := make([]byte, 0, 512)
	b = append(b, "HTTP/1.1 "...)
	b = strconv.AppendInt(b, int64(status), 10)
	b = append(b, ' ')
	b = append(b, http.StatusText(status)...)
	b = append(b, "\r\nContent-Type: "...)
	b = append(b, contentType...)
	b = append(b, "\r\n"...)
	if !keep {
		b = append(b, "Connection: close\r\n"...)
	}
	return b
}
