package main

import (
	"errors"
	"io"
	"os"
	"sync"
	"syscall"

	"aiperf/internal/stream"
)

// memoryBytes bounds what waits in memory for a slow reader; beyond it lines wait in a file.
var memoryBytes = 64 << 20

// A spool takes lines without ever making the caller wait and writes them in order, each in one call.
// A reader that is slow, or stopped, fills memory first and an unlinked temporary file then.
type spool struct {
	w    io.Writer
	name string
	end  func() error

	mu      sync.Mutex
	more    *sync.Cond
	mem     [][]byte
	memSize int
	file    *os.File
	fileIn  int64 // written to the file
	fileOut int64 // read back from it
	lens    []int // of the lines in the file, oldest first
	spilled int64
	closing bool
	err     error
	failed  chan struct{} // closed at the first error
	done    chan struct{}
}

func newSpool(w io.Writer, end func() error, name string) *spool {
	s := &spool{w: w, name: name, end: end, failed: make(chan struct{}), done: make(chan struct{})}
	s.more = sync.NewCond(&s.mu)
	go s.drain()
	return s
}

// put takes one line, its LF included; it keeps line.
func (s *spool) put(line []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return
	}
	if len(s.lens) == 0 && s.memSize < memoryBytes {
		s.mem = append(s.mem, line)
		s.memSize += len(line)
	} else if err := s.spill(line); err != nil {
		s.fail(err)
	}
	s.more.Signal()
}

func (s *spool) spill(line []byte) error {
	if s.file == nil {
		f, err := os.CreateTemp("", "aiperf-send-*")
		if err != nil {
			return &stream.IOError{Name: "spill file", Err: err}
		}
		os.Remove(f.Name())
		s.file = f
	}
	if _, err := s.file.WriteAt(line, s.fileIn); err != nil {
		return &stream.IOError{Name: "spill file", Err: err}
	}
	s.fileIn += int64(len(line))
	s.lens = append(s.lens, len(line))
	s.spilled++
	return nil
}

// fail keeps the first error; the caller holds the lock.
func (s *spool) fail(err error) {
	if s.err == nil {
		s.err = err
		close(s.failed)
	}
}

// next waits for the oldest line; nil when there will be none.
func (s *spool) next() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		switch {
		case s.err != nil:
			return nil
		case len(s.mem) > 0:
			l := s.mem[0]
			s.mem[0] = nil
			s.mem = s.mem[1:]
			s.memSize -= len(l)
			return l
		case len(s.lens) > 0:
			l := make([]byte, s.lens[0])
			if _, err := s.file.ReadAt(l, s.fileOut); err != nil {
				s.fail(&stream.IOError{Name: "spill file", Err: err})
				return nil
			}
			s.fileOut += int64(len(l))
			s.lens = s.lens[1:]
			if len(s.lens) == 0 {
				s.fileIn, s.fileOut = 0, 0
				_ = s.file.Truncate(0)
			}
			return l
		case s.closing:
			return nil
		}
		s.more.Wait()
	}
}

func (s *spool) drain() {
	defer close(s.done)
	for {
		l := s.next()
		if l == nil {
			return
		}
		if _, err := s.w.Write(l); err != nil {
			s.mu.Lock()
			s.fail(stream.WriteError(s.name, err))
			s.mu.Unlock()
			return
		}
	}
}

// close writes what is left and ends the output.
func (s *spool) close() error {
	s.mu.Lock()
	s.closing = true
	s.more.Broadcast()
	s.mu.Unlock()
	<-s.done
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file != nil {
		s.file.Close()
	}
	if s.end != nil {
		if err := s.end(); err != nil && s.err == nil {
			s.err = stream.WriteError(s.name, err)
		}
	}
	return s.err
}

func (s *spool) waiting() (buffered, spilled int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return int64(len(s.mem) + len(s.lens)), s.spilled
}

// gone reports whether the reader of the stream has left.
func gone(err error) bool { return errors.Is(err, syscall.EPIPE) }
