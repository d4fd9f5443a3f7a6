package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"aiperf/internal/cli"
	"aiperf/schema"
)

// output is what the tool wrote, by kind.
type result struct {
	code    int
	runs    []schema.Run
	records []schema.Record
	timings []schema.Timing
	stderr  string
	raw     []byte
}

func parse(t *testing.T, raw []byte) (r result) {
	t.Helper()
	r.raw = raw
	if len(raw) > 0 && raw[len(raw)-1] != '\n' {
		t.Fatalf("a torn last line: %.200q", raw[max(len(raw)-200, 0):])
	}
	for line := range bytes.Lines(raw) {
		var k struct{ Kind string }
		if err := json.Unmarshal(line, &k); err != nil {
			t.Fatalf("%v: %.300s", err, line)
		}
		var err error
		switch k.Kind {
		case schema.KindRun:
			r.runs = append(r.runs, schema.Run{})
			err = json.Unmarshal(line, &r.runs[len(r.runs)-1])
		case schema.KindRecord:
			r.records = append(r.records, schema.Record{})
			err = json.Unmarshal(line, &r.records[len(r.records)-1])
		case schema.KindTiming:
			r.timings = append(r.timings, schema.Timing{})
			err = json.Unmarshal(line, &r.timings[len(r.timings)-1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	slices.SortFunc(r.records, func(a, b schema.Record) int { return int(a.StartPerfNS - b.StartPerfNS) })
	return r
}

type buffer struct {
	sync.Mutex
	bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.Lock()
	defer b.Unlock()
	return b.Buffer.Write(p)
}

func send(t *testing.T, input string, args ...string) result {
	t.Helper()
	var out, errs buffer
	env := &cli.Env{Args: args, Stdin: strings.NewReader(input), Stdout: &out, Stderr: &errs, Getenv: func(string) string { return "" }}
	code := app().Main(t.Context(), env)
	r := parse(t, out.Bytes())
	r.code, r.stderr = code, errs.String()
	return r
}

// requests makes n request lines; each line is shaped by f.
func requests(n int, f func(i int, q *schema.Request)) string {
	var b strings.Builder
	for i := range n {
		q := schema.Request{Kind: schema.KindRequest, SessionNum: int64(i), ConversationID: fmt.Sprint("c", i), Final: true, EndpointType: "chat",
			Streaming: true, Payload: json.RawMessage(fmt.Sprintf(`{"i":%d}`, i))}
		if f != nil {
			f(i, &q)
		}
		line, _ := json.Marshal(q)
		b.Write(append(line, '\n'))
	}
	return b.String()
}

func server(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

// gauge counts what is in flight.
type gauge struct{ now, top, all atomic.Int64 }

func (g *gauge) enter() func() {
	n := g.now.Add(1)
	g.all.Add(1)
	for {
		m := g.top.Load()
		if n <= m || g.top.CompareAndSwap(m, n) {
			break
		}
	}
	return func() { g.now.Add(-1) }
}

func ok(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, `{"object":"x"}`) }

func last(r result, phase string) schema.Timing {
	var out schema.Timing
	for _, x := range r.timings {
		if x.Phase == phase {
			out = x
		}
	}
	return out
}

func TestARecordHasEverythingThatWasSentAndCame(t *testing.T) {
	url := server(t, func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		w.Header().Set("Set-Cookie", "secret")
		fmt.Fprintf(w, "data: %s\n\n", b)
		w.(http.Flusher).Flush()
		time.Sleep(20 * time.Millisecond)
		io.WriteString(w, "data: [DONE]\n\n")
	})
	in := `{"kind":"run","schema":"aiperf.stream/1","tool":"aiperf-gen","run_id":"abc"}` + "\n" +
		`{"kind":"request","session_num":0,"turn_index":0,"final":true,"endpoint_type":"chat","streaming":true,"payload":{ "x" : 1.50 },"requested_osl":7,"isl":3,"model":"m"}` + "\n" +
		`{"kind":"unknown","flows":"through"}` + "\n"
	r := send(t, in, "--url", url, "--api-key", "KEY", "-H", "X-A:b")
	if r.code != 0 || len(r.records) != 1 || len(r.runs) != 2 || !bytes.Contains(r.raw, []byte(`"flows":"through"`)) {
		t.Fatalf("exit %d, %d records, %d runs: %s", r.code, len(r.records), len(r.runs), r.stderr)
	}
	rec := r.records[0]
	if rec.Body != "data: { \"x\" : 1.50 }\n\ndata: [DONE]\n\n" || string(rec.Payload) != `{ "x" : 1.50 }` && string(rec.Payload) != `{"x":1.50}` {
		t.Errorf("body %q, payload %s", rec.Body, rec.Payload)
	}
	if len(rec.Reads) != 2 || rec.Reads[0].End != 22 || rec.Reads[1].End != 36 || rec.Reads[1].PerfNS-rec.Reads[0].PerfNS < 15e6 {
		t.Errorf("reads %v", rec.Reads)
	}
	if rec.RunID != "abc" || r.runs[1].Tool != "aiperf-send" || r.runs[1].RunID != "abc" || *rec.RequestedOSL != 7 || *rec.ISL != 3 || rec.Model != "m" || *rec.Status != 200 {
		t.Errorf("%+v", rec)
	}
	if rec.RequestHeaders["Authorization"] != "<redacted>" || rec.ResponseHeaders["Set-Cookie"] != "<redacted>" || rec.RequestHeaders["X-A"] != "b" ||
		strings.Contains(string(r.raw), "KEY") {
		t.Errorf("headers %v %v", rec.RequestHeaders, rec.ResponseHeaders)
	}
	m, tr := rec.Metadata, rec.TraceData
	for i := 1; i < 6; i++ {
		seq := []int64{*m.CreditIssuedNS, m.RequestStartNS, *tr.RequestSendEndNS, *m.RequestAckNS, *tr.ResponseReceiveStartNS, *m.RequestEndNS}
		if seq[i] < seq[i-1] {
			t.Errorf("stamps out of order at %d: %v", i, seq)
		}
	}
	w := last(r, schema.PhaseProfiling)
	if *r.timings[0].StartNS > *m.CreditIssuedNS || *w.EndNS < *m.RequestEndNS || w.RequestsSent != 1 || w.RequestsCompleted != 1 {
		t.Errorf("window %+v", w)
	}
}

func TestHeadersStandInAIPerfsOrder(t *testing.T) {
	cfg := &config{sessionHeader: "X-Correlation-ID", apiKey: "k", affinity: []string{"X-Session-Affinity"}}
	cfg.headers, _ = parseHeaders("X-One:1,User-Agent:me")
	names := func(list []string, q *schema.Request) {
		t.Helper()
		var got []string
		for _, h := range cfg.requestHeaders(q, mustTarget(t), "rid", "cid", "application/json") {
			got = append(got, h.Name+"="+h.Value)
		}
		if fmt.Sprint(got) != fmt.Sprint(list) {
			t.Errorf("got  %v\nwant %v", got, list)
		}
	}
	names([]string{"User-Agent=me", "X-Request-ID=rid", "X-Correlation-ID=cid", "X-One=1", "Authorization=Bearer k", "X-T=z", "Accept=text/event-stream",
		"Content-Type=application/json", "X-Session-Affinity=cid"},
		&schema.Request{EndpointType: "chat", Streaming: true, Headers: map[string]string{"X-T": "z"}})
	names([]string{"User-Agent=me", "X-Request-ID=rid", "X-Correlation-ID=cid", "Content-Type=application/json", "X-One=1", "x-api-key=k",
		"anthropic-version=2023-06-01", "Accept=application/json", "X-Session-Affinity=cid"}, &schema.Request{EndpointType: "messages"})
}

// B34: the schedule is absolute: k gaps of 5 ms after the start of the phase, whatever the sends cost.
// B38: nothing leaves before its time, and nothing catches up in a burst.
func TestB34B38TheScheduleIsAbsolute(t *testing.T) {
	url := server(t, ok)
	const n, gap = 200, 5e6
	r := send(t, requests(n, func(_ int, q *schema.Request) { q.TickNS = ptr(int64(gap)) }), "--url", url)
	if r.code != 0 || len(r.records) != n {
		t.Fatalf("exit %d, %d records: %s", r.code, len(r.records), r.stderr)
	}
	start := *r.timings[0].StartNS
	slices.SortFunc(r.records, func(a, b schema.Record) int { return int(*a.ScheduledNS - *b.ScheduledNS) })
	for i, rec := range r.records {
		if want := start + int64(i+1)*gap; *rec.ScheduledNS != want {
			t.Fatalf("request %d is planned at +%d ns, want +%d", i, *rec.ScheduledNS-start, want-start)
		}
		if rec.Metadata.RequestStartNS < *rec.ScheduledNS {
			t.Fatalf("request %d left %d ns early", i, *rec.ScheduledNS-rec.Metadata.RequestStartNS)
		}
	}
}

// B36: a rate with a cap: never more than the cap in flight, nothing lost, and the wait shows.
func TestB36ARateWithACapWaitsAndSaysSo(t *testing.T) {
	var g gauge
	url := server(t, func(w http.ResponseWriter, r *http.Request) {
		defer g.enter()()
		time.Sleep(50 * time.Millisecond)
		ok(w, r)
	})
	r := send(t, requests(40, func(_ int, q *schema.Request) { q.TickNS = ptr(int64(2e6)) }), "--url", url, "--concurrency", "4")
	if len(r.records) != 40 || g.top.Load() != 4 {
		t.Fatalf("%d records, %d at once, want 40 and 4", len(r.records), g.top.Load())
	}
	lag := r.records[39].Metadata.RequestStartNS - *r.records[39].ScheduledNS
	if lag < 200e6 {
		t.Errorf("the last request shows a lag of %d ms, want over 200 (40 × 50 ms over 4 slots, planned in 80)", lag/1e6)
	}
}

// B37: all 50 start at once, never 51.
func TestB37ConcurrencyIsMetAndNotExceeded(t *testing.T) {
	var g gauge
	url := server(t, func(w http.ResponseWriter, r *http.Request) {
		leave := g.enter()
		for i := 0; i < 200 && g.all.Load() < 50; i++ {
			time.Sleep(5 * time.Millisecond)
		}
		time.Sleep(20 * time.Millisecond)
		leave()
		ok(w, r)
	})
	if r := send(t, requests(120, nil), "--url", url, "--concurrency", "50"); len(r.records) != 120 || g.top.Load() != 50 {
		t.Errorf("%d records, at most %d in flight, want 120 and 50", len(r.records), g.top.Load())
	}
	var one gauge
	url = server(t, func(w http.ResponseWriter, r *http.Request) { defer one.enter()(); ok(w, r) })
	if r := send(t, requests(5, nil), "--url", url); len(r.records) != 5 || one.top.Load() != 1 {
		t.Errorf("without a rate or a cap: at most %d in flight, want 1", one.top.Load())
	}
}

// B40: a fixed schedule ends with its last line, and late entries go at once.
func TestB40AFixedScheduleEndsWithItsLines(t *testing.T) {
	url := server(t, ok)
	r := send(t, requests(3, func(i int, q *schema.Request) { q.AtNS = ptr(int64(i) * 30e6) }), "--url", url)
	if r.code != 0 || len(r.records) != 3 {
		t.Fatalf("exit %d, %d records", r.code, len(r.records))
	}
	for i, rec := range r.records {
		if got := *rec.ScheduledNS - *r.timings[0].StartNS; got != int64(i)*30e6 {
			t.Errorf("line %d is planned at %d ns", i, got)
		}
		if rec.Metadata.XCorrelationID != fmt.Sprint("fixed-schedule-c", i) {
			t.Errorf("correlation id %s", rec.Metadata.XCorrelationID)
		}
	}
	if !last(r, schema.PhaseProfiling).FixedSchedule {
		t.Error("the timing line does not say that the schedule is fixed")
	}
}

func TestTurnsOfASessionFollowEachOtherAfterTheirDelay(t *testing.T) {
	var g gauge
	url := server(t, func(w http.ResponseWriter, r *http.Request) {
		defer g.enter()()
		time.Sleep(10 * time.Millisecond)
		ok(w, r)
	})
	in := requests(6, func(i int, q *schema.Request) {
		q.SessionNum, q.ConversationID, q.TurnIndex = int64(i/3), fmt.Sprint("s", i/3), i%3
		q.Final = i%3 == 2
		if i%3 > 0 {
			q.DelayNS = ptr(int64(40e6))
		}
	})
	r := send(t, in, "--url", url, "--concurrency", "2")
	if len(r.records) != 6 {
		t.Fatalf("%d records: %s", len(r.records), r.stderr)
	}
	end, turns, ids := map[string]int64{}, map[string]int{}, map[string]string{}
	for _, rec := range r.records {
		c := rec.Metadata.ConversationID
		if *rec.Metadata.TurnIndex != turns[c] {
			t.Errorf("%s: turn %d after %d", c, *rec.Metadata.TurnIndex, turns[c])
		}
		if id := ids[c]; id != "" && id != rec.Metadata.XCorrelationID {
			t.Error("two correlation ids in one session")
		}
		if e := end[c]; e > 0 && rec.Metadata.RequestStartNS-e < 39e6 {
			t.Errorf("%s: turn %d left %d ms after the previous one, want 40", c, turns[c], (rec.Metadata.RequestStartNS-e)/1e6)
		}
		end[c], ids[c] = *rec.Metadata.RequestEndNS, rec.Metadata.XCorrelationID
		turns[c]++
	}
	if s := last(r, schema.PhaseProfiling); s.SentSessions != 2 || s.CompletedSessions != 2 || s.TotalSessionTurns != 6 {
		t.Errorf("%+v", s)
	}
}

func TestASessionWhoseNextTurnIsFarAwayInTheInputStillGoesOn(t *testing.T) {
	url := server(t, ok)
	const others = aheadTurns + 500
	in := requests(1, func(_ int, q *schema.Request) { q.Final = false }) +
		requests(others, func(i int, q *schema.Request) { q.SessionNum, q.ConversationID = int64(i+1), fmt.Sprint("o", i) }) +
		requests(1, func(_ int, q *schema.Request) { q.TurnIndex = 1 })
	if r := send(t, in, "--url", url, "--concurrency", "1", "--quiet"); len(r.records) != others+2 {
		t.Errorf("%d records, want %d", len(r.records), others+2)
	}
}

func TestWarmupComesFirstAndApart(t *testing.T) {
	var g gauge
	url := server(t, func(w http.ResponseWriter, r *http.Request) {
		defer g.enter()()
		time.Sleep(5 * time.Millisecond)
		ok(w, r)
	})
	in := requests(12, func(i int, q *schema.Request) {
		q.Phase = schema.PhaseProfiling
		if i < 4 {
			q.Phase = schema.PhaseWarmup
		}
	})
	r := send(t, in, "--url", url, "--concurrency", "3", "--warmup-concurrency", "2")
	var warm, prof []schema.Record
	for _, rec := range r.records {
		if rec.Metadata.BenchmarkPhase == schema.PhaseWarmup {
			warm = append(warm, rec)
		} else {
			prof = append(prof, rec)
		}
	}
	w, p := last(r, schema.PhaseWarmup), last(r, schema.PhaseProfiling)
	if len(warm) != 4 || len(prof) != 8 || w.RequestsSent != 4 || p.RequestsSent != 8 || *w.Concurrency != 2 || *p.Concurrency != 3 || w.PhaseIndex != 0 || p.PhaseIndex != 1 {
		t.Fatalf("%d warmup, %d profiling, %+v %+v", len(warm), len(prof), w, p)
	}
	if *w.EndNS > *p.StartNS || prof[0].Metadata.RequestStartNS < *w.EndNS || *prof[0].Metadata.ProfilingIndex != 0 {
		t.Error("the phases overlap")
	}
	for name, list := range map[string][]schema.Record{"warmup": warm, "profiling": prof} { // numbered anew in each, in the order of sending
		numbers := map[int64]bool{}
		for _, rec := range list {
			numbers[rec.Metadata.SessionNum] = true
		}
		for i := range int64(len(list)) {
			if !numbers[i] {
				t.Errorf("%s: no request has the number %d", name, i)
			}
		}
	}
}

// B29: the server goes away and comes back: the run goes on and every failure is counted by its kind.
func TestB29AServerThatGoesAwayIsCounted(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := ln.Addr().String()
	s := &http.Server{Handler: http.HandlerFunc(ok)}
	go s.Serve(ln)
	back := make(chan struct{})
	time.AfterFunc(200*time.Millisecond, func() { s.Close() })
	time.AfterFunc(500*time.Millisecond, func() {
		ln, err := net.Listen("tcp", addr)
		if err == nil {
			s2 := &http.Server{Handler: http.HandlerFunc(ok)}
			go s2.Serve(ln)
			<-back
			s2.Close()
		}
	})
	r := send(t, requests(80, func(_ int, q *schema.Request) { q.TickNS = ptr(int64(10e6)) }), "--url", addr)
	close(back)
	kinds := map[string]int{}
	for _, rec := range r.records {
		if rec.Error != nil {
			kinds[rec.Error.Type]++
		}
	}
	if r.code != 0 || len(r.records) != 80 || kinds["ClientConnectorError"] == 0 || kinds["ClientConnectorError"] > 60 {
		t.Errorf("exit %d, %d records, failures %v", r.code, len(r.records), kinds)
	}
}

// B30, B57: a stream that stops, and a server that never answers, end at their timeouts.
func TestB30B57ASilentServerDoesNotHoldTheRun(t *testing.T) {
	quit := make(chan struct{})
	url := server(t, func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		switch {
		case strings.Contains(string(b), `:1}`):
			io.WriteString(w, "data: a\n\n")
			w.(http.Flusher).Flush()
			<-quit
		case strings.Contains(string(b), `:2}`):
			<-quit
		}
		ok(w, r)
	})
	defer close(quit)
	r := send(t, requests(4, nil), "--url", url, "--concurrency", "4", "--idle-timeout", "100ms", "--request-timeout-seconds", "5")
	var bad []schema.Record
	for _, rec := range r.records {
		if rec.Error != nil {
			bad = append(bad, rec)
		}
	}
	if r.code != 0 || len(r.records) != 4 || len(bad) != 2 || bad[0].Error.Type != "TimeoutError" || bad[1].Error.Type != "TimeoutError" {
		t.Fatalf("exit %d, %d records, %d failed: %+v", r.code, len(r.records), len(bad), bad)
	}
	if bad[0].Body+bad[1].Body != "data: a\n\n" {
		t.Errorf("kept %q and %q", bad[0].Body, bad[1].Body)
	}
}

// B24: an answer of one 200 KiB line, and a request line as long.
func TestB24LongLinesGoThrough(t *testing.T) {
	long := strings.Repeat("x", 200<<10)
	url := server(t, func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		w.Write(b)
	})
	r := send(t, requests(1, func(_ int, q *schema.Request) { q.Payload = json.RawMessage(`"` + long + `"`) }), "--url", url)
	if len(r.records) != 1 || r.records[0].Body != `"`+long+`"` {
		t.Errorf("%d records, body of %d bytes", len(r.records), len(r.records[0].Body))
	}
}

// B61: after the duration nothing is sent; with no grace what is in flight is cut, keeps its record and
// is counted apart.
func TestB61TheDurationEndsSendingAndTheGraceEndsWaiting(t *testing.T) {
	url := server(t, func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, "data: first\n\n")
		w.(http.Flusher).Flush()
		select {
		case <-time.After(500 * time.Millisecond):
		case <-r.Context().Done():
		}
	})
	in := requests(100, func(_ int, q *schema.Request) { q.TickNS = ptr(int64(50e6)) })
	for grace, wantCut := range map[string]bool{"0": true, "5": false} {
		r := send(t, in, "--url", url, "--benchmark-duration", "400ms", "--benchmark-grace-period", grace)
		end := *r.timings[0].StartNS + 400e6
		cut := 0
		for _, rec := range r.records {
			if rec.Metadata.RequestStartNS > end+20e6 {
				t.Errorf("grace %s: sent %d ms after the end", grace, (rec.Metadata.RequestStartNS-end)/1e6)
			}
			if rec.Metadata.WasCancelled {
				cut++
				if *rec.Error.Code != 499 || rec.Body != "data: first\n\n" {
					t.Errorf("a cut record: %+v %q", rec.Error, rec.Body)
				}
			}
		}
		w := last(r, schema.PhaseProfiling)
		if len(r.records) > 8 || len(r.records) < 4 || (cut > 0) != wantCut || !w.TimeoutTriggered || w.RequestsCancelled != int64(cut) || w.RequestErrors != 0 ||
			w.GracePeriodTimeoutTriggered != wantCut {
			t.Errorf("grace %s: exit %d, %d records, %d cut: %+v", grace, r.code, len(r.records), cut, w)
		}
	}
}

