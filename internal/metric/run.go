package metric

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"

	"aiperf/internal/column"
	"aiperf/internal/judge"
	"aiperf/internal/unit"
	"aiperf/schema"
)

// A step is one metric of a request in computing order; needs are slots of earlier steps.
type step struct {
	*Metric
	needs []int
	given bool // only metric records bring it
}

// A Run computes the metrics of requests, one sample after the other, and the summary of each phase.
// It is not safe for concurrent use.
type Run struct {
	opt    Options
	steps  []step
	slots  map[string]int
	values []float64 // by slot; NaN: absent
	args   []float64
	gaps   []int64 // between contents, of the sample in hand; nil: absent

	store     *column.Store
	phases    map[string]*phase
	rtt       []float64 // of successful probes, ns
	latestEnd int64     // of any request, warmup included
}

// NewRun settles which metrics are computed and in which order. A goal on a metric that this run does
// not have is an error.
func NewRun(o Options) (*Run, error) {
	o.defaults()
	if o.Definitions != Default && o.Definitions != Definitions013 {
		return nil, fmt.Errorf("metric: unknown definitions %q", o.Definitions)
	}
	if _, ok := EndpointTraits[o.EndpointType]; !ok {
		return nil, fmt.Errorf("metric: unknown endpoint type %q", o.EndpointType)
	}
	allowed := Allowed(o)
	for _, goal := range o.Goodput {
		if !allowed[goal.Tag] {
			return nil, fmt.Errorf("goodput: %s does not apply to this run", goal.Tag)
		}
	}
	r := &Run{opt: o, slots: map[string]int{}, store: column.NewStore(o.MemoryBytes, ""), phases: map[string]*phase{}}
	var place func(m *Metric) int
	place = func(m *Metric) int {
		if slot, done := r.slots[m.Tag]; done {
			return slot
		}
		st := step{Metric: m}
		for _, tag := range m.Needs {
			st.needs = append(st.needs, place(find(tag)))
		}
		r.slots[m.Tag] = len(r.steps)
		r.steps = append(r.steps, st)
		return r.slots[m.Tag]
	}
	for i := range All {
		if m := &All[i]; (m.Record != nil || m.Count != nil) && allowed[m.Tag] {
			place(m)
		}
	}
	r.values = make([]float64, len(r.steps))
	return r, nil
}

// Close gives temporary files back.
func (r *Run) Close() error { return r.store.Close() }

// Add computes the metrics of one request in their internal units (those for errors only of a failed
// one, the others of a valid one) and takes them into the phase's columns.
func (r *Run) Add(s *judge.Sample) (*schema.MetricRecord, error) {
	out := &schema.MetricRecord{Kind: schema.KindMetricRecord, Metadata: s.Metadata, TraceData: s.Trace,
		Error: s.Error, Rules: s.Rules, Metrics: make(map[string]schema.MetricValue, len(r.steps)+1)}
	if s.SpecDecode != nil && s.Valid {
		out.SpecDecodeAcceptance = s.SpecDecode.JSON
	}
	if s.Metadata.ContextOverflowSkip { // left out of every metric, and counted
		r.phase(phaseName(s)).bucket.skippedOverflow++
		return out, nil
	}
	disordered := r.chunkGaps(s)
	if err := r.known(s); err != nil {
		return nil, err
	}
	for slot, st := range r.steps {
		x, given := r.values[slot], s.FromMetrics != nil && !math.IsNaN(r.values[slot])
		if !given {
			var ok bool
			if x, ok = r.compute(s, st); !ok || math.IsNaN(x) || math.IsInf(x, 0) {
				r.values[slot] = math.NaN()
				continue
			}
			r.values[slot] = x
		}
		out.Metrics[st.Tag] = schema.MetricValue{Value: number(x, st.Value), Unit: st.Unit}
	}
	if r.gaps != nil {
		out.Metrics["inter_chunk_latency"] = schema.MetricValue{Value: list(r.gaps), Unit: "ns"}
	}
	if s.FromMetrics != nil {
		for tag, v := range s.FromMetrics {
			if _, have := out.Metrics[tag]; !have {
				out.Metrics[tag] = v
			}
		}
	}
	return out, r.take(s, disordered)
}

func number(x float64, kind string) json.RawMessage {
	if kind == "int" && math.Abs(x) < 1<<63 {
		return strconv.AppendInt(nil, int64(x), 10)
	}
	b, _ := json.Marshal(x)
	return b
}

func list(gaps []int64) json.RawMessage {
	b := []byte{'['}
	for i, g := range gaps {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, g, 10)
	}
	return append(b, ']')
}

