package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"aiperf/internal/cli"
	"aiperf/internal/tokenizer"
)

// start serves with the given flags until the test ends.
func start(t testing.TB, args ...string) (url string, srv *server) {
	t.Helper()
	ready := make(chan struct{})
	tool := app()
	tool.Signals = false
	tool.Run = func(_ context.Context, _ *cli.Env, c *cli.Context) error {
		var err error
		if srv, err = newServer(c); err != nil {
			return err
		}
		ln, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		url = "http://" + ln.Addr().String()
		t.Cleanup(func() { ln.Close(); srv.close() })
		go srv.serve(ln)
		close(ready)
		return nil
	}
	var errs bytes.Buffer
	if code := tool.Main(t.Context(), &cli.Env{Args: args, Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: &errs, Getenv: func(string) string { return "" }}); code != 0 {
		t.Fatalf("exit %d: %s", code, errs.String())
	}
	<-ready
	return url, srv
}

func post(t testing.TB, url, body string) (*http.Response, string) {
	t.Helper()
	res, err := http.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res, string(b)
}

type chunk struct {
	Object  string
	Choices []struct {
		Delta struct {
			Role             string
			Content          string
			ReasoningContent string `json:"reasoning_content"`
		}
		Text         string
		FinishReason *string `json:"finish_reason"`
	}
	Usage *struct {
		PromptTokens     int `json:"prompt_tokens"`
		CompletionTokens int `json:"completion_tokens"`
		Details          struct {
			Reasoning int `json:"reasoning_tokens"`
		} `json:"completion_tokens_details"`
	}
	ServerNS int64 `json:"server_ns"`
}

func events(t testing.TB, body string) (out []chunk, done bool) {
	t.Helper()
	for _, e := range strings.Split(strings.TrimSuffix(body, "\n\n"), "\n\n") {
		data, ok := strings.CutPrefix(e, "data: ")
		if !ok {
			t.Fatalf("event %q", e)
		}
		if data == "[DONE]" {
			done = true
			continue
		}
		var c chunk
		if err := json.Unmarshal([]byte(data), &c); err != nil {
			t.Fatalf("%v: %s", err, data)
		}
		out = append(out, c)
	}
	return out, done
}

const chat = `{"model":"m","messages":[{"role":"user","content":"hello world"}],"stream":true`

func TestChatStream(t *testing.T) {
	for _, c := range []struct {
		name, body                 string
		args                       []string
		content, reasoning, usages int
		finish                     string
	}{
		{"a cap is met and ends with length", chat + `,"max_tokens":5}`, nil, 5, 0, 0, "length"},
		{"the newer cap wins", chat + `,"max_tokens":5,"max_completion_tokens":3}`, nil, 3, 0, 0, "length"},
		{"without a cap 128 tokens and stop", chat + `}`, nil, 128, 0, 0, "stop"},
		{"usage when asked", chat + `,"max_tokens":5,"stream_options":{"include_usage":true}}`, nil, 5, 0, 1, "length"},
		{"usage on every event", chat + `,"max_tokens":5,"stream_options":{"include_usage":true,"continuous_usage_stats":true}}`, nil, 5, 0, 8, "length"},
		{"reasoning in front", chat + `,"max_tokens":5}`, []string{"--reasoning-tokens", "2"}, 3, 2, 0, "length"},
		{"three tokens an event", chat + `,"max_tokens":7}`, []string{"--tokens-per-chunk", "3"}, 3, 0, 0, "length"},
		{"an event is of one kind", chat + `,"max_tokens":7}`, []string{"--tokens-per-chunk", "3", "--reasoning-tokens", "4"}, 2, 2, 0, "length"},
		{"it ends by itself", chat + `,"max_tokens":50}`, []string{"--stop-after", "4"}, 4, 0, 0, "stop"},
		{"ignore_eos goes to the cap", chat + `,"max_tokens":50,"ignore_eos":true}`, []string{"--stop-after", "4"}, 50, 0, 0, "length"},
		{"min_tokens holds the end back", chat + `,"max_tokens":50,"min_tokens":9}`, []string{"--stop-after", "4"}, 9, 0, 0, "stop"},
		{"min_tokens without a cap", chat + `,"min_tokens":200}`, nil, 200, 0, 0, "stop"},
	} {
		t.Run(c.name, func(t *testing.T) {
			url, _ := start(t, append(c.args, "--fast")...)
			res, body := post(t, url+"/v1/chat/completions", c.body)
			if res.StatusCode != 200 || !strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream") {
				t.Fatalf("%s %s", res.Status, res.Header)
			}
			list, done := events(t, body)
			content, reasoning, usages, finish := 0, 0, 0, ""
			for i, e := range list {
				if e.Object != "chat.completion.chunk" {
					t.Errorf("object %q", e.Object)
				}
				if e.Usage != nil {
					usages++
				}
				if len(e.Choices) == 0 {
					continue
				}
				ch := e.Choices[0]
				if (ch.Delta.Role == "assistant") != (i == 0) {
					t.Errorf("event %d: role %q", i, ch.Delta.Role)
				}
				if ch.Delta.Content != "" {
					content++
				}
				if ch.Delta.ReasoningContent != "" {
					reasoning++
				}
				if ch.FinishReason != nil {
					finish = *ch.FinishReason
				}
			}
			if content != c.content || reasoning != c.reasoning || usages != c.usages || finish != c.finish || !done {
				t.Errorf("content %d reasoning %d usages %d finish %q done %v, want %d %d %d %q true",
					content, reasoning, usages, finish, done, c.content, c.reasoning, c.usages, c.finish)
			}
		})
	}
}

