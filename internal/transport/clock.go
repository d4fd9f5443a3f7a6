// Package transport makes HTTP/1.1 calls and says when each byte of the answer arrived.
//
// It is our own client on purpose: the moment of arrival is taken below any buffer, from the kernel
// where it tells (SO_TIMESTAMPING), and a stream costs one small goroutine and no buffers while it
// waits. It never retries, never follows a redirect and never asks for compression: one call is one
// exchange on the wire.
package transport

import "golang.org/x/sys/unix"

// Mono returns nanoseconds of CLOCK_MONOTONIC, the clock of every perf_ns stamp.
func Mono() int64 { return read(unix.CLOCK_MONOTONIC) }

// Wall returns nanoseconds since the epoch.
func Wall() int64 { return read(unix.CLOCK_REALTIME) }

func read(clock int32) int64 {
	var ts unix.Timespec
	_ = unix.ClockGettime(clock, &ts) // fails only for clocks that do not exist
	return ts.Nano()
}

// An Anchor is one moment on both clocks. Wall times made from it differ by monotonic intervals, so a
// step of the wall clock cannot bend them.
type Anchor struct{ WallNS, MonoNS int64 }

// NewAnchor ties the clocks together now, at the closest of a few tries.
func NewAnchor() Anchor {
	best := Anchor{}
	gap := int64(1 << 62)
	for range 5 {
		a := Mono()
		w := Wall()
		b := Mono()
		if b-a < gap {
			best, gap = Anchor{w, a + (b-a)/2}, b-a
		}
	}
	return best
}

// Wall returns the wall-clock time of a monotonic stamp.
func (a Anchor) Wall(mono int64) int64 { return a.WallNS + mono - a.MonoNS }

// Mono returns the monotonic time of a wall-clock stamp made by Wall.
func (a Anchor) Mono(wall int64) int64 { return a.MonoNS + wall - a.WallNS }
