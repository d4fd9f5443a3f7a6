package metric

import (
	"math"

	"aiperf/internal/column"
	"aiperf/schema"
)

// levels are the percentiles of a summary.
var levels = [...]float64{1, 5, 10, 25, 50, 75, 90, 95, 99}

// describe fills in every statistic of a column: sum and deviation are taken over the sorted values, so
// the order of input does not matter. change is applied to each value and must not break the order.
func describe(c *column.Column, change func(float64) float64) (schema.MetricSummary, error) {
	var m schema.MetricSummary
	n := c.Len()
	if n == 0 {
		return m, nil
	}
	if change == nil {
		change = func(x float64) float64 { return x }
	}
	// the two ranks of each percentile (type 7: position q*(n-1), linear between its neighbours)
	want := map[int]float64{0: 0, n - 1: 0}
	for _, l := range levels {
		lo := int(l / 100 * float64(n-1))
		want[lo], want[min(lo+1, n-1)] = 0, 0
	}
	var sum, low float64 // low: Neumaier's correction
	i := 0
	err := c.Sorted(func(x float64) bool {
		x = change(x)
		if _, ok := want[i]; ok {
			want[i] = x
		}
		i++
		t := sum + x
		if math.Abs(sum) >= math.Abs(x) {
			low += (sum - t) + x
		} else {
			low += (x - t) + sum
		}
		sum = t
		return true
	})
	if err != nil {
		return m, err
	}
	sum += low
	mean := sum / float64(n)
	var square float64
	if n > 1 {
		if err := c.Sorted(func(x float64) bool { d := change(x) - mean; square += d * d; return true }); err != nil {
			return m, err
		}
	}
	count := int64(n)
	m.Avg, m.Sum, m.Count = finite(mean), finite(sum), &count
	m.Min, m.Max, m.Std = finite(want[0]), finite(want[n-1]), finite(math.Sqrt(square/float64(n)))
	for k, p := range percentiles(&m) {
		pos := levels[k] / 100 * float64(n-1)
		lo := int(pos)
		a, b := want[lo], want[min(lo+1, n-1)]
		*p = finite(a + (pos-float64(lo))*(b-a))
	}
	return m, nil
}

// nearest are the error-adjusted percentiles: failed requests count as infinitely late, ranks are
// rounded to the nearest, halves to even; what is infinite is absent.
func nearestRank(c *column.Column, failed int64, scale float64) (schema.MetricSummary, error) {
	var m schema.MetricSummary
	n := c.Len() + int(failed)
	want := map[int]*float64{0: nil}
	at := func(l float64) int { return int(math.RoundToEven(l / 100 * float64(n-1))) }
	for _, l := range levels {
		want[at(l)] = nil
	}
	i := 0
	err := c.Sorted(func(x float64) bool {
		if _, ok := want[i]; ok {
			want[i] = finite(x * scale)
		}
		i++
		return true
	})
	count := int64(n)
	m.Count, m.Min = &count, want[0]
	for k, p := range percentiles(&m) {
		*p = want[at(levels[k])]
	}
	return m, err
}

func percentiles(m *schema.MetricSummary) []**float64 {
	return []**float64{&m.P1, &m.P5, &m.P10, &m.P25, &m.P50, &m.P75, &m.P90, &m.P95, &m.P99}
}

// finite is nil for NaN and infinities: they never leave.
func finite(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}
