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
	record func(s *judge.Sample, v []float64) (float64, bool) // nil: only metric records hold it
	needs  []int
	also   []int
}

// A Run computes the metrics of requests, one sample after the other, and keeps what the summaries
// need: values in columns, on disk when there are many.
type Run struct {
	opt     Options
	allowed map[string]bool
	steps   []step
	slots   map[string]int
	values  []float64 // by slot; NaN: absent
	args    []float64
	text    []byte

	store  *column.Store
	phases map[string]*phase
	models map[string]bool
	probes struct{ sum, n int64 }
}

// NewRun settles which metrics are computed and in which order. A goal on a metric that this run does
// not have is an error.
func NewRun(o Options) (*Run, error) {
	o = o.withDefaults()
	if _, ok := EndpointTraits[o.EndpointType]; !ok {
		return nil, fmt.Errorf("metric: unknown endpoint type %q", o.EndpointType)
	}
	if o.Definitions != "default" && o.Definitions != Definitions013 {
		return nil, fmt.Errorf("metric: unknown definitions %q", o.Definitions)
	}
	r := &Run{opt: o, allowed: Allowed(o), slots: map[string]int{}, phases: map[string]*phase{}, models: map[string]bool{},
		store: column.NewStore(o.MemoryBytes, o.TempDir)}
	for _, goal := range o.Goodput {
		if !r.allowed[goal.Tag] {
			return nil, fmt.Errorf("goodput: %s does not apply to this run", goal.Tag)
		}
	}
	for i := range All {
		if m := &All[i]; r.allowed[m.Tag] && (m.Record != nil || m.Bind != nil || m.List != nil) {
			r.place(m)
		}
	}
	return r, nil
}

// Close gives the temporary files back.
func (r *Run) Close() error {
	err := r.store.Close()
	for _, p := range r.phases {
		if e := p.rows.close(); err == nil {
			err = e
		}
	}
	return err
}

// place gives m a slot after those of what it needs.
func (r *Run) place(m *Metric) int {
	if slot, done := r.slots[m.Tag]; done {
		return slot
	}
	st := step{Metric: m, record: m.Record}
	needs := m.Needs
	if m.Bind != nil {
		st.record = m.Bind(&r.opt)
	}
	if m.Flags&Goodput != 0 && m.Kind == KindAggregate {
		for _, goal := range r.opt.Goodput {
			needs = append(slices.Clone(needs), goal.Tag)
		}
	}
	for _, tag := range needs {
		st.needs = append(st.needs, r.place(find(tag)))
	}
	for _, tag := range m.Also {
		slot := -1
		if r.allowed[tag] {
			slot = r.place(find(tag))
		}
		st.also = append(st.also, slot)
	}
	return r.put(st)
}

func (r *Run) put(st step) int {
	slot := len(r.steps)
	r.slots[st.Tag] = slot
	r.steps = append(r.steps, st)
	r.values = append(r.values, math.NaN())
	return slot
}

// slot finds the place of a metric that a metric record holds, one that no table knows included.
func (r *Run) slot(tag string, v schema.MetricValue) int {
	if slot, ok := r.slots[tag]; ok {
		return slot
	}
	m := find(tag)
	if m == nil || m.Kind != KindRecord {
		m = &Metric{Tag: tag, Header: tag, Unit: v.Unit, Show: v.Unit, Group: "none", Kind: KindRecord, Value: "float"}
	}
	return r.put(step{Metric: m})
}

