package main

import (
	"bytes"
	"fmt"
	"net"
	"syscall"
	"testing"
	"time"
)

// BenchmarkStream is how fast one connection is fed when nothing waits, read as raw bytes.
// events/s is by the wall clock, events/cpu-s by the processor time of server and reader together.
func BenchmarkStream(b *testing.B) {
	const n = 4096
	for _, perWrite := range []int{1, 16} {
		b.Run(fmt.Sprintf("events-per-write=%d", perWrite), func(b *testing.B) {
			d := start(b, behaviour{fast: true, eventsPerWrite: perWrite}, nil)
			c, err := net.Dial("tcp", d.addr)
			if err != nil {
				b.Fatal(err)
			}
			defer c.Close()
			body := fmt.Sprintf(streamed, n)
			request := fmt.Appendf(nil, "POST %s HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s", chatPath, len(body), body)
			buf := make([]byte, 256<<10)
			before := processorTime()
			for b.Loop() {
				if _, err := c.Write(request); err != nil {
					b.Fatal(err)
				}
				for {
					k, err := c.Read(buf)
					if err != nil {
						b.Fatal(err)
					}
					if bytes.HasSuffix(buf[:k], []byte("\n0\r\n\r\n")) {
						break
					}
				}
			}
			total := float64(n+1) * float64(b.N)
			b.ReportMetric(total/b.Elapsed().Seconds(), "events/s")
			b.ReportMetric(total/(processorTime()-before).Seconds(), "events/cpu-s")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// BenchmarkRender is the work of making one event, without sending it.
func BenchmarkRender(b *testing.B) {
	c, _, _ := openCounter("builtin")
	words, _ := vocabulary(c)
	a := &answer{chat: true, id: "chatcmpl-0123456789abcdef", model: "m", content: 1 << 30, step: 1, words: words, stamp: true}
	var buf []byte
	b.ReportAllocs()
	for k := 0; b.Loop(); k++ {
		buf = a.event(buf[:0], k)
		a.setStamps(buf, time.Now().UnixNano())
	}
}

func processorTime() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
