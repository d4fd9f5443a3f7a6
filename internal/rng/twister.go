// Package rng draws random numbers as AIPerf does, so that one seed gives one workload.
//
// A root seed gives each use of randomness a child generator of its own, named by an identifier, so
// the order in which they are made does not matter. A generator is CPython's: the Mersenne Twister
// MT19937 (Matsumoto & Nishimura 1998) seeded from an integer, and the distributions of its random module.
package rng

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"strconv"
)

const (
	twisterN = 624
	twisterM = 397
)

// A Rand is one Mersenne Twister. It is not safe for concurrent use.
type Rand struct {
	state [twisterN]uint32
	at    int
	spare float64 // the second value of a Gauss pair
	has   bool
}

// New returns a generator seeded as CPython's random.seed(seed) does.
func New(seed uint64) *Rand {
	r := &Rand{}
	r.Seed(seed)
	return r
}

// Seed starts the generator anew.
func (r *Rand) Seed(seed uint64) {
	key := []uint32{uint32(seed)}
	if hi := uint32(seed >> 32); hi != 0 {
		key = append(key, hi)
	}
	s := &r.state
	s[0] = 19650218
	for i := 1; i < twisterN; i++ {
		s[i] = 1812433253*(s[i-1]^s[i-1]>>30) + uint32(i)
	}
	i, j := 1, 0
	for range twisterN {
		s[i] = (s[i] ^ (s[i-1]^s[i-1]>>30)*1664525) + key[j] + uint32(j)
		i++
		if i >= twisterN {
			s[0], i = s[twisterN-1], 1
		}
		j = (j + 1) % len(key)
	}
	for range twisterN - 1 {
		s[i] = (s[i] ^ (s[i-1]^s[i-1]>>30)*1566083941) - uint32(i)
		i++
		if i >= twisterN {
			s[0], i = s[twisterN-1], 1
		}
	}
	s[0] = 0x80000000
	r.at, r.has = twisterN, false
}

func (r *Rand) uint32() uint32 {
	s := &r.state
	if r.at >= twisterN {
		for k := range twisterN {
			y := s[k]&0x80000000 | s[(k+1)%twisterN]&0x7fffffff
			v := s[(k+twisterM)%twisterN] ^ y>>1
			if y&1 != 0 {
				v ^= 0x9908b0df
			}
			s[k] = v
		}
		r.at = 0
	}
	y := s[r.at]
	r.at++
	y ^= y >> 11
	y ^= y << 7 & 0x9d2c5680
	y ^= y << 15 & 0xefc60000
	return y ^ y>>18
}

// ChildSeed is the seed of the generator named identifier under a root seed: the first 8 bytes,
// big-endian, of SHA-256 of "root:identifier".
func ChildSeed(root uint64, identifier string) uint64 {
	return Hash(strconv.FormatUint(root, 10) + ":" + identifier)
}

// Hash is the first 8 bytes, big-endian, of SHA-256 of text.
func Hash(text string) uint64 {
	sum := sha256.Sum256([]byte(text))
	return binary.BigEndian.Uint64(sum[:8])
}

// A Root makes the generators of one run.
type Root struct {
	Seed  uint64
	Typed bool // by the user: the run can be repeated
}

// NewRoot takes the user's seed, or 53 bits of system entropy when there is none: a number that can
// be typed, and that JSON readers keep exact.
func NewRoot(seed *uint64) Root {
	if seed != nil {
		return Root{*seed, true}
	}
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails: it ends the process instead
	return Root{Seed: binary.BigEndian.Uint64(b[:]) >> 11}
}

// Child returns the generator named identifier.
func (r Root) Child(identifier string) *Rand { return New(ChildSeed(r.Seed, identifier)) }
