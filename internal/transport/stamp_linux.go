package transport

import (
	"encoding/binary"
	"net"
	"sync"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// KernelStamps reports whether this platform can say when the kernel had the bytes.
const KernelStamps = true

// stampOptions are the SO_TIMESTAMPING flags: software receive stamps, reported by recvmsg
// (Documentation/networking/timestamping.rst of the kernel).
const stampOptions = unix.SOF_TIMESTAMPING_RX_SOFTWARE | unix.SOF_TIMESTAMPING_SOFTWARE

// A socket is a connection whose Read, or take, leaves the arrival of what it read in perf (kernel) and at
// (when the read returned), both monotonic. One goroutine reads at a time.
type socket struct {
	net.Conn
	raw    syscall.RawConn
	kernel bool
	perf   int64
	last   int64 // perf of the read before
	stamp  int64 // its kernel stamp, wall-clock
	at     int64

	p   []byte // arguments and results of recv, which is made once and not for each read
	n   int
	oob [128]byte
	on  int
	err error
	msg syscall.Msghdr
	iov syscall.Iovec
	rcv func(fd uintptr) bool

	bufs *sync.Pool // for take
	buf  *[]byte
	tk   func(fd uintptr) bool
}

func newSocket(c net.Conn, kernel bool) *socket {
	s := &socket{Conn: c}
	sc, ok := c.(syscall.Conn)
	if !ok {
		return s
	}
	raw, err := sc.SyscallConn()
	if err != nil {
		return s
	}
	s.raw, s.rcv, s.tk = raw, s.recv, s.takeNow
	s.msg.Iov, s.msg.Iovlen, s.msg.Control = &s.iov, 1, &s.oob[0]
	if !kernel {
		return s
	}
	var serr error
	if raw.Control(func(fd uintptr) {
		serr = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_TIMESTAMPING_NEW, stampOptions)
	}) != nil || serr != nil {
		return s
	}
	s.kernel = true
	return s
}

// take reads once into a buffer of bufs that it gets when there is something to read and not before,
// so a connection that waits holds none. The caller gives the buffer back; nil: there is none to give.
func (s *socket) take(bufs *sync.Pool) (buf *[]byte, n int, err error) {
	if s.raw == nil {
		buf = bufs.Get().(*[]byte)
		n, err = s.Read(*buf)
		return buf, n, err
	}
	s.bufs = bufs
	n, err = s.finish(s.raw.Read(s.tk))
	buf, s.buf = s.buf, nil
	return buf, n, err
}

func (s *socket) takeNow(fd uintptr) bool {
	s.buf = s.bufs.Get().(*[]byte)
	s.p = *s.buf
	if s.recv(fd) {
		return true
	}
	s.bufs.Put(s.buf)
	s.buf, s.p = nil, nil
	return false
}

// recv is recvmsg without telling the scheduler: the call cannot block, and the runtime's bookkeeping
// around an ordinary system call, and the monitor thread that it keeps awake, cost as much as the call.
func (s *socket) recv(fd uintptr) bool {
	for {
		s.iov.Base = &s.p[0]
		s.iov.SetLen(len(s.p))
		s.msg.SetControllen(len(s.oob))
		n, _, e := syscall.RawSyscall(unix.SYS_RECVMSG, fd, uintptr(unsafe.Pointer(&s.msg)), syscall.MSG_DONTWAIT)
		s.iov.Base = nil
		switch e {
		case syscall.EINTR:
			continue
		case 0:
			s.n, s.on, s.err = int(n), int(s.msg.Controllen), nil
		default:
			s.n, s.on, s.err = 0, 0, e
		}
		return e != syscall.EAGAIN
	}
}

// Read reads once. Without kernel stamps perf is the time of the read.
func (s *socket) Read(p []byte) (int, error) {
	if s.raw == nil {
		n, err := s.Conn.Read(p)
		s.at = Mono()
		s.perf = s.at
		return n, err
	}
	if len(p) == 0 {
		return 0, nil
	}
	s.p = p
	return s.finish(s.raw.Read(s.rcv))
}

// finish stamps what recv has left.
func (s *socket) finish(err error) (int, error) {
	s.p = nil
	var now int64
	now, s.at = both()
	s.perf = s.at
	if err != nil {
		return 0, err
	}
	if s.err != nil {
		return 0, &net.OpError{Op: "read", Net: "tcp", Err: s.err}
	}
	if s.n == 0 {
		return 0, errEOF
	}
	if !s.kernel {
		return s.n, nil
	}
	if stamp := softwareStamp(s.oob[:s.on]); stamp > 0 {
		// The stamp is wall-clock time: its distance from now is the age of the bytes, and only a step of
		// the clock between arrival and this line could bend it. The two clocks are not read at the very
		// same instant, so one stamp seen twice is one moment, and none is before the one that came first.
		age := now - stamp
		switch {
		case stamp == s.stamp:
			s.perf = s.last
		case age >= 0 && age < 60e9:
			s.perf = max(s.at-age, s.last)
		}
		s.stamp = stamp
	}
	s.last = s.perf
	return s.n, nil
}

// softwareStamp finds the first timespec of SCM_TIMESTAMPING; 0 when there is none.
func softwareStamp(oob []byte) int64 {
	for len(oob) >= unix.SizeofCmsghdr {
		size := int(binary.NativeEndian.Uint64(oob))
		level := int32(binary.NativeEndian.Uint32(oob[8:]))
		kind := int32(binary.NativeEndian.Uint32(oob[12:]))
		if size < unix.SizeofCmsghdr || size > len(oob) {
			return 0
		}
		data := oob[unix.SizeofCmsghdr:size]
		if level == unix.SOL_SOCKET && (kind == unix.SO_TIMESTAMPING_NEW || kind == unix.SO_TIMESTAMPING_OLD) && len(data) >= 16 {
			sec := int64(binary.NativeEndian.Uint64(data))
			nsec := int64(binary.NativeEndian.Uint64(data[8:]))
			if sec > 0 {
				return sec*1e9 + nsec
			}
		}
		next := (size + 7) &^ 7
		if next >= len(oob) {
			return 0
		}
		oob = oob[next:]
	}
	return 0
}

// alive peeks: an idle connection that is readable has been closed by the server, or holds bytes that
// nobody asked for. Either way it is of no use.
func (s *socket) alive() bool {
	sc, ok := s.Conn.(syscall.Conn)
	if !ok {
		return true
	}
	raw, err := sc.SyscallConn()
	if err != nil {
		return false
	}
	ok = false
	err = raw.Read(func(fd uintptr) bool {
		var b [1]byte
		_, _, e := syscall.Recvfrom(int(fd), b[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		ok = e == syscall.EAGAIN
		return true
	})
	return err == nil && ok
}
