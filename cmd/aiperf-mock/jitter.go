package main

import (
	"math"
	"math/rand/v2"
	"time"
)

// A jitter draws the chances of one request: the same seed and request number, the same draws,
// whatever order the goroutines run in.
type jitter struct{ *rand.Rand }

func newJitter(seed uint64, request int64) jitter {
	return jitter{rand.New(rand.NewPCG(seed, uint64(request)))}
}

// around returns d times a lognormal factor of mean 1 and coefficient of variation cv.
func (j jitter) around(d time.Duration, cv float64) time.Duration {
	if cv == 0 || d == 0 {
		return d
	}
	variance := math.Log1p(cv * cv)
	return time.Duration(float64(d) * math.Exp(j.NormFloat64()*math.Sqrt(variance)-variance/2))
}

// fails is true in percent of the requests.
func (j jitter) fails(percent float64) bool { return percent > 0 && j.Float64()*100 < percent }
