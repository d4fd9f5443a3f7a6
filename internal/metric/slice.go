package metric

import (
	"maps"
	"slices"

	"aiperf/internal/column"
	"aiperf/schema"
)

// slices sums up the profiling requests by when they started. The grid begins with the first of them
// and ends with the last end of any request, the warmup's included; empty slices are left out.
func (p *phase) slices() ([]schema.Timeslice, error) {
	o := &p.run.opt
	width := o.SliceDuration.Nanoseconds()
	if width <= 0 || p.name != schema.PhaseProfiling || p.all.firstStart == nil {
		return nil, nil
	}
	var last *int64
	for _, other := range p.run.phases {
		if e := other.all.lastEnd; e != nil {
			last = higher(last, o.stamp(*e))
		}
	}
	origin, end := o.stamp(*p.all.firstStart), *last
	store := column.NewStore(o.MemoryBytes, o.TempDir)
	defer store.Close()
	sets := map[int64]*set{}
	err := p.rows.each(func(r *row) error {
		i := (o.stamp(r.start) - origin) / width
		if sets[i] == nil {
			sets[i] = p.run.newSet(store)
		}
		return sets[i].add(r)
	})
	if err != nil {
		return nil, err
	}
	var out []schema.Timeslice
	for _, i := range slices.Sorted(maps.Keys(sets)) {
		from := origin + i*width
		t := schema.Timeslice{StartNS: o.stamp(from), EndNS: o.stamp(from + width), IsComplete: from+width <= end, Metrics: map[string]schema.MetricSummary{}}
		if !t.IsComplete {
			t.EndNS = end
		}
		b := block{set: sets[i], out: t.Metrics,
			scope: scope{from: t.StartNS, to: t.EndNS, seconds: float64(t.EndNS-t.StartNS) / 1e9, slice: true}}
		if err := b.fill(); err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}