// B58: an interrupt stops the sending, lets requests in flight end and loses nothing.
func TestB58AnInterruptLosesNothing(t *testing.T) {
	var n atomic.Int64
	url := server(t, func(w http.ResponseWriter, r *http.Request) {
		if n.Add(1) == 20 {
			_ = syscall.Kill(os.Getpid(), syscall.SIGINT)
		}
		time.Sleep(30 * time.Millisecond)
		ok(w, r)
	})
	r := send(t, requests(1000, nil), "--url", url, "--concurrency", "4")
	w := last(r, schema.PhaseProfiling)
	if r.code != 130 || len(r.records) < 20 || len(r.records) > 40 || !w.WasCancelled || w.EndNS == nil || int64(len(r.records)) != w.RequestsSent {
		t.Fatalf("exit %d, %d records, %+v", r.code, len(r.records), w)
	}
	for _, rec := range r.records {
		if rec.Error != nil {
			t.Errorf("a request in flight was lost: %+v", rec.Error)
		}
	}
}

func TestASecondInterruptEndsASenderWhoseReaderHasStopped(t *testing.T) {
	url := server(t, ok)
	pr, pw := io.Pipe() // nobody reads
	defer pr.Close()
	var errs buffer
	env := &cli.Env{Args: []string{"--url", url}, Stdin: strings.NewReader(requests(3, nil)), Stdout: pw, Stderr: &errs,
		Getenv: func(string) string { return "" }}
	done := make(chan int, 1)
	go func() { done <- app().Main(t.Context(), env) }()
	for range 2 {
		time.Sleep(200 * time.Millisecond)
		_ = syscall.Kill(os.Getpid(), syscall.SIGINT)
	}
	select {
	case code := <-done:
		if code != 130 || !strings.Contains(errs.String(), "lost") {
			t.Errorf("exit %d: %s", code, errs.String())
		}
	case <-time.After(20 * time.Second):
		t.Fatal("it goes on")
	}
}

