// Package export turns what aiperf-metrics writes into what people and programs read: the console
// tables and AIPerf's export files (profile_export_aiperf.json, .csv, profile_export.jsonl, ...).
//
// Metrics describe themselves (schema.MetricSummary), so a tag that this package has never heard of
// is shown and exported like any other. Statistics that are absent stay absent: a missing key in
// JSON, an empty cell in CSV, N/A on the console.
package export

import (
	"math"
	"math/big"
	"time"

	"aiperf/schema"
)

// SchemaVersion is that of profile_export_aiperf.json.
const SchemaVersion = "1.4"

// Brand begins every table title.
const Brand = "aiperf"

// A Report is everything about one run that the writers need: its two phases and the commands that
// made it. Warmup is nil when there was none; Profiling is nil only before the summary has come.
type Report struct {
	RunID     string
	Version   string // of aiperf-report
	Runs      []schema.Run
	Profiling *schema.Summary
	Warmup    *schema.Summary
	Aggregate *schema.Aggregate // of several runs; instead of the summaries
	Location  *time.Location    // of start_time and end_time; nil is the machine's own
}

// Failed reports that no request succeeded.
func (r *Report) Failed() bool {
	if r.Aggregate != nil && r.Profiling == nil {
		return false
	}
	return r.Profiling == nil || r.Profiling.Records.Valid == 0
}

// incomplete says in a sentence why the results are not whole; "" when they are.
func (r *Report) incomplete() string {
	switch {
	case r.Profiling == nil:
		return ""
	case r.Profiling.Cancelled:
		return "Run cancelled before all records were processed."
	case r.Profiling.Partial:
		return "The stream ended before the final summary; these are running estimates."
	}
	return ""
}

// window is the phase window where one is known, else the window of the rates; wall-clock ns.
func (r *Report) window() (start, end int64) {
	w := r.Profiling.Window
	start, end = w.StartNS, w.EndNS
	if w.PhaseStartNS != nil {
		start = *w.PhaseStartNS
	}
	if w.PhaseEndNS != nil {
		end = *w.PhaseEndNS
	}
	return start, end
}

// isoLocal is a moment as AIPerf writes it: local time, no zone, microseconds. The seconds
// are first the nearest float64 (steps of 238 ns), its microseconds are then rounded half to even.
func (r *Report) isoLocal(ns int64) string {
	loc := r.Location
	if loc == nil {
		loc = time.Local
	}
	quotient, _ := new(big.Rat).SetFrac64(ns, 1e9).Float64()
	sec, frac := math.Modf(quotient)
	return time.Unix(int64(sec), int64(math.RoundToEven(frac*1e6))*1000).In(loc).Format("2006-01-02T15:04:05.000000")
}
