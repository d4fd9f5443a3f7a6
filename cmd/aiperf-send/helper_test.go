package main

import (
	"testing"

	"aiperf/internal/transport"
)

func mustTarget(t *testing.T) *transport.Target {
	t.Helper()
	target, err := transport.ParseTarget("http://h:1")
	if err != nil {
		t.Fatal(err)
	}
	return target
}
