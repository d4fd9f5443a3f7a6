package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// scripted serves the lines as a script that lies beside the captures of testdata.
func scripted(t testing.TB, lines ...string) *double {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"chat-usage.http", "chat-usage.reads.tsv"} {
		b, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	name := filepath.Join(dir, "script.jsonl")
	if err := os.WriteFile(name, []byte(strings.Join(lines, "\n")), 0o644); err != nil {
		t.Fatal(err)
	}
	s, err := readScript(name)
	if err != nil {
		t.Fatal(err)
	}
	return start(t, behaviour{script: s}, nil)
}

func TestScripts(t *testing.T) {
	for _, tt := range []struct {
		name, entry string
		status      int
		header      string // "Name: value"
		body        string
		cut         error
	}{
		{"nothing said is an empty 200", `{}`, 200, "", "", nil},
		{"chunks are joined in order", `{"headers":{"Content-Type":"text/event-stream"},"chunks":[[0,"data: a\r\n"],[1,"\r\ndata: b\n\n"]]}`, 200, "Content-Type: text/event-stream", "data: a\r\n\r\ndata: b\n\n", nil},
		{"a status and a header", `{"status":429,"headers":{"Retry-After":"3"},"chunks":[[0,"slow down"]]}`, 429, "Retry-After: 3", "slow down", nil},
		{"a length instead of chunks", `{"length":true,"chunks":[[0,"abc"],[0,"de"]]}`, 200, "Content-Length: 5", "abcde", nil},
		{"a close in the middle", `{"chunks":[[0,"half"]],"end":"close"}`, 200, "", "half", io.ErrUnexpectedEOF},
		{"a close short of the length", `{"status":200,"headers":{"Content-Length":"9"},"chunks":[[0,"half"]],"end":"close"}`, 200, "Content-Length: 9", "half", io.ErrUnexpectedEOF},
		{"a reset in the middle", `{"chunks":[[0,"half"],[20,""]],"end":"reset"}`, 200, "", "half", syscall.ECONNRESET},
		{"raw bytes are the whole response", `{"raw":true,"chunks":[[0,"HTTP/1.0 200 OK\r\nX: y\r\n\r\nold"]],"end":"close"}`, 200, "X: y", "old", nil},
		{"bytes that are no text", `{"chunks":[[0,{"base64":"/wD+"}]]}`, 200, "", "\xff\x00\xfe", nil},
		{"a long line", `{"chunks":[[0,"data: "],[0,{"text":"x","times":204800}],[0,"\n\n"]]}`, 200, "", "data: " + strings.Repeat("x", 204800) + "\n\n", nil},
		{"byte by byte", `{"chunks":[[0,{"text":"data: é\n\n","per":"byte"}]]}`, 200, "", "data: é\n\n", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := scripted(t, tt.entry)
			r, err := http.Post(d.url+"/any/path", "", strings.NewReader("{}"))
			if err != nil {
				t.Fatal(err)
			}
			defer r.Body.Close()
			body, err := io.ReadAll(r.Body)
			if !errors.Is(err, tt.cut) || string(body) != tt.body || r.StatusCode != tt.status {
				t.Errorf("%d %.80q %v, want %d %.80q %v", r.StatusCode, body, err, tt.status, tt.body, tt.cut)
			}
			if name, value, ok := strings.Cut(tt.header, ": "); ok && r.Header.Get(name) != value {
				t.Errorf("%s = %q, want %q", name, r.Header.Get(name), value)
			}
		})
	}
}

func TestScriptsGoRound(t *testing.T) {
	d := scripted(t, `{"chunks":[[0,"a"]]}`, ``, `{"chunks":[[0,"b"]]}`)
	for i, want := range []string{"a", "b", "a", "b"} {
		if _, got := d.post(t, "/", "{}"); got != want {
			t.Errorf("request %d: %q, want %q", i, got, want)
		}
	}
	if status, _ := d.post(t, "/v1/models", ""); status != 200 {
		t.Errorf("a script answers every POST, got %d", status)
	}
	if s := stat(d); s.Requests != 5 || s.Connections != 1 || s.Events != 5 {
		t.Errorf("stats = %+v: clean ends keep the connection", s)
	}
}

