package metric

import (
	"maps"
	"math"
	"slices"
)

// A bin holds the values that have sign, exponent and the first pageBits bits of the fraction in
// common: they differ by less than 1 part in 4096. A page holds the bins of one exponent.
const (
	pageBits = 12
	binShift = 52 - pageBits
	pageSize = 1 << pageBits
	pages    = 1 << 11
)

// curvePercentiles are those of curveStats, in its order.
var curvePercentiles = [...]float64{0.50, 0.90, 0.95, 0.99}

// A curveColumn makes the statistics of one curve, whose values are not negative, from two walks
// over it: survey sees its range and how long it stays in each bin; after aim, collect sums the
// moments and keeps the values of only those bins that hold a percentile.
type curveColumn struct {
	value float64 // not used up yet, as the next stretch may have it too
	ns    int64

	total    int64 // ns
	min, max float64
	area     twice                    // of value*ns
	bins     *[pages]*[pageSize]int64 // ns

	floor, shift float64
	sum, square  twice                         // of the deviation from shift, and its square, times ns
	targets      map[uint32]map[float64]int64  // by bin, the ns at each value
	below        [len(curvePercentiles)]int64  // ns in the bins below the percentile's
	target       [len(curvePercentiles)]uint32 // its bin
}

// push adds ns nanoseconds at value, handing on the last stretch if it had another value.
func (c *curveColumn) push(value float64, ns int64, use func(*curveColumn, float64, int64)) {
	if value == c.value {
		c.ns += ns
		return
	}
	if c.ns > 0 {
		use(c, c.value, c.ns)
	}
	c.value, c.ns = value, ns
}

// bin returns the bin of a value; larger values have no lower bin.
func bin(value float64) uint32 { return uint32(math.Float64bits(value) >> binShift) }

// survey is the first look at a stretch.
func (c *curveColumn) survey(value float64, ns int64) {
	if c.bins == nil {
		c.bins = new([pages]*[pageSize]int64)
		c.min, c.max = value, value
	}
	c.min, c.max = min(c.min, value), max(c.max, value)
	c.total += ns
	c.area.sum(value * float64(ns))
	b := bin(value)
	page := &c.bins[b>>pageBits]
	if *page == nil {
		*page = new([pageSize]int64)
	}
	(*page)[b%pageSize] += ns
}

// aim ends the survey: it finds the bin of each percentile.
func (c *curveColumn) aim() {
	if c.ns > 0 {
		c.survey(c.value, c.ns)
	}
	c.value, c.ns = 0, 0
	if c.total == 0 {
		return
	}
	c.floor = curveFloor * c.max
	c.shift = c.area.hi / float64(c.total)
	c.targets = map[uint32]map[float64]int64{}
	var below int64
	next := 0
	for exponent, page := range c.bins {
		if page == nil {
			continue
		}
		for i, ns := range page {
			for ns > 0 && next < len(curvePercentiles) && reaches(below+ns, curvePercentiles[next], c.total) {
				b := uint32(exponent<<pageBits | i)
				c.target[next], c.below[next] = b, below
				c.targets[b] = map[float64]int64{}
				next++
			}
			below += ns
		}
	}
	c.bins = nil
}

// reaches reports whether ns is at least the share q of total.
func reaches(ns int64, q float64, total int64) bool {
	return float64(ns)/float64(total) >= q
}

// collect is the second look at a stretch.
func (c *curveColumn) collect(value float64, ns int64) {
	if b := bin(value); c.isTarget(b) {
		c.targets[b][value] += ns
	}
	d := c.snap(value) - c.shift
	c.sum.sum(d * float64(ns))
	c.square.sum(d * d * float64(ns))
}

// isTarget reports whether a percentile is in bin b.
func (c *curveColumn) isTarget(b uint32) bool {
	for _, t := range c.target {
		if t == b {
			return true
		}
	}
	return false
}

// snap makes a value 0 that is next to nothing beside the maximum.
func (c *curveColumn) snap(value float64) float64 {
	if value < c.floor {
		return 0
	}
	return value
}

// stats ends the collection. A curve without any instant is 0 throughout.
func (c *curveColumn) stats() curveStats {
	if c.ns > 0 {
		c.collect(c.value, c.ns)
	}
	if c.total == 0 {
		return curveStats{}
	}
	off := c.sum.hi / float64(c.total)
	s := curveStats{
		Avg: c.shift + off,
		Min: c.snap(c.min),
		Max: c.max,
		Std: math.Sqrt(max(c.square.hi/float64(c.total)-off*off, 0)),
	}
	for i, to := range []*float64{&s.P50, &s.P90, &s.P95, &s.P99} {
		*to = c.percentile(i)
	}
	return s
}

// percentile finds the i-th percentile among the values kept of its bin.
func (c *curveColumn) percentile(i int) float64 {
	kept := c.targets[c.target[i]]
	at, last := c.below[i], 0.0
	for _, value := range slices.Sorted(maps.Keys(kept)) {
		last = c.snap(value)
		if at += kept[value]; reaches(at, curvePercentiles[i], c.total) {
			break
		}
	}
	return last
}
