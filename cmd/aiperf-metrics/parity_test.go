package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aiperf/internal/cli"
	"aiperf/internal/metric"
	"aiperf/schema"
)

const peer = "../../testdata/peer/aiperf-0.13.0"

// tolerance is how far a float may be from AIPerf's, relative.
const tolerance = 1e-9

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

// display is a metric's value as AIPerf writes it.
func display(v schema.MetricValue) []float64 {
	factor := map[string]float64{"ns": 1e-6, "B": 1.0 / 1024}[v.Unit]
	if factor == 0 {
		factor = 1
	}
	var list []float64
	if json.Unmarshal(v.Value, &list) != nil {
		var one float64
		_ = json.Unmarshal(v.Value, &one)
		list = []float64{one}
	}
	for i := range list {
		list[i] *= factor
	}
	return list
}

func apart(a, b float64) float64 {
	if a == b {
		return 0
	}
	return math.Abs(a-b) / math.Max(math.Abs(a), math.Abs(b))
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
			want := map[string]schema.MetricRecord{}
			b, _ := os.ReadFile(peer + "/" + name + "/profile_export.jsonl")
			for _, l := range strings.Split(strings.TrimSpace(string(b)), "\n") {
				var m schema.MetricRecord
				if err := json.Unmarshal([]byte(l), &m); err != nil {
					t.Fatal(err)
				}
				want[m.Metadata.XRequestID] = m
			}
			n, worst := 0, 0.0
			for _, l := range strings.Split(strings.TrimSpace(out), "\n") {
				var m schema.MetricRecord
				if err := json.Unmarshal([]byte(l), &m); err != nil {
					t.Fatal(err)
				}
				if m.Kind != schema.KindMetricRecord {
					continue
				}
				w, ok := want[m.Metadata.XRequestID]
				if !ok {
					t.Fatalf("request %s twice, or unknown", m.Metadata.XRequestID)
				}
				delete(want, m.Metadata.XRequestID)
				if (m.Error == nil) != (w.Error == nil) {
					t.Errorf("%s: error %v, AIPerf's %v", m.Metadata.XRequestID, m.Error, w.Error)
					continue
				}
				for tag, v := range w.Metrics {
					got, ok := m.Metrics[tag]
					if !ok {
						t.Errorf("%s: no %s", m.Metadata.XRequestID, tag)
						continue
					}
					a, b := display(got), display(v)
					if len(a) != len(b) {
						t.Errorf("%s: %s: %d values, AIPerf has %d", m.Metadata.XRequestID, tag, len(a), len(b))
						continue
					}
					for i := range a {
						d := apart(a[i], b[i])
						worst, n = math.Max(worst, d), n+1
						if d > tolerance {
							t.Errorf("%s: %s = %v, AIPerf has %v", m.Metadata.XRequestID, tag, a[i], b[i])
						}
					}
				}
				for tag := range m.Metrics {
					if _, ok := w.Metrics[tag]; !ok && !internal[tag] {
						t.Errorf("%s: %s is not in AIPerf's record", m.Metadata.XRequestID, tag)
					}
				}
			}
			if len(want) > 0 {
				t.Errorf("%d requests are missing", len(want))
			}
			t.Logf("%-16s %6d values, worst relative difference %.1e", name, n, worst)
		})
	}
}
