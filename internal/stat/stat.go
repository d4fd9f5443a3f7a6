// Package stat holds the exact statistics of a sorted column.
package stat

import "math"

// Quantile returns the q-quantile of sorted, 0 <= q <= 1, interpolating linearly between
// the closest ranks: Hyndman & Fan (1996) type 7, NumPy's default. NaN if sorted is empty.
func Quantile(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	pos := q * float64(len(sorted)-1)
	lo := int(pos)
	hi := min(lo+1, len(sorted)-1)
	return sorted[lo] + (pos-float64(lo))*(sorted[hi]-sorted[lo])
}

// Nearest returns the q-quantile of sorted by the nearest rank, the fractional index rounded with
// halves to even: what the error-adjusted latencies use. NaN if sorted is empty.
func Nearest(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	return sorted[int(math.RoundToEven(q*float64(len(sorted)-1)))]
}

// Deviation returns the mean and the population standard deviation (ddof 0) of values; NaN for both
// if there are none, and exactly 0 deviation for one.
func Deviation(values []float64) (mean, std float64) {
	n := float64(len(values))
	if n == 0 {
		return math.NaN(), math.NaN()
	}
	for _, v := range values {
		mean += v
	}
	mean /= n
	var square float64
	for _, v := range values {
		square += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(square / n)
}
