package metric

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
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
}

// A Run computes the metrics of requests, one sample after the other, and the summary of each phase.
// Workers compute, in goroutines of their own; the Run itself is not safe for concurrent use.
type Run struct {
	opt    Options
	steps  []step
	slots  map[string]int
	own    plan
	worker *Worker // of Add

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
	n := len(r.steps)
	r.own = plan{r.steps[:n:n], maps.Clone(r.slots), fields(r.steps)}
	r.worker = r.Worker()
	return r, nil
}

// Close gives temporary files back.
func (r *Run) Close() error {
	err := r.store.Close()
	for _, p := range r.phases {
		err = errors.Join(err, p.intervals.close())
	}
	return err
}

// A plan is what workers read: the steps that a run computes, which no metric record adds to.
type plan struct {
	steps  []step
	slots  map[string]int
	fields []field
}

// A Worker computes the metrics of one request after the other. Each goroutine has one of its own.
type Worker struct {
	plan
	opt    *Options
	values []float64 // by slot; NaN: absent
	args   []float64
	gaps   []int64 // between contents; nil: absent
	given  []foreign
}

// Worker returns a new one.
func (r *Run) Worker() *Worker { return &Worker{plan: r.own, opt: &r.opt} }

// Values are the metrics of one request, ready to be taken, and its metric record as JSON: what
// follows `{"kind":"metric_record",` and the run id.
type Values struct {
	Tail       []byte
	values     []float64
	gaps       []int64
	given      []foreign
	disordered bool
}

// A foreign value is one that only metric records bring: of a metric switched off in this run, or of one
// that the table does not know.
type foreign struct {
	*Metric
	x float64
}

// Compute computes the metrics of one request in their internal units: those for errors only of a failed
// one, the others of a valid one.
func (w *Worker) Compute(s *judge.Sample) (*Values, error) {
	w.values, w.given, w.gaps = make([]float64, len(w.steps)), nil, nil
	for slot := range w.values {
		w.values[slot] = math.NaN()
	}
	if s.Metadata.ContextOverflowSkip { // left out of every metric, and counted
		return &Values{Tail: w.encode(make([]byte, 0, 1024), s)}, nil
	}
	disordered := w.chunkGaps(s)
	if err := w.known(s); err != nil {
		return nil, err
	}
	for slot := range w.steps {
		if !math.IsNaN(w.values[slot]) {
			continue
		}
		if x, ok := w.compute(s, &w.steps[slot]); ok && !math.IsInf(x, 0) {
			w.values[slot] = x
		}
	}
	return &Values{w.encode(make([]byte, 0, 4096), s), w.values, w.gaps, w.given, disordered}, nil
}

// Add computes the metrics of one request and takes them; it returns its metric record.
func (r *Run) Add(s *judge.Sample) (*schema.MetricRecord, error) {
	v, err := r.worker.Compute(s)
	if err != nil {
		return nil, err
	}
	m := &schema.MetricRecord{Kind: schema.KindMetricRecord}
	if err := json.Unmarshal(append([]byte{'{'}, v.Tail...), m); err != nil {
		return nil, fmt.Errorf("metric record: %w", err)
	}
	return m, r.Take(s, v)
}

// known fills in the values that a metric record brings, in internal units.
func (w *Worker) known(s *judge.Sample) error {
	for tag, v := range s.FromMetrics {
		if tag == "inter_chunk_latency" {
			gaps, err := integers(v.Value)
			if err != nil {
				return fmt.Errorf("metric %s: %w", tag, err)
			}
			if s.Valid {
				w.gaps = gaps
			}
			continue
		}
		slot, ok := w.slots[tag]
		var m *Metric
		if ok {
			m = w.steps[slot].Metric
		} else if m = find(tag); m == nil || m.Kind != KindRecord {
			m = &Metric{Tag: tag, Header: tag, Unit: v.Unit, Show: v.Unit, Group: "none", Kind: KindRecord, Value: "float"}
		}
		if m.Kind == KindAggregate && tag != "good_request_count" {
			continue
		}
		x, err := strconv.ParseFloat(string(v.Value), 64)
		if err != nil {
			return fmt.Errorf("metric %s: %q is not a number", tag, v.Value)
		}
		to := m.Unit
		if x, ok = unit.Convert(x, v.Unit, to); !ok {
			return fmt.Errorf("metric %s: no way from %q to %q", tag, v.Unit, to)
		}
		if slot, ok := w.slots[tag]; ok {
			w.values[slot] = x
		} else {
			w.given = append(w.given, foreign{m, x})
		}
	}
	slices.SortFunc(w.given, func(a, b foreign) int { return cmp.Compare(a.Tag, b.Tag) })
	return nil
}

