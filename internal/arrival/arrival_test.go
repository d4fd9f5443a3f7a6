package arrival

import (
	"math"
	"testing"

	"aiperf/internal/rng"
)

func gaps(t *testing.T, pattern string, rate, smooth float64, seed uint64) Gaps {
	t.Helper()
	g, err := New(pattern, rate, smooth, rng.Root{Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestB34ConstantRateIsAnAbsoluteSchedule(t *testing.T) {
	g, at := gaps(t, Constant, 200, 1, 0), int64(0)
	for k := int64(1); k <= 10000; k++ {
		if at += g(); at != k*5_000_000 {
			t.Fatalf("request %d at %d ns, want %d", k, at, k*5_000_000)
		}
	}
}

func TestConstantRatesThatDivideBadlyDoNotDrift(t *testing.T) {
	g, at := gaps(t, Constant, 3, 1, 0), int64(0)
	for range 3_000_000 {
		at += g()
	}
	if at != 1_000_000_000_000_000 {
		t.Errorf("3,000,000 requests at 3/s end at %d ns, want 1e15", at)
	}
}

func TestB39FractionalRatesAreExact(t *testing.T) {
	for rate, want := range map[float64]int64{0.5: 2_000_000_000, 1.5: 666_666_667, 2.75: 363_636_364} {
		if got := gaps(t, Constant, rate, 1, 0)(); got != want {
			t.Errorf("gap at %v/s = %d, want %d", rate, got, want)
		}
	}
}

func TestB34RandomGapsHaveTheirMeanAndSpread(t *testing.T) {
	for _, c := range []struct {
		name, pattern string
		smooth, cv    float64
	}{
		{"poisson", Poisson, 1, 1},
		{"a burst with a rate is poisson", Burst, 1, 1},
		{"gamma of smoothness 4 has half the spread", Gamma, 4, 0.5},
		{"gamma of smoothness 0.25 has twice the spread", Gamma, 0.25, 2},
	} {
		g, again := gaps(t, c.pattern, 200, c.smooth, 7), gaps(t, c.pattern, 200, c.smooth, 7)
		const n = 20000
		var sum, sq float64
		for range n {
			x := g()
			if y := again(); x != y {
				t.Fatalf("%s: same seed, other gap: %d and %d", c.name, x, y)
			}
			sum += float64(x)
			sq += float64(x) * float64(x)
		}
		mean := sum / n
		cv := math.Sqrt(sq/n-mean*mean) / mean
		if math.Abs(mean/5e6-1) > 0.03 || math.Abs(cv/c.cv-1) > 0.05 {
			t.Errorf("%s: mean %v ns, CV %v; want 5e6, %v", c.name, mean, cv, c.cv)
		}
	}
}

// The arrivals of AIPerf 0.13.0's own run with seed 7 at 20/s (offsets from the first request, ms);
// its server and client shared two busy cores, hence the 15 ms.
func TestPoissonArrivalsAreAIPerfs(t *testing.T) {
	g := gaps(t, Poisson, 20, 1, 7)
	want := peerOffsets(t)
	first := float64(g()) / 1e6
	at := first
	for i, w := range want {
		if i > 0 {
			at += float64(g()) / 1e6
		}
		if math.Abs(at-first-w) > 15 {
			t.Errorf("request %d at %.1f ms after the first, want %.1f", i, at-first, w)
		}
	}
}

func TestWhatCannotBeARateIsRefused(t *testing.T) {
	for _, rate := range []float64{0, -1, math.Inf(1), math.NaN()} {
		if _, err := New(Poisson, rate, 1, rng.Root{}); err == nil {
			t.Errorf("rate %v: no error", rate)
		}
	}
	if _, err := New(Gamma, 1, 0, rng.Root{}); err == nil {
		t.Error("smoothness 0: no error")
	}
	if _, err := New("steady", 1, 1, rng.Root{}); err == nil {
		t.Error("unknown pattern: no error")
	}
}
