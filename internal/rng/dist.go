package rng

import (
	"math"
	"math/bits"
)

// Float returns a number in [0, 1) of 53 random bits.
func (r *Rand) Float() float64 {
	a, b := r.uint32()>>5, r.uint32()>>6
	return (float64(a)*67108864 + float64(b)) / 9007199254740992
}

// bits returns k random bits, 1 to 64.
func (r *Rand) bits(k int) uint64 {
	if k <= 32 {
		return uint64(r.uint32() >> (32 - k))
	}
	lo := uint64(r.uint32())
	return lo | uint64(r.uint32()>>(64-k))<<32
}

// Below returns a whole number in [0, n), n above 0: CPython's randrange, and the index of its choice.
func (r *Rand) Below(n int) int {
	k := bits.Len(uint(n))
	for {
		if v := r.bits(k); v < uint64(n) {
			return int(v)
		}
	}
}

// Uniform returns a number in [a, b).
func (r *Rand) Uniform(a, b float64) float64 { return a + (b-a)*r.Float() }

// Gauss returns a normal number; they are made in pairs.
func (r *Rand) Gauss(mean, sd float64) float64 {
	z := r.spare
	if r.has {
		r.has = false
	} else {
		angle := r.Float() * 2 * math.Pi
		radius := math.Sqrt(-2 * math.Log(1-r.Float()))
		z = math.Cos(angle) * radius
		r.spare, r.has = math.Sin(angle)*radius, true
	}
	return mean + z*sd
}

// Exponential returns a number of mean 1/rate.
func (r *Rand) Exponential(rate float64) float64 { return -math.Log(1-r.Float()) / rate }

// Gamma returns a number of mean shape*scale: Cheng (1977) above shape 1, Ahrens & Dieter (1974) GS below.
func (r *Rand) Gamma(shape, scale float64) float64 {
	switch {
	case shape > 1:
		ainv := math.Sqrt(2*shape - 1)
		b, c := shape-math.Log(4), shape+ainv
		magic := 1 + math.Log(4.5)
		for {
			u1 := r.Float()
			if u1 <= 1e-7 || u1 >= 0.9999999 {
				continue
			}
			u2 := 1 - r.Float()
			v := math.Log(u1/(1-u1)) / ainv
			x := shape * math.Exp(v)
			z := u1 * u1 * u2
			q := b + c*v - x
			if q+magic-4.5*z >= 0 || q >= math.Log(z) {
				return x * scale
			}
		}
	case shape == 1:
		return -math.Log(1-r.Float()) * scale
	}
	for {
		b := (math.E + shape) / math.E
		p := b * r.Float()
		x := -math.Log((b - p) / shape)
		if p <= 1 {
			x = math.Pow(p, 1/shape)
		}
		u := r.Float()
		if p > 1 && u <= math.Pow(x, shape-1) || p <= 1 && u <= math.Exp(-x) {
			return x * scale
		}
	}
}

// PositiveNormal returns a whole number of at least 1: the mean, rounded half to even, when sd is
// not above 0, else the ceiling of a normal number that is not negative.
func (r *Rand) PositiveNormal(mean, sd float64) int64 {
	if sd <= 0 {
		return max(1, int64(math.RoundToEven(mean)))
	}
	for range 10000 {
		if v := r.Gauss(mean, sd); v >= 0 {
			return max(1, int64(math.Ceil(v)))
		}
	}
	return 1
}

// Shuffle returns a random order of 0 … n-1.
func (r *Rand) Shuffle(n int) []int {
	p := make([]int, n)
	for i := range p {
		p[i] = i
	}
	for i := n - 1; i > 0; i-- {
		j := r.Below(i + 1)
		p[i], p[j] = p[j], p[i]
	}
	return p
}
