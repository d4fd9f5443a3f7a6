package schema

import "encoding/json"

// A MetricRecord is the metrics of one request, written by aiperf-metrics. Metrics holds every tag,
// the internal ones too, in the metric's own unit (times in integer ns). AIPerf's
// profile_export.jsonl is the same kind without "kind", in display units and without internal tags.
type MetricRecord struct {
	Kind                 string                 `json:"kind"` // "metric_record"
	RunID                string                 `json:"run_id,omitempty"`
	Metadata             Metadata               `json:"metadata"`
	Metrics              map[string]MetricValue `json:"metrics"`
	TraceData            *TraceData             `json:"trace_data,omitempty"`
	SpecDecodeAcceptance json.RawMessage        `json:"spec_decode_acceptance,omitempty"`
	Error                *Error                 `json:"error,omitempty"`
	Rules                []string               `json:"rules,omitempty"` // named rules of ours that made a difference here
}

// A MetricValue is one number, or the list of a list metric. Value is kept as written so that an
// integer stays one.
type MetricValue struct {
	Value json.RawMessage `json:"value"`
	Unit  string          `json:"unit"`
}
