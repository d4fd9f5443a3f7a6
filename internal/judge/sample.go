// Package judge turns a record into what is measured: is it valid, when did content come, how many
// tokens. It frames (internal/sse), parses (internal/endpoint) and counts (internal/tokenizer); the
// metric table (internal/metric) sees only Samples.
package judge

import (
	"encoding/json"

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

	Rules []string // named rules of ours that made a difference on this record
	Text  string   // the whole answer text, when asked for (outputs.json)

	// FromMetrics is set instead of everything measured above when the line was a metric record: its
	// metrics in internal units, to be aggregated as they stand.
	FromMetrics map[string]schema.MetricValue
}

// A Content is one content response: its arrival and the index of the read that completed it.
type Content struct {
	PerfNS int64
	Read   int
}

// Usage is what the server said it used, after resolution of the vendors' key paths
// (metrics-and-exports 3.4): the last non-empty usage of the answer.
type Usage struct {
	PromptTokens           *int64 // re-totalled for vendors with disjoint counts
	CompletionTokens       *int64
	TotalTokens            *int64
	ReasoningTokens        *int64
	PromptCacheReadTokens  *int64
	PromptCacheWriteTokens *int64
	PromptCacheMissTokens  *int64
	PromptAudioTokens      *int64
	CompletionAudioTokens  *int64
	AcceptedPrediction     *int64
	RejectedPrediction     *int64
	ToolUsePromptTokens    *int64
	PromptAudioSeconds     *float64
}

// SpecDecode is the acceptance record of one request (metrics-and-exports 1.9), checked.
type SpecDecode struct {
	MeanAcceptanceLength float64
	DraftAcceptanceRate  float64
	Histogram            map[int]int64 // accepted count: steps; zero buckets dropped
	Accepted             int64
	Draft                int64
	Steps                int64
	JSON                 json.RawMessage // as it goes into profile_export.jsonl
}
