package stat

import (
	"math"
	"slices"
)

// Ordered are the statistics of values that come in ascending order, once.
type Ordered struct {
	N                        int
	Mean, Min, Max, Sum, Std float64   // Std is the population's (ddof 0)
	Quantiles                []float64 // of the asked ones, type 7
	Ranks                    []float64 // of the asked ranks; NaN at or beyond N
}

// Of reads n ascending values from sorted; quantiles are 0 to 1, ranks count from 0. The result
// depends on the values alone, not on how they came to be sorted. n must be above 0.
func Of(n int, sorted func(yield func(float64) bool) error, quantiles []float64, ranks []int) (Ordered, error) {
	o := Ordered{N: n, Quantiles: make([]float64, len(quantiles)), Ranks: make([]float64, len(ranks))}
	for i := range o.Ranks {
		o.Ranks[i] = math.NaN()
	}
	wanted := slices.Clone(ranks)
	for _, q := range quantiles {
		lo := int(q * float64(n-1))
		wanted = append(wanted, lo, min(lo+1, n-1))
	}
	slices.Sort(wanted)
	wanted = slices.Compact(wanted)
	at := make(map[int]float64, len(wanted))
	var rest, mean, square float64 // Neumaier's correction of the sum; Welford's mean and squares
	i := 0
	err := sorted(func(x float64) bool {
		if i == 0 {
			o.Min = x
		}
		o.Max = x
		sum := o.Sum + x
		if math.Abs(o.Sum) >= math.Abs(x) {
			rest += (o.Sum - sum) + x
		} else {
			rest += (x - sum) + o.Sum
		}
		o.Sum = sum
		d := x - mean
		mean += d / float64(i+1)
		square += d * (x - mean)
		if len(wanted) > 0 && wanted[0] == i {
			at[i] = x
			wanted = wanted[1:]
		}
		i++
		return true
	})
	if err != nil {
		return o, err
	}
	o.Sum += rest
	o.Mean = o.Sum / float64(n)
	o.Std = math.Sqrt(square / float64(n))
	for k, q := range quantiles {
		pos := q * float64(n-1)
		lo := int(pos)
		a, b := at[lo], at[min(lo+1, n-1)]
		o.Quantiles[k] = a + (pos-float64(lo))*(b-a)
	}
	for k, r := range ranks {
		if x, ok := at[r]; ok {
			o.Ranks[k] = x
		}
	}
	return o, nil
}

// NearestRank is the rank, from 0, of the q-quantile of n values: Nearest's index.
func NearestRank(n int, q float64) int { return int(math.RoundToEven(q * float64(n-1))) }
