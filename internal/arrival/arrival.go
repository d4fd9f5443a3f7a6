// Package arrival says when requests are sent: the gaps of a phase as one sequence.
//
// The k-th request stands at the sum of the first k gaps after the phase start, so the first one
// comes one gap after it. Sums are kept in full precision and rounded once: there is no drift.
package arrival

import (
	"fmt"
	"math"

	"aiperf/internal/rng"
)

// The patterns, by AIPerf's names.
const (
	Burst    = "concurrency_burst"
	Constant = "constant"
	Poisson  = "poisson"
	Gamma    = "gamma"
)

// Gaps returns the next gap at each call, in nanoseconds.
type Gaps func() int64

// New returns the gaps of a pattern at rate requests a second, rate above 0. smoothness is gamma's
// shape: 1 is Poisson, above is smoother. With a rate, a burst is Poisson.
func New(pattern string, rate, smoothness float64, root rng.Root) (Gaps, error) {
	if !(rate > 0) || math.IsInf(rate, 0) {
		return nil, fmt.Errorf("a request rate must be above 0, got %v", rate)
	}
	switch pattern {
	case Constant:
		return constant(rate), nil
	case Poisson, Burst:
		r := root.Child("timing.request.poisson_interval")
		return summed(func() float64 { return r.Exponential(rate) }), nil
	case Gamma:
		if !(smoothness > 0) {
			return nil, fmt.Errorf("a gamma smoothness must be above 0, got %v", smoothness)
		}
		r := root.Child("timing.request.gamma_interval")
		return summed(func() float64 { return r.Gamma(smoothness, 1/(rate*smoothness)) }), nil
	}
	return nil, fmt.Errorf("unknown arrival pattern %q", pattern)
}

// constant puts the k-th request at k/rate, rounded to the nanosecond.
func constant(rate float64) Gaps {
	k, last := 0.0, int64(0)
	return func() int64 {
		k++
		at := int64(math.Round(k * 1e9 / rate))
		gap := at - last
		last = at
		return gap
	}
}

// summed rounds the running sum of gaps in seconds.
func summed(draw func() float64) Gaps {
	sum, last := 0.0, int64(0)
	return func() int64 {
		sum += draw()
		at := int64(math.Round(sum * 1e9))
		gap := at - last
		last = at
		return gap
	}
}
