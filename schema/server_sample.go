package schema

import "encoding/json"

// A ServerSample is one scrape of an inference server's own Prometheus page. Keys are AIPerf's
// (server_metrics_export.jsonl).
type ServerSample struct {
	Kind              string                     `json:"kind"` // "server_sample"
	EndpointURL       string                     `json:"endpoint_url"`
	TimestampNS       int64                      `json:"timestamp_ns"`                  // wall: first byte
	EndpointLatencyNS *int64                     `json:"endpoint_latency_ns,omitempty"` // interval
	Metrics           map[string][]ServerSeries  `json:"metrics"`
	RequestSentNS     *int64                     `json:"request_sent_ns,omitempty"`
	FirstByteNS       *int64                     `json:"first_byte_ns,omitempty"`
	BenchmarkPhase    string                     `json:"benchmark_phase,omitempty"`
	Types             map[string]json.RawMessage `json:"types,omitempty"`
}

// A ServerSeries is one labelled series of a scrape: a value, or a histogram's cumulative buckets.
type ServerSeries struct {
	Labels  map[string]string  `json:"labels,omitempty"`
	Value   *float64           `json:"value,omitempty"`
	Buckets map[string]float64 `json:"buckets,omitempty"`
	Sum     *float64           `json:"sum,omitempty"`
	Count   *float64           `json:"count,omitempty"`
}
