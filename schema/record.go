package schema

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// A Record is one request that was sent and everything that came back: raw bytes and when they came.
// aiperf-send writes it and judges nothing; aiperf-metrics frames, parses and counts.
//
// The answer stands in Body and Reads. AIPerf's raw lines (profile_export_raw.jsonl) are the same
// kind with Responses instead.
type Record struct {
	Kind         string   `json:"kind" parquet:"kind"` // "record"
	RunID        string   `json:"run_id,omitempty" parquet:"run_id,optional"`
	EndpointType string   `json:"endpoint_type,omitempty" parquet:"endpoint_type,optional"`
	Streaming    *bool    `json:"streaming,omitempty" parquet:"streaming,optional"`
	Metadata     Metadata `json:"metadata" parquet:"metadata"`
	ScheduledNS  *int64   `json:"scheduled_ns,omitempty" parquet:"scheduled_ns,optional"` // wall: the planned send time; absent when nothing planned it
	StartPerfNS  int64    `json:"start_perf_ns" parquet:"start_perf_ns"`                  // monotonic twin of metadata.request_start_ns

	URL             string            `json:"url,omitempty" parquet:"url,optional"` // as called, credentials redacted
	RequestHeaders  map[string]string `json:"request_headers,omitempty" parquet:"request_headers,optional"`
	Status          *int              `json:"status,omitempty" parquet:"status,optional"` // absent: no response head came
	ResponseHeaders map[string]string `json:"response_headers,omitempty" parquet:"response_headers,optional"`

	Body    string `json:"body,omitempty" parquet:"body,optional"`         // the answer after transfer and content decoding
	BodyB64 []byte `json:"body_b64,omitempty" parquet:"body_b64,optional"` // instead of Body when it is not UTF-8
	Reads   Reads  `json:"reads,omitempty" parquet:"reads,list"`

	Responses []RawResponse `json:"responses,omitempty" parquet:"responses,list"` // AIPerf's shape

	Error     *Error     `json:"error,omitempty" parquet:"error,optional"`
	TraceData *TraceData `json:"trace_data,omitempty" parquet:"trace_data,optional"`

	CacheBustMarker string          `json:"cache_bust_marker,omitempty" parquet:"cache_bust_marker,optional"`
	CacheBustTarget string          `json:"cache_bust_target,omitempty" parquet:"cache_bust_target,optional"`
	Payload         json.RawMessage `json:"payload,omitempty" parquet:"payload,optional,json"` // the JSON body as sent

	Model                string        `json:"model,omitempty" parquet:"model,optional"`
	RequestedOSL         *int64        `json:"requested_osl,omitempty" parquet:"requested_osl,optional"`
	ISL                  *int64        `json:"isl,omitempty" parquet:"isl,optional"`
	AudioDurationSeconds *float64      `json:"audio_duration_seconds,omitempty" parquet:"audio_duration_seconds,optional"`
	NumImages            *int64        `json:"num_images,omitempty" parquet:"num_images,optional"`
	PrefixBlocks         *PrefixBlocks `json:"prefix_blocks,omitempty" parquet:"prefix_blocks,optional"`
}