func TestUsageIsTheTokenizersCountOfWhatWasSent(t *testing.T) {
	for _, name := range []string{"builtin", "cl100k_base", "p50k_base"} {
		tok, err := tokenizer.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		url, _ := start(t, "--fast", "--tokenizer", name, "--reasoning-tokens", "30")
		for n := 31; n < 400; n += 61 {
			_, body := post(t, url+"/v1/chat/completions", chat+fmt.Sprintf(`,"max_tokens":%d,"stream_options":{"include_usage":true}}`, n))
			list, _ := events(t, body)
			var text, reasoning string
			for _, e := range list {
				for _, c := range e.Choices {
					text += c.Delta.Content
					reasoning += c.Delta.ReasoningContent
				}
			}
			u := list[len(list)-1].Usage
			if u == nil || tok.Count(text)+tok.Count(reasoning) != n || u.CompletionTokens != n || u.Details.Reasoning != 30 ||
				tok.Count(reasoning) != 30 || u.PromptTokens != tok.Count("hello world") {
				t.Errorf("%s, %d tokens: usage %+v, text counts %d + %d", name, n, u, tok.Count(text), tok.Count(reasoning))
			}
		}
	}
}

func TestWholeAnswersAndOtherPaths(t *testing.T) {
	url, srv := start(t, "--fast", "--model", "tiny")
	for _, c := range []struct {
		name, method, path, body string
		status                   int
		want                     string
	}{
		{"whole chat", "POST", "/v1/chat/completions", `{"model":"m","messages":[{"role":"user","content":"hi"}],"max_tokens":2}`, 200, `"object":"chat.completion"`},
		{"whole completion", "POST", "/v1/completions", `{"model":"m","prompt":"hi","max_tokens":2}`, 200, `"completion_tokens":2`},
		{"models", "GET", "/v1/models", "", 200, `"id":"tiny"`},
		{"health", "GET", "/health", "", 200, ""},
		{"stats", "GET", "/mock/stats", "", 200, `"in_flight":0`},
		{"no such path", "POST", "/v2/nothing", "{}", 404, "NotFoundError"},
		{"not JSON", "POST", "/v1/chat/completions", "{", 400, "BadRequestError"},
		{"no model", "POST", "/v1/chat/completions", `{"messages":[{}]}`, 400, "model"},
		{"no messages", "POST", "/v1/chat/completions", `{"model":"m"}`, 400, "messages"},
		{"no prompt", "POST", "/v1/completions", `{"model":"m"}`, 400, "prompt"},
		{"two choices", "POST", "/v1/completions", `{"model":"m","prompt":"x","n":2}`, 400, "n:"},
		{"a cap of zero", "POST", "/v1/completions", `{"model":"m","prompt":"x","max_tokens":0}`, 400, "max_tokens"},
		{"the wrong method", "PUT", "/v1/completions", `{}`, 405, "MethodNotAllowed"},
	} {
		req, _ := http.NewRequest(c.method, url+c.path, strings.NewReader(c.body))
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		b, _ := io.ReadAll(res.Body)
		res.Body.Close()
		if res.StatusCode != c.status || !strings.Contains(string(b), c.want) {
			t.Errorf("%s: %s %s, want %d with %q", c.name, res.Status, b, c.status, c.want)
		}
	}
	if n := srv.stats.inFlight.Load(); n != 0 {
		t.Errorf("%d in flight at the end", n)
	}
}