func TestACaptureIsReplayedReadByRead(t *testing.T) {
	d := scripted(t, `{"raw":true,"chunks":[[0,{"file":"chat-usage.http","reads":"chat-usage.reads.tsv"}]],"end":"close"}`)
	want, _ := os.ReadFile("testdata/chat-usage.http")
	c, err := net.Dial("tcp", d.addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	begin := time.Now()
	fmt.Fprintf(c, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n")
	got, err := io.ReadAll(c)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("got %d bytes and %v, want the %d of the capture", len(got), err, len(want))
	}
	last := d.script.responses[0].writes
	if took, due := time.Since(begin), last[len(last)-1].at; took < due || due < 50*time.Millisecond {
		t.Errorf("took %v, the last write was due at %v", took, due)
	}
}

func TestAHangLastsUntilTheClientLeaves(t *testing.T) {
	for _, entry := range []string{`{"chunks":[[0,"some"]],"end":"hang"}`, `{"raw":true,"chunks":[[0,"HTTP/1.1 200 OK\r\n\r\nsome"]],"end":"hang"}`} {
		d := scripted(t, entry)
		r, err := http.Post(d.url, "", strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(r.Body, make([]byte, 4)); err != nil {
			t.Fatal(err)
		}
		if s := stat(d); s.InFlight != 1 || s.Disconnects != 0 {
			t.Errorf("while it hangs: %+v", s)
		}
		r.Body.Close()
		eventually(t, func() bool { s := stat(d); return s.InFlight == 0 && s.Disconnects == 1 })
	}
}

func TestBadScripts(t *testing.T) {
	dir := t.TempDir()
	os.WriteFile(filepath.Join(dir, "r.tsv"), []byte("5\t1\n3\t1\n"), 0o644)
	os.WriteFile(filepath.Join(dir, "short.tsv"), []byte("5\t1\n"), 0o644)
	for _, tt := range []struct{ name, text, want string }{
		{"nothing", "\n\n", "no responses"},
		{"cut JSON", "{}\n{\"chunks\":\n", ":2: "},
		{"an unknown field", `{"chunk":[]}`, "chunk"},
		{"a chunk that is no pair", `{"chunks":[[1,"a","b"]]}`, "[milliseconds"},
		{"a time before the request", `{"chunks":[[-1,"a"]]}`, "milliseconds from 0"},
		{"an unknown end", `{"end":"bang"}`, "clean, close, reset or hang"},
		{"an unknown piece", `{"chunks":[[0,{"txt":"a"}]]}`, "txt"},
		{"an unknown split", `{"chunks":[[0,{"text":"a","per":"word"}]]}`, "event, line or byte"},
		{"a file that is not there", `{"chunks":[[0,{"file":"absent"}]]}`, "absent"},
		{"no such status", `{"status":99}`, "200 to 999"},
		{"raw with headers", `{"raw":true,"headers":{"A":"b"}}`, "raw"},
		{"reads that run backwards", `{"chunks":[[0,{"text":"ab","reads":"r.tsv"}]]}`, "r.tsv:2"},
		{"reads that leave some over", `{"chunks":[[0,{"text":"ab","reads":"short.tsv"}]]}`, "left over"},
		{"far too much", `{"chunks":[[0,{"text":"ab","times":99999999999}]]}`, "out of range"},
		{"an array with a bad entry", `[{},{"end":"x"}]`, ":entry 2: "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			name := filepath.Join(dir, "script")
			os.WriteFile(name, []byte(tt.text), 0o644)
			_, err := readScript(name)
			var coded interface{ ExitCode() int }
			if !errors.As(err, &coded) || coded.ExitCode() != 65 || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want exit 65 and %q", err, tt.want)
			}
		})
	}
}

func TestSplitEvents(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"line feeds", "a\n\nb\nc\n\n", []string{"a\n\n", "b\nc\n\n"}},
		{"carriage returns and line feeds", "a\r\n\r\nb\r\n\r\n", []string{"a\r\n\r\n", "b\r\n\r\n"}},
		{"carriage returns alone", "a\r\rb\r\r", []string{"a\r\r", "b\r\r"}},
		{"an unfinished last one", "a\n\nb", []string{"a\n\n", "b"}},
	} {
		var got []string
		for _, p := range splitEvents([]byte(tt.text)) {
			got = append(got, string(p))
		}
		if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// Splitting loses nothing and what compiles has its writes in bounds.
func FuzzScript(f *testing.F) {
	f.Add([]byte(`{"status":200,"headers":{"A":"b"},"chunks":[[0,"data: a\r\n\r\n"],[5,{"text":"x\n\ny","per":"event","every":2}]],"end":"reset"}`))
	f.Add([]byte(`{"raw":true,"chunks":[[0,{"base64":"aGk=","times":3,"per":"byte"}]]}`))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, b []byte) {
		if got := bytes.Join(splitEvents(b), nil); !bytes.Equal(got, b) {
			t.Errorf("split %q into %q", b, got)
		}
		r, err := compile(b, dir)
		if err != nil {
			return
		}
		for _, w := range r.writes {
			if w.at < 0 {
				t.Errorf("a write at %v", w.at)
			}
		}
	})
}