// known fills in the values that a metric record brings, in internal units.
func (r *Run) known(s *judge.Sample) error {
	for slot := range r.values {
		r.values[slot] = math.NaN()
	}
	for tag, v := range s.FromMetrics {
		if tag == "inter_chunk_latency" {
			var gaps []float64
			if err := json.Unmarshal(v.Value, &gaps); err != nil {
				return fmt.Errorf("metric %s: %w", tag, err)
			}
			if s.Valid {
				r.gaps = make([]int64, len(gaps))
				for i, g := range gaps {
					r.gaps[i] = int64(math.Round(g))
				}
			}
			continue
		}
		slot, ok := r.slots[tag]
		if !ok {
			slot = r.stranger(tag, v.Unit)
		}
		st := &r.steps[slot]
		if st.Kind == KindAggregate && tag != "good_request_count" {
			continue
		}
		x, err := strconv.ParseFloat(string(v.Value), 64)
		if err != nil {
			return fmt.Errorf("metric %s: %q is not a number", tag, v.Value)
		}
		if x, ok = unit.Convert(x, v.Unit, st.Unit); !ok {
			return fmt.Errorf("metric %s: no way from %q to %q", tag, v.Unit, st.Unit)
		}
		r.values[slot] = x
	}
	return nil
}

// stranger makes room for a metric that only metric records bring: one switched off in this run, or one
// that the table does not know, which is summed up in its own unit.
func (r *Run) stranger(tag, unit string) int {
	m := find(tag)
	if m == nil || m.Kind != KindRecord {
		m = &Metric{Tag: tag, Header: tag, Unit: unit, Show: unit, Group: "none", Kind: KindRecord, Value: "float"}
	}
	slot := len(r.steps)
	r.slots[tag], r.steps, r.values = slot, append(r.steps, step{Metric: m, given: true}), append(r.values, math.NaN())
	return slot
}

func (r *Run) compute(s *judge.Sample, st step) (float64, bool) {
	if st.given || s.Valid == (st.Flags&ErrorOnly != 0) {
		return 0, false
	}
	if st.Tag == "good_request_count" {
		return r.good()
	}
	r.args = r.args[:0]
	for _, slot := range st.needs {
		if math.IsNaN(r.values[slot]) {
			return 0, false
		}
		r.args = append(r.args, r.values[slot])
	}
	if x, ok := s.HTTP[st.Tag]; ok && s.Trace == nil {
		return x, true
	}
	if st.Count != nil {
		return st.Count(&r.opt, s, r.args)
	}
	x, ok := st.Record(s, r.args)
	if x < 0 && !r.opt.letter() && !signed[st.Tag] { // rule negative-absent
		return 0, false
	}
	return x, ok
}

// signed metrics may be below 0.
var signed = map[string]bool{"osl_mismatch_diff_pct": true, "replay_send_schedule_offset": true}

// good is 1 when every goal is met, absent when the request lacks one of their metrics.
func (r *Run) good() (float64, bool) {
	ok := true
	for _, goal := range r.opt.Goodput {
		x := r.values[r.slots[goal.Tag]]
		if math.IsNaN(x) {
			return 0, false
		}
		ok = ok && goal.Met(x)
	}
	return one(ok), true
}

// chunky says whether this run has chunk gaps at all.
func (r *Run) chunky() bool {
	return r.opt.Streaming && EndpointTraits[r.opt.EndpointType].ProducesTokens
}

// chunkGaps are the gaps between content responses: fewer than two, or any negative one, is no value.
func (r *Run) chunkGaps(s *judge.Sample) (disordered bool) {
	r.gaps = nil
	if len(s.Contents) > 0 && s.Contents[0].PerfNS < s.StartPerfNS {
		disordered = true
	}
	for i := 1; i < len(s.Contents); i++ {
		if s.Contents[i].PerfNS < s.Contents[i-1].PerfNS {
			disordered = true
		}
	}
	if !s.Valid || disordered || len(s.Contents) < 2 || !r.chunky() {
		return disordered
	}
	r.gaps = make([]int64, len(s.Contents)-1)
	for i := range r.gaps {
		r.gaps[i] = s.Contents[i+1].PerfNS - s.Contents[i].PerfNS
	}
	return false
}

// A PhaseWindow is the window of a phase, wall-clock ns; 0: not known.
type PhaseWindow struct {
	StartNS, EndNS int64
	Source         string // "timing", "manifest", "flag"
}

// SetPhase tells the window of a phase. It may come at any time before Summaries.
func (r *Run) SetPhase(name string, w PhaseWindow) { r.phase(name).window = w }

// SetCancelled marks the summaries: the run was stopped before its end.
func (r *Run) SetCancelled(name string) { r.phase(name).cancelled = true }

func (r *Run) phase(name string) *phase {
	p := r.phases[name]
	if p == nil {
		p = &phase{name: name, bucket: r.newBucket()}
		r.phases[name] = p
	}
	return p
}

// AddProbe takes a measured round trip.
func (r *Run) AddProbe(p schema.NetworkProbe) {
	if p.Success && p.RTTNS != nil {
		r.rtt = append(r.rtt, float64(*p.RTTNS))
	}
}

// roundTrip is the round trip to calibrate by, ns: the user's, else the mean of the probes; 0: none.
func (r *Run) roundTrip() float64 {
	if r.opt.NetworkLatencyNS != nil {
		return *r.opt.NetworkLatencyNS
	}
	if len(r.rtt) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(r.rtt))
	sum := 0.0
	for _, x := range sorted {
		sum += x
	}
	return sum / float64(len(sorted))
}
