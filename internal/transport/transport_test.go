package transport

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
	"pgregory.net/rapid"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestJoin(t *testing.T) {
	for _, c := range []struct{ base, path, want string }{
		{"http://h:1", "/v1/chat/completions", "/v1/chat/completions"},
		{"http://h:1/", "/v1/chat/completions", "/v1/chat/completions"},
		{"http://h:1/v1", "/v1/chat/completions", "/v1/chat/completions"},
		{"http://h:1/v1/", "/v1/chat/completions", "/v1/chat/completions"},
		{"http://h:1/api/v1", "/v1/chat/completions", "/api/v1/chat/completions"},
		{"http://h:1/v1/chat/completions", "/v1/chat/completions", "/v1/chat/completions"},
		{"http://h:1/openai", "/v1/completions", "/openai/v1/completions"},
		{"http://h:1/a?x=1&y=", "/v1/completions", "/a/v1/completions?x=1&y="},
		{"http://h:1/full/path?api-version=2", "", "/full/path?api-version=2"},
		{"h:1", "", "/"},
	} {
		target, err := ParseTarget(c.base)
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := target.Join(c.path); got != c.want {
			t.Errorf("%s + %s = %s, want %s", c.base, c.path, got, c.want)
		}
	}
	for _, bad := range []string{"", "ftp://h", "http://", "http://a b"} {
		if _, err := ParseTarget(bad); err == nil {
			t.Errorf("ParseTarget(%q) took it", bad)
		}
	}
}

func TestAnswersAreTheSameHoweverTheyArriveInPieces(t *testing.T) {
	answers := map[string]string{
		"chunked":    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX: y\r\n\r\n5;ext=1\r\nhello\r\n11\r\n, world and more!\r\n0\r\nTrailer: z\r\n\r\n",
		"length":     "HTTP/1.1 200 OK\r\nContent-Length: 21\r\n\r\nhello, world and more!"[:len("HTTP/1.1 200 OK\r\nContent-Length: 21\r\n\r\n")+21],
		"continue":   "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 21\r\n\r\nhello, world and more",
		"bare LF":    "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n5\nhello\n11\n, world and more!\n0\n\n",
		"to the end": "HTTP/1.0 200 OK\r\n\r\nhello, world and more!",
	}
	for name, text := range answers {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				var p parser
				var body []byte
				heads := 0
				for rest := []byte(text); len(rest) > 0; {
					n := rapid.IntRange(1, len(rest)).Draw(t, "piece")
					var head bool
					var err error
					body, head, _, err = p.feed(bytes.Clone(rest[:n]), body)
					if err != nil {
						t.Fatal(err)
					}
					if head {
						heads++
					}
					rest = rest[n:]
				}
				if !strings.HasPrefix(string(body), "hello, world and more") || heads != 1 || !p.end() || p.status != 200 {
					t.Fatalf("body %q, %d heads, end %v", body, heads, p.end())
				}
			})
		})
	}
}

func TestWhatIsNotHTTPIsRefused(t *testing.T) {
	for _, text := range []string{
		"SSH-2.0-OpenSSH\r\n\r\n", "HTTP/2 200\r\n\r\n", "HTTP/1.1 abc\r\n\r\n", "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
		"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: br\r\n\r\n",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n",
	} {
		var p parser
		if _, _, _, err := p.feed([]byte(text), nil); err == nil {
			t.Errorf("%q was taken", text)
		}
	}
}

func FuzzParser(f *testing.F) {
	f.Add([]byte("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"), 7)
	f.Add([]byte("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcd"), 1)
	f.Fuzz(func(t *testing.T, in []byte, step int) {
		step = max(step%64, 1)
		var whole, parts parser
		one, _, _, err1 := whole.feed(bytes.Clone(in), nil)
		var two []byte
		var err2 error
		for rest := in; len(rest) > 0 && err2 == nil; {
			n := min(step, len(rest))
			two, _, _, err2 = parts.feed(bytes.Clone(rest[:n]), two)
			rest = rest[n:]
		}
		if (err1 == nil) != (err2 == nil) && whole.status != 0 && whole.inBody {
			t.Skip() // an error may come before or after the pieces that hold it
		}
		if err1 == nil && err2 == nil && !bytes.Equal(one, two) {
			t.Errorf("whole %q, in pieces of %d %q", one, step, two)
		}
	})
}

