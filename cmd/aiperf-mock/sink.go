package main

import (
	"net/http"
	"sync/atomic"
	"time"
)

type flusher interface{ FlushError() error }

// A sink gathers events and sends them as one chunk in one write.
type sink struct {
	w       http.ResponseWriter
	flusher flusher
	answer  *answer
	events  *atomic.Int64
	buf     []byte
	n       int64
}

// add takes the buffer with one more event in it.
func (o *sink) add(buf []byte) { o.buf = buf; o.n++ }

// put stamps what was gathered and makes it one chunk, which net/http may hold back.
func (o *sink) put() error {
	if len(o.buf) == 0 {
		return nil
	}
	if o.answer.stamp {
		o.answer.setStamps(o.buf, time.Now().UnixNano())
	}
	_, err := o.w.Write(o.buf)
	o.buf = o.buf[:0]
	return err
}

// flush sends what was gathered.
func (o *sink) flush() error {
	if err := o.put(); err != nil {
		return err
	}
	if err := o.flusher.FlushError(); err != nil {
		return err
	}
	o.events.Add(o.n)
	o.n = 0
	return nil
}
