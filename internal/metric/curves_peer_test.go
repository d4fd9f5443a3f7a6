package metric

import (
	"bufio"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// peerRuns holds files of real AIPerf 0.13.0 runs; see the README there.
const peerRuns = "../../testdata/peer/aiperf-0.13.0"

type peerBlocks map[string]json.RawMessage

// checkCurves compares got with the curve blocks of a peer summary, at 1e-9 of the value.
func checkCurves(t *testing.T, where string, got map[string]curveStats, blocks peerBlocks) {
	t.Helper()
	for _, m := range curveMetrics {
		var want map[string]any
		if err := json.Unmarshal(blocks[m.Tag], &want); err != nil {
			t.Errorf("%s: %s: %v", where, m.Tag, err)
			continue
		}
		g := got[m.Tag]
		for stat, x := range map[string]float64{
			"avg": g.Avg, "p50": g.P50, "p90": g.P90, "p95": g.P95, "p99": g.P99, "min": g.Min, "max": g.Max, "std": g.Std,
		} {
			w, ok := want[stat].(float64)
			if !ok || math.Abs(x-w) > 1e-9*math.Max(1, math.Abs(w)) {
				t.Errorf("%s: %s %s = %v, want %v", where, m.Tag, stat, x, want[stat])
			}
		}
	}
}

// peerIntervals reads profile_export.jsonl: the intervals of each phase.
func peerIntervals(t *testing.T, dir string) map[string][]interval {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, "profile_export.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	out := map[string][]interval{}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var r struct {
			Metadata struct {
				Start int64  `json:"request_start_ns"`
				End   int64  `json:"request_end_ns"`
				Phase string `json:"benchmark_phase"`
			}
			Metrics struct {
				TTFT struct{ Value *float64 }  `json:"time_to_first_token"`
				ICL  struct{ Value []float64 } `json:"inter_chunk_latency"`
				ISL  struct{ Value *float64 }  `json:"input_sequence_length"`
				OSL  struct{ Value *float64 }  `json:"output_sequence_length"`
			}
			Error json.RawMessage
		}
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		v := interval{Start: r.Metadata.Start, End: r.Metadata.End}
		if len(r.Error) == 0 || string(r.Error) == "null" {
			if ttft := r.Metrics.TTFT.Value; ttft != nil {
				first := v.Start + int64(math.Round(*ttft*1e6))
				v.First = &first
			}
			for _, ms := range r.Metrics.ICL.Value {
				v.Gaps = append(v.Gaps, int64(math.Round(ms*1e6)))
			}
			v.ISL, v.OSL = r.Metrics.ISL.Value, r.Metrics.OSL.Value
		}
		out[r.Metadata.Phase] = append(out[r.Metadata.Phase], v)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// readJSON reads a peer's JSON file; false if there is none.
func readJSON(t *testing.T, path string, into any) bool {
	t.Helper()
	b, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return false
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, into); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return true
}

func TestCurvesEqualRealRuns(t *testing.T) {
	manifests, _ := filepath.Glob(filepath.Join(peerRuns, "*", "phase_manifest.json"))
	if len(manifests) < 12 {
		t.Fatalf("%d runs, want at least 12", len(manifests))
	}
	for _, path := range manifests {
		dir := filepath.Dir(path)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			var manifest struct {
				Phases []struct {
					Start int64  `json:"start_ns"`
					End   int64  `json:"end_ns"`
					Kind  string `json:"phase_kind"`
				}
			}
			readJSON(t, path, &manifest)
			var blocks peerBlocks
			readJSON(t, filepath.Join(dir, "profile_export_aiperf.json"), &blocks)
			phases := peerIntervals(t, dir)
			for _, p := range manifest.Phases {
				want := blocks
				if p.Kind == "warmup" {
					want = nil
					if err := json.Unmarshal(blocks["warmup_metrics"], &want); err != nil {
						t.Fatal(err)
					}
				}
				checkCurves(t, p.Kind, sweepOf(phases[p.Kind], p.Start, p.End, true), want)
			}
			var slices struct{ Timeslices []peerBlocks }
			readJSON(t, filepath.Join(dir, "profile_export_aiperf_timeslices.json"), &slices)
			for _, s := range slices.Timeslices {
				var from, to int64
				json.Unmarshal(s["start_ns"], &from)
				json.Unmarshal(s["end_ns"], &to)
				checkCurves(t, "slice", sweepOf(phases["profiling"], from, to, true), s)
			}
		})
	}
}
