package metric

import (
	"math"
	"strings"

	"aiperf/internal/stat"
)

// adjust gives base's twin, in which each failed request took for ever: nearest ranks, and only what is
// finite.
func (b *block) adjust(base *Metric, o stat.Ordered) {
	twin := find("adj_" + base.Tag)
	if twin == nil || b.set.errors == 0 {
		return
	}
	m := describe(twin)
	least, count := o.Min*1e-6, int64(o.N)+b.set.errors
	m.Min, m.Count = &least, &count
	ms := make([]float64, len(o.Ranks))
	for i, x := range o.Ranks {
		ms[i] = x * 1e-6
	}
	percentiles(&m, ms)
	b.out[twin.Tag] = m
}

// network takes the round trip off the latencies.
func (b *block) network() error {
	rtt := b.set.run.rtt()
	if !(rtt > 0) {
		return nil
	}
	m := describe(find("network_rtt"))
	zero := 0.0
	m.Avg, m.Min, m.Max, m.Sum, m.Std = &rtt, &rtt, &rtt, &rtt, &zero
	all := make([]float64, len(quantiles))
	for i := range all {
		all[i] = rtt
	}
	percentiles(&m, all)
	b.out["network_rtt"] = m
	for i := range networkMetrics {
		row := &networkMetrics[i]
		base, ok := strings.CutPrefix(row.Tag, "network_adjusted_")
		if !ok {
			continue
		}
		c := b.set.column(base)
		if c == nil {
			continue
		}
		m := describe(row)
		if _, err := b.full(&m, c, rtt); err != nil {
			return err
		}
		m.Count = nil
		b.out[row.Tag] = m
	}
	return nil
}

func (b *block) curves() {
	if b.scope.to <= b.scope.from {
		return
	}
	stats := sweep(b.set.intervals, b.scope.from, b.scope.to, b.set.run.opt.Definitions)
	for i := range curveMetrics {
		if c, ok := stats[curveMetrics[i].Tag]; ok {
			m := describe(&curveMetrics[i])
			m.Avg, m.P50, m.P90, m.P95, m.P99, m.Min, m.Max, m.Std = &c.Avg, &c.P50, &c.P90, &c.P95, &c.P99, &c.Min, &c.Max, &c.Std
			b.out[curveMetrics[i].Tag] = m
		}
	}
}

func (b *block) prefix() {
	if b.set.blocks == 0 {
		return
	}
	m := describe(find("theoretical_prefix_cache_hit"))
	hit := float64(b.set.hit)
	avg, blocks := 100*hit/float64(b.set.blocks), b.set.blocks
	m.Avg, m.Sum, m.Count = &avg, &hit, &blocks
	b.out["theoretical_prefix_cache_hit"] = m
}

// joined adds what only a phase has: latencies from the scheduler's decision, and the schedule's lag.
func (p *phase) joined(b block) error {
	if p.credit != nil {
		for tag, c := range map[string]int{"credit_to_start_latency": 0, "effective_latency": 1} {
			col := p.credit
			if c == 1 {
				col = p.latency
			}
			m := describe(find(tag))
			if _, err := b.full(&m, col, math.NaN()); err != nil {
				return err
			}
			b.out[tag] = m
		}
	}
	if p.lag == nil {
		return nil
	}
	least := math.NaN()
	o, err := stat.Of(p.lag.Len(), func(yield func(float64) bool) error {
		return p.lag.Sorted(func(x float64) bool {
			if math.IsNaN(least) {
				least = x
			}
			return yield((x - least) / 1e6)
		})
	}, []float64{0.50, 0.90, 0.99}, nil)
	if err != nil {
		return err
	}
	for i, tag := range []string{"replay_sched_lag_p50", "replay_sched_lag_p90", "replay_sched_lag_p99"} {
		b.scalar(tag, o.Quantiles[i], true)
	}
	b.scalar("replay_sched_degraded", count(o.Quantiles[2] > 500), true)
	return nil
}
