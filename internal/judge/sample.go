// Package judge turns a record into what is measured: is it valid, when did content come, how many
// tokens. It frames (internal/sse), parses (internal/endpoint) and counts (internal/tokenizer); the
// metric table (internal/metric) sees only Samples.
package judge

import (
	"aiperf/internal/endpoint"
	"aiperf/schema"
)

// A Sample is one request, judged. Pointers are nil for "absent". Stamps named PerfNS are monotonic,
// the others wall-clock ns.
type Sample struct {
	Metadata     schema.Metadata
	EndpointType string
	Streaming    bool
	Model        string

	StartPerfNS int64
	ScheduledNS *int64
	EndNS       int64 // metadata.request_end_ns by the rule of metrics-and-exports 1.13

	Valid bool
	Error *schema.Error // set iff not Valid

	Contents           []Content // content responses in order of arrival; kept for error records too
	FirstOutputPerfNS  *int64    // first content with non-reasoning text
	AckPerfNS          *int64    // 2xx response head
	Malformed          int       // events whose data did not parse
	SharedReads        int       // content events that share their arrival stamp with another
	FirstChunkTokens   *int64    // completion_tokens of the first response with both content and usage (--per-chunk-usage)
	ISL                *int64
	OutputTokens       *int64 // non-reasoning
	ReasoningTokens    *int64
	RequestedOSL       *int64
	Usage              *Usage
	NumImages          *int64
	AudioSeconds       *float64
	VideoInferenceTime *float64 // seconds
	VideoPeakMemoryMB  *float64
	SpecDecode         *SpecDecode
	Trace              *schema.TraceData
	PrefixBlocks       *schema.PrefixBlocks
	HTTP               map[string]float64 // http_req_* metrics in their own units, of a request whose trace was not kept

	Rules []string // named rules of ours that made a difference on this record
	Text  string   // the whole answer text, when asked for (outputs.json)

	// FromMetrics is set instead of everything measured above when the line was a metric record: its
	// metrics in internal units, to be aggregated as they stand.
	FromMetrics map[string]schema.MetricValue

	input, output, reasoning *string // what CountTokens has yet to count
	inputIDs                 int64   // tokens the payload holds as ids
}

// A Content is one content response: its arrival and the index of the read that completed it.
type Content struct {
	PerfNS int64
	Read   int
}

// Usage is what the server said it used: the last non-empty usage of the answer.
type Usage = endpoint.Usage

// SpecDecode is the acceptance record of one request (metrics-and-exports 1.9), checked.
type SpecDecode = endpoint.SpecDecode
