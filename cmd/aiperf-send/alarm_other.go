//go:build !linux

package main

import (
	"time"

	"aiperf/internal/transport"
)

// An alarm rings once at an absolute moment of the monotonic clock.
type alarm struct {
	C chan struct{}
	t *time.Timer
}

func newAlarm() (*alarm, error) { return &alarm{C: make(chan struct{}, 1)}, nil }

func (a *alarm) set(mono int64) {
	if a.t != nil {
		a.t.Stop()
	}
	if mono > 0 {
		a.t = time.AfterFunc(time.Duration(mono-transport.Mono()), func() {
			select {
			case a.C <- struct{}{}:
			default:
			}
		})
	}
}

func (a *alarm) stop() { a.set(0) }
