package metric

import (
	"maps"
	"math"
	"slices"
	"strconv"

	"aiperf/internal/column"
	"aiperf/internal/stat"
	"aiperf/schema"
)

// Summaries sums up what was added, the warmup first where there was one. It may be called again after
// further requests.
func (r *Run) Summaries() ([]*schema.Summary, error) {
	var out []*schema.Summary
	for _, name := range []string{schema.PhaseWarmup, schema.PhaseProfiling} {
		if p := r.phases[name]; name == schema.PhaseProfiling || p != nil && p.records > 0 {
			s, err := r.phase(name).summary()
			if err != nil {
				return nil, err
			}
			out = append(out, s)
		}
	}
	return out, nil
}

func (p *phase) summary() (*schema.Summary, error) {
	o := &p.run.opt
	s := &schema.Summary{Kind: schema.KindSummary, Phase: p.name, EndpointType: o.EndpointType, Streaming: o.Streaming,
		Models: slices.Sorted(maps.Keys(p.run.models)), Definitions: o.Definitions, TokenCounts: o.TokenCounts,
		Metrics: map[string]schema.MetricSummary{}, ErrorSummary: p.errorSummary(),
		Records:  schema.Counts{Total: p.records, Valid: p.all.valid, Errors: p.all.errors, Cancelled: p.cancelled},
		Validity: schema.Validity{OK: true, Reasons: []string{}}}
	s.Window, s.Rules = p.bounds(), maps.Clone(p.rules)
	if len(p.skipped) > 0 {
		s.Skipped = maps.Clone(p.skipped)
	}
	for accepted, steps := range p.pooled {
		if s.PooledSpec == nil {
			s.PooledSpec = map[string]int64{}
		}
		s.PooledSpec[strconv.Itoa(accepted)] = steps
	}
	w := scope{from: s.Window.StartNS, to: s.Window.EndNS, skippedOverflow: p.skippedOverflow}
	if o.strict() && s.Window.Source != "records" {
		w.seconds = float64(w.to-w.from) / 1e9
		if p.window.EndNS == nil {
			w.seconds = 0
		}
	}
	b := block{set: p.all, scope: w, out: s.Metrics}
	if err := b.fill(); err != nil {
		return nil, err
	}
	if err := p.joined(b); err != nil {
		return nil, err
	}
	if d, ok := b.out["benchmark_duration"]; ok && !o.strict() && p.window != nil && p.window.EndNS != nil &&
		int64(*d.Avg) != *p.window.EndNS-p.window.StartNS {
		s.Rules[ruleWindow] = p.all.valid
	}
	if len(s.Rules) == 0 {
		s.Rules = nil
	}
	var err error
	s.Timeslices, err = p.slices()
	return s, err
}

// bounds is the window of the phase: the records' own by default, the phase's under 0.13.0's
// definitions where it is known.
func (p *phase) bounds() schema.Window {
	w := schema.Window{Source: "records"}
	if p.all.firstStart != nil {
		w.StartNS, w.EndNS = *p.all.firstStart, *p.all.lastEnd
	}
	if p.window == nil {
		return w
	}
	start := p.window.StartNS
	w.PhaseStartNS, w.PhaseEndNS = &start, p.window.EndNS
	if p.run.opt.strict() {
		w.StartNS, w.Source = start, p.window.Source
		if p.window.EndNS != nil {
			w.EndNS = *p.window.EndNS
		}
	}
	return w
}

// A scope is the time that a block of metrics is about.
type scope struct {
	from, to        int64   // of the curves, wall-clock ns
	seconds         float64 // what rates divide by; 0: benchmark_duration
	slice           bool
	skippedOverflow int64
}

// A block is the metrics of a phase or slice in the making.
type block struct {
	set   *set
	scope scope
	out   map[string]schema.MetricSummary
}

var quantiles = []float64{0.01, 0.05, 0.10, 0.25, 0.50, 0.75, 0.90, 0.95, 0.99}

func (b *block) fill() error {
	for slot, st := range b.set.run.steps {
		if slot >= len(b.set.cols) || b.set.cols[slot] == nil {
			continue
		}
		m := describe(st.Metric)
		o, err := b.full(&m, b.set.cols[slot], math.NaN())
		if err != nil {
			return err
		}
		b.out[st.Tag] = m
		b.adjust(st.Metric, o)
	}
	if err := b.network(); err != nil {
		return err
	}
	b.aggregates()
	for i := range All {
		if m := &All[i]; m.Derive != nil && b.set.run.allowed[m.Tag] {
			b.derive(m)
		}
	}
	b.curves()
	b.prefix()
	return nil
}

// describe is the part of a summary that the table gives.
func describe(m *Metric) schema.MetricSummary {
	out := schema.MetricSummary{Header: m.Header, ShortHeader: m.Short, Unit: m.Unit, DisplayUnit: m.Show, Group: m.Group,
		LargerIsBetter: m.Flags&LargerIsBetter != 0, Type: string(m.Kind), Flags: m.Flags.words(), Rank: rank(m.Tag)}
	if m.Order != 0 {
		order := m.Order
		out.Order = &order
	}
	return out
}