// serve answers each connection by the function, which gets the connection after the request head.
func serve(t *testing.T, answer func(n int, c net.Conn, req *http.Request)) *Target {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for n := 0; ; n++ {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			buf := make([]byte, 64<<10)
			m, _ := c.Read(buf)
			_ = m
			answer(n, c, nil)
		}
	}()
	t.Cleanup(func() { ln.Close(); <-done })
	target, err := ParseTarget(ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return target
}

func do(t *testing.T, c *Client, call Call) *Result {
	t.Helper()
	call.Method, call.Body = "POST", []byte("{}")
	if call.Path == "" {
		call.Path = "/x"
	}
	return c.Do(context.Background(), &call)
}

func TestFailuresAreNamedAndWhatCameIsKept(t *testing.T) {
	head := "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
	reset := func(c net.Conn) { _ = c.(*net.TCPConn).SetLinger(0) }
	for _, tc := range []struct {
		name   string
		answer func(c net.Conn)
		call   Call
		kind   string
		code   int // -1: none
		body   string
		status int
	}{
		{"a cut chunked body", func(c net.Conn) { io.WriteString(c, head+"5\r\nhello\r\n") }, Call{}, TypePayload, -1, "hello", 200},
		{"a cut body of known length", func(c net.Conn) { io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello") }, Call{}, TypePayload, -1, "hello", 200},
		{"closed before an answer", func(net.Conn) {}, Call{}, TypeDisconnect, -1, "", 0},
		{"reset before an answer", reset, Call{}, TypeReset, -1, "", 0},
		{"reset within the stream", func(c net.Conn) {
			io.WriteString(c, head+"5\r\nhello\r\n")
			time.Sleep(50 * time.Millisecond)
			reset(c)
		}, Call{}, TypeReset, -1, "hello", 200},
		{"no end in time", func(c net.Conn) {
			io.WriteString(c, head+"5\r\nhello\r\n")
			c.Read(make([]byte, 1))
		}, Call{Timeout: 80 * time.Millisecond}, TypeTimeout, -1, "hello", 200},
		{"a silent gap", func(c net.Conn) {
			io.WriteString(c, head+"5\r\nhello\r\n")
			c.Read(make([]byte, 1))
		}, Call{Idle: 60 * time.Millisecond, Timeout: time.Minute}, TypeTimeout, -1, "hello", 200},
		{"not HTTP", func(c net.Conn) { io.WriteString(c, "SSH-2.0-x\r\n\r\n") }, Call{}, TypeResponse, -1, "", 0},
		{"a chunk size that lies", func(c net.Conn) { io.WriteString(c, head+"2\r\nhello\r\n") }, Call{}, TypeResponse, -1, "he", 200},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tc.call.Target = serve(t, func(_ int, c net.Conn, _ *http.Request) { tc.answer(c); c.Close() })
			cl := New(Options{Kernel: true})
			defer cl.Close()
			r := do(t, cl, tc.call)
			if r.Error == nil || r.Error.Type != tc.kind || string(r.Body) != tc.body || r.Status != tc.status {
				t.Fatalf("error %+v, body %q, status %d; want %s, %q, %d", r.Error, r.Body, r.Status, tc.kind, tc.body, tc.status)
			}
			if (r.Error.Code == nil) != (tc.code < 0) {
				t.Errorf("code %v, want %d", r.Error.Code, tc.code)
			}
			if tc.body != "" && len(r.Reads) == 0 {
				t.Error("a body without reads")
			}
		})
	}
}

func TestConnectionRefusedAndUnknownHost(t *testing.T) {
	ln, _ := net.Listen("tcp", "127.0.0.1:0")
	addr := ln.Addr().String()
	ln.Close()
	c := New(Options{})
	target, _ := ParseTarget(addr)
	r := do(t, c, Call{Target: target})
	if r.Error == nil || r.Error.Type != TypeConnect || strings.Join(r.Error.CauseChain, " ") != TypeConnect+" ConnectionRefusedError" || r.Status != 0 {
		t.Errorf("%+v", r.Error)
	}
	target, _ = ParseTarget("http://name.invalid:1")
	if r := do(t, c, Call{Target: target}); r.Error == nil || r.Error.Type != TypeDNS {
		t.Errorf("%+v", r.Error)
	}
}

