//go:build !linux

package main

import "time"

func newAlarm(ring func()) func(time.Duration) { return softAlarm(ring) }
