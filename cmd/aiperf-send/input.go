package main

import (
	"context"
	"encoding/json"
	"io"

	"aiperf/internal/cli"
	"aiperf/internal/stream"
	"aiperf/schema"
)

// aheadTurns and aheadBytes bound how far the input is read ahead of the schedule.
const (
	aheadTurns = 4096
	aheadBytes = 128 << 20
)

// read takes the input apart: requests go to the scheduler, every other line through. The sender's own
// run line stands behind the run lines that came in.
func (s *sender) read(ctx context.Context, files []string) {
	defer close(s.in)
	said := false
	announce := func() {
		if !said {
			said = true
			s.announce()
		}
	}
	defer announce()
	for line, err := range stream.Lines(ctx, s.env.Stdin, func(w string) { s.env.Warnf("%s", w) }, files...) {
		if err != nil {
			s.inErr = err
			return
		}
		switch line.Kind {
		case schema.KindRun:
			var r schema.Run
			if err := json.Unmarshal(line.Data, &r); err != nil {
				s.inErr = line.Errorf("run: %v", err)
				return
			}
			if s.runID == "" {
				s.runID = r.RunID
			}
			s.pass(line.Data)
		case schema.KindRequest:
			announce()
			var q schema.Request
			if err := json.Unmarshal(line.Data, &q); err != nil {
				s.inErr = line.Errorf("request: %v", err)
				return
			}
			if err := check(&q, s.cfg.endpoint); err != nil {
				s.inErr = line.Errorf("request: %v", err)
				return
			}
			select {
			case s.in <- &turn{req: &q, size: len(line.Data)}:
			case <-ctx.Done():
				return
			}
		default:
			s.pass(line.Data)
		}
	}
}

func (s *sender) pass(data []byte) {
	s.out.put(append(append(make([]byte, 0, len(data)+1), data...), '\n'))
}

func (s *sender) announce() {
	r := cli.RunLine(s.env, s.c, s.runID)
	s.runID = r.RunID
	r.Timestamps = "user"
	if s.cfg.kernel {
		r.Timestamps = "kernel"
	}
	s.put(r)
}

// stopReading lets the writer of our input know that nothing more is wanted.
func (s *sender) stopReading() {
	s.stopIn()
	if c, ok := s.env.Stdin.(io.Closer); ok && !s.closedIn {
		s.closedIn = true
		go c.Close() // a read in progress may hold it
	}
}
