package stream

import (
	"bytes"
	"encoding/json"
	"io"
	"sync"
)

// A Writer writes lines, each in one call of the underlying writer, so that none is torn. It may be
// used by several goroutines.
type Writer struct {
	mu   sync.Mutex
	w    io.Writer
	name string // in errors
	buf  bytes.Buffer
	enc  *json.Encoder
}

// NewWriter returns a Writer on w.
func NewWriter(w io.Writer) *Writer {
	s := &Writer{w: w, name: "stdout"}
	s.enc = json.NewEncoder(&s.buf)
	s.enc.SetEscapeHTML(false)
	return s
}

// Write encodes v as one line.
func (s *Writer) Write(v any) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.buf.Reset()
	if err := s.enc.Encode(v); err != nil {
		return err
	}
	return s.flush()
}

// WriteLine writes data, one JSON object without a line end, as one line.
func (s *Writer) WriteLine(data []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.buf.Reset()
	s.buf.Write(data)
	s.buf.WriteByte('\n')
	return s.flush()
}

func (s *Writer) flush() error {
	if _, err := s.w.Write(s.buf.Bytes()); err != nil {
		return WriteError(s.name, err)
	}
	return nil
}