// Metadata places a request in the run. Keys and their order are AIPerf's.
type Metadata struct {
	SessionNum          int64  `json:"session_num" parquet:"session_num"` // AIPerf: the credit's number within its phase
	XRequestID          string `json:"x_request_id,omitempty" parquet:"x_request_id,optional"`
	XCorrelationID      string `json:"x_correlation_id,omitempty" parquet:"x_correlation_id,optional"`
	ConversationID      string `json:"conversation_id,omitempty" parquet:"conversation_id,optional"`
	TurnIndex           *int   `json:"turn_index,omitempty" parquet:"turn_index,optional"`
	SourceTraceID       string `json:"source_trace_id,omitempty" parquet:"source_trace_id,optional"`
	SourceOuterIdx      *int64 `json:"source_outer_idx,omitempty" parquet:"source_outer_idx,optional"`
	SourceInnerIdx      *int64 `json:"source_inner_idx,omitempty" parquet:"source_inner_idx,optional"`
	SourceKind          string `json:"source_kind,omitempty" parquet:"source_kind,optional"`
	CreditIssuedNS      *int64 `json:"credit_issued_ns,omitempty" parquet:"credit_issued_ns,optional"` // wall: when the scheduler decided
	RequestStartNS      int64  `json:"request_start_ns" parquet:"request_start_ns"`                    // wall: the call
	RequestAckNS        *int64 `json:"request_ack_ns,omitempty" parquet:"request_ack_ns,optional"`     // wall: 2xx head received
	RequestEndNS        *int64 `json:"request_end_ns,omitempty" parquet:"request_end_ns,optional"`     // wall: last message, or the error
	WorkerID            string `json:"worker_id,omitempty" parquet:"worker_id,optional"`
	RecordProcessorID   string `json:"record_processor_id,omitempty" parquet:"record_processor_id,optional"`
	BenchmarkPhase      string `json:"benchmark_phase" parquet:"benchmark_phase"` // PhaseWarmup or PhaseProfiling
	PhaseIndex          *int   `json:"phase_index,omitempty" parquet:"phase_index,optional"`
	ProfilingIndex      *int   `json:"profiling_index,omitempty" parquet:"profiling_index,optional"`
	PhaseName           string `json:"phase_name,omitempty" parquet:"phase_name,optional"`
	PhaseKind           string `json:"phase_kind,omitempty" parquet:"phase_kind,optional"`
	WasCancelled        bool   `json:"was_cancelled" parquet:"was_cancelled"`
	CancellationTimeNS  *int64 `json:"cancellation_time_ns,omitempty" parquet:"cancellation_time_ns,optional"`
	ContextOverflowSkip bool   `json:"context_overflow_skip" parquet:"context_overflow_skip"`
	AgentDepth          int    `json:"agent_depth" parquet:"agent_depth"`
	ParentCorrelationID string `json:"parent_correlation_id,omitempty" parquet:"parent_correlation_id,optional"`
	RootCorrelationID   string `json:"root_correlation_id,omitempty" parquet:"root_correlation_id,optional"`
}

// A Read is one read of the answer: the byte offset in the body that it reached, when the kernel had
// those bytes and when we read them (both monotonic). In JSON it is [end, perf_ns, read_ns].
type Read struct {
	End    int64 `parquet:"end"`
	PerfNS int64 `parquet:"perf_ns"`
	ReadNS int64 `parquet:"read_ns"`
}

// MarshalJSON writes the triple.
func (r Read) MarshalJSON() ([]byte, error) { return r.append(nil), nil }

func (r Read) append(b []byte) []byte {
	b = strconv.AppendInt(append(b, '['), r.End, 10)
	b = strconv.AppendInt(append(b, ','), r.PerfNS, 10)
	b = strconv.AppendInt(append(b, ','), r.ReadNS, 10)
	return append(b, ']')
}

// Reads are the reads of an answer, in order.
type Reads []Read

// MarshalJSON writes all triples in one go: a streamed answer has hundreds.
func (r Reads) MarshalJSON() ([]byte, error) {
	b := make([]byte, 0, 48*len(r)+2)
	b = append(b, '[')
	for i := range r {
		if i > 0 {
			b = append(b, ',')
		}
		b = r[i].append(b)
	}
	return append(b, ']'), nil
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
	PerfNS      int64    `json:"perf_ns" parquet:"perf_ns"`
	Packets     []Packet `json:"packets,omitempty" parquet:"packets,list"`
	Text        *string  `json:"text,omitempty" parquet:"text,optional"`
	ContentType string   `json:"content_type,omitempty" parquet:"content_type,optional"`
	RawBytes    string   `json:"raw_bytes,omitempty" parquet:"raw_bytes,optional"`
}

// A Packet is one field of an SSE message; a comment has the name "comment".
type Packet struct {
	Name  string  `json:"name" parquet:"name"`
	Value *string `json:"value,omitempty" parquet:"value,optional"`
}

// An Error says why a request failed. Keys and their order are AIPerf's.
type Error struct {
	Code       *int            `json:"code,omitempty" parquet:"code,optional"`
	Type       string          `json:"type,omitempty" parquet:"type,optional"`
	Message    string          `json:"message,omitempty" parquet:"message,optional"`
	Cause      string          `json:"cause,omitempty" parquet:"cause,optional"`
	CauseChain []string        `json:"cause_chain,omitempty" parquet:"cause_chain,list"`
	Details    json.RawMessage `json:"details,omitempty" parquet:"details,optional,json"`
}
