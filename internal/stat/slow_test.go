package stat

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// slowQuantile is Quantile by the definition, in rationals: q is in thousandths.
func slowQuantile(values []float64, q int64) float64 {
	sorted := slices.Clone(values)
	for i := range sorted { // by insertion: nothing shared with what is tested
		for j := i; j > 0 && sorted[j] < sorted[j-1]; j-- {
			sorted[j], sorted[j-1] = sorted[j-1], sorted[j]
		}
	}
	pos := q * int64(len(sorted)-1)
	lo, part := pos/1000, new(big.Rat).SetFrac64(pos%1000, 1000)
	if pos%1000 == 0 {
		return sorted[lo]
	}
	a, b := new(big.Rat).SetFloat64(sorted[lo]), new(big.Rat).SetFloat64(sorted[lo+1])
	b.Sub(b, a)
	x, _ := b.Mul(b, part).Add(b, a).Float64()
	return x
}

// slowNearest counts: the value whose rank is nearest to q*(n-1), of two equally near ones the even.
func slowNearest(sorted []float64, q int64) float64 {
	best, least := 0, int64(math.MaxInt64)
	for rank := range sorted {
		d := 1000*int64(rank) - q*int64(len(sorted)-1)
		if d < 0 {
			d = -d
		}
		if d < least || d == least && rank%2 == 0 {
			best, least = rank, d
		}
	}
	return sorted[best]
}

// slowDeviation is Deviation in rationals.
func slowDeviation(values []float64) (mean, std float64) {
	sum, n := new(big.Rat), new(big.Rat).SetInt64(int64(len(values)))
	for _, v := range values {
		sum.Add(sum, new(big.Rat).SetFloat64(v))
	}
	m := sum.Quo(sum, n)
	square := new(big.Rat)
	for _, v := range values {
		d := new(big.Rat).SetFloat64(v)
		d.Sub(d, m)
		square.Add(square, d.Mul(d, d))
	}
	mean, _ = m.Float64()
	variance, _ := square.Quo(square, n).Float64()
	return mean, math.Sqrt(variance)
}

func TestAgainstSlowOracle(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 13))
	for _, d := range []struct {
		name string
		next func() float64
	}{
		{"constant", func() float64 { return 42.5 }},
		{"exponential", func() float64 { return 1e7 * r.ExpFloat64() }},
		{"lognormal", func() float64 { return math.Exp(2 * r.NormFloat64()) }},
		{"with zeroes", func() float64 { return math.Max(0, r.NormFloat64()) }},
		{"ties", func() float64 { return float64(r.IntN(4)) }},
	} {
		for _, n := range []int{1, 2, 3, 10, 101, 400} {
			values := make([]float64, n)
			for i := range values {
				values[i] = d.next()
			}
			sorted := slices.Sorted(slices.Values(values))
			for _, q := range []int64{0, 10, 50, 100, 250, 500, 750, 900, 950, 990, 999, 1000} {
				p := float64(q) / 1000
				if got, want := Quantile(sorted, p), slowQuantile(values, q); math.Abs(got-want) > 1e-12*math.Abs(want) {
					t.Errorf("%s, n %d: Quantile %v = %v, want %v", d.name, n, p, got, want)
				}
				if got, want := Nearest(sorted, p), slowNearest(sorted, q); got != want {
					t.Errorf("%s, n %d: Nearest %v = %v, want %v", d.name, n, p, got, want)
				}
			}
			mean, std := Deviation(values)
			wantMean, wantStd := slowDeviation(values)
			if math.Abs(mean-wantMean) > 1e-12*wantMean || math.Abs(std-wantStd) > 1e-12*math.Max(wantMean, wantStd) {
				t.Errorf("%s, n %d: mean %v and deviation %v, want %v and %v", d.name, n, mean, std, wantMean, wantStd)
			}
		}
	}
	if mean, std := Deviation(nil); !math.IsNaN(mean) || !math.IsNaN(std) || !math.IsNaN(Nearest(nil, 0.5)) {
		t.Error("no values have statistics")
	}
}
