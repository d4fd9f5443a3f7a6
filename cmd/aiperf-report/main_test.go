package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aiperf/internal/cli"
)

const (
	runLine  = `{"kind":"run","schema":"aiperf.stream/1","tool":"aiperf-gen","version":"1","run_id":"ab12","cli_command":"aiperf-gen -m m","config":{"model-names":["m"]},"start_ns":1,"start_perf_ns":1}` + "\n"
	record   = `{"kind":"metric_record","run_id":"ab12","metadata":{"session_num":0,"request_start_ns":2,"benchmark_phase":"profiling","was_cancelled":false,"context_overflow_skip":false,"agent_depth":0},"metrics":{"request_latency":{"value":2000000,"unit":"ns"}}}` + "\n"
	failed   = `{"kind":"metric_record","run_id":"ab12","metadata":{"session_num":0,"request_start_ns":2,"benchmark_phase":"profiling","was_cancelled":false,"context_overflow_skip":false,"agent_depth":0},"metrics":{},"error":{"code":503,"type":"Service Unavailable","message":""}}` + "\n"
	summary  = `{"kind":"summary","run_id":"ab12","phase":"profiling","streaming":true,"window":{"start_ns":1000000000,"end_ns":2000000000,"source":"records"},"metrics":{"request_latency":{"header":"Request Latency","unit":"ns","display_unit":"ms","order":300,"rank":1,"group":"default","type":"record","avg":2000000,"p50":2000000,"count":1},"never_heard_of":{"header":"New Thing","unit":"furlongs","display_unit":"furlongs","rank":2,"group":"default","type":"derived","avg":3}},"records":{"total":1,"valid":1,"errors":0},"error_summary":[],"validity":{"ok":true,"reasons":[]}}` + "\n"
	noneGood = `{"kind":"summary","run_id":"ab12","phase":"profiling","streaming":true,"window":{"start_ns":1000000000,"end_ns":2000000000,"source":"records"},"metrics":{"error_request_count":{"header":"Error Request Count","unit":"requests","display_unit":"requests","rank":1,"group":"default","type":"aggregate","flags":["error_only"],"avg":3}},"records":{"total":3,"valid":0,"errors":3},"error_summary":[{"error_details":{"code":503,"type":"Service Unavailable"},"count":2},{"error_details":{"type":"TimeoutError","message":"late"},"count":1}],"validity":{"ok":true,"reasons":[]}}` + "\n"
)

func report(t *testing.T, in string, args ...string) (code int, out, words string) {
	t.Helper()
	var o, e bytes.Buffer
	env := &cli.Env{Args: args, Stdin: strings.NewReader(in), Stdout: &o, Stderr: &e, Getenv: func(string) string { return "" }}
	code = app().Main(t.Context(), env)
	return code, o.String(), e.String()
}

func names(t *testing.T, dir string) string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, f := range list {
		out = append(out, f.Name())
	}
	return strings.Join(out, " ")
}

func TestConsoleAloneWritesNoFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	code, out, words := report(t, runLine+record+summary+`{"kind":"no_such_kind"}`+"\n")
	if code != 0 || words != "" || !strings.Contains(out, "New Thing (furlongs)") || !strings.Contains(out, "CLI Command: aiperf-gen -m m | aiperf-report") {
		t.Errorf("exit %d, %q\n%s", code, words, out)
	}
	if got := names(t, "."); got != "" {
		t.Errorf("wrote %s", got)
	}
}

func TestFilesOfARun(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a")
	if code, _, words := report(t, runLine+record+summary, "--artifact-dir", dir); code != 0 {
		t.Fatalf("exit %d: %s", code, words)
	}
	if got, want := names(t, dir), "profile_export.jsonl profile_export_aiperf.csv profile_export_aiperf.json profile_export_console.txt"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	b, _ := os.ReadFile(filepath.Join(dir, "profile_export.jsonl"))
	if !strings.Contains(string(b), `"metrics":{"request_latency":{"value":2.0,"unit":"ms"}}`) || strings.Contains(string(b), "kind\":") {
		t.Errorf("got %s", b)
	}
	if code, _, words := report(t, runLine+record+summary, "--artifact-dir", dir); code != 0 {
		t.Errorf("the same run again: exit %d: %s", code, words)
	}
	other := strings.ReplaceAll(runLine+record+summary, "ab12", "cd34")
	if code, _, words := report(t, other, "--artifact-dir", dir); code != 64 || !strings.Contains(words, "hint: ") || !strings.Contains(words, "ab12") {
		t.Errorf("another run: exit %d: %s", code, words)
	}
	if code, _, words := report(t, other, "--artifact-dir", dir, "--force", "--export-level", "summary"); code != 0 {
		t.Errorf("--force: exit %d: %s", code, words)
	}
	if code, _, words := report(t, other, "--artifact-dir", filepath.Join(dir, "profile_export_aiperf.csv")); code != 74 || !strings.Contains(words, "profile_export_aiperf.csv") {
		t.Errorf("a file in the way: exit %d: %s", code, words)
	}
	if code, _, _ := report(t, runLine+record+summary, "--artifact-dir", dir, "--profile-export-prefix", "foo_raw.jsonl"); code != 0 || !strings.Contains(names(t, dir), "foo.csv foo.json foo.jsonl foo_console.txt") {
		t.Errorf("prefix: %s", names(t, dir))
	}
}

func TestB51NoSuccessStillWritesEveryFile(t *testing.T) {
	dir := t.TempDir()
	code, out, words := report(t, runLine+failed+noneGood, "--artifact-dir", dir)
	if code != 1 || words != "" {
		t.Errorf("exit %d, %q", code, words)
	}
	if got, want := names(t, dir), "profile_export.jsonl profile_export_aiperf.csv profile_export_aiperf.json profile_export_console.txt"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	b, _ := os.ReadFile(filepath.Join(dir, "profile_export_aiperf.json"))
	var d struct {
		Errors struct {
			Avg float64 `json:"avg"`
		} `json:"error_request_count"`
		Count        *json.RawMessage `json:"request_count"`
		ErrorSummary []struct {
			Count int `json:"count"`
		} `json:"error_summary"`
	}
	if err := json.Unmarshal(b, &d); err != nil || d.Errors.Avg != 3 || d.Count != nil || len(d.ErrorSummary) != 2 || d.ErrorSummary[0].Count != 2 {
		t.Errorf("%v: %+v", err, d)
	}
	if !strings.Contains(out, "Error Summary") || !strings.Contains(out, "3 of 3 requests failed.") {
		t.Errorf("got\n%s", out)
	}
}

func TestBadInput(t *testing.T) {
	if code, _, words := report(t, runLine+record); code != 65 || !strings.Contains(words, "no summary") {
		t.Errorf("no summary: exit %d: %s", code, words)
	}
	bad := runLine + `{"kind":"summary","metrics":7}` + "\n" + summary
	if code, _, words := report(t, bad); code != 65 || !strings.Contains(words, "<stdin>:2: ") {
		t.Errorf("bad line: exit %d: %s", code, words)
	}
	if code, _, words := report(t, bad, "--skip-bad"); code != 0 || !strings.Contains(words, "1 bad lines") {
		t.Errorf("--skip-bad: exit %d: %s", code, words)
	}
}
