package schema

import (
	"encoding/json"
	"fmt"
)

// A Record is one request that was sent and everything that came back: raw bytes and when they came.
// aiperf-send writes it and judges nothing; aiperf-metrics frames, parses and counts.
//
// The answer stands in Body and Reads. AIPerf's raw lines (profile_export_raw.jsonl) are the same
// kind with Responses instead.
type Record struct {
	Kind         string   `json:"kind"` // "record"
	RunID        string   `json:"run_id,omitempty"`
	EndpointType string   `json:"endpoint_type,omitempty"`
	Streaming    *bool    `json:"streaming,omitempty"`
	Metadata     Metadata `json:"metadata"`
	ScheduledNS  *int64   `json:"scheduled_ns,omitempty"` // wall: the planned send time; absent when nothing planned it
	StartPerfNS  int64    `json:"start_perf_ns"`          // monotonic twin of metadata.request_start_ns

	URL             string            `json:"url,omitempty"` // as called, credentials redacted
	RequestHeaders  map[string]string `json:"request_headers,omitempty"`
	Status          *int              `json:"status,omitempty"` // absent: no response head came
	ResponseHeaders map[string]string `json:"response_headers,omitempty"`

	Body    string `json:"body,omitempty"`     // the answer after transfer and content decoding
	BodyB64 []byte `json:"body_b64,omitempty"` // instead of Body when it is not UTF-8
	Reads   []Read `json:"reads,omitempty"`

	Responses []RawResponse `json:"responses,omitempty"` // AIPerf's shape

	Error     *Error     `json:"error,omitempty"`
	TraceData *TraceData `json:"trace_data,omitempty"`

	CacheBustMarker string          `json:"cache_bust_marker,omitempty"`
	CacheBustTarget string          `json:"cache_bust_target,omitempty"`
	Payload         json.RawMessage `json:"payload,omitempty"` // the JSON body as sent

	Model                string        `json:"model,omitempty"`
	RequestedOSL         *int64        `json:"requested_osl,omitempty"`
	ISL                  *int64        `json:"isl,omitempty"`
	AudioDurationSeconds *float64      `json:"audio_duration_seconds,omitempty"`
	NumImages            *int64        `json:"num_images,omitempty"`
	PrefixBlocks         *PrefixBlocks `json:"prefix_blocks,omitempty"`
}

// Metadata places a request in the run. Keys and their order are AIPerf's.
type Metadata struct {
	SessionNum          int64  `json:"session_num"` // AIPerf: the credit's number within its phase
	XRequestID          string `json:"x_request_id,omitempty"`
	XCorrelationID      string `json:"x_correlation_id,omitempty"`
	ConversationID      string `json:"conversation_id,omitempty"`
	TurnIndex           *int   `json:"turn_index,omitempty"`
	SourceTraceID       string `json:"source_trace_id,omitempty"`
	SourceOuterIdx      *int64 `json:"source_outer_idx,omitempty"`
	SourceInnerIdx      *int64 `json:"source_inner_idx,omitempty"`
	SourceKind          string `json:"source_kind,omitempty"`
	CreditIssuedNS      *int64 `json:"credit_issued_ns,omitempty"` // wall: when the scheduler decided
	RequestStartNS      int64  `json:"request_start_ns"`           // wall: the call
	RequestAckNS        *int64 `json:"request_ack_ns,omitempty"`   // wall: 2xx head received
	RequestEndNS        *int64 `json:"request_end_ns,omitempty"`   // wall: last message, or the error
	WorkerID            string `json:"worker_id,omitempty"`
	RecordProcessorID   string `json:"record_processor_id,omitempty"`
	BenchmarkPhase      string `json:"benchmark_phase"` // PhaseWarmup or PhaseProfiling
	PhaseIndex          *int   `json:"phase_index,omitempty"`
	ProfilingIndex      *int   `json:"profiling_index,omitempty"`
	PhaseName           string `json:"phase_name,omitempty"`
	PhaseKind           string `json:"phase_kind,omitempty"`
	WasCancelled        bool   `json:"was_cancelled"`
	CancellationTimeNS  *int64 `json:"cancellation_time_ns,omitempty"`
	ContextOverflowSkip bool   `json:"context_overflow_skip"`
	AgentDepth          int    `json:"agent_depth"`
	ParentCorrelationID string `json:"parent_correlation_id,omitempty"`
	RootCorrelationID   string `json:"root_correlation_id,omitempty"`
}

// A Read is one read of the answer: the byte offset in the body that it reached, when the kernel had
// those bytes and when we read them (both monotonic). In JSON it is [end, perf_ns, read_ns].
type Read struct {
	End    int64
	PerfNS int64
	ReadNS int64
}

// MarshalJSON writes the triple.
func (r Read) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, "[%d,%d,%d]", r.End, r.PerfNS, r.ReadNS), nil
}

// UnmarshalJSON reads the triple.
func (r *Read) UnmarshalJSON(b []byte) error {
	var v []int64
	if err := json.Unmarshal(b, &v); err != nil {
		return err
	}
	if len(v) != 3 {
		return fmt.Errorf("a read is [end, perf_ns, read_ns], got %d numbers", len(v))
	}
	r.End, r.PerfNS, r.ReadNS = v[0], v[1], v[2]
	return nil
}

// A RawResponse is one message in AIPerf's raw file: an SSE message (Packets) or a whole body (Text).
type RawResponse struct {
	PerfNS      int64    `json:"perf_ns"`
	Packets     []Packet `json:"packets,omitempty"`
	Text        *string  `json:"text,omitempty"`
	ContentType string   `json:"content_type,omitempty"`
	RawBytes    string   `json:"raw_bytes,omitempty"`
}

// A Packet is one field of an SSE message; a comment has the name "comment".
type Packet struct {
	Name  string  `json:"name"`
	Value *string `json:"value,omitempty"`
}

// An Error says why a request failed. Keys and their order are AIPerf's.
type Error struct {
	Code       *int            `json:"code,omitempty"`
	Type       string          `json:"type,omitempty"`
	Message    string          `json:"message,omitempty"`
	Cause      string          `json:"cause,omitempty"`
	CauseChain []string        `json:"cause_chain,omitempty"`
	Details    json.RawMessage `json:"details,omitempty"`
}
