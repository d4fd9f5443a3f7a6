//go:build parity

package parity

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	compare "aiperf/internal/parity"
)

// A trial is one run of AIPerf and how it is recomputed.
type trial struct {
	name    string
	mock    []string // flags of aiperf-mock
	plays   []play   // its script
	profile []string // flags of aiperf profile, besides those of every run
	metrics []string // flags of aiperf-metrics, besides --definitions
	trace   []string // lines of a trace to replay
	noISL   bool     // the endpoint knows no --isl
	runs    int      // more than one: --num-profile-runs
}

// limit is how long one run of AIPerf may take.
const limit = 4 * time.Minute

// random is the generator of one trial.
func random(name string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(name))
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}

func (k trial) run(t *testing.T) {
	dir := filepath.Join(work, k.name)
	again := os.Getenv("PARITY_AGAIN") != ""
	if !again {
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if os.Getenv("PARITY_KEEP") == "" {
			os.RemoveAll(dir)
		}
	}()
	theirs := filepath.Join(dir, "aiperf")
	if _, err := os.Stat(theirs); again && err != nil {
		t.Skip("not among the kept runs")
	} else if !again {
		k.judge(t, dir, theirs)
	}
	row := row{name: k.name}
	defer func() {
		table.Lock()
		defer table.Unlock()
		table.rows = append(table.rows, row)
	}()
	sets := []string{theirs}
	if k.runs > 1 {
		sets, _ = filepath.Glob(filepath.Join(theirs, "profile_runs", "*"))
		if len(sets) != k.runs {
			t.Errorf("%d runs in profile_runs, want %d", len(sets), k.runs)
			row.faults++
		}
	}
	for i, set := range sets {
		var c compare.Comparison
		n, err := k.recompute(&c, dir, set, filepath.Join(dir, fmt.Sprintf("ours-%d", i)))
		if err != nil {
			c.Faultf("%v", err)
		} else if n == 0 {
			c.Faultf("no record was compared")
		}
		for j, f := range c.Faults {
			if j == 25 {
				t.Errorf("and %d more", len(c.Faults)-j)
				break
			}
			t.Error(f)
		}
		row.records, row.values, row.worst, row.faults = row.records+n, row.values+c.Values, max(row.worst, c.Worst), row.faults+len(c.Faults)
	}
}

// judge runs AIPerf against the mock.
func (k trial) judge(t *testing.T, dir, artifacts string) {
	r := random(k.name)
	mock := append([]string{"--random-seed", fmt.Sprint(seed), "--ttft-jitter-cv", "0.4", "--itl-jitter-cv", "0.6"}, k.mock...)
	if k.plays != nil {
		script := filepath.Join(dir, "script.jsonl")
		var b bytes.Buffer
		for _, p := range k.plays {
			line, err := json.Marshal(p)
			if err != nil {
				t.Fatal(err)
			}
			b.Write(append(line, '\n'))
		}
		if err := os.WriteFile(script, b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		mock = append(mock, "--script", script)
	}
	profile := append([]string{"-m", "mock", "--ui", "none", "--export-level", "raw", "--tokenizer", "builtin",
		"--random-seed", fmt.Sprint(seed), "--output-artifact-dir", artifacts}, k.profile...)
	if k.trace != nil {
		if err := os.WriteFile(filepath.Join(dir, "trace.jsonl"), []byte(strings.Join(k.trace, "\n")+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		profile = append(profile, "--input-file", filepath.Join(dir, "trace.jsonl"))
	} else if !k.noISL {
		profile = append(profile, "--isl", fmt.Sprint(5+r.IntN(30)))
	}
	args := append(mock, "sh", "-c", `exec "$0" profile --url "$AIPERF_URL" "$@"`, aiperf)
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(bin, "aiperf-mock"), append(args, profile...)...)
	cmd.Env = append(os.Environ(), "TIKTOKEN_CACHE_DIR="+tokens, "HF_HUB_OFFLINE=1")
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	out, err := cmd.CombinedOutput()
	if werr := os.WriteFile(filepath.Join(dir, "aiperf.log"), out, 0o666); werr != nil {
		t.Fatal(werr)
	}
	if err != nil && ctx.Err() != nil {
		t.Fatalf("AIPerf took longer than %v\n%s", limit, tail(out))
	}
	if err != nil { // it exits 1 when every request failed, and for usage
		t.Logf("AIPerf: %v", err)
		if files, _ := filepath.Glob(artifacts + "/*.jsonl"); len(files) == 0 && k.runs < 2 {
			t.Fatalf("AIPerf wrote nothing\n%s", tail(out))
		}
	}
}

// recompute makes our files from AIPerf's raw lines and compares both.
func (k trial) recompute(c *compare.Comparison, dir, theirs, ours string) (records int, err error) {
	args := append([]string{"--definitions", "aiperf-0.13", "--tokenizer", "builtin", "--quiet"}, k.metrics...)
	for _, f := range []string{"profile_export_raw.jsonl", "profile_export.jsonl", "phase_manifest.json", "inputs.json",
		"profile_export_network_latency.jsonl", "server_metrics_export.json"} {
		path := filepath.Join(theirs, f)
		if _, err := os.Stat(path); err == nil {
			args = append(args, path)
		}
	}
	if k.trace != nil {
		args = append(args, filepath.Join(dir, "trace.jsonl"))
	}
	if err := os.RemoveAll(ours); err != nil {
		return 0, err
	}
	out, err := tool("aiperf-metrics", nil, args...)
	if werr := os.WriteFile(ours+".jsonl", out, 0o666); werr != nil {
		return 0, werr
	}
	if err != nil {
		return 0, err
	}
	flags := []string{"--artifact-dir", ours}
	for _, f := range k.profile {
		if f == "--export-http-trace" {
			flags = append(flags, f)
		}
	}
	if _, err := tool("aiperf-report", out, flags...); err != nil {
		return 0, err
	}
	if err := c.Summary(theirs, compare.Summaries(string(out)), func(string) bool { return false }); err != nil {
		return 0, err
	}
	return strings.Count(string(out), `"kind":"metric_record"`), c.Files(theirs, ours)
}

// tool runs one of ours; that no request succeeded is no error.
func tool(name string, stdin []byte, args ...string) ([]byte, error) {
	cmd := exec.Command(filepath.Join(bin, name), args...)
	var errs bytes.Buffer
	cmd.Stdin, cmd.Stderr = bytes.NewReader(stdin), &errs
	cmd.Env = append(os.Environ(), "TZ=UTC")
	out, err := cmd.Output()
	if err != nil && cmd.ProcessState.ExitCode() != 1 {
		return out, fmt.Errorf("%s: %w: %s", name, err, tail(errs.Bytes()))
	}
	return out, nil
}
