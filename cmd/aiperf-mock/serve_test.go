package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

func copyAll(w io.Writer, r *http.Response) (int64, error) {
	defer r.Body.Close()
	return io.Copy(w, r.Body)
}

const streamed = `{"model":"m","stream":true,"max_tokens":%d,"messages":[{"role":"user","content":"x"}]}`

// No event may be early; how late one is depends on the machine and is only said.
func TestEventsComeWhenTheyAreDue(t *testing.T) {
	log := &bytes.Buffer{}
	d := start(t, behaviour{ttft: 30 * time.Millisecond, itl: 7 * time.Millisecond, stamp: true}, &recorder{w: log})
	_, body := d.post(t, chatPath, fmt.Sprintf(streamed, 6))
	var q seen
	if err := json.Unmarshal(log.Bytes(), &q); err != nil {
		t.Fatal(err)
	}
	list := events(t, body)
	for i, h := range list {
		due := 30*time.Millisecond + time.Duration(max(i-1, 0))*7*time.Millisecond // the role comes with the first
		late := time.Duration(*h.ServerNS-q.ArrivalNS) - due
		if late < -time.Microsecond { // the wall clock is read twice
			t.Errorf("event %d is %v early", i, -late)
		}
		t.Logf("event %d late by %v", i, late)
	}
}

func TestAWholeAnswerComesWhenItsStreamWouldEnd(t *testing.T) {
	log := &bytes.Buffer{}
	d := start(t, behaviour{ttft: 20 * time.Millisecond, itl: 5 * time.Millisecond, tokensPerChunk: 2, stamp: true}, &recorder{w: log})
	_, body := d.post(t, textPath, `{"model":"m","max_tokens":5,"prompt":"x"}`)
	var q seen
	var h heard
	if err := json.Unmarshal(log.Bytes(), &q); err != nil {
		t.Fatal(err)
	}
	json.Unmarshal([]byte(body), &h)
	if took := time.Duration(*h.ServerNS - q.ArrivalNS); took < 40*time.Millisecond-time.Microsecond {
		t.Errorf("three events of two tokens took %v, want 20 + 2*2*5 ms", took)
	}
}

func TestErrorRate(t *testing.T) {
	for _, tt := range []struct {
		percent  float64
		min, max int
	}{{0, 0, 0}, {100, 200, 200}, {25, 30, 70}} { // seed 0 is one fixed draw
		d := start(t, behaviour{fast: true, errorRate: tt.percent}, nil)
		failed := 0
		for range 200 {
			status, body := d.post(t, textPath, `{"model":"m","max_tokens":1,"prompt":"x"}`)
			if status == 500 && strings.Contains(body, `"type":"InternalServerError"`) && strings.Contains(body, `"code":500`) {
				failed++
			} else if status != 200 {
				t.Fatalf("%d %s", status, body)
			}
		}
		if failed < tt.min || failed > tt.max {
			t.Errorf("%v %%: %d of 200 failed", tt.percent, failed)
		}
	}
}

func TestJitterKeepsTheMeanAndHasTheVariation(t *testing.T) {
	for _, cv := range []float64{0, 0.2, 1} {
		j, n := newJitter(1, 1), 200_000
		var sum, squares float64
		for range n {
			x := float64(j.around(time.Millisecond, cv)) / 1e6
			sum += x
			squares += x * x
		}
		mean := sum / float64(n)
		got := math.Sqrt(max(squares/float64(n)-mean*mean, 0)) / mean
		if math.Abs(mean-1) > 0.01 || math.Abs(got-cv) > 0.03 {
			t.Errorf("cv %v: mean %v, cv %v", cv, mean, got)
		}
	}
	a, b, c := newJitter(1, 5), newJitter(1, 5), newJitter(1, 6)
	x, y, z := a.Float64(), b.Float64(), c.Float64()
	if x != y || x == z {
		t.Errorf("request 5 draws %v and %v, request 6 %v", x, y, z)
	}
}

// The draws of the first request under this seed are known, and both are more than the mean.
func TestJitterMovesTheEvents(t *testing.T) {
	const ttft, itl = 10 * time.Millisecond, 5 * time.Millisecond
	j := newJitter(jitterSeed, 1)
	first := j.around(ttft, 0.5)
	second := j.around(itl, 1)
	if first < 11*time.Millisecond || second < 6*time.Millisecond {
		t.Fatalf("seed %d draws %v and %v: another seed shows more", jitterSeed, first, second)
	}
	log := &bytes.Buffer{}
	d := start(t, behaviour{ttft: ttft, itl: itl, ttftCV: 0.5, itlCV: 1, seed: jitterSeed, stamp: true}, &recorder{w: log})
	_, body := d.post(t, textPath, `{"model":"m","stream":true,"max_tokens":2,"prompt":"x"}`)
	var q seen
	if err := json.Unmarshal(log.Bytes(), &q); err != nil {
		t.Fatal(err)
	}
	for i, due := range []time.Duration{first, first + second} {
		if at := time.Duration(*events(t, body)[i].ServerNS - q.ArrivalNS); at < due-time.Microsecond {
			t.Errorf("event %d came after %v, due at %v", i, at, due)
		}
	}
}