func TestScheduleHasTheAskedMeansAndIsSeeded(t *testing.T) {
	o := options{ttft: 100 * time.Millisecond, itl: 10 * time.Millisecond, ttftCV: 0.5, itlCV: 0.3, perChunk: 1, seed: 7}
	var first, gaps float64
	const n, k = 4000, 21
	for i := range int64(n) {
		due := o.schedule(o.rng(i), k)
		first += due[0].Seconds()
		gaps += (due[k-1] - due[0]).Seconds() / (k - 1)
	}
	if first /= n; first < 0.097 || first > 0.103 {
		t.Errorf("mean TTFT %.4f s, want 0.1", first)
	}
	if gaps /= n; gaps < 0.0098 || gaps > 0.0102 {
		t.Errorf("mean ITL %.5f s, want 0.01", gaps)
	}
	a, b := o.schedule(o.rng(5), 9), o.schedule(o.rng(5), 9)
	if fmt.Sprint(a) != fmt.Sprint(b) {
		t.Error("the same seed gave other times")
	}
	o.ttftCV, o.itlCV, o.perChunk = 0, 0, 4
	if got := o.schedule(o.rng(0), 3); got[0] != 100*time.Millisecond || got[2] != 180*time.Millisecond {
		t.Errorf("four tokens an event are due at %v, want 100ms, 140ms, 180ms", got)
	}
}

func TestErrorRateIsKept(t *testing.T) {
	url, _ := start(t, "--fast", "--error-rate", "30", "--random-seed", "3")
	bad := 0
	for range 300 {
		if res, _ := post(t, url+"/v1/completions", `{"model":"m","prompt":"x","max_tokens":1}`); res.StatusCode == 500 {
			bad++
		}
	}
	if bad < 60 || bad > 120 {
		t.Errorf("%d of 300 failed, want about 90", bad)
	}
}

func TestStampIsTheTimeOfTheWrite(t *testing.T) {
	url, _ := start(t, "--ttft", "1", "--itl", "1", "--stamp")
	before := time.Now().UnixNano()
	_, body := post(t, url+"/v1/chat/completions", chat+`,"max_tokens":4}`)
	after := time.Now().UnixNano()
	list, _ := events(t, body)
	last := before
	for i, e := range list {
		if e.ServerNS < last || e.ServerNS > after {
			t.Errorf("event %d: stamp %d is not between %d and %d", i, e.ServerNS, last, after)
		}
		last = e.ServerNS
	}
}

func TestScriptPlaysBytesAndEnds(t *testing.T) {
	name := filepath.Join(t.TempDir(), "script.jsonl")
	text := `{"headers":{"Content-Type":"text/event-stream"},"chunks":[[0,"data: a\r\n"],[0,"\r\ndata: b\n\n"]]}
{"status":503,"chunks":[[0,"busy"]]}
{"chunks":[[0,"half"]],"end":"close"}
{"raw":true,"chunks":[[0,"HTTP/1.0 200 OK\r\n\r\nold"]],"end":"close"}
`
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	url, _ := start(t, "--script", name)
	if res, b := post(t, url, "{}"); res.StatusCode != 200 || b != "" { // "/" is the health page
		t.Errorf("%s %q", res.Status, b)
	}
	if res, b := post(t, url+"/x", "{}"); b != "data: a\r\n\r\ndata: b\n\n" || res.Header.Get("Content-Type") != "text/event-stream" {
		t.Errorf("first: %q", b)
	}
	if res, b := post(t, url+"/x", "{}"); res.StatusCode != 503 || b != "busy" {
		t.Errorf("second: %s %q", res.Status, b)
	}
	res, err := http.Post(url+"/x", "", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	if b, err := io.ReadAll(res.Body); err != io.ErrUnexpectedEOF || string(b) != "half" {
		t.Errorf("third: %q %v, want half and a cut", b, err)
	}
	if _, b := post(t, url+"/x", "{}"); b != "old" {
		t.Errorf("fourth: %q", b)
	}
	if _, b := post(t, url+"/x", "{}"); !strings.HasPrefix(b, "data: a") {
		t.Errorf("fifth: %q, want the first again", b)
	}
}

func TestCommandGetsTheAddressAndItsExitCodeComesBack(t *testing.T) {
	var out, errs bytes.Buffer
	env := &cli.Env{Args: []string{"--fast", "sh", "-c", "echo $AIPERF_URL; exit 7", "--port"}, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Getenv: os.Getenv}
	if code := app().Main(t.Context(), env); code != 7 || !strings.HasPrefix(out.String(), "http://127.0.0.1:") {
		t.Errorf("exit %d, out %q, err %q", code, out.String(), errs.String())
	}
}

// BenchmarkEvents is the speed of one server and one raw reader with --fast, events a second.
func BenchmarkEvents(b *testing.B) {
	url, _ := start(b, "--fast")
	c, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	const n = 2000
	body := chat + fmt.Sprintf(`,"max_tokens":%d}`, n)
	req := fmt.Sprintf("POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	r := bufio.NewReaderSize(c, 1<<20)
	for b.Loop() {
		if _, err := io.WriteString(c, req); err != nil {
			b.Fatal(err)
		}
		for {
			l, err := r.ReadSlice('\n')
			if err != nil {
				b.Fatal(err)
			}
			if len(l) == 3 && l[0] == '0' {
				break
			}
		}
	}
	b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "events/s")
}
