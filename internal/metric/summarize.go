package metric

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"

	"aiperf/schema"
)

// Summaries are the results, warmup first; a phase without requests has none.
func (r *Run) Summaries() ([]*schema.Summary, error) {
	var out []*schema.Summary
	for _, name := range []string{schema.PhaseWarmup, schema.PhaseProfiling} {
		p := r.phases[name]
		if p == nil || p.bucket.total+p.bucket.skippedOverflow == 0 {
			continue
		}
		s, err := r.summary(p)
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

func (r *Run) summary(p *phase) (*schema.Summary, error) {
	b := p.bucket
	w, divide := r.spans(p)
	s := &schema.Summary{
		Kind: schema.KindSummary, Phase: p.name, Cancelled: p.cancelled, EndpointType: r.opt.EndpointType, Streaming: r.opt.Streaming,
		Models: slices.Sorted(maps.Keys(p.models)), Definitions: r.opt.Definitions, TokenCounts: r.opt.TokenCounts, Window: w,
		Records:      schema.Counts{Total: b.total, Valid: b.valid, Errors: b.errors, Cancelled: b.cancelled},
		ErrorSummary: failures(b), Rules: r.rules(p), Skipped: b.skipped, Validity: schema.Validity{OK: true, Reasons: []string{}},
	}
	if b.valid == 0 {
		s.Validity = schema.Validity{Reasons: []string{"no request succeeded"}}
	}
	if p.window.StartNS != 0 && p.window.EndNS == 0 {
		s.Validity.OK = false
		s.Validity.Reasons = append(s.Validity.Reasons, "the phase has no end: the sender died, or the stream was cut")
	}
	if len(b.pooled) > 0 {
		s.PooledSpec = map[string]int64{}
		for k, n := range b.pooled {
			s.PooledSpec[strconv.Itoa(k)] = n
		}
	}
	var err error
	if s.Metrics, err = r.metrics(b, &p.intervals, w.StartNS, w.EndNS, divide, true); err != nil {
		return nil, err
	}
	if r.opt.SliceDuration > 0 && p.name == schema.PhaseProfiling {
		s.Timeslices, err = r.slices(p)
	}
	return s, err
}

// spans are the window of the curves and what the rates divide by, seconds (0: benchmark_duration).
func (r *Run) spans(p *phase) (schema.Window, float64) {
	b := p.bucket
	w := schema.Window{StartNS: b.firstStart, EndNS: b.lastEnd, Source: "records"}
	if p.window.StartNS != 0 {
		w.PhaseStartNS = &p.window.StartNS
	}
	if p.window.EndNS != 0 {
		w.PhaseEndNS = &p.window.EndNS
	}
	if w.PhaseStartNS == nil || !r.opt.letter() && p.window.Source != "flag" {
		return w, 0
	}
	if w.PhaseEndNS == nil { // stopped: the curves run to the last event, rates divide by benchmark_duration
		w.StartNS, w.Source = *w.PhaseStartNS, p.window.Source
		return w, 0
	}
	w.StartNS, w.EndNS, w.Source = *w.PhaseStartNS, *w.PhaseEndNS, p.window.Source
	return w, float64(w.EndNS-w.StartNS) / 1e9
}

// rules counts the requests on which the definitions part; the window concerns all of them.
func (r *Run) rules(p *phase) map[string]int64 {
	out := maps.Clone(p.bucket.rules)
	if !r.opt.letter() {
		if w := p.window; w.StartNS != 0 && w.EndNS != 0 && w.Source != "flag" {
			out["window-records"] = p.bucket.total
		}
		if p.inexact > 0 {
			out["exact-epochs"] = p.inexact
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

func failures(b *bucket) []schema.ErrorCount {
	out := []schema.ErrorCount{}
	for _, key := range slices.Sorted(maps.Keys(b.failures)) {
		out = append(out, *b.failures[key])
	}
	slices.SortStableFunc(out, func(x, y schema.ErrorCount) int { return cmp.Compare(y.Count, x.Count) })
	return out
}

// A collector gathers the metrics of a summary and the scalars that others derive from.
type collector struct {
	out     map[string]schema.MetricSummary
	scalars map[string]float64
}

func (c *collector) put(m *Metric, rank int, s schema.MetricSummary) {
	s.Header, s.ShortHeader, s.Unit, s.DisplayUnit = m.Header, m.Short, m.Unit, m.Show
	if m.Order != 0 {
		s.Order = &m.Order
	}
	s.Rank, s.Group, s.LargerIsBetter, s.Type, s.Flags = rank, m.Group, m.Flags&LargerIsBetter != 0, string(m.Kind), m.Flags.words()
	c.out[m.Tag] = s
}

// metrics are those of a bucket; the curves are of all requests that reach into [from, to]. whole is false
// for a time slice, which lacks what only a phase has.
func (r *Run) metrics(b *bucket, all *intervals, from, to int64, window float64, whole bool) (map[string]schema.MetricSummary, error) {
	c := &collector{map[string]schema.MetricSummary{}, map[string]float64{}}
	allowed := Allowed(r.opt)
	for rank := range All {
		m := &All[rank]
		slot, stepped := r.slots[m.Tag]
		switch {
		case !stepped:
		case m.Kind == KindRecord:
			s, err := describe(b.column(slot), nil)
			if err != nil {
				return nil, err
			}
			if s.Count != nil {
				c.put(m, rank, s)
				c.scalars[m.Tag] = *s.Sum
			}
		case b.has[slot]:
			x := b.sums[slot]
			switch m.Aggregation {
			case "min":
				x = float64(b.minStart)
			case "max":
				x = float64(b.maxResponse)
			}
			c.scalars[m.Tag] = x
			c.put(m, rank, schema.MetricSummary{Avg: finite(x)})
		}
		if m.Tag == "inter_chunk_latency" {
			s, err := describe(b.gaps, nil)
			if err != nil {
				return nil, err
			}
			if s.Count != nil {
				c.put(m, rank, s)
			}
		}
	}
	for slot := range r.steps { // metrics that no table knows
		m := r.steps[slot].Metric
		if rankOf(m.Tag) >= 0 {
			continue
		}
		s, err := describe(b.column(slot), nil)
		if err != nil {
			return nil, err
		}
		if s.Count != nil {
			c.put(m, len(All), s)
		}
	}
	for rank := range All {
		r.derive(c, b, &All[rank], rank, window, allowed)
	}
	return c.out, r.inject(c, b, all, from, to, whole)
}

// derive computes a derived metric once, after those it needs.
func (r *Run) derive(c *collector, b *bucket, m *Metric, rank int, window float64, allowed map[string]bool) {
	if _, done := c.out[m.Tag]; done || m.Derive == nil || !allowed[m.Tag] {
		return
	}
	var v, u []float64
	for _, tag := range m.Needs {
		r.derive(c, b, find(tag), rankOf(tag), window, allowed)
		x, ok := c.scalars[tag]
		if !ok {
			return
		}
		if tag == "benchmark_duration" {
			if x *= 1e-9; window != 0 {
				x = window
			}
		}
		v = append(v, x)
	}
	for _, tag := range m.Uses {
		u = append(u, c.scalars[tag])
	}
	x, ok := m.Derive(v, u)
	if m.Tag == "benchmark_duration" { // epoch ns: exact in integers, or rounded as 0.13.0 does
		x, ok = float64(b.maxResponse-b.minStart), b.maxResponse > b.minStart
		if r.opt.letter() {
			x = float64(b.maxResponse) - float64(b.minStart)
		}
	}
	if !ok || finite(x) == nil {
		return
	}
	c.scalars[m.Tag] = x
	c.put(m, rank, schema.MetricSummary{Avg: &x})
}

func rankOf(tag string) int {
	return slices.IndexFunc(All, func(m Metric) bool { return m.Tag == tag })
}

// inject adds what is joined after the others: calibration, error-adjusted and queueing latencies,
// schedule lag, cache hits, curves.
func (r *Run) inject(c *collector, b *bucket, all *intervals, from, to int64, whole bool) error {
	put := func(tag string, s schema.MetricSummary) {
		rank := rankOf(tag)
		c.put(&All[rank], rank, s)
	}
	if rtt := r.roundTrip(); rtt > 0 {
		for tag, base := range map[string]string{
			"network_adjusted_time_to_first_token": "time_to_first_token", "network_adjusted_request_latency": "request_latency",
			"network_adjusted_time_to_first_output_token": "time_to_first_output_token",
		} {
			slot, ok := r.slots[base]
			if !ok || b.column(slot).Len() == 0 {
				continue
			}
			s, err := describe(b.columns[slot], func(x float64) float64 { return math.Max(x-rtt, 0) })
			if err != nil {
				return err
			}
			s.Count = nil
			put(tag, s)
		}
		s := schema.MetricSummary{Avg: &rtt, Min: &rtt, Max: &rtt, Sum: &rtt, Std: new(float64)}
		for _, p := range percentiles(&s) {
			*p = &rtt
		}
		put("network_rtt", s)
	}
	if b.errors > 0 {
		for tag, base := range map[string]string{"adj_request_latency": "request_latency", "adj_time_to_first_token": "time_to_first_token",
			"adj_decode_duration": "decode_duration", "adj_inter_token_latency": "inter_token_latency"} {
			slot, ok := r.slots[base]
			if !ok || b.column(slot).Len() == 0 {
				continue
			}
			s, err := nearestRank(b.columns[slot], b.errors, 1e-6)
			if err != nil {
				return err
			}
			put(tag, s)
		}
	}
	if b.blocks > 0 {
		avg, sum := 100*float64(b.hit)/float64(b.blocks), float64(b.hit)
		put("theoretical_prefix_cache_hit", schema.MetricSummary{Avg: &avg, Sum: &sum, Count: &b.blocks})
	}
	if n := float64(b.skippedOverflow); n > 0 {
		put("skipped_context_overflow_count", schema.MetricSummary{Avg: &n})
		all := n + c.scalars["context_overflow_count"]
		put("context_overflow_count", schema.MetricSummary{Avg: &all})
	}
	if whole {
		for tag, col := range map[string]interface{ Len() int }{"credit_to_start_latency": b.credit, "effective_latency": b.end} {
			column := b.credit
			if tag == "effective_latency" {
				column = b.end
			}
			if col.Len() == 0 {
				continue
			}
			s, err := describe(column, func(x float64) float64 { return x / 1e6 })
			if err != nil {
				return err
			}
			put(tag, s)
		}
		if err := r.lag(b, put); err != nil {
			return err
		}
	}
	drawn, err := sweep(all, from, to, r.opt.letter())
	if err != nil {
		return err
	}
	for tag, s := range drawn {
		put(tag, schema.MetricSummary{Avg: finite(s.Avg), Min: finite(s.Min), Max: finite(s.Max), Std: finite(s.Std),
			P50: finite(s.P50), P90: finite(s.P90), P95: finite(s.P95), P99: finite(s.P99)})
	}
	return nil
}

// lagLimit is the p99 above which a replay counts as degraded, ms.
const lagLimit = 500.0

// lag is how far behind its schedule a replay fell, against its most punctual request.
func (r *Run) lag(b *bucket, put func(string, schema.MetricSummary)) error {
	if b.lag == nil {
		return nil
	}
	least := 0.0
	if err := b.lag.Sorted(func(x float64) bool { least = x; return false }); err != nil {
		return err
	}
	s, err := describe(b.lag, func(x float64) float64 { return (x - least) / 1e6 })
	if err != nil {
		return err
	}
	put("replay_sched_lag_p50", schema.MetricSummary{Avg: s.P50})
	put("replay_sched_lag_p90", schema.MetricSummary{Avg: s.P90})
	put("replay_sched_lag_p99", schema.MetricSummary{Avg: s.P99})
	degraded := one(*s.P99 > lagLimit)
	put("replay_sched_degraded", schema.MetricSummary{Avg: &degraded})
	return nil
}

// slices are the summaries of equal stretches from the first start of the phase to the last end of the run.
func (r *Run) slices(p *phase) ([]schema.Timeslice, error) {
	d := int64(r.opt.SliceDuration)
	origin := p.bucket.firstStart
	last := r.latestEnd
	edge := func(i int64) int64 { return origin + i*d }
	index := func(start int64) int64 { return (start - origin) / d }
	if r.opt.letter() {
		origin, last = int64(float64(origin)), int64(float64(last))
		index = func(start int64) int64 { return int64((float64(start) - float64(origin)) / float64(d)) }
		edge = func(i int64) int64 { return int64(float64(origin) + float64(i)*float64(d)) }
	}
	buckets := map[int64]*bucket{}
	for i := range p.rows {
		row := &p.rows[i]
		k := index(row.sample.start)
		if buckets[k] == nil {
			buckets[k] = r.newBucket()
		}
		if err := r.fill(buckets[k], row.values, row.gaps, &row.sample); err != nil {
			return nil, err
		}
	}
	out := []schema.Timeslice{}
	for _, k := range slices.Sorted(maps.Keys(buckets)) {
		t := schema.Timeslice{StartNS: edge(k), EndNS: edge(k + 1), IsComplete: true}
		if t.EndNS > last {
			t.EndNS, t.IsComplete = last, false
		}
		var err error
		if t.Metrics, err = r.metrics(buckets[k], &p.intervals, t.StartNS, t.EndNS, float64(t.EndNS-t.StartNS)/1e9, false); err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}
