package schema

import "encoding/json"

// A Run is the first line of a stream: who wrote it and how. A stage passes on the run lines it
// received and adds its own, so the last stage knows the whole chain of commands.
type Run struct {
	Kind       string          `json:"kind"`        // "run"
	Schema     string          `json:"schema"`      // Version
	Tool       string          `json:"tool"`        // "aiperf-send"
	Version    string          `json:"version"`     // of the tool
	RunID      string          `json:"run_id"`      // hex, made by the first tool of the chain
	CLICommand string          `json:"cli_command"` // as typed, secrets redacted
	Config     json.RawMessage `json:"config,omitempty"`
	Hostname   string          `json:"hostname,omitempty"`

	// StartNS and StartPerfNS are one moment on the two clocks: the pair ties them together.
	StartNS     int64 `json:"start_ns"`
	StartPerfNS int64 `json:"start_perf_ns"`

	Timestamps string `json:"timestamps,omitempty"` // aiperf-send: "kernel" or "user": what perf_ns of a read is
	Tokenizer  string `json:"tokenizer,omitempty"`  // aiperf-gen, aiperf-metrics: the encoding in effect

	TokenizerNote string `json:"tokenizer_note,omitempty"` // why that is another than the model's own
}
