package main

import "testing"

// A delay beyond the histogram's end counts as the longest it holds: it is not dropped.
func TestLagAboveAnHourCounts(t *testing.T) {
	h := newHealth()
	h.add(&turn{scheduled: 1}, completion{start: 1 + 2*hour})
	if n, top := h.lag.TotalCount(), h.lag.Max(); n != 1 || top < hour {
		t.Errorf("%d lags, the greatest %d ns; want 1 of %d", n, top, hour)
	}
}
