package metric

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"aiperf/internal/judge"
	"aiperf/internal/tokenizer"
	"aiperf/internal/unit"
	"aiperf/schema"
)

const peer = "../../testdata/peer/aiperf-0.13.0/"

// A peerRun is what run.json says of one run of AIPerf 0.13.0.
type peerRun struct {
	CLI          string
	Endpoint     string
	ServerTokens bool `json:"server_tokens"`
	Goodput      string
	Slice        float64
}

func loadJSON(t testing.TB, path string, v any) bool {
	t.Helper()
	b, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return false
	}
	if err == nil {
		err = json.Unmarshal(b, v)
	}
	if err != nil {
		t.Fatal(err)
	}
	return true
}

func lines(t testing.TB, path string) [][]byte {
	t.Helper()
	f, err := os.Open(path)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out [][]byte
	in := bufio.NewScanner(f)
	in.Buffer(nil, 16<<20)
	for in.Scan() {
		out = append(out, bytes.Clone(in.Bytes()))
	}
	return out
}

// peerSamples are the judged requests of a run, in the order of its raw file.
func peerSamples(t testing.TB, dir string, p peerRun, definitions string) []*judge.Sample {
	t.Helper()
	o200k, err := tokenizer.Open("builtin")
	if err != nil {
		t.Fatal(err)
	}
	measured := map[string]*judge.Sample{}
	for _, l := range lines(t, dir+"/profile_export.jsonl") {
		m, err := judge.Metrics(l)
		if err != nil {
			t.Fatal(err)
		}
		measured[m.Metadata.XRequestID] = m
	}
	planned := map[string]int64{}
	for i, l := range lines(t, dir+"/trace.jsonl") {
		var at struct{ Timestamp float64 }
		if err := json.Unmarshal(l, &at); err != nil {
			t.Fatal(err)
		}
		planned[fmt.Sprintf("session_%06d", i)] = int64(at.Timestamp * 1e6)
	}
	j := judge.New(judge.Options{Definitions: definitions, EndpointType: p.Endpoint, UseServerTokenCount: p.ServerTokens})
	var out []*judge.Sample
	for _, l := range lines(t, dir+"/profile_export_raw.jsonl") {
		s, err := j.Line(l)
		if err != nil {
			t.Fatal(err)
		}
		s.CountTokens(o200k)
		if m := measured[s.Metadata.XRequestID]; m != nil {
			s.Merge(m)
		}
		if at, ok := planned[s.Metadata.ConversationID]; ok {
			s.ScheduledNS = &at
		}
		out = append(out, s)
	}
	return out
}

func peerNew(t testing.TB, dir string, p peerRun, definitions string) *Run {
	t.Helper()
	goals, err := ParseGoodput(p.Goodput)
	if err != nil {
		t.Fatal(err)
	}
	r, err := NewRun(Options{Definitions: definitions, EndpointType: p.Endpoint, Streaming: strings.Contains(p.CLI, "--streaming"),
		UseServerTokenCount: p.ServerTokens, FixedSchedule: strings.Contains(p.CLI, "--fixed-schedule"), Goodput: goals,
		SliceDuration: time.Duration(p.Slice * 1e9)})
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct {
		Phases []struct {
			Kind  string `json:"phase_kind"`
			Start int64  `json:"start_ns"`
			End   int64  `json:"end_ns"`
		}
	}
	loadJSON(t, dir+"/phase_manifest.json", &manifest)
	for _, ph := range manifest.Phases {
		r.SetPhase(ph.Kind, PhaseWindow{ph.Start, ph.End, "manifest"})
	}
	var server struct {
		Summary struct {
			Ranges map[string]struct {
				Start int64 `json:"start_ns"`
				End   int64 `json:"end_ns"`
			} `json:"phase_time_ranges"`
		}
	}
	loadJSON(t, dir+"/server_metrics_export.json", &server)
	for name, ph := range server.Summary.Ranges {
		if len(manifest.Phases) == 0 {
			r.SetPhase(name, PhaseWindow{ph.Start, ph.End, "manifest"})
		}
	}
	for _, l := range lines(t, dir+"/profile_export_network_latency.jsonl") {
		var n schema.NetworkProbe
		if err := json.Unmarshal(l, &n); err != nil {
			t.Fatal(err)
		}
		r.AddProbe(n)
	}
	return r
}

// A comparison counts the values compared and keeps the worst relative difference of those that agree.
type comparison struct {
	t     *testing.T
	n     int
	worst float64
}

func (c *comparison) block(where string, want map[string]json.RawMessage, got map[string]schema.MetricSummary) {
	c.t.Helper()
	seen := map[string]bool{}
	for tag, raw := range want {
		var theirs map[string]any
		if json.Unmarshal(raw, &theirs) != nil || theirs["unit"] == nil || strings.HasPrefix(tag, "nvidia_") || strings.HasPrefix(tag, "amd_") {
			continue
		}
		seen[tag] = true
		m, ok := got[tag]
		if !ok {
			c.t.Errorf("%s: %s is missing", where, tag)
			continue
		}
		ours := shown(c.t, m)
		for stat, x := range theirs {
			if stat == "unit" {
				if x != m.DisplayUnit {
					c.t.Errorf("%s: %s is shown in %s, want %v", where, tag, m.DisplayUnit, x)
				}
				continue
			}
			y, ok := ours[stat]
			if !ok {
				c.t.Errorf("%s: %s has no %s", where, tag, stat)
				continue
			}
			c.n++
			d := math.Abs(y-x.(float64)) / max(math.Abs(x.(float64)), 1e-300)
			if y == x.(float64) {
				d = 0
			}
			if d > 1e-9 || stat == "count" && d != 0 {
				c.t.Errorf("%s: %s %s = %v, want %v (%.2g)", where, tag, stat, y, x, d)
				continue
			}
			c.worst = max(c.worst, d)
		}
		for stat := range ours {
			if _, ok := theirs[stat]; !ok {
				c.t.Errorf("%s: %s has a %s too many", where, tag, stat)
			}
		}
	}
	for tag, m := range got {
		if !seen[tag] && !slices.Contains(m.Flags, "internal") && !slices.Contains(m.Flags, "experimental") {
			c.t.Errorf("%s: %s is one too many", where, tag)
		}
	}
}