// B62: a reader that does not read holds no send back: records wait in memory, then in a file.
func TestB62ASlowReaderDoesNotDelaySends(t *testing.T) {
	defer func(old int) { memoryBytes = old }(memoryBytes)
	memoryBytes = 1 << 20
	big := strings.Repeat("y", 300<<10)
	url := server(t, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, big) })
	pr, pw := io.Pipe()
	var errs buffer
	env := &cli.Env{Args: []string{"--url", url}, Stdin: strings.NewReader(requests(30, func(_ int, q *schema.Request) { q.TickNS = ptr(int64(10e6)) })),
		Stdout: pw, Stderr: &errs, Getenv: func(string) string { return "" }}
	done := make(chan int)
	go func() { done <- app().Main(t.Context(), env) }()
	time.Sleep(700 * time.Millisecond) // nobody reads
	var raw bytes.Buffer
	read := make(chan struct{})
	go func() { io.Copy(&raw, pr); close(read) }()
	code := <-done
	pw.Close()
	<-read
	r := parse(t, raw.Bytes())
	if code != 0 || len(r.records) != 30 {
		t.Fatalf("exit %d, %d records: %s", code, len(r.records), errs.String())
	}
	for i, rec := range r.records {
		if lag := rec.Metadata.RequestStartNS - *rec.ScheduledNS; lag > 500e6 {
			t.Errorf("request %d left %d ms late", i, lag/1e6)
		}
		if len(rec.Body) != len(big) {
			t.Errorf("request %d: a body of %d bytes", i, len(rec.Body))
		}
	}
	if c := last(r, schema.PhaseProfiling).Client; c.SpilledRecords == nil || *c.SpilledRecords == 0 {
		t.Errorf("nothing was spilled: %+v", c)
	}
}

