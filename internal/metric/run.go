package metric

import (
	"encoding/json"
	"fmt"
	"math"

	"aiperf/internal/judge"
	"aiperf/schema"
)

// A step is one metric of a request in computing order; needs are slots of earlier steps.
type step struct {
	*Metric
	needs []int
}

// A Run computes the metrics of requests, one sample after the other.
type Run struct {
	steps  []step
	values []float64 // by slot; NaN: absent
	args   []float64
}

// NewRun settles which metrics are computed and in which order. A goal on a metric that this run does
// not have is an error.
func NewRun(o Options) (*Run, error) {
	if _, ok := EndpointTraits[o.EndpointType]; !ok {
		return nil, fmt.Errorf("metric: unknown endpoint type %q", o.EndpointType)
	}
	allowed := Allowed(o)
	for _, goal := range o.Goodput {
		if !allowed[goal.Tag] {
			return nil, fmt.Errorf("goodput: %s does not apply to this run", goal.Tag)
		}
	}
	r := &Run{}
	slots := map[string]int{}
	var place func(m *Metric) int
	place = func(m *Metric) int {
		if slot, done := slots[m.Tag]; done {
			return slot
		}
		st := step{Metric: m}
		for _, tag := range m.Needs {
			st.needs = append(st.needs, place(find(tag)))
		}
		slots[m.Tag] = len(r.steps)
		r.steps = append(r.steps, st)
		return slots[m.Tag]
	}
	for i := range All {
		if m := &All[i]; m.Record != nil && allowed[m.Tag] {
			place(m)
		}
	}
	r.values = make([]float64, len(r.steps))
	return r, nil
}

// Add computes the metrics of one request in their internal units: those for errors only of a failed
// one, the others of a valid one.
func (r *Run) Add(s *judge.Sample) (*schema.MetricRecord, error) {
	out := &schema.MetricRecord{Kind: schema.KindMetricRecord, Metadata: s.Metadata, TraceData: s.Trace,
		Error: s.Error, Rules: s.Rules, Metrics: map[string]schema.MetricValue{}}
	if s.FromMetrics != nil {
		out.Metrics = s.FromMetrics
		return out, nil
	}
	for slot, st := range r.steps {
		x, ok := r.compute(s, st)
		if !ok || math.IsNaN(x) || math.IsInf(x, 0) {
			r.values[slot] = math.NaN()
			continue
		}
		r.values[slot] = x
		text, err := json.Marshal(x)
		if st.Value == "int" {
			text, err = json.Marshal(int64(x))
		}
		if err != nil {
			return nil, fmt.Errorf("metric: writing %s: %w", st.Tag, err)
		}
		out.Metrics[st.Tag] = schema.MetricValue{Value: text, Unit: st.Unit}
	}
	return out, nil
}

func (r *Run) compute(s *judge.Sample, st step) (float64, bool) {
	if s.Valid == (st.Flags&ErrorOnly != 0) {
		return 0, false
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
	return st.Record(s, r.args)
}