// shown are the statistics of a summary in its display unit.
func shown(t testing.TB, m schema.MetricSummary) map[string]float64 {
	t.Helper()
	out := map[string]float64{}
	for stat, p := range map[string]*float64{"avg": m.Avg, "min": m.Min, "max": m.Max, "sum": m.Sum, "p1": m.P1, "p5": m.P5, "p10": m.P10,
		"p25": m.P25, "p50": m.P50, "p75": m.P75, "p90": m.P90, "p95": m.P95, "p99": m.P99, "std": m.Std} {
		if p != nil {
			x, ok := unit.Convert(*p, m.Unit, m.DisplayUnit)
			if !ok {
				t.Fatalf("%s: no way from %s to %s", m.Header, m.Unit, m.DisplayUnit)
			}
			out[stat] = x
		}
	}
	if m.Count != nil && (m.Type == string(KindRecord) || m.Type == string(KindInjected)) {
		out["count"] = float64(*m.Count)
	}
	return out
}

// TestPeerSummaries recomputes every kept run of AIPerf 0.13.0 from its raw lines, under its
// definitions, and compares each number of its summary, warmup and slices with ours.
func TestPeerSummaries(t *testing.T) {
	runs, err := filepath.Glob(peer + "*/profile_export_raw.jsonl")
	if err != nil || len(runs) < 13 {
		t.Fatalf("%d runs, %v", len(runs), err)
	}
	for _, raw := range runs {
		dir := filepath.Dir(raw)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			var p peerRun
			loadJSON(t, dir+"/run.json", &p)
			r := peerNew(t, dir, p, Definitions013)
			for _, s := range peerSamples(t, dir, p, Definitions013) {
				if _, err := r.Add(s); err != nil {
					t.Fatal(err)
				}
			}
			sums, err := r.Summaries()
			if err != nil {
				t.Fatal(err)
			}
			var want map[string]json.RawMessage
			loadJSON(t, dir+"/profile_export_aiperf.json", &want)
			c := &comparison{t: t}
			profiling := sums[len(sums)-1]
			c.block("profiling", want, profiling.Metrics)
			if raw, ok := want["warmup_metrics"]; ok {
				var warmup map[string]json.RawMessage
				if err := json.Unmarshal(raw, &warmup); err != nil {
					t.Fatal(err)
				}
				c.block("warmup", warmup, sums[0].Metrics)
			}
			c.errors(want["error_summary"], profiling.ErrorSummary)
			var pooled map[string]int64
			if raw, ok := want["pooled_spec_decode_acceptance_histogram"]; ok {
				if err := json.Unmarshal(raw, &pooled); err != nil {
					t.Fatal(err)
				}
			}
			c.n += len(pooled)
			if fmt.Sprint(pooled) != fmt.Sprint(profiling.PooledSpec) {
				t.Errorf("pooled histogram %v, want %v", profiling.PooledSpec, pooled)
			}
			var ts struct{ Timeslices []map[string]json.RawMessage }
			if loadJSON(t, dir+"/profile_export_aiperf_timeslices.json", &ts) {
				if len(ts.Timeslices) != len(profiling.Timeslices) {
					t.Fatalf("%d slices, want %d", len(profiling.Timeslices), len(ts.Timeslices))
				}
				for i, w := range ts.Timeslices {
					got := profiling.Timeslices[i]
					start, _ := strconv.ParseInt(string(w["start_ns"]), 10, 64)
					end, _ := strconv.ParseInt(string(w["end_ns"]), 10, 64)
					if got.StartNS != start || got.EndNS != end || got.IsComplete != (w["is_complete"] == nil) {
						t.Errorf("slice %d is [%d, %d) %v, want [%d, %d)", i, got.StartNS, got.EndNS, got.IsComplete, start, end)
					}
					c.block(fmt.Sprint("slice ", i), w, got.Metrics)
				}
			}
			if len(profiling.Rules) > 0 {
				t.Errorf("rules %v in force under 0.13.0's definitions", profiling.Rules)
			}
			t.Logf("%-16s %5d values, worst relative difference %.2g", filepath.Base(dir), c.n, c.worst)
		})
	}
}

func (c *comparison) errors(raw json.RawMessage, got []schema.ErrorCount) {
	c.t.Helper()
	var want []schema.ErrorCount
	if err := json.Unmarshal(raw, &want); err != nil {
		c.t.Fatal(err)
	}
	key := func(list []schema.ErrorCount) []string {
		var out []string
		for _, e := range list {
			b, _ := json.Marshal(e)
			out = append(out, string(b))
		}
		slices.Sort(out)
		return out
	}
	c.n += len(want)
	if a, b := key(got), key(want); !slices.Equal(a, b) {
		c.t.Errorf("error summary\n%s\nwant\n%s", strings.Join(a, "\n"), strings.Join(b, "\n"))
	}
}