// B28: the limits of the client's own machine are named as such.
func TestB28ClientLimitsAreNoFaultOfTheServer(t *testing.T) {
	for errno, want := range map[string]string{"ports": "no local port is free", "files": "no file descriptor is free"} {
		e := map[string]error{"ports": &net.OpError{Op: "dial", Err: sysError(99)}, "files": &net.OpError{Op: "dial", Err: sysError(24)}}[errno]
		got := classify(e, connecting)
		if got.Type != TypeConnect || !strings.HasPrefix(got.Message, "client: "+want) || string(got.Details) != `{"client_side":true}` {
			t.Errorf("%s: %+v", errno, got)
		}
	}
}

func TestConnectionsAreKeptAndCheckedBeforeReuse(t *testing.T) {
	var mu sync.Mutex
	conns := map[string]int{}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		conns[r.RemoteAddr]++
		mu.Unlock()
		fmt.Fprint(w, "ok")
	}))
	defer srv.Close()
	target, _ := ParseTarget(srv.URL)
	for _, c := range []struct {
		reuse Reuse
		want  int
	}{{Pooled, 1}, {Never, 3}, {Sticky, 2}} {
		mu.Lock()
		clear(conns)
		mu.Unlock()
		cl := New(Options{Reuse: c.reuse, Kernel: true})
		for i := range 3 {
			r := do(t, cl, Call{Target: target, Session: map[bool]string{true: "a", false: "b"}[i < 2], Last: i == 2})
			if r.Error != nil || string(r.Body) != "ok" {
				t.Fatalf("%s: %+v %q", c.reuse, r.Error, r.Body)
			}
			if wantReused := c.reuse == Pooled && i > 0 || c.reuse == Sticky && i == 1; (r.Reused != 0) != wantReused {
				t.Errorf("%s, call %d: reused %v", c.reuse, i, r.Reused != 0)
			}
		}
		mu.Lock()
		if len(conns) != c.want {
			t.Errorf("%s: %d connections, want %d", c.reuse, len(conns), c.want)
		}
		mu.Unlock()
		cl.Close()
	}
}

func TestASilentlyClosedConnectionIsNotUsedAgain(t *testing.T) {
	target := serve(t, func(_ int, c net.Conn, _ *http.Request) {
		io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
		c.Close()
	})
	cl := New(Options{Kernel: true})
	defer cl.Close()
	for i := range 5 {
		if r := do(t, cl, Call{Target: target}); r.Error != nil || string(r.Body) != "ok" {
			t.Fatalf("call %d: %+v", i, r.Error)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func TestTLSWorksAndABadCertificateIsNamed(t *testing.T) {
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "secret")
	}))
	srv.Config.ErrorLog = log.New(io.Discard, "", 0)
	srv.StartTLS()
	defer srv.Close()
	target, _ := ParseTarget(srv.URL)
	pool := srv.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
	cl := New(Options{Kernel: true, TLS: &tls.Config{RootCAs: pool, ServerName: "example.com"}})
	defer cl.Close()
	for i := range 2 {
		r := do(t, cl, Call{Target: target})
		if r.Error != nil || string(r.Body) != "secret" || len(r.Reads) == 0 || r.Reads[0].PerfNS > r.Reads[0].ReadNS || r.Reads[0].PerfNS < r.Start {
			t.Fatalf("call %d: %+v %q %v", i, r.Error, r.Body, r.Reads)
		}
	}
	if r := do(t, New(Options{}), Call{Target: target}); r.Error == nil || r.Error.Type != TypeCert {
		t.Errorf("unknown authority: %+v", r.Error)
	}
}

