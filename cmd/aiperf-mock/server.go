package main

import (
	"context"
	"encoding/json"
	"log"
	"net"
	"net/http"
	"time"
)

// A behaviour is how the model behaves: the flags, after checking.
type behaviour struct {
	ttft, itl      time.Duration
	ttftCV, itlCV  float64
	fast           bool // ttft and itl are 0, and the headers leave with the first event
	tokensPerChunk int
	eventsPerWrite int
	stopAfter      int // natural length; 0: none
	reasoning      int // tokens
	errorRate      float64
	seed           uint64
	stamp          bool
	modelNames     []string // empty: any
	script         *script  // nil: the model answers
}

// A server is one running mock. It is net/http's: at one event a write that costs little more than a
// bare socket (BenchmarkStream), and everything about connections is settled there.
type server struct {
	behaviour
	words    []string
	tally    *tally
	models   []byte // the body of GET /v1/models
	requests *recorder
	stats    stats
	clock    *clock
	http     *http.Server
	base     context.Context // ends with the server
	cancel   context.CancelFunc
}

func newServer(b behaviour, c counter, requests *recorder, logger *log.Logger) (*server, error) {
	words, err := vocabulary(c)
	if err != nil {
		return nil, err
	}
	if b.fast {
		b.ttft, b.itl = 0, 0
	}
	s := &server{behaviour: b, words: words, tally: newTally(c), models: modelList(b.modelNames), requests: requests, clock: newClock()}
	s.base, s.cancel = context.WithCancel(context.Background())
	s.http = &http.Server{
		Handler:     s,
		ErrorLog:    logger,
		BaseContext: func(net.Listener) context.Context { return s.base },
		ConnState: func(_ net.Conn, state http.ConnState) {
			if state == http.StateNew {
				s.stats.connections.Add(1)
			}
		},
	}
	return s, nil
}

// serve answers on ln until stop.
func (s *server) serve(ln net.Listener) error {
	if err := s.http.Serve(ln); err != http.ErrServerClosed {
		return err
	}
	return nil
}

// stop cuts what is in flight.
func (s *server) stop() {
	s.cancel()
	s.http.Close()
}

func modelList(names []string) []byte {
	type model struct {
		ID          string `json:"id"`
		Object      string `json:"object"`
		Created     int64  `json:"created"`
		OwnedBy     string `json:"owned_by"`
		Root        string `json:"root"`
		MaxModelLen int    `json:"max_model_len"`
	}
	if len(names) == 0 {
		names = []string{"mock"}
	}
	var list []model
	for _, n := range names {
		list = append(list, model{n, "model", time.Now().Unix(), "aiperf-mock", n, 1 << 20})
	}
	b, _ := json.Marshal(map[string]any{"object": "list", "data": list}) // strings and numbers
	return b
}
