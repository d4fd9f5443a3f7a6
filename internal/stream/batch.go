package stream

import (
	"bytes"
	"context"
	"io"
)

// A batch is a piece of an input that ends with a line end, or with the input: err is then how.
type batch struct {
	data []byte
	err  error
}

// ahead reads one input in a goroutine of its own, so that decoding and waiting overlap with the
// reader's work, and passes on what has come as soon as it holds a whole line. Buffers go back and
// forth between the two: memory is a few times the longest line.
type ahead struct {
	full chan batch
	free chan []byte
	stop chan struct{}
}

// readAhead takes src over: its goroutine alone reads it, and closes it.
func readAhead(src *source) *ahead {
	a := &ahead{full: make(chan batch, 1), free: make(chan []byte, 3), stop: make(chan struct{})}
	for range cap(a.free) {
		a.free <- nil
	}
	go a.run(src)
	return a
}

func (a *ahead) run(src *source) {
	defer src.close()
	var rest []byte // begins a line that has not ended yet
	for {
		var buf []byte
		select {
		case buf = <-a.free:
		case <-a.stop:
			return
		}
		buf = append(buf[:0], rest...)
		b, left := fill(src, buf)
		rest = append(rest[:0], left...)
		select {
		case a.full <- b:
		case <-a.stop:
			return
		}
		if b.err != nil {
			return
		}
	}
}

// fill reads onto buf until it holds a line end, or the input ends; left is what stands behind the
// last line end.
func fill(r io.Reader, buf []byte) (b batch, left []byte) {
	for {
		if cap(buf)-len(buf) < readSize/4 {
			grown := make([]byte, len(buf), max(readSize, 2*cap(buf)))
			copy(grown, buf)
			buf = grown
		}
		n, err := r.Read(buf[len(buf):cap(buf)])
		fresh := buf[len(buf) : len(buf)+n]
		buf = buf[:len(buf)+n]
		if err != nil {
			return batch{buf, err}, nil
		}
		if i := bytes.LastIndexByte(fresh, '\n'); i >= 0 {
			end := len(buf) - n + i + 1
			return batch{data: buf[:end]}, buf[end:]
		}
	}
}

// next waits for a batch; the one before it must be done with (recycle).
func (a *ahead) next(ctx context.Context) (batch, error) {
	select {
	case b := <-a.full:
		return b, nil
	case <-ctx.Done():
		return batch{}, ctx.Err()
	}
}

func (a *ahead) recycle(b batch) { a.free <- b.data[:0] }
func (a *ahead) close()          { close(a.stop) }
