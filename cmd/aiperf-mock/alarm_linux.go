package main

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// newAlarm is a timerfd in the runtime's poller: it rings within tens of microseconds.
func newAlarm(ring func()) func(time.Duration) {
	fd, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	if err != nil {
		return softAlarm(ring)
	}
	f := os.NewFile(uintptr(fd), "timerfd")
	go func() {
		var expirations [8]byte
		for {
			if _, err := f.Read(expirations[:]); err != nil {
				return
			}
			ring()
		}
	}()
	return func(d time.Duration) {
		spec := unix.ItimerSpec{Value: unix.NsecToTimespec(int64(max(d, 1)))}
		if err := unix.TimerfdSettime(fd, 0, &spec, nil); err != nil {
			panic(err) // only for a bad descriptor or a negative time
		}
	}
}
