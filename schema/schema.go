// Package schema holds the kinds of line that the tools exchange: the only contract between them.
//
// A stream is UTF-8 JSONL: one object a line, each with a "kind". Any concatenation of streams is a
// stream; joins are by id and time, never by position. Readers skip fields they do not know and let
// unknown kinds flow on; fields are added, never re-used. Absent is a nil pointer or a missing key,
// never a magic zero. Times are integer nanoseconds: names ending in "_perf_ns" and "perf_ns" are on
// the writer's monotonic clock, "timestamp_ns", "start_ns" and other "_ns" moments are wall-clock
// nanoseconds since the epoch, and intervals say so in their comment.
//
// JSON Schema files for users of other languages stand beside the types and are tested against them.
package schema

// Version names the stream format in a run line.
const Version = "aiperf.stream/1"

// The kinds of line.
const (
	KindRun          = "run"
	KindRequest      = "request"
	KindRecord       = "record"
	KindTiming       = "timing"
	KindNetworkProbe = "network_probe"
	KindGPUSample    = "gpu_sample"
	KindServerSample = "server_sample"
	KindMetricRecord = "metric_record"
	KindSummary      = "summary"
	KindAggregate    = "aggregate"
)

// The two benchmark phases.
const (
	PhaseWarmup    = "warmup"
	PhaseProfiling = "profiling"
)
