package metric

import (
	"bytes"
	"encoding/json"
	"math"

	"aiperf/internal/column"
	"aiperf/internal/judge"
	"aiperf/schema"
)

// A phase is what a summary is made of: the requests of one phase, and its window.
type phase struct {
	name      string
	window    PhaseWindow
	cancelled bool
	bucket    *bucket
	rows      []row  // kept only for time slices
	lagBase   *int64 // the first offset to the schedule: only differences count, and they are exact

	models    map[string]bool
	intervals intervals
	inexact   int64 // requests with a time that a float64 does not hold
}

// A bucket holds the values of a set of requests.
type bucket struct {
	columns []*column.Column // by slot; request metrics
	sums    []float64        // by slot; aggregates
	has     []bool
	gaps    *column.Column
	credit  *column.Column // credit to start, ns
	end     *column.Column // credit to end, ns

	total, valid, errors, cancelled int64
	firstStart, lastEnd             int64 // of any request
	minStart, maxResponse           int64 // of valid requests; 0: none
	failures                        map[string]*schema.ErrorCount
	rules, skipped                  map[string]int64
	pooled                          map[int]int64
	hit, blocks                     int64
	skippedOverflow                 int64          // requests that an agentic replay left out
	lag                             *column.Column // offset to the schedule less lagBase, ns; nil: no schedule
}

func (r *Run) newBucket() *bucket {
	b := &bucket{columns: make([]*column.Column, len(r.steps)), sums: make([]float64, len(r.steps)), has: make([]bool, len(r.steps)),
		gaps: r.store.New(), credit: r.store.New(), end: r.store.New(),
		failures: map[string]*schema.ErrorCount{}, rules: map[string]int64{}, skipped: map[string]int64{}, pooled: map[int]int64{}}
	for i, st := range r.steps {
		if st.Kind == KindRecord {
			b.columns[i] = r.store.New()
		}
	}
	return b
}

// column is that of a slot; one that came up later is empty here.
func (b *bucket) column(slot int) *column.Column {
	if slot < len(b.columns) {
		return b.columns[slot]
	}
	return new(column.Column)
}

// A row is one request as a time slice needs it.
type row struct {
	values []float64
	gaps   []int64
	sample slim
}

// slim is what a bucket needs of a sample beside its values.
type slim struct {
	start, end            int64
	creditNS              *int64
	valid, cancelled      bool
	err                   *schema.Error
	rules                 []string
	spec                  *judge.SpecDecode
	prefix                *schema.PrefixBlocks
	disordered, malformed bool
}

func phaseName(s *judge.Sample) string {
	if s.Metadata.BenchmarkPhase == "" {
		return schema.PhaseProfiling
	}
	return s.Metadata.BenchmarkPhase
}

// Take puts the values of a sample into its phase.
func (r *Run) Take(s *judge.Sample, v *Values) error {
	p := r.phase(phaseName(s))
	if s.Metadata.ContextOverflowSkip {
		p.bucket.skippedOverflow++
		return nil
	}
	for i := range v.given {
		slot, x, err := r.stranger(&v.given[i])
		if err != nil {
			return err
		}
		for slot >= len(v.values) {
			v.values = append(v.values, math.NaN())
		}
		v.values[slot] = x
	}
	if p.models == nil {
		p.models = map[string]bool{}
	}
	if s.Model != "" {
		p.models[s.Model] = true
	}
	m := slim{start: s.Metadata.RequestStartNS, end: s.EndNS, creditNS: s.Metadata.CreditIssuedNS, valid: s.Valid, cancelled: s.Metadata.WasCancelled,
		err: s.Error, rules: s.Rules, spec: s.SpecDecode, prefix: s.PrefixBlocks, disordered: v.disordered, malformed: s.Malformed > 0}
	if m.end == 0 && s.Metadata.RequestEndNS != nil {
		m.end = *s.Metadata.RequestEndNS
	}
	if m.end < m.start {
		m.end = m.start
	}
	r.latestEnd = max(r.latestEnd, m.end)
	if err := r.lagging(p, s); err != nil {
		return err
	}
	iv := r.interval(m, v)
	if r.opt.SliceDuration > 0 {
		p.rows = append(p.rows, row{v.values, v.gaps, m})
	}
	if floatNS(iv.Start) != iv.Start || floatNS(iv.End) != iv.End {
		p.inexact++
	}
	if err := p.intervals.add(&iv); err != nil {
		return err
	}
	return r.fill(p.bucket, v.values, v.gaps, &m)
}

