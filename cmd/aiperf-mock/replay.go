package main

import (
	"context"
	"net"
	"net/http"
	"strconv"
	"time"
)

// replay answers as scripted; at is when the request had been read. The error is
// the client's having gone before the end.
func (s *server) replay(w http.ResponseWriter, r *http.Request, p *response, at time.Time) (status int, err error) {
	if p.raw {
		return p.status, s.replayRaw(w, p, at)
	}
	h := w.Header()
	h["Content-Type"] = nil // none but a scripted one
	for k, v := range p.headers {
		h.Set(k, v)
	}
	if p.length {
		h.Set("Content-Length", strconv.Itoa(p.size()))
	}
	w.WriteHeader(p.status)
	out := http.NewResponseController(w)
	err = s.paced(r.Context(), p.writes, at, func(b []byte) error {
		if _, err := w.Write(b); err != nil {
			return err
		}
		return out.Flush()
	})
	if err != nil || p.end == "clean" {
		return p.status, err
	}
	if err := out.Flush(); err != nil {
		return p.status, err
	}
	if p.end == "hang" {
		<-r.Context().Done()
		return p.status, r.Context().Err()
	}
	conn, _, err := out.Hijack()
	if err != nil {
		return p.status, err
	}
	return p.status, hangUp(conn, p.end)
}

// replayRaw writes the scripted bytes and nothing else, and closes.
func (s *server) replayRaw(w http.ResponseWriter, p *response, at time.Time) error {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return err
	}
	defer conn.Close()
	defer context.AfterFunc(s.base, func() { conn.Close() })()
	err = s.paced(s.base, p.writes, at, func(b []byte) error {
		_, err := conn.Write(b)
		return err
	})
	if err == nil && p.end == "hang" {
		_, err = conn.Read(make([]byte, 1)) // nothing more is expected but the end
	}
	if err != nil {
		return err
	}
	return hangUp(conn, p.end)
}

// hangUp closes, with a reset if asked.
func hangUp(conn net.Conn, how string) error {
	if tcp, ok := conn.(*net.TCPConn); ok && how == "reset" {
		tcp.SetLinger(0)
	}
	conn.Close()
	return nil
}

func (s *server) paced(ctx context.Context, writes []write, start time.Time, put func([]byte) error) error {
	place := newWaiter()
	for _, x := range writes {
		if err := s.clock.wait(ctx, place, start.Add(x.at)); err != nil {
			return err
		}
		if err := put(x.data); err != nil {
			return err
		}
		s.stats.events.Add(1)
	}
	return nil
}