const jitterSeed = 16

func TestTheSameRequestGetsTheSameWords(t *testing.T) {
	d := start(t, behaviour{fast: true}, nil)
	first := ""
	for i, prompt := range []string{"a", "a", "b"} {
		_, body := d.post(t, textPath, `{"model":"m","stream":true,"max_tokens":8,"prompt":"`+prompt+`"}`)
		text, _ := said(events(t, body))
		if i == 0 {
			first = text
		}
		if same := text == first; same != (prompt == "a") {
			t.Errorf("request %d: %q, the first: %q", i, text, first)
		}
	}
}

// A client that leaves is noticed while the server waits, long before it would write again.
func TestALeavingClientIsCounted(t *testing.T) {
	d := start(t, behaviour{ttft: time.Hour}, nil)
	c, err := net.Dial("tcp", d.addr)
	if err != nil {
		t.Fatal(err)
	}
	body := fmt.Sprintf(streamed, 6)
	fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s", chatPath, len(body), body)
	eventually(t, func() bool { return stat(d).InFlight == 1 })
	c.Close()
	eventually(t, func() bool { s := stat(d); return s.Disconnects == 1 && s.InFlight == 0 })
}

func TestStopIsNoDisconnect(t *testing.T) {
	d := start(t, behaviour{ttft: time.Hour}, nil)
	go http.Post(d.url+chatPath, "", strings.NewReader(fmt.Sprintf(streamed, 6)))
	eventually(t, func() bool { return stat(d).InFlight == 1 })
	d.stop()
	eventually(t, func() bool { return stat(d).InFlight == 0 })
	if n := stat(d).Disconnects; n != 0 {
		t.Errorf("disconnects = %d", n)
	}
}

func TestStatsCountWhatIsInFlight(t *testing.T) {
	d := start(t, behaviour{ttft: 100 * time.Millisecond}, nil)
	var wg sync.WaitGroup
	for range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			d.post(t, chatPath, fmt.Sprintf(streamed, 3))
		}()
	}
	wg.Wait()
	eventually(t, func() bool { return stat(d).InFlight == 0 })
	s := stat(d)
	if s.Requests != 8 || s.MaxInFlight < 1 || s.MaxInFlight > 8 || s.Events != 8*4 || s.Errors != 0 || s.Connections < s.MaxInFlight {
		t.Errorf("stats = %+v", s)
	}
}

func TestRequestsAreRecorded(t *testing.T) {
	log := &bytes.Buffer{}
	d := start(t, behaviour{fast: true}, &recorder{w: log})
	d.post(t, textPath+"?x=1", `{"model":"m","max_tokens":1,"prompt":"é"}`)
	d.post(t, textPath, "\xff")
	lines := strings.Split(strings.TrimSpace(log.String()), "\n")
	var a, b seen
	if len(lines) != 2 || json.Unmarshal([]byte(lines[0]), &a) != nil || json.Unmarshal([]byte(lines[1]), &b) != nil {
		t.Fatalf("recorded %q", lines)
	}
	if a.Number != 1 || a.Method != "POST" || a.Path != textPath+"?x=1" || *a.Body != `{"model":"m","max_tokens":1,"prompt":"é"}` ||
		a.Headers.Get("Content-Type") != "application/json" || a.Headers.Get("Host") != d.addr || a.ArrivalNS < 1.7e18 || a.Client == "" {
		t.Errorf("first = %s", lines[0])
	}
	if b.Number != 2 || b.Body != nil || string(b.BodyB64) != "\xff" || b.Client != a.Client || b.ArrivalNS <= a.ArrivalNS {
		t.Errorf("second = %s", lines[1])
	}
}

// TestChunkedRequests: a body without a length, and the interim answer some clients wait for.
func TestChunkedRequests(t *testing.T) {
	d := start(t, behaviour{fast: true}, nil)
	c, err := net.Dial("tcp", d.addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n", textPath)
	head := make([]byte, len("HTTP/1.1 100 Continue\r\n\r\n"))
	if _, err := io.ReadFull(c, head); err != nil || string(head) != "HTTP/1.1 100 Continue\r\n\r\n" {
		t.Fatalf("%q %v", head, err)
	}
	fmt.Fprintf(c, "b\r\n{\"model\":\"m\r\n1a\r\n\",\"prompt\":[7],\"stream\":0}\r\n0\r\n\r\n")
	rest, err := io.ReadAll(c)
	if err != nil || !strings.HasPrefix(string(rest), "HTTP/1.1 400 ") || !strings.Contains(string(rest), "bool") {
		t.Errorf("%q %v", rest, err) // the body came through: stream must not be a number
	}
}

type counts struct {
	Requests    int64
	InFlight    int64 `json:"in_flight"`
	MaxInFlight int64 `json:"max_in_flight"`
	Events      int64
	Errors      int64
	Disconnects int64
	Connections int64
}

func stat(d *double) (c counts) {
	json.Unmarshal(d.stats.json(), &c)
	return c
}

// eventually waits for what other goroutines bring about, ten seconds at most.
func eventually(t *testing.T, ok func() bool) {
	t.Helper()
	for range 10_000 {
		if ok() {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatal("it did not happen")
}