// Add computes the metrics of one request in their internal units: those for errors only of a failed
// one, the others of a valid one. The sample is not kept.
func (r *Run) Add(s *judge.Sample) (*schema.MetricRecord, error) {
	out := &schema.MetricRecord{Kind: schema.KindMetricRecord, Metadata: s.Metadata, TraceData: s.Trace,
		Error: s.Error, Rules: s.Rules, Metrics: map[string]schema.MetricValue{}}
	end := s.EndNS
	out.Metadata.RequestEndNS = &end
	if s.SpecDecode != nil {
		out.SpecDecodeAcceptance = s.SpecDecode.JSON
	}
	if s.Model != "" {
		r.models[s.Model] = true
	}
	p := r.phase(s.Metadata.BenchmarkPhase)
	if s.Metadata.ContextOverflowSkip {
		p.skippedOverflow++
		return out, nil
	}
	row := row{start: s.Metadata.RequestStartNS, end: s.EndNS, valid: s.Valid}
	for slot := range r.values {
		r.values[slot] = math.NaN()
	}
	var err error
	if s.FromMetrics != nil {
		out.Metrics = s.FromMetrics
		if row.gaps, err = r.read(s.FromMetrics); err != nil {
			return nil, err
		}
	}
	r.text = r.text[:0]
	for slot := range r.steps {
		st := &r.steps[slot]
		if s.FromMetrics != nil && (st.Kind == KindRecord || !math.IsNaN(r.values[slot])) {
			continue
		}
		if s.Valid == (st.Flags&ErrorOnly != 0) {
			continue
		}
		if st.List != nil {
			list, negative := st.List(s)
			if negative {
				p.skip("negative_interval")
			}
			if len(list) > 0 {
				row.gaps = list
				out.Metrics[st.Tag] = schema.MetricValue{Value: r.write(func(b []byte) []byte { return appendList(b, list) }), Unit: st.Unit}
			}
			continue
		}
		x, ok := r.compute(s, st)
		if !ok || math.IsNaN(x) || math.IsInf(x, 0) {
			if x < 0 {
				p.skip("negative_interval")
			}
			continue
		}
		r.values[slot] = x
		if st.Flags&NoRecords != 0 || s.FromMetrics != nil {
			continue
		}
		whole := int64(x)
		if st.Tag == "replay_send_schedule_offset" { // of an epoch a float holds 256 ns steps only
			whole = s.Metadata.RequestStartNS - *s.ScheduledNS
		}
		out.Metrics[st.Tag] = schema.MetricValue{Unit: st.Unit, Value: r.write(func(b []byte) []byte {
			if st.Value == "int" {
				return strconv.AppendInt(b, whole, 10)
			}
			return appendFloat(b, x)
		})}
	}
	for slot, x := range r.values {
		if !math.IsNaN(x) {
			row.values = append(row.values, value{slot, x})
		}
	}
	return out, p.add(s, &row)
}

// write returns what f appends to the buffer shared by the values of one record.
func (r *Run) write(f func([]byte) []byte) json.RawMessage {
	if cap(r.text)-len(r.text) < 32 {
		r.text = make([]byte, 0, 1024)
	}
	at := len(r.text)
	r.text = f(r.text)
	out := r.text[at:len(r.text):len(r.text)]
	r.text = r.text[len(r.text):]
	return out
}

// read takes the values of a metric record as they stand.
func (r *Run) read(metrics map[string]schema.MetricValue) (list []int64, err error) {
	for tag, v := range metrics {
		slot := r.slot(tag, v)
		st := &r.steps[slot]
		if st.Value == "list[int]" {
			var floats []float64
			if err := json.Unmarshal(v.Value, &floats); err != nil {
				return nil, fmt.Errorf("metric record: %s: %w", tag, err)
			}
			for _, x := range floats {
				list = append(list, int64(math.Round(x)))
			}
			continue
		}
		var x float64
		if err := json.Unmarshal(v.Value, &x); err != nil {
			return nil, fmt.Errorf("metric record: %s: %w", tag, err)
		}
		x, ok := unit.Convert(x, v.Unit, st.Unit)
		if !ok {
			return nil, fmt.Errorf("metric record: %s: no way from %s to %s", tag, v.Unit, st.Unit)
		}
		r.values[slot] = x
	}
	return list, nil
}

func (r *Run) compute(s *judge.Sample, st *step) (float64, bool) {
	if st.record == nil {
		return 0, false
	}
	r.args = r.args[:0]
	for _, slot := range st.needs {
		if math.IsNaN(r.values[slot]) {
			return 0, false
		}
		r.args = append(r.args, r.values[slot])
	}
	for _, slot := range st.also {
		x := math.NaN()
		if slot >= 0 {
			x = r.values[slot]
		}
		r.args = append(r.args, x)
	}
	return st.record(s, r.args)
}

func appendFloat(b []byte, x float64) []byte {
	if a := math.Abs(x); a != 0 && (a < 1e-6 || a >= 1e21) {
		return strconv.AppendFloat(b, x, 'e', -1, 64)
	}
	return strconv.AppendFloat(b, x, 'f', -1, 64)
}

func appendList(b []byte, list []int64) []byte {
	b = append(b, '[')
	for i, x := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, x, 10)
	}
	return append(b, ']')
}