func TestACompressedAnswerIsDecodedAndItsReadsMoved(t *testing.T) {
	target := serve(t, func(_ int, c net.Conn, _ *http.Request) {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		fmt.Fprint(c, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n")
		for _, s := range []string{"data: one\n\n", "data: two\n\n", "data: three\n\n"} {
			io.WriteString(z, s)
			z.Flush()
			c.Write(b.Bytes())
			b.Reset()
			time.Sleep(40 * time.Millisecond)
		}
		z.Close()
		c.Write(b.Bytes())
		c.Close()
	})
	cl := New(Options{Kernel: true})
	defer cl.Close()
	r := do(t, cl, Call{Target: target})
	if r.Error != nil || string(r.Body) != "data: one\n\ndata: two\n\ndata: three\n\n" {
		t.Fatalf("%+v %q", r.Error, r.Body)
	}
	var ends []int64
	for _, rd := range r.Reads {
		ends = append(ends, rd.End)
	}
	if len(ends) < 3 || ends[0] != 11 || ends[1] != 22 || ends[len(ends)-1] != int64(len(r.Body)) {
		t.Errorf("reads end at %v, want 11, 22, … %d", ends, len(r.Body))
	}
}

// B18: two events in one write are one read, and both are kept.
func TestB18EventsOfOneReadShareItsStamp(t *testing.T) {
	target := serve(t, func(_ int, c net.Conn, _ *http.Request) {
		io.WriteString(c, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n16\r\ndata: \"a\"\n\ndata: \"b\"\n\n\r\n0\r\n\r\n")
		c.Close()
	})
	cl := New(Options{Kernel: true})
	defer cl.Close()
	r := do(t, cl, Call{Target: target})
	if r.Error != nil || len(r.Reads) != 1 || r.Reads[0].End != 22 {
		t.Errorf("%+v %v", r.Error, r.Reads)
	}
}

func TestKernelStampsComeBeforeTheRead(t *testing.T) {
	if !KernelStamps {
		t.Skip("this platform has no kernel receive stamps")
	}
	const n = 20
	target := serve(t, func(_ int, c net.Conn, _ *http.Request) {
		io.WriteString(c, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
		for range n {
			time.Sleep(3 * time.Millisecond)
			io.WriteString(c, "3\r\nabc\r\n")
		}
		io.WriteString(c, "0\r\n\r\n")
		c.Close()
	})
	cl := New(Options{Kernel: true})
	defer cl.Close()
	r := do(t, cl, Call{Target: target})
	if r.Error != nil || len(r.Reads) < 2 {
		t.Fatalf("%+v, %d reads", r.Error, len(r.Reads))
	}
	apart := 0
	last := r.Start
	for _, rd := range r.Reads {
		if rd.PerfNS > rd.ReadNS || rd.PerfNS < last {
			t.Errorf("stamp %d is not between the one before (%d) and its read (%d)", rd.PerfNS, last, rd.ReadNS)
		}
		if rd.PerfNS < rd.ReadNS {
			apart++
		}
		last = rd.PerfNS
	}
	if apart == 0 {
		t.Error("every stamp equals the read time: the kernel gave none")
	}
	user := do(t, New(Options{}), Call{Target: target})
	for _, rd := range user.Reads {
		if rd.PerfNS != rd.ReadNS {
			t.Fatal("user stamps differ from the read time")
		}
	}
}

func TestCancelEndsACallAtOnceAndKeepsWhatCame(t *testing.T) {
	target := serve(t, func(_ int, c net.Conn, _ *http.Request) {
		io.WriteString(c, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")
		c.Read(make([]byte, 1))
		c.Close()
	})
	for _, after := range []bool{true, false} {
		cl := New(Options{Kernel: true})
		cancel, ctx := NewCanceller(context.Background())
		call := Call{Target: target, Path: "/x", Method: "POST", Body: []byte("{}"), Cancel: cancel}
		if after {
			d := 60 * time.Millisecond
			call.CancelAfter = &d
		} else {
			time.AfterFunc(60*time.Millisecond, cancel.Cancel)
		}
		r := cl.Do(ctx, &call)
		if !r.Cancelled || r.Error == nil || *r.Error.Code != 499 || r.Error.Type != TypeCancelled || string(r.Body) != "hello" {
			t.Errorf("after %v: %+v %q", after, r.Error, r.Body)
		}
		cl.Close()
	}
}

func TestHeadersGoOutInOrderAndTheBodyByteForByte(t *testing.T) {
	got := make(chan string, 1)
	ln, _ := net.Listen("tcp", "127.0.0.1:0")
	defer ln.Close()
	go func() {
		c, err := ln.Accept()
		if err != nil {
			return
		}
		b := make([]byte, 4096)
		n, _ := c.Read(b)
		got <- string(b[:n])
		io.WriteString(c, "HTTP/1.1 204 No Content\r\n\r\n")
		c.Close()
	}()
	target, _ := ParseTarget(ln.Addr().String())
	cl := New(Options{})
	r := cl.Do(context.Background(), &Call{Target: target, Path: "/p?q=1", Method: "POST", Headers: []Header{{"B", "2"}, {"A", "1"}}, Body: []byte(`{ "x" : 1.50 }`)})
	want := "POST /p?q=1 HTTP/1.1\r\nHost: " + target.Host() + "\r\nB: 2\r\nA: 1\r\nContent-Length: 14\r\n\r\n{ \"x\" : 1.50 }"
	if s := <-got; s != want || r.Status != 204 || r.Error != nil {
		t.Errorf("sent %q, want %q; %d %+v", s, want, r.Status, r.Error)
	}
	cl.Close()
}
