package main

import (
	"encoding/json"
	"io"
	"net/http"
	"sync"
	"time"
	"unicode/utf8"
)

// A seen is one line of --record-requests.
type seen struct {
	Number    int64       `json:"number"`     // from 1, in order of their heads
	ArrivalNS int64       `json:"arrival_ns"` // wall clock, when the last byte of the body had come
	Client    string      `json:"client"`     // address and port: the same for requests of one connection
	Method    string      `json:"method"`
	Path      string      `json:"path"` // with the query
	Headers   http.Header `json:"headers"`
	Body      *string     `json:"body,omitempty"`
	BodyB64   []byte      `json:"body_b64,omitempty"` // when it is not UTF-8
}

// A recorder writes the requests as they come, each line at once.
type recorder struct {
	mu  sync.Mutex
	w   io.Writer
	err error // the first
}

func (c *recorder) add(number int64, at time.Time, r *http.Request, body []byte) {
	line := seen{Number: number, ArrivalNS: at.UnixNano(), Client: r.RemoteAddr, Method: r.Method, Path: r.URL.RequestURI(), Headers: r.Header.Clone()}
	line.Headers.Set("Host", r.Host)
	if utf8.Valid(body) {
		text := string(body)
		line.Body = &text
	} else {
		line.BodyB64 = body
	}
	b, err := json.Marshal(line)
	c.mu.Lock()
	defer c.mu.Unlock()
	if err == nil {
		_, err = c.w.Write(append(b, '\n'))
	}
	if c.err == nil {
		c.err = err
	}
}

func (c *recorder) failed() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}
