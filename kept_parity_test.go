package aiperf

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"aiperf/internal/parity"
)

// TestFilesEqualAIPerfs makes the export files of every kept run of AIPerf 0.13.0 from its raw lines and
// compares them with its own: JSON and records value by value, CSV byte for byte.
func TestFilesEqualAIPerfs(t *testing.T) {
	raws, _ := filepath.Glob("testdata/peer/aiperf-0.13.0/*/profile_export_raw.jsonl")
	if len(raws) < 13 {
		t.Fatalf("only %d runs", len(raws))
	}
	for _, raw := range raws {
		dir := filepath.Dir(raw)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			if filepath.Base(dir) == "gpu-energy" {
				t.Skip("the GPU's blocks are not computed")
			}
			var run struct {
				Endpoint     string
				ServerTokens bool `json:"server_tokens"`
				Goodput      string
				Slice        json.Number
			}
			b, err := os.ReadFile(filepath.Join(dir, "run.json"))
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(b, &run); err != nil {
				t.Fatal(err)
			}
			args := []string{"--definitions", "aiperf-0.13", "--tokenizer", "builtin", "--endpoint-type", run.Endpoint, "--quiet"}
			if run.ServerTokens {
				args = append(args, "--use-server-token-count")
			}
			if run.Goodput != "" {
				args = append(args, "--goodput", run.Goodput)
			}
			if run.Slice != "" {
				args = append(args, "--slice-duration", run.Slice.String())
			}
			for _, f := range []string{"profile_export_raw.jsonl", "profile_export.jsonl", "phase_manifest.json",
				"profile_export_network_latency.jsonl", "trace.jsonl", "server_metrics_export.json"} {
				if _, err := os.Stat(filepath.Join(dir, f)); err == nil {
					args = append(args, filepath.Join(dir, f))
				}
			}
			out, err := exec.Command("aiperf-metrics", args...).Output()
			if err != nil {
				t.Fatal(err)
			}
			ours := t.TempDir()
			flags := []string{"--artifact-dir", ours}
			if bytes.Contains(b, []byte("--export-http-trace")) {
				flags = append(flags, "--export-http-trace")
			}
			report := exec.Command("aiperf-report", flags...)
			report.Stdin = bytes.NewReader(out)
			report.Env = append(os.Environ(), "TZ=UTC")
			if b, err := report.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, b)
			}
			for _, f := range []string{"profile_export_aiperf_timeslices.json", "profile_export_aiperf_timeslices.csv"} {
				if _, err := os.Stat(filepath.Join(dir, f)); err != nil { // not kept of every run with slices
					os.Remove(filepath.Join(ours, f))
				}
			}
			var c parity.Comparison
			if err := c.Files(dir, ours); err != nil {
				t.Fatal(err)
			}
			for _, f := range c.Faults[:min(20, len(c.Faults))] {
				t.Error(f)
			}
			t.Logf("%d values, worst relative difference %.1e, %d faults", c.Values, c.Worst, len(c.Faults))
		})
	}
}