// lagging keeps how far the request started from its planned time. An offset between two clocks is as
// large as an epoch, which a float64 holds in steps of 256 ns.
func (r *Run) lagging(p *phase, s *judge.Sample) error {
	if _, ok := r.slots["replay_send_schedule_offset"]; !ok || s.ScheduledNS == nil || !s.Valid {
		return nil
	}
	x := s.Metadata.RequestStartNS - *s.ScheduledNS
	if r.opt.letter() {
		x = int64(float64(x))
	}
	if p.lagBase == nil {
		p.lagBase, p.bucket.lag = &x, r.store.New()
	}
	return p.bucket.lag.Append(float64(x - *p.lagBase))
}

// interval is the request as the curves see it.
func (r *Run) interval(m slim, v *Values) interval {
	iv := interval{Start: m.start, End: m.end}
	if !m.valid {
		return iv
	}
	get := func(tag string) *float64 {
		slot, ok := r.slots[tag]
		if !ok || slot >= len(v.values) || math.IsNaN(v.values[slot]) {
			return nil
		}
		x := v.values[slot]
		return &x
	}
	if t := get("time_to_first_token"); t != nil {
		first := m.start + int64(*t)
		iv.First = &first
	}
	iv.ISL, iv.OSL, iv.Gaps = get("input_sequence_length"), get("output_sequence_length"), v.gaps
	return iv
}

func (r *Run) fill(b *bucket, values []float64, gaps []int64, m *slim) error {
	b.total++
	if b.firstStart == 0 || m.start < b.firstStart {
		b.firstStart = m.start
	}
	b.lastEnd = max(b.lastEnd, m.end)
	switch {
	case m.valid:
		b.valid++
	default:
		b.errors++
		if m.cancelled {
			b.cancelled++
		}
		if m.err != nil {
			b.fail(m.err)
		}
	}
	for slot, x := range values {
		if math.IsNaN(x) {
			continue
		}
		st := &r.steps[slot]
		if st.Kind == KindRecord {
			for slot >= len(b.columns) {
				b.columns, b.sums, b.has = append(b.columns, r.store.New()), append(b.sums, 0), append(b.has, false)
			}
			if err := b.columns[slot].Append(x); err != nil {
				return err
			}
			continue
		}
		b.has[slot] = true
		b.sums[slot] += x
	}
	for _, g := range gaps {
		if err := b.gaps.Append(float64(g)); err != nil {
			return err
		}
	}
	if m.valid {
		if b.minStart == 0 || m.start < b.minStart {
			b.minStart = m.start
		}
		if slot, ok := r.slots["request_latency"]; ok && !math.IsNaN(values[slot]) {
			b.maxResponse = max(b.maxResponse, m.start+int64(values[slot]))
		}
		if m.spec != nil {
			for k, n := range m.spec.Histogram {
				b.pooled[k] += n
			}
		}
		if m.prefix != nil && m.prefix.Total > 0 {
			b.hit += min(max(m.prefix.Hit, 0), m.prefix.Total)
			b.blocks += m.prefix.Total
		}
	}
	if m.creditNS != nil {
		credit := *m.creditNS
		if err := b.credit.Append(r.apart(credit, m.start)); err != nil {
			return err
		}
		if err := b.end.Append(r.apart(credit, m.end)); err != nil {
			return err
		}
	}
	for _, rule := range m.rules {
		b.rules[rule]++
	}
	if m.disordered {
		b.skipped["times out of order"]++
	}
	if m.malformed {
		b.skipped["events that did not parse"]++
	}
	return nil
}

// apart is the time from a to b, never negative, ns.
func (r *Run) apart(a, b int64) float64 {
	if r.opt.letter() {
		return math.Max(float64(b)-float64(a), 0)
	}
	return float64(max(b-a, 0))
}

// fail counts a failure under its code, type and message. Of failures that differ in the rest, the one
// whose JSON is least stands for all, whatever the order they come in.
func (b *bucket) fail(e *schema.Error) {
	key, _ := json.Marshal([]any{e.Code, e.Type, e.Message})
	if c := b.failures[string(key)]; c != nil {
		c.Count++
		kept, _ := json.Marshal(&c.ErrorDetails)
		if other, _ := json.Marshal(e); bytes.Compare(other, kept) < 0 {
			c.ErrorDetails = *e
		}
		return
	}
	b.failures[string(key)] = &schema.ErrorCount{ErrorDetails: *e, Count: 1}
}
