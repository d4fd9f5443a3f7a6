package stat

import (
	"math"
	"testing"
)

func TestQuantile(t *testing.T) {
	for _, c := range []struct {
		name          string
		sorted        []float64
		q             float64
		want, nearest float64
	}{
		{"one value is every quantile", []float64{7}, 0.99, 7, 7},
		{"the median of two is between them, nearest takes the even index", []float64{1, 2}, 0.5, 1.5, 1},
		{"index 1.5 rounds to the even 2", []float64{1, 2, 3, 4}, 0.5, 2.5, 3},
		{"the ends are the extremes", []float64{1, 5, 9}, 1, 9, 9},
		{"an infinite tail leaves the quantiles before it finite", []float64{1, 3, math.Inf(1)}, 0.5, 3, 3},
		{"between ranks it is linear", []float64{10, 20, 30, 40, 50}, 0.9, 46, 50},
	} {
		if got := Nearest(c.sorted, c.q); got != c.nearest {
			t.Errorf("%s: Nearest(%v, %v) = %v, want %v", c.name, c.sorted, c.q, got, c.nearest)
		}
		if math.IsInf(c.sorted[len(c.sorted)-1], 1) {
			continue // infinite columns have nearest ranks only
		}
		if got := Quantile(c.sorted, c.q); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: Quantile(%v, %v) = %v, want %v", c.name, c.sorted, c.q, got, c.want)
		}
	}
	if got := Quantile(nil, 0.5); !math.IsNaN(got) {
		t.Errorf("Quantile(nil, 0.5) = %v, want NaN", got)
	}
}

func TestDeviation(t *testing.T) {
	for _, c := range []struct {
		name      string
		values    []float64
		mean, std float64
	}{
		{"one value does not deviate", []float64{4}, 4, 0},
		{"divided by n, not n-1", []float64{2, 4, 4, 4, 5, 5, 7, 9}, 5, 2},
	} {
		if mean, std := Deviation(c.values); mean != c.mean || std != c.std {
			t.Errorf("%s: Deviation(%v) = %v, %v, want %v, %v", c.name, c.values, mean, std, c.mean, c.std)
		}
	}
}
