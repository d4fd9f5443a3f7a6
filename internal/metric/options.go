package metric

import (
	"time"
)

// Definitions013 asks for the numbers of AIPerf 0.13.0 to the letter.
const Definitions013 = "aiperf-0.13"

// Options are what a run is judged by; the zero values are AIPerf's defaults.
type Options struct {
	Definitions         string // "default" (or "") or Definitions013
	EndpointType        string
	Streaming           bool
	UseServerTokenCount bool
	PerChunkUsage       bool
	FixedSchedule       bool
	Dev                 bool
	Accuracy            bool
	Goodput             []SLO
	SliceDuration       time.Duration // 0: no slices
	NetworkLatencyNS    *int64        // the round trip; nil: the mean of the probes
	TokenCounts         string        // copied into the summary
	MemoryBytes         int64         // values held in memory; 0: 256 MiB
	TempDir             string        // for the rest; "": the system's

	UsageDiffPct      float64 // 0: 10
	OSLMismatchPct    float64 // 0: 5
	OSLMismatchTokens int64   // 0: 50
	ContextOverflow   []string
}

func (o Options) withDefaults() Options {
	if o.Definitions == "" {
		o.Definitions = "default"
	}
	if o.MemoryBytes == 0 {
		o.MemoryBytes = 256 << 20
	}
	if o.UsageDiffPct == 0 {
		o.UsageDiffPct = 10
	}
	if o.OSLMismatchPct == 0 {
		o.OSLMismatchPct = 5
	}
	if o.OSLMismatchTokens == 0 {
		o.OSLMismatchTokens = 50
	}
	if o.ContextOverflow == nil {
		o.ContextOverflow = []string{"context length", "maximum context", "context_length_exceeded", "prompt is too long"}
	}
	return o
}

func (o *Options) strict() bool { return o.Definitions == Definitions013 }
