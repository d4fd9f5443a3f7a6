package metric

import "time"

// The two sets of definitions.
const (
	Default        = "default"
	Definitions013 = "aiperf-0.13"
)

// Options are what a run is judged by. The zero value of a threshold is AIPerf's default.
type Options struct {
	Definitions         string // Default (also "") or Definitions013
	EndpointType        string
	Streaming           bool
	UseServerTokenCount bool
	FixedSchedule       bool
	Dev                 bool
	Accuracy            bool
	Goodput             []SLO
	SliceDuration       time.Duration // 0: no time slices
	NetworkLatencyNS    *float64      // round trip given by the user; nil: the mean of the probes
	UsageDiffPct        float64       // 10
	OSLMismatchPct      float64       // 5
	OSLMismatchTokens   int64         // 50
	ContextOverflow     []string      // words of an error message
	TokenCounts         string        // where the counts come from, for the summary
	MemoryBytes         int64         // for columns, 512 MiB; what is above goes to a temporary file
}

func (o *Options) defaults() {
	if o.Definitions == "" {
		o.Definitions = Default
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
	if o.MemoryBytes == 0 {
		o.MemoryBytes = 512 << 20
	}
}

func (o *Options) letter() bool { return o.Definitions == Definitions013 }
