package column

import (
	"fmt"
	"os"
)

// A Spool keeps byte strings in the order they came; what is more than its memory lies in a temporary
// file. It is not safe for concurrent use.
type Spool struct {
	limit  int
	dir    string
	mem    []byte // the bytes from end on
	end    int64  // bytes in the file
	file   *os.File
	window []byte // of the file
	at     int64
}

// NewSpool returns a Spool that holds limit bytes in memory and spills to dir ("" is the system's
// temporary folder).
func NewSpool(limit int, dir string) *Spool { return &Spool{limit: limit, dir: dir} }

// Append adds b and returns where it lies.
func (s *Spool) Append(b []byte) (off int64, err error) {
	off = s.end + int64(len(s.mem))
	s.mem = append(s.mem, b...)
	if len(s.mem) < s.limit {
		return off, nil
	}
	if s.file == nil {
		if s.file, err = os.CreateTemp(s.dir, "aiperf-spool-*"); err != nil {
			return off, fmt.Errorf("making room for requests: %w", err)
		}
		os.Remove(s.file.Name()) // the file lives as long as the process
	}
	if _, err := s.file.WriteAt(s.mem, s.end); err != nil {
		return off, fmt.Errorf("storing requests in %s: %w", s.file.Name(), err)
	}
	s.end += int64(len(s.mem))
	s.mem = s.mem[:0]
	return off, nil
}

// windowSize is what is read of the file at once.
const windowSize = 256 << 10

// Read returns the n bytes at off, valid until the next call.
func (s *Spool) Read(off int64, n int) ([]byte, error) {
	if off >= s.end {
		return s.mem[off-s.end:][:n], nil
	}
	if off < s.at || off+int64(n) > s.at+int64(len(s.window)) {
		from, size := off, n // far from the last: alone
		if d := off - s.at; s.window == nil || -4*windowSize < d && d < 4*windowSize {
			from = max(off-windowSize/2, 0)
			size = int(off-from) + max(n, windowSize/2)
		}
		size = int(min(int64(size), s.end-from))
		if cap(s.window) < size {
			s.window = make([]byte, max(size, windowSize))
		}
		s.window, s.at = s.window[:size], from
		if _, err := s.file.ReadAt(s.window, from); err != nil {
			s.window = s.window[:0]
			return nil, fmt.Errorf("reading stored requests: %w", err)
		}
	}
	return s.window[off-s.at:][:n], nil
}

// Close gives the temporary file back.
func (s *Spool) Close() error {
	if s.file == nil {
		return nil
	}
	return s.file.Close()
}
