package schema

import "encoding/json"

// A Summary is the result of one phase, written by aiperf-metrics and rendered by aiperf-report.
// Metrics describe themselves, so a report prints metrics it has never heard of.
type Summary struct {
	Kind      string `json:"kind"` // "summary"
	RunID     string `json:"run_id,omitempty"`
	Phase     string `json:"phase"`   // PhaseWarmup or PhaseProfiling
	Partial   bool   `json:"partial"` // a running estimate; the final one is exact
	Cancelled bool   `json:"cancelled"`

	EndpointType string   `json:"endpoint_type,omitempty"`
	Streaming    bool     `json:"streaming"`
	Models       []string `json:"models,omitempty"`
	Definitions  string   `json:"definitions"`            // "default" or "aiperf-0.13"
	TokenCounts  string   `json:"token_counts,omitempty"` // "server", or "client:<tokenizer>"

	Window  Window                   `json:"window"`
	Metrics map[string]MetricSummary `json:"metrics"`

	Records      Counts           `json:"records"`
	ErrorSummary []ErrorCount     `json:"error_summary"`     // never null
	Rules        map[string]int64 `json:"rules,omitempty"`   // named rule of ours: records on which it made a difference
	Skipped      map[string]int64 `json:"skipped,omitempty"` // reason: values or lines left out (bad lines, negative intervals)

	Timeslices    []Timeslice      `json:"timeslices,omitempty"`
	Telemetry     json.RawMessage  `json:"telemetry,omitempty"`
	PooledSpec    map[string]int64 `json:"pooled_spec_decode_acceptance_histogram,omitempty"`
	Validity      Validity         `json:"validity"`
	ServerMetrics json.RawMessage  `json:"server_metrics,omitempty"`
}

// A Window is the interval that rates divide by and curves run over, wall-clock ns, and where it came from.
type Window struct {
	StartNS int64  `json:"start_ns"`
	EndNS   int64  `json:"end_ns"`
	Source  string `json:"source"` // "records", "timing", "manifest", "flag"

	// The phase window, when timing lines or a manifest hold one: GPU and server samples are joined
	// over it under every definition.
	PhaseStartNS *int64 `json:"phase_start_ns,omitempty"`
	PhaseEndNS   *int64 `json:"phase_end_ns,omitempty"`
}

// Counts says how many records a phase had.
type Counts struct {
	Total     int64 `json:"total"`
	Valid     int64 `json:"valid"`
	Errors    int64 `json:"errors"`
	Cancelled int64 `json:"cancelled,omitempty"`
}

// An ErrorCount is one kind of failure and how often it happened.
type ErrorCount struct {
	ErrorDetails Error `json:"error_details"`
	Count        int64 `json:"count"`
}

// A MetricSummary is one metric over a phase. Statistics are in Unit (times in ns); a report shows
// them in DisplayUnit. Absent statistics are nil: NaN and infinities are never written.
type MetricSummary struct {
	Header         string   `json:"header"`
	ShortHeader    string   `json:"short_header,omitempty"`
	Unit           string   `json:"unit"`
	DisplayUnit    string   `json:"display_unit"`
	Order          *int     `json:"order,omitempty"` // place in its table; nil sorts last
	Rank           int      `json:"rank"`            // place in the metric table: settles ties of Order
	Group          string   `json:"group"`           // console table; "none" is in no table
	LargerIsBetter bool     `json:"larger_is_better"`
	Type           string   `json:"type"`            // "record", "aggregate", "derived", "injected", "sweep"
	Flags          []string `json:"flags,omitempty"` // "internal", "experimental", "error_only", "http_trace", ...

	Avg   *float64 `json:"avg,omitempty"`
	Min   *float64 `json:"min,omitempty"`
	Max   *float64 `json:"max,omitempty"`
	Sum   *float64 `json:"sum,omitempty"`
	P1    *float64 `json:"p1,omitempty"`
	P5    *float64 `json:"p5,omitempty"`
	P10   *float64 `json:"p10,omitempty"`
	P25   *float64 `json:"p25,omitempty"`
	P50   *float64 `json:"p50,omitempty"`
	P75   *float64 `json:"p75,omitempty"`
	P90   *float64 `json:"p90,omitempty"`
	P95   *float64 `json:"p95,omitempty"`
	P99   *float64 `json:"p99,omitempty"`
	Std   *float64 `json:"std,omitempty"`
	Count *int64   `json:"count,omitempty"`
}

// A Timeslice is the summary of the requests that started in [StartNS, EndNS).
type Timeslice struct {
	StartNS    int64                    `json:"start_ns"`
	EndNS      int64                    `json:"end_ns"`
	IsComplete bool                     `json:"is_complete"`
	Metrics    map[string]MetricSummary `json:"metrics"`
}

// Validity says whether the run can be believed, and why not.
type Validity struct {
	OK      bool     `json:"ok"`
	Reasons []string `json:"reasons"`
}
