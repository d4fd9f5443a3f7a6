package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aiperf/internal/cli"
	"aiperf/internal/metric"
	"aiperf/internal/parity"
)

const peer = "../../testdata/peer/aiperf-0.13.0"

// tool runs aiperf-metrics in this process.
func tool(stdin string, args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = app().Main(context.Background(), &cli.Env{Args: args, Stdin: strings.NewReader(stdin), Stdout: &out, Stderr: &errs,
		Getenv: func(name string) string { return map[string]string{"HF_HUB_OFFLINE": "1"}[name] }})
	return code, out.String(), errs.String()
}

// kinded gives AIPerf's lines their kind.
func kinded(t testing.TB, kind, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, l := range strings.Split(strings.TrimSpace(string(b)), "\n") {
		fmt.Fprintf(&out, "{\"kind\":%q,%s\n", kind, strings.TrimPrefix(l, "{"))
	}
	return out.String()
}

// A peerRun is run.json: what a recomputation must be told.
type peerRun struct {
	Endpoint     string
	ServerTokens bool `json:"server_tokens"`
	Goodput      string
	Slice        float64
}

func (r peerRun) args() []string {
	a := []string{"--definitions", definitions013, "--endpoint-type", r.Endpoint, "--tokenizer", "builtin"}
	if r.ServerTokens {
		a = append(a, "--use-server-token-count")
	}
	if r.Goodput != "" {
		a = append(a, "--goodput", r.Goodput)
	}
	if r.Slice > 0 {
		a = append(a, "--slice-duration", fmt.Sprint(r.Slice))
	}
	return a
}

func peerRuns(t testing.TB) map[string]peerRun {
	t.Helper()
	dirs, _ := filepath.Glob(peer + "/*/profile_export_raw.jsonl")
	if len(dirs) < 13 {
		t.Fatalf("only %d runs", len(dirs))
	}
	runs := map[string]peerRun{}
	for _, d := range dirs {
		var r peerRun
		b, err := os.ReadFile(filepath.Join(filepath.Dir(d), "run.json"))
		if err == nil {
			err = json.Unmarshal(b, &r)
		}
		if err != nil {
			t.Fatal(err)
		}
		runs[filepath.Base(filepath.Dir(d))] = r
	}
	return runs
}

// TestRecordsEqualAIPerfs recomputes every raw line of the kept runs and compares each metric of each
// request with AIPerf's record file, from which the same command reads the HTTP trace.
func TestRecordsEqualAIPerfs(t *testing.T) {
	internal := map[string]bool{} // and what is in no per-request file
	for _, m := range metric.All {
		internal[m.Tag] = m.Flags&(metric.Internal|metric.NoRecords) != 0
	}
	for name, run := range peerRuns(t) {
		t.Run(name, func(t *testing.T) {
			dir := peer + "/" + name
			code, out, errs := tool("", append(run.args(), dir+"/profile_export_raw.jsonl", dir+"/profile_export.jsonl")...)
			if code != 0 {
				t.Fatalf("exit %d: %s", code, errs)
			}
			var c parity.Comparison
			if err := c.Records(dir+"/profile_export.jsonl", out, func(tag string) bool { return internal[tag] }); err != nil {
				t.Fatal(err)
			}
			for _, f := range c.Faults {
				t.Error(f)
			}
			t.Logf("%-16s %6d values, worst relative difference %.1e", name, c.Values, c.Worst)
		})
	}
}
