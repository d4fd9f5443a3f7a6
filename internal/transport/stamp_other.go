//go:build !linux

package transport

import (
	"net"
	"sync"
)

// KernelStamps reports whether this platform can say when the kernel had the bytes.
const KernelStamps = false

// A socket is a connection whose Read leaves the time of the read in perf and at.
type socket struct {
	net.Conn
	kernel   bool
	perf, at int64
}

func newSocket(c net.Conn, _ bool) *socket { return &socket{Conn: c} }

// Read reads once.
func (s *socket) Read(p []byte) (int, error) {
	n, err := s.Conn.Read(p)
	s.at = Mono()
	s.perf = s.at
	return n, err
}

// take reads once into a buffer of bufs; the caller gives it back.
func (s *socket) take(bufs *sync.Pool) (*[]byte, int, error) {
	buf := bufs.Get().(*[]byte)
	n, err := s.Read(*buf)
	return buf, n, err
}

func (s *socket) alive() bool { return true }
