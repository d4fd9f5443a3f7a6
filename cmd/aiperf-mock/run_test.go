package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"aiperf/internal/cli"
)

func invoke(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	env := &cli.Env{Args: args, Stdin: strings.NewReader("typed"), Stdout: &out, Stderr: &errs, Getenv: func(string) string { return "" }}
	code = app().Main(t.Context(), env)
	return code, out.String(), errs.String()
}

func TestCommands(t *testing.T) {
	dir := t.TempDir()
	plain := filepath.Join(dir, "plain")
	os.WriteFile(plain, nil, 0o644)
	bad := filepath.Join(dir, "bad")
	os.WriteFile(bad, []byte("{"), 0o644)
	t.Setenv("AIPERF_URL", "http://elsewhere")
	for _, tt := range []struct {
		name   string
		args   []string
		code   int
		stdout string
		stderr string // part of it
	}{
		{"the command's exit code is the mock's", []string{"sh", "-c", "exit 7"}, 7, "", ""},
		{"success is quiet", []string{"--fast", "true"}, 0, "", ""},
		{"the command has our input and the address", []string{"sh", "-c", "cat; echo ${AIPERF_URL%:*}"}, 0, "typedhttp://127.0.0.1\n", ""},
		{"its flags are its own", []string{"echo", "--fast", "--no-such-flag"}, 0, "--fast --no-such-flag\n", ""},
		{"a signal that ended it", []string{"sh", "-c", "kill -TERM $$"}, 143, "", ""},
		{"a closed pipe ends what it starts", []string{"sh", "-c", "kill -PIPE $$"}, 141, "", ""},
		{"a command that is not there", []string{"/no/such/command"}, 127, "", "starting /no/such/command: "},
		{"a file that is no command", []string{plain}, 126, "", "permission denied"},
		{"a script that is not there", []string{"--script", "/no/such/file", "true"}, 66, "", "--script: open"},
		{"a script that is none", []string{"--script", bad, "true"}, 65, "", bad + ":1: "},
		{"an address that is not ours", []string{"--host", "192.0.2.1", "true"}, 69, "", "listening: "},
		{"a bad value", []string{"--error-rate", "101", "true"}, 64, "", "error-rate"},
		{"a tokenizer file, which nothing reads yet", []string{"--tokenizer", "/no/such/tokenizer", "true"}, 64, "", "tokenizer"},
		{"a place where nothing can be recorded", []string{"--record-requests", "/no/such/dir/x", "true"}, 74, "", "--record-requests: "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			code, stdout, stderr := invoke(t, tt.args...)
			if code != tt.code || stdout != tt.stdout || !strings.Contains(stderr, tt.stderr) || (tt.stderr == "" && stderr != "") {
				t.Errorf("exit %d, %q, %q; want %d, %q, %q", code, stdout, stderr, tt.code, tt.stdout, tt.stderr)
			}
		})
	}
}

// Every flag reaches what it is for: each of them changes the answer or the books.
func TestFlagsAreHonoured(t *testing.T) {
	record := filepath.Join(t.TempDir(), "requests.jsonl")
	client := func(body string) []string { return []string{os.Args[0], "-test.run=TestClient$", body} }
	t.Setenv("MOCK_CLIENT", "1")
	for _, tt := range []struct {
		name string
		args []string
		want string // the sketch
	}{
		{"stop-after", []string{"--fast", "--stop-after", "3"}, "rcce stop"},
		{"reasoning-tokens", []string{"--fast", "--stop-after", "2", "--reasoning-tokens", "2"}, "rttce stop"},
		{"tokens-per-chunk", []string{"--fast", "--stop-after", "5", "--tokens-per-chunk", "4"}, "rce stop"},
		{"error-rate", []string{"--fast", "--error-rate", "100"}, "status 500"},
		{"model", []string{"--fast", "--model", "other"}, "status 404"},
		{"no-tokenizer, record-requests and stamp", []string{"--fast", "--stop-after", "2", "--no-tokenizer", "--stamp", "--record-requests", record}, "rce stop stamped"},
		{"ttft and itl", []string{"--ttft", "30", "--itl", "20ms", "--stop-after", "2"}, "rce stop after 50ms"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			code, stdout, stderr := invoke(t, append(tt.args, client(`{"model":"m","stream":true,"messages":[{"role":"user","content":"hello"}]}`)...)...)
			got, _, _ := strings.Cut(stdout, "\n")
			if code != 0 || !strings.HasPrefix(got, tt.want) { // a slow machine may add "after 50ms"
				t.Errorf("exit %d: %q, want %q; %s", code, got, tt.want, stderr)
			}
		})
	}
	b, _ := os.ReadFile(record)
	var q seen
	if err := json.Unmarshal(b, &q); err != nil || q.Body == nil || !strings.Contains(*q.Body, "hello") {
		t.Errorf("recorded %s, %v", b, err)
	}
}

// TestClient is the command of TestFlagsAreHonoured: it asks once and says what came.
func TestClient(t *testing.T) {
	if os.Getenv("MOCK_CLIENT") == "" {
		t.Skip("a helper process")
	}
	begin := time.Now()
	d := &double{url: os.Getenv("AIPERF_URL")}
	status, body := d.post(t, chatPath, os.Args[len(os.Args)-1])
	took := time.Since(begin)
	if status != 200 {
		fmt.Printf("status %d\n", status)
		return
	}
	list := events(t, body)
	line := sketch(list) + " " + *list[len(list)-1].Choices[0].Finish
	if list[0].ServerNS != nil {
		line += " stamped"
	}
	if took >= 50*time.Millisecond {
		line += " after 50ms"
	}
	fmt.Println(line)
}
