package rng

import (
	"encoding/json"
	"math"
	"os"
	"testing"
)

func near(a, b float64) bool { return math.Abs(a-b) <= 4e-16*math.Max(math.Abs(a), 1) }

func TestDrawsAreThoseOfCPython(t *testing.T) {
	data, err := os.ReadFile("testdata/seed-vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors []struct {
		Root       uint64
		Identifier string
		ChildSeed  uint64    `json:"child_seed"`
		Random     []float64 `json:"random"`
		Randrange  []int     `json:"randrange_1138441"`
		Gauss      []float64 `json:"gauss_20_5"`
		Expo       []float64 `json:"expovariate_20"`
		Gamma      []float64 `json:"gammavariate_4_0.0125"`
		Choice     []int     `json:"choice_of_5"`
	}
	if err := json.Unmarshal(data, &vectors); err != nil {
		t.Fatal(err)
	}
	if len(vectors) != 32 {
		t.Fatalf("%d vectors, want 32", len(vectors))
	}
	for _, v := range vectors {
		if got := ChildSeed(v.Root, v.Identifier); got != v.ChildSeed {
			t.Errorf("ChildSeed(%d, %q) = %d, want %d", v.Root, v.Identifier, got, v.ChildSeed)
		}
		floats := func(name string, want []float64, draw func(*Rand) float64) {
			r := Root{Seed: v.Root}.Child(v.Identifier)
			for i, w := range want {
				if got := draw(r); !near(got, w) {
					t.Errorf("%d %s: %s draw %d = %v, want %v", v.Root, v.Identifier, name, i, got, w)
				}
			}
		}
		ints := func(name string, want []int, n int) {
			r := Root{Seed: v.Root}.Child(v.Identifier)
			for i, w := range want {
				if got := r.Below(n); got != w {
					t.Errorf("%d %s: %s draw %d = %v, want %v", v.Root, v.Identifier, name, i, got, w)
				}
			}
		}
		floats("random", v.Random, (*Rand).Float)
		floats("gauss", v.Gauss, func(r *Rand) float64 { return r.Gauss(20, 5) })
		floats("expovariate", v.Expo, func(r *Rand) float64 { return r.Exponential(20) })
		floats("gammavariate", v.Gamma, func(r *Rand) float64 { return r.Gamma(4, 0.0125) })
		ints("randrange", v.Randrange, 1138441)
		ints("choice", v.Choice, 5)
	}
}

func TestPositiveNormal(t *testing.T) {
	for _, c := range []struct {
		name     string
		mean, sd float64
		want     int64
	}{
		{"no deviation is the mean", 12, 0, 12},
		{"halves go to even, down", 2.5, 0, 2},
		{"halves go to even, up", 3.5, 0, 4},
		{"at least 1", 0, 0, 1},
		{"a mean far below 0 ends at 1", -1e9, 1, 1},
	} {
		if got := New(1).PositiveNormal(c.mean, c.sd); got != c.want {
			t.Errorf("%s: got %d, want %d", c.name, got, c.want)
		}
	}
}

func TestGammaHasItsMeanForEveryShape(t *testing.T) {
	for _, shape := range []float64{0.3, 1, 4} {
		r, sum := New(5), 0.0
		const n = 50000
		for range n {
			sum += r.Gamma(shape, 2)
		}
		if m := sum / n; math.Abs(m/(2*shape)-1) > 0.03 {
			t.Errorf("shape %v: mean %v, want %v", shape, m, 2*shape)
		}
	}
}

func TestShuffleIsAPermutation(t *testing.T) {
	seen := map[int]bool{}
	for _, i := range New(3).Shuffle(50) {
		seen[i] = true
	}
	if len(seen) != 50 {
		t.Errorf("%d different, want 50", len(seen))
	}
}

func TestARunWithoutASeedDiffers(t *testing.T) {
	if a, b := NewRoot(nil), NewRoot(nil); a.Seed == b.Seed {
		t.Error("two roots from entropy are equal")
	}
	seed := uint64(7)
	if r := NewRoot(&seed); r.Seed != 7 || !r.Typed {
		t.Errorf("NewRoot(7) = %+v", r)
	}
}
