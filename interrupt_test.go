package aiperf

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"aiperf/schema"
)

// B58: a Ctrl-C reaches every stage of the pipeline at once, and nothing that was measured is lost: the sender
// lets its requests end and closes the stream, the stages behind it finish, the result is marked.
func TestB58CtrlCOnTheWholePipelineLosesNothing(t *testing.T) {
	dir := t.TempDir()
	mock := exec.Command("aiperf-mock", "--ttft", "50", "--itl", "10", "--port", "0")
	words, err := mock.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := mock.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { mock.Process.Signal(syscall.SIGTERM); mock.Wait() }()
	buf := make([]byte, 4096)
	n, _ := words.Read(buf)
	go io.Copy(io.Discard, words)
	_, url, ok := strings.Cut(strings.TrimSpace(string(buf[:n])), "http://")
	if !ok {
		t.Fatalf("the mock says %q", buf[:n])
	}
	url = "http://" + strings.Fields(url)[0]

	records := filepath.Join(dir, "records.jsonl")
	stages := []*exec.Cmd{
		exec.Command("aiperf-gen", "-m", "mock", "--tokenizer", "builtin", "--isl", "20", "--osl", "10", "--request-count", "0", "--streaming"),
		exec.Command("aiperf-send", "--url", url, "--concurrency", "4", "--quiet"),
		exec.Command("tee", "-i", records),
		exec.Command("aiperf-metrics", "--quiet", "--tokenizer", "builtin"),
		exec.Command("aiperf-report", "--artifact-dir", filepath.Join(dir, "out")),
	}
	var console bytes.Buffer
	var ends []io.Closer
	for i, c := range stages {
		c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		if i > 0 {
			c.SysProcAttr.Pgid = stages[0].Process.Pid
		}
		if i+1 < len(stages) {
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			c.Stdout, stages[i+1].Stdin = w, r
			ends = append(ends, r, w)
		} else {
			c.Stdout = &console
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
	}
	for _, e := range ends {
		e.Close()
	}
	for range 300 { // until some have been answered
		if b, _ := os.ReadFile(records); bytes.Count(b, []byte(`"kind":"record"`)) >= 8 {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	if err := syscall.Kill(-stages[0].Process.Pid, syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	codes := make([]int, len(stages))
	for i, c := range stages {
		_ = c.Wait()
		codes[i] = c.ProcessState.ExitCode()
	}
	if codes[1] != 130 || codes[2] != 0 || codes[3] != 130 || codes[4] != 130 {
		t.Errorf("exit codes %v, want 130 of send, metrics and report, 0 of tee", codes)
	}
	b, err := os.ReadFile(records)
	if err != nil {
		t.Fatal(err)
	}
	var last schema.Timing
	kept := int64(0)
	for line := range bytes.Lines(b) {
		var k struct{ Kind string }
		if err := json.Unmarshal(line, &k); err != nil {
			t.Fatalf("a torn line: %v", err)
		}
		switch k.Kind {
		case schema.KindRecord:
			kept++
		case schema.KindTiming:
			last = schema.Timing{}
			if err := json.Unmarshal(line, &last); err != nil {
				t.Fatal(err)
			}
		}
	}
	if kept < 8 || last.RequestsSent != kept || !last.WasCancelled || last.EndNS == nil {
		t.Errorf("%d records of %d sent, cancelled %v, end %v", kept, last.RequestsSent, last.WasCancelled, last.EndNS)
	}
	var out struct {
		WasCancelled bool                  `json:"was_cancelled"`
		RequestCount struct{ Avg float64 } `json:"request_count"`
	}
	j, err := os.ReadFile(filepath.Join(dir, "out", "profile_export_aiperf.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(j, &out); err != nil || !out.WasCancelled || int64(out.RequestCount.Avg) != kept {
		t.Errorf("the report has was_cancelled %v and %v requests, want true and %d (%v)", out.WasCancelled, out.RequestCount.Avg, kept, err)
	}
	if !strings.Contains(console.String(), "cancelled early") {
		t.Error("the console does not say that the run was cancelled")
	}
}
