package main

import (
	"math"
	"math/rand/v2"
	"time"

	"aiperf/internal/cli"
)

// created is the time stamp that every answer carries; nothing depends on it.
const created = 1700000000

// options are the resolved flags.
type options struct {
	ttft, itl         time.Duration
	ttftCV, itlCV     float64
	perChunk, perW    int
	fast, stamp       bool
	stopAfter, reason int
	errorRate         float64
	seed              uint64
	model             string
}

func readOptions(c *cli.Context) options {
	o := options{
		ttft: c.Duration("ttft"), itl: c.Duration("itl"), ttftCV: c.Float("ttft-jitter-cv"), itlCV: c.Float("itl-jitter-cv"),
		perChunk: int(c.Int("tokens-per-chunk")), fast: c.Bool("fast"), stamp: c.Bool("stamp"), perW: 1,
		stopAfter: int(c.Int("stop-after")), reason: int(c.Int("reasoning-tokens")), errorRate: c.Float("error-rate"),
		seed: uint64(c.Int("random-seed")), model: c.String("model"),
	}
	switch {
	case c.IsSet("events-per-write"):
		o.perW = int(c.Int("events-per-write"))
	case o.fast:
		o.perW = 16
	}
	return o
}

// rng is the generator of the n-th request: the same seed and order of requests give the same times.
func (o *options) rng(n int64) *rand.Rand { return rand.New(rand.NewPCG(o.seed, uint64(n))) }

// jitter draws a lognormal factor of mean 1 and the coefficient of variation cv.
func jitter(r *rand.Rand, cv float64) float64 {
	if cv == 0 {
		return 1
	}
	s2 := math.Log1p(cv * cv)
	return math.Exp(r.NormFloat64()*math.Sqrt(s2) - s2/2)
}

// schedule is when the events of an answer are due, after the request was read.
func (o *options) schedule(r *rand.Rand, events int) []time.Duration {
	due := make([]time.Duration, events)
	if o.fast {
		return due
	}
	at := float64(o.ttft) * jitter(r, o.ttftCV)
	for i := range due {
		if i > 0 {
			at += float64(o.itl) * float64(o.perChunk) * jitter(r, o.itlCV)
		}
		due[i] = time.Duration(at)
	}
	return due
}
