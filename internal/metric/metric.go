// Package metric is the metric table: what is computed of each request (record), over all of them
// (aggregate), from other metrics (derived) and by joins (injected, sweep).
package metric

import "aiperf/internal/judge"

// A Kind says how a metric comes about.
type Kind string

// The kinds of metric.
const (
	KindRecord    Kind = "record"
	KindAggregate Kind = "aggregate"
	KindDerived   Kind = "derived"
	KindInjected  Kind = "injected" // joined after the others
	KindSweep     Kind = "sweep"    // a curve over time
)

// Flags are a metric's properties; the bits are AIPerf's.
type Flags uint32

// The flags of the table.
const (
	Streaming         Flags = 1 << 0
	ErrorOnly         Flags = 1 << 1
	Tokens            Flags = 1 << 2 // the endpoint produces tokens
	LargerIsBetter    Flags = 1 << 4
	Internal          Flags = 1 << 5
	Audio             Flags = 1 << 6
	Image             Flags = 1 << 7
	Reasoning         Flags = 1 << 8
	Experimental      Flags = 1 << 9
	Goodput           Flags = 1 << 10
	NoRecords         Flags = 1 << 11 // in no per-request output
	TokenizesInput    Flags = 1 << 12
	UsageDiff         Flags = 1 << 14
	HTTPTrace         Flags = 1 << 15
	ProducesVideo     Flags = 1 << 16
	WithFailed        Flags = 1 << 17 // has an error-adjusted twin
	FixedSchedule     Flags = 1 << 18
	DisableOnAccuracy Flags = 1 << 19
)

// A Metric is one row of the table. Times are ns inside and shown in Show; Order 0 sorts last.
type Metric struct {
	Tag, Header string
	Short       string // short header
	HideUnit    bool   // the short header hides its unit
	Unit, Show  string
	Order       int
	Kind        Kind
	Registered  Kind   // the kind under which AIPerf registers it; empty: not in its registry
	Value       string // "int", "float", "list[int]"
	Aggregation string // of aggregates: "sum", "min", "max"
	Group       string // console table; "none": in no table
	Flags       Flags
	Needs       []string // no value without these
	Uses        []string // used when present
	Formula     string

	// Record computes the value of one request; v holds the values of Needs, in their order. False:
	// the metric does not apply. Nil: not a metric of a request, or not computed yet.
	Record func(s *judge.Sample, v []float64) (float64, bool)

	// Count is Record of an aggregate that also depends on the run's options.
	Count func(o *Options, s *judge.Sample, v []float64) (float64, bool)

	// Derive computes the value of a phase: v holds Needs in their order (a request metric stands for the
	// sum over the phase, benchmark_duration for the window in seconds), u holds Uses (0 when absent).
	Derive func(v, u []float64) (float64, bool)
}

// words are the flags that a report acts on.
func (f Flags) words() []string {
	var out []string
	for _, w := range []struct {
		bit  Flags
		word string
	}{{Internal, "internal"}, {Experimental, "experimental"}, {ErrorOnly, "error_only"}, {NoRecords, "no_individual_records"}, {HTTPTrace, "http_trace"}} {
		if f&w.bit != 0 {
			out = append(out, w.word)
		}
	}
	return out
}