// integers reads a list of numbers, rounded.
func integers(b []byte) ([]int64, error) {
	out := make([]int64, 0, bytes.Count(b, []byte{','})+1)
	if len(b) > 2 && b[0] == '[' && b[len(b)-1] == ']' { // as we write them
		for item := range bytes.SplitSeq(b[1:len(b)-1], []byte{','}) {
			n, err := strconv.ParseInt(string(item), 10, 64)
			if err != nil {
				break
			}
			out = append(out, n)
		}
		if len(out) == cap(out) {
			return out, nil
		}
	}
	var list []float64
	if err := json.Unmarshal(b, &list); err != nil {
		return nil, err
	}
	out = out[:0]
	for _, x := range list {
		out = append(out, int64(math.Round(x)))
	}
	return out, nil
}

// stranger is the slot of a foreign value; a new one has its own.
func (r *Run) stranger(g *foreign) (slot int, x float64, err error) {
	slot, ok := r.slots[g.Tag]
	if !ok {
		slot = len(r.steps)
		r.slots[g.Tag], r.steps = slot, append(r.steps, step{Metric: g.Metric})
	}
	to := r.steps[slot].Unit
	if x, ok = unit.Convert(g.x, g.Unit, to); !ok {
		err = fmt.Errorf("metric %s: no way from %q to %q", g.Tag, g.Unit, to)
	}
	return slot, x, err
}

func (w *Worker) compute(s *judge.Sample, st *step) (float64, bool) {
	if s.Valid == (st.Flags&ErrorOnly != 0) {
		return 0, false
	}
	if st.Tag == "good_request_count" {
		return w.good()
	}
	w.args = w.args[:0]
	for _, slot := range st.needs {
		if math.IsNaN(w.values[slot]) {
			return 0, false
		}
		w.args = append(w.args, w.values[slot])
	}
	if x, ok := s.HTTP[st.Tag]; ok && s.Trace == nil {
		return x, true
	}
	if st.Count != nil {
		return st.Count(w.opt, s, w.args)
	}
	x, ok := st.Record(s, w.args)
	if x < 0 && !w.opt.letter() && !signed[st.Tag] { // rule negative-absent
		return 0, false
	}
	return x, ok
}

// signed metrics may be below 0.
var signed = map[string]bool{"osl_mismatch_diff_pct": true, "replay_send_schedule_offset": true}

// good is 1 when every goal is met, absent when the request lacks one of their metrics.
func (w *Worker) good() (float64, bool) {
	ok := true
	for _, goal := range w.opt.Goodput {
		x := w.values[w.slots[goal.Tag]]
		if math.IsNaN(x) {
			return 0, false
		}
		ok = ok && goal.Met(x)
	}
	return one(ok), true
}

// chunky says whether this run has chunk gaps at all.
func (o *Options) chunky() bool {
	return o.Streaming && EndpointTraits[o.EndpointType].ProducesTokens
}

// chunkGaps are the gaps between content responses: fewer than two, or any negative one, is no value.
func (w *Worker) chunkGaps(s *judge.Sample) (disordered bool) {
	w.gaps = nil
	if len(s.Contents) > 0 && s.Contents[0].PerfNS < s.StartPerfNS {
		disordered = true
	}
	for i := 1; i < len(s.Contents); i++ {
		if s.Contents[i].PerfNS < s.Contents[i-1].PerfNS {
			disordered = true
		}
	}
	if !s.Valid || disordered || len(s.Contents) < 2 || !w.opt.chunky() {
		return disordered
	}
	w.gaps = make([]int64, len(s.Contents)-1)
	for i := range w.gaps {
		w.gaps[i] = s.Contents[i+1].PerfNS - s.Contents[i].PerfNS
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
