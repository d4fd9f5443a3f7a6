package main

import (
	"encoding/json"
	"sync"
	"sync/atomic"
)

// stats are the counters of GET /mock/stats; requests are those for inference only.
type stats struct {
	events      atomic.Int64 // written: role and token events, scripted writes, whole answers
	disconnects atomic.Int64 // clients that left before their answer was complete
	connections atomic.Int64 // accepted

	mu                          sync.Mutex
	requests, inFlight, maxOpen int64
	refused                     int64 // answered with 400 or above
}

// begin counts a request in and returns its number, from 1.
func (s *stats) begin() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests++
	s.inFlight++
	s.maxOpen = max(s.maxOpen, s.inFlight)
	return s.requests
}

func (s *stats) end(status int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inFlight--
	if status >= 400 {
		s.refused++
	}
}

func (s *stats) json() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	b, _ := json.Marshal(struct {
		Requests    int64 `json:"requests"`
		InFlight    int64 `json:"in_flight"`
		MaxInFlight int64 `json:"max_in_flight"`
		Events      int64 `json:"events"`
		Errors      int64 `json:"errors"`
		Disconnects int64 `json:"disconnects"`
		Connections int64 `json:"connections"`
	}{s.requests, s.inFlight, s.maxOpen, s.events.Load(), s.refused, s.disconnects.Load(), s.connections.Load()}) // numbers
	return b
}
