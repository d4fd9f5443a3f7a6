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

// flush stamps and sends what was gathered.
func (o *sink) flush() error {
	if len(o.buf) > 0 {
		if o.answer.stamp {
			o.answer.setStamps(o.buf, time.Now().UnixNano())
		}
		if _, err := o.w.Write(o.buf); err != nil {
			return err
		}
		o.buf = o.buf[:0]
	}
	if err := o.flusher.FlushError(); err != nil {
		return err
	}
	o.events.Add(o.n)
	o.n = 0
	return nil
}
