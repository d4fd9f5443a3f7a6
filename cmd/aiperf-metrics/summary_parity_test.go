package main

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"aiperf/internal/parity"
)

// gpu names the blocks that come from telemetry.
func gpu(tag string) bool { return strings.HasPrefix(tag, "nvidia_") || strings.HasPrefix(tag, "amd_") }

// inputs are the files of a run that a recomputation reads, in one command.
func inputs(dir string) []string {
	var files []string
	for _, f := range []string{"profile_export_raw.jsonl", "profile_export.jsonl", "phase_manifest.json", "inputs.json",
		"profile_export_network_latency.jsonl", "gpu_telemetry_export.jsonl", "trace.jsonl", "server_metrics_export.json"} {
		if _, err := os.Stat(dir + "/" + f); err == nil {
			files = append(files, dir+"/"+f)
		}
	}
	return files
}

// TestSummariesEqualAIPerfs recomputes every kept run from its files and compares each block with
// AIPerf's summary, warmup and slices included: counts exactly, floats at 1e-9 relative.
func TestSummariesEqualAIPerfs(t *testing.T) {
	runs := peerRuns(t)
	for _, name := range slices.Sorted(maps.Keys(runs)) {
		t.Run(name, func(t *testing.T) {
			dir := peer + "/" + name
			code, out, errs := tool("", append(runs[name].args(), inputs(dir)...)...)
			if code != 0 {
				t.Fatalf("exit %d: %s", code, errs)
			}
			var c parity.Comparison
			if err := c.Summary(dir, parity.Summaries(out), gpu); err != nil {
				t.Fatal(err)
			}
			for _, f := range c.Faults {
				t.Error(f)
			}
			t.Logf("%-16s %6d values, worst relative difference %.1e", name, c.Values, c.Worst)
		})
	}
}
