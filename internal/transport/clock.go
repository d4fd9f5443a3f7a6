// Package transport makes HTTP/1.1 calls and says when each byte of the answer arrived.
//
// It is our own client on purpose: the moment of arrival is taken below any buffer, from the kernel
// where it tells (SO_TIMESTAMPING), and a stream costs one small goroutine and no buffers while it
// waits. It never retries, never follows a redirect and never asks for compression: one call is one
// exchange on the wire.
package transport

import (
	"time"

	"golang.org/x/sys/unix"
)

// origin ties the runtime's clock readings, which cost no system call, to CLOCK_MONOTONIC: the runtime
// reads that same clock, only its zero is another.
var origin, originMono = tie()

func tie() (time.Time, int64) {
	var ts unix.Timespec
	best, mono, gap := time.Time{}, int64(0), time.Duration(1<<62)
	for range 5 {
		a := time.Now()
		_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts) // fails only for clocks that do not exist
		if d := time.Since(a); d < gap {
			best, mono, gap = a.Add(d/2), ts.Nano(), d
		}
	}
	return best, mono
}

// Mono returns nanoseconds of CLOCK_MONOTONIC, the clock of every perf_ns stamp.
func Mono() int64 { return originMono + int64(time.Since(origin)) }

// Wall returns nanoseconds since the epoch.
func Wall() int64 { return time.Now().UnixNano() }

// both returns one moment on the two clocks.
func both() (wall, mono int64) {
	t := time.Now()
	return t.UnixNano(), originMono + int64(t.Sub(origin))
}

// An Anchor is one moment on both clocks. Wall times made from it differ by monotonic intervals, so a
// step of the wall clock cannot bend them.
type Anchor struct{ WallNS, MonoNS int64 }

// NewAnchor ties the clocks together now.
func NewAnchor() Anchor {
	w, m := both()
	return Anchor{w, m}
}

// Wall returns the wall-clock time of a monotonic stamp.
func (a Anchor) Wall(mono int64) int64 { return a.WallNS + mono - a.MonoNS }

// Mono returns the monotonic time of a wall-clock stamp made by Wall.
func (a Anchor) Mono(wall int64) int64 { return a.MonoNS + wall - a.WallNS }