type closed struct{ after int }

func (c *closed) Write(p []byte) (int, error) {
	if c.after--; c.after < 0 {
		return 0, syscall.EPIPE
	}
	return len(p), nil
}

func TestAClosedReaderEndsTheToolQuietly(t *testing.T) {
	url := server(t, ok)
	var errs buffer
	env := &cli.Env{Args: []string{"--url", url}, Stdin: strings.NewReader(requests(5000, nil)), Stdout: &closed{4}, Stderr: &errs, Getenv: func(string) string { return "" }}
	if code := app().Main(t.Context(), env); code != 0 {
		t.Errorf("exit %d: %s", code, errs.String())
	}
}

func TestAllFailedIsExit1AndBadInputIs65(t *testing.T) {
	url := server(t, func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", 500) })
	if r := send(t, requests(3, nil), "--url", url); r.code != 1 || len(r.records) != 3 {
		t.Errorf("all failed: exit %d, %d records", r.code, len(r.records))
	}
	url = server(t, ok)
	file := filepath.Join(t.TempDir(), "in.jsonl")
	for name, c := range map[string]struct {
		line string
		want string
	}{
		"not JSON":            {"nonsense\n", ":3: not JSON"},
		"no body":             {`{"kind":"request","endpoint_type":"chat"}` + "\n", ":3: request: want exactly one of payload, parts and body_b64, got 0"},
		"two bodies":          {`{"kind":"request","endpoint_type":"chat","payload":{},"body_b64":"YQ=="}` + "\n", "got 2"},
		"an unknown endpoint": {`{"kind":"request","endpoint_type":"chatt","payload":{}}` + "\n", "chatt"},
		"a negative time":     {`{"kind":"request","endpoint_type":"chat","payload":{},"at_ns":-1}` + "\n", "negative"},
		"a strange phase":     {`{"kind":"request","endpoint_type":"chat","payload":{},"phase":"x"}` + "\n", "phase"},
	} {
		if err := os.WriteFile(file, []byte(requests(2, nil)+c.line+requests(2, nil)), 0o644); err != nil {
			t.Fatal(err)
		}
		if r := send(t, "", "--url", url, file); r.code != 65 || len(r.records) != 2 || !strings.Contains(r.stderr, file) || !strings.Contains(r.stderr, c.want) {
			t.Errorf("%s: exit %d, %d records, %s", name, r.code, len(r.records), r.stderr)
		}
	}
	if r := send(t, "", "--url", url, filepath.Join(t.TempDir(), "none")); r.code != 66 {
		t.Errorf("no such file: exit %d", r.code)
	}
	for _, args := range [][]string{{"--url", "ftp://x"}, {"--concurrency", "0"}, {"--benchmark-grace-period", "3"}, {"-H", "nocolon"}, {"--custom-endpoint", "x"}, {"--nope"}} {
		if r := send(t, "", args...); r.code != 64 {
			t.Errorf("%v: exit %d, want 64", args, r.code)
		}
	}
}

func TestSeveralURLsAreTakenSessionBySession(t *testing.T) {
	var a, b atomic.Int64
	urls := server(t, func(w http.ResponseWriter, r *http.Request) { a.Add(1); ok(w, r) }) + "," +
		server(t, func(w http.ResponseWriter, r *http.Request) { b.Add(1); ok(w, r) })
	in := requests(12, func(i int, q *schema.Request) {
		q.SessionNum, q.ConversationID, q.TurnIndex, q.Final = int64(i/3), fmt.Sprint("s", i/3), i%3, i%3 == 2
	})
	r := send(t, in, "-u", urls)
	per := map[string]string{}
	for _, rec := range r.records {
		if u := per[rec.Metadata.ConversationID]; u != "" && u != rec.URL {
			t.Errorf("session %s went to two servers", rec.Metadata.ConversationID)
		}
		per[rec.Metadata.ConversationID] = rec.URL
	}
	if a.Load() != 6 || b.Load() != 6 {
		t.Errorf("%d and %d requests, want 6 each", a.Load(), b.Load())
	}
}

func TestNoSecretOfAURLIsWrittenDown(t *testing.T) {
	url := strings.Replace(server(t, ok), "http://", "http://user:pw1@", 1) + "/?key=sekret2&token=sekret3&v=4"
	r := send(t, requests(1, nil), "--url", url, "--custom-endpoint", "/x?api_key=sekret5")
	for _, secret := range []string{"pw1", "sekret2", "sekret3", "sekret5"} {
		if strings.Contains(string(r.raw), secret) || strings.Contains(r.stderr, secret) {
			t.Errorf("%s is written down", secret)
		}
	}
	if len(r.records) != 1 || !strings.Contains(r.records[0].URL, "v=4") || r.records[0].RequestHeaders["Authorization"] != "<redacted>" {
		t.Errorf("%+v", r.records)
	}
	for _, bad := range []string{"http://u:sekret6@bad host/", "http://u:sekret6@[::1/"} {
		if r := send(t, "", "--url", bad); r.code != 64 || strings.Contains(r.stderr, "sekret6") {
			t.Errorf("%s: exit %d, %s", bad, r.code, r.stderr)
		}
	}
	if r := send(t, "", "-H", "sekret7"); r.code != 64 || strings.Contains(r.stderr, "sekret7") {
		t.Errorf("exit %d, %s", r.code, r.stderr)
	}
}

func TestAnInputWithoutRequestsIsANo(t *testing.T) {
	for _, in := range []string{"", `{"kind":"record","x":1}` + "\n"} {
		if r := send(t, in); r.code != 1 || !strings.Contains(r.stderr, "no request in the input") {
			t.Errorf("%q: exit %d, %s", in, r.code, r.stderr)
		}
	}
}

func TestTheFirstFailureIsSaidWhenAllFail(t *testing.T) {
	url := server(t, func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no such model", 404) })
	if r := send(t, requests(2, nil), "--url", url); r.code != 1 || !strings.Contains(r.stderr, "HTTP 404 Not Found no such model") {
		t.Errorf("exit %d, %s", r.code, r.stderr)
	}
}
