package main

import (
	"encoding/binary"
	"os"

	"golang.org/x/sys/unix"
)

// An alarm rings once at an absolute moment of the monotonic clock. It sleeps on a timerfd: the
// runtime's own timers end up to a millisecond late, the granularity of its poll (a plain time.Sleep
// overshoots by 1.0 ms at 100 µs).
type alarm struct {
	C  chan struct{}
	fd int
	f  *os.File
}

func newAlarm() (*alarm, error) {
	fd, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	if err != nil {
		return nil, os.NewSyscallError("timerfd_create", err)
	}
	a := &alarm{C: make(chan struct{}, 1), fd: fd, f: os.NewFile(uintptr(fd), "timerfd")}
	go func() {
		var b [8]byte
		for {
			if n, err := a.f.Read(b[:]); err != nil || n != 8 || binary.NativeEndian.Uint64(b[:]) == 0 {
				return
			}
			select {
			case a.C <- struct{}{}:
			default:
			}
		}
	}()
	return a, nil
}

// set rings at mono ns; 0 is never. A moment that has passed rings at once.
func (a *alarm) set(mono int64) {
	spec := unix.ItimerSpec{}
	if mono > 0 {
		spec.Value = unix.NsecToTimespec(mono)
	}
	_ = unix.TimerfdSettime(a.fd, unix.TFD_TIMER_ABSTIME, &spec, nil)
}

func (a *alarm) stop() { a.f.Close() }