func rank(tag string) int {
	if i := slices.IndexFunc(All, func(m Metric) bool { return m.Tag == tag }); i >= 0 {
		return i
	}
	return len(All)
}

// full gives m every statistic of the column, each value less minus and not below 0 where minus is a number.
// The ranks are those of the percentiles when the failed requests stand behind the values.
func (b *block) full(m *schema.MetricSummary, c *column.Column, minus float64) (stat.Ordered, error) {
	n := c.Len() + int(b.set.errors)
	ranks := make([]int, len(quantiles))
	for i, q := range quantiles {
		ranks[i] = stat.NearestRank(n, q)
	}
	sorted := c.Sorted
	if !math.IsNaN(minus) {
		sorted = func(yield func(float64) bool) error {
			return c.Sorted(func(x float64) bool { return yield(max(x-minus, 0)) })
		}
	}
	o, err := stat.Of(c.Len(), sorted, quantiles, ranks)
	if err != nil {
		return o, err
	}
	count := int64(o.N)
	m.Avg, m.Min, m.Max, m.Sum, m.Std, m.Count = &o.Mean, &o.Min, &o.Max, &o.Sum, &o.Std, &count
	percentiles(m, o.Quantiles)
	return o, nil
}

func percentiles(m *schema.MetricSummary, q []float64) {
	for i, p := range []**float64{&m.P1, &m.P5, &m.P10, &m.P25, &m.P50, &m.P75, &m.P90, &m.P95, &m.P99} {
		if x := q[i]; !math.IsNaN(x) && !math.IsInf(x, 0) {
			*p = &x
		}
	}
}

func (b *block) scalar(tag string, x float64, ok bool) {
	if ok && !math.IsNaN(x) && !math.IsInf(x, 0) {
		m := describe(find(tag))
		m.Avg = &x
		b.out[tag] = m
	}
}

func (b *block) aggregates() {
	s := b.set
	for slot, x := range s.sums {
		if st := &s.run.steps[slot]; st.Kind == KindAggregate {
			if st.Tag == "context_overflow_count" {
				x += float64(b.scope.skippedOverflow)
			}
			b.scalar(st.Tag, x, true)
		}
	}
	if n := b.scope.skippedOverflow; n > 0 {
		b.scalar("skipped_context_overflow_count", float64(n), true)
		if _, ok := b.out["context_overflow_count"]; !ok {
			b.scalar("context_overflow_count", float64(n), true)
		}
	}
	if s.minStart != nil {
		b.scalar("min_request_timestamp", float64(*s.minStart), true)
	}
	if s.maxResponse != nil {
		b.scalar("max_response_timestamp", float64(*s.maxResponse), true)
	}
}

// derive computes m after what it needs; what is there already stands.
func (b *block) derive(m *Metric) {
	if _, done := b.out[m.Tag]; done {
		return
	}
	if m.Tag == "benchmark_duration" { // of the integers: an epoch loses its last digits as a float
		if s := b.set; s.minStart != nil && s.maxResponse != nil {
			x, ok := m.Derive([]float64{float64(*s.maxResponse - *s.minStart), 0}, 0)
			b.scalar(m.Tag, x, ok)
		}
		return
	}
	var v []float64
	for i, tag := range slices.Concat(m.Needs, m.Uses) {
		need := find(tag)
		if need.Derive != nil {
			b.derive(need)
		}
		x := math.NaN()
		if have, ok := b.out[tag]; ok {
			if x = *have.Avg; need.Kind == KindRecord {
				x = *have.Sum
			}
		} else if i < len(m.Needs) {
			return
		}
		v = append(v, x)
	}
	seconds := b.scope.seconds
	if d, ok := b.out["benchmark_duration"]; ok && seconds == 0 {
		seconds = *d.Avg * 1e-9
	}
	x, ok := m.Derive(v, seconds)
	b.scalar(m.Tag, x, ok)
}

func (f Flags) words() []string {
	var out []string
	for _, w := range []struct {
		flag Flags
		word string
	}{
		{Streaming, "streaming"}, {ErrorOnly, "error_only"}, {Tokens, "tokens"}, {Internal, "internal"}, {Audio, "audio"}, {Image, "image"},
		{Reasoning, "reasoning"}, {Experimental, "experimental"}, {Goodput, "goodput"}, {NoRecords, "no_individual_records"},
		{TokenizesInput, "tokenizes_input"}, {UsageDiff, "usage_diff"}, {HTTPTrace, "http_trace"}, {ProducesVideo, "produces_video"},
		{WithFailed, "percentile_includes_failed_requests"}, {FixedSchedule, "fixed_schedule"}, {DisableOnAccuracy, "disable_on_accuracy"},
	} {
		if f&w.flag != 0 {
			out = append(out, w.word)
		}
	}
	return out
}
