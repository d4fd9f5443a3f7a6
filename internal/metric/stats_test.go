package metric

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"aiperf/internal/column"
	"aiperf/internal/stat"
)

func columnOf(t testing.TB, values ...float64) *column.Column {
	t.Helper()
	c := column.NewStore(1<<20, "").New()
	for _, x := range values {
		if err := c.Append(x); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

func TestDescribe(t *testing.T) {
	hundred := make([]float64, 101)
	for i := range hundred {
		hundred[i] = float64(100 - i)
	}
	many := make([]float64, 401)
	for i := range many {
		many[i] = float64(i)
	}
	for _, c := range []struct {
		name   string
		values []float64
		want   stats
	}{
		{"the largest of many is far from the last percentile", many, stats{"avg": 200, "min": 0, "max": 400, "sum": 80200, "std": math.Sqrt(13400), "count": 401,
			"p1": 4, "p5": 20, "p10": 40, "p25": 100, "p50": 200, "p75": 300, "p90": 360, "p95": 380, "p99": 396}},
		{"no value has no statistic", nil, stats{}},
		{"one value is every percentile and deviates by 0", []float64{7}, stats{"avg": 7, "min": 7, "max": 7, "sum": 7, "std": 0, "count": 1,
			"p1": 7, "p5": 7, "p10": 7, "p25": 7, "p50": 7, "p75": 7, "p90": 7, "p95": 7, "p99": 7}},
		{"two values have everything between them", []float64{30, 10}, stats{"avg": 20, "min": 10, "max": 30, "sum": 40, "std": 10, "count": 2,
			"p1": 10.2, "p5": 11, "p10": 12, "p25": 15, "p50": 20, "p75": 25, "p90": 28, "p95": 29, "p99": 29.8}},
		{"ties are values like others", []float64{5, 1, 5, 5, 9}, stats{"avg": 5, "min": 1, "max": 9, "sum": 25, "std": math.Sqrt(32.0 / 5), "count": 5,
			"p1": 1.16, "p5": 1.8, "p10": 2.6, "p25": 5, "p50": 5, "p75": 5, "p90": 7.4, "p95": 8.2, "p99": 8.84}},
		{"a rank that is whole is taken as it is", hundred, stats{"avg": 50, "min": 0, "max": 100, "sum": 5050, "std": math.Sqrt(850), "count": 101,
			"p1": 1, "p5": 5, "p10": 10, "p25": 25, "p50": 50, "p75": 75, "p90": 90, "p95": 95, "p99": 99}},
		{"the deviation is divided by n", []float64{2, 4, 4, 4, 5, 5, 7, 9}, stats{"avg": 5, "min": 2, "max": 9, "sum": 40, "std": 2, "count": 8,
			"p1": 2.14, "p5": 2.7, "p10": 3.4, "p25": 4, "p50": 4.5, "p75": 5.5, "p90": 7.6, "p95": 8.3, "p99": 8.86}},
		{"values below 0 are sorted before 0", []float64{0, -4, 2}, stats{"avg": -2.0 / 3, "min": -4, "max": 2, "sum": -2, "std": math.Sqrt(56.0 / 9), "count": 3,
			"p1": -3.92, "p5": -3.6, "p10": -3.2, "p25": -2, "p50": 0, "p75": 1, "p90": 1.6, "p95": 1.8, "p99": 1.96}},
		{"what is small beside a large one is not lost", []float64{1e16, 1, 1, -1e16}, stats{"avg": 0.5, "min": -1e16, "max": 1e16, "sum": 2, "std": 1e16 / math.Sqrt2, "count": 4,
			"p1": 0.97*-1e16 + 0.03, "p5": 0.85*-1e16 + 0.15, "p10": 0.7*-1e16 + 0.3, "p25": 0.25*-1e16 + 0.75, "p50": 1, "p75": 0.25*1e16 + 0.75, "p90": 0.7*1e16 + 0.3, "p95": 0.85*1e16 + 0.15, "p99": 0.97*1e16 + 0.03}},
	} {
		s, err := describe(columnOf(t, c.values...), nil)
		if err != nil {
			t.Fatal(err)
		}
		got := given(s)
		if len(got) != len(c.want) {
			t.Errorf("%s: %d statistics, want %d", c.name, len(got), len(c.want))
		}
		for name, want := range c.want {
			if !equal(got[name], want, 1e-12) {
				t.Errorf("%s: %s of %v = %v, want %v", c.name, name, c.values[:min(9, len(c.values))], got[name], want)
			}
		}
	}
	s, err := describe(columnOf(t, 1, 3), func(x float64) float64 { return 10 * x })
	if err != nil || *s.Avg != 20 || *s.Std != 10 || *s.Min != 10 || *s.P75 != 25 {
		t.Errorf("ten times 1 and 3: %v, %v", given(s), err)
	}
}

func TestNearestRank(t *testing.T) {
	for _, c := range []struct {
		name   string
		values []float64
		failed int64
		want   stats // of scale 0.5; what is infinite is absent
	}{
		{"one value and one failure: rank 0.5 is rounded to the even 0", []float64{8}, 1, stats{"min": 4, "count": 2, "p1": 4, "p5": 4, "p10": 4, "p25": 4, "p50": 4}},
		{"one value in three: rank 0.5 is 0, rank 1 is infinite", []float64{8}, 2, stats{"min": 4, "count": 3, "p1": 4, "p5": 4, "p10": 4, "p25": 4}},
		{"three values and one failure: rank 1.5 is rounded to the even 2", []float64{8, 4, 6}, 1, stats{"min": 2, "count": 4, "p1": 2, "p5": 2, "p10": 2, "p25": 3, "p50": 4, "p75": 4}},
		{"no value but failures", nil, 3, stats{"count": 3}},
	} {
		s, err := nearestRank(columnOf(t, c.values...), c.failed, 0.5)
		if err != nil {
			t.Fatal(err)
		}
		got := given(s)
		if len(got) != len(c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
		for name, want := range c.want {
			if got[name] != want {
				t.Errorf("%s: %s = %v, want %v", c.name, name, got[name], want)
			}
		}
	}
}

// drawValues makes a column of one of several shapes: constant, with zeroes and ties, exponential, lognormal.
func drawValues(t *rapid.T) []float64 {
	shape := rapid.SampledFrom([]string{"constant", "zeroes", "exponential", "lognormal"}).Draw(t, "shape")
	u := rapid.Float64Range(1e-9, 1-1e-9)
	one := rapid.Map(u, func(u float64) float64 {
		switch shape {
		case "zeroes":
			return math.Floor(4 * u)
		case "exponential":
			return -1e8 * math.Log(u)
		case "lognormal":
			return math.Exp(3 * math.Sqrt2 * math.Erfinv(2*u-1))
		}
		return 5
	})
	return rapid.SliceOfN(one, 1, 300).Draw(t, "values")
}

func TestDescribeAgainstTheSlowOracle(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		values := drawValues(rt)
		s, err := describe(columnOf(t, values...), nil)
		if err != nil {
			rt.Fatal(err)
		}
		sorted := slices.Sorted(slices.Values(values))
		mean, std := stat.Deviation(values)
		last := *s.Min
		for i, p := range percentiles(&s) {
			x, want := **p, stat.Quantile(sorted, levels[i]/100)
			if !equal(x, want, 1e-12) {
				rt.Fatalf("p%v of %v = %v, want %v", levels[i], sorted, x, want)
			}
			if last-x > 1e-12*last {
				rt.Fatalf("p%v of %v = %v, below the one before it, %v", levels[i], sorted, x, last)
			}
			last = x
		}
		if last-*s.Max > 1e-12*last || *s.Min != sorted[0] || *s.Max != sorted[len(sorted)-1] {
			rt.Fatalf("%v: min %v, p99 %v, max %v", sorted, *s.Min, last, *s.Max)
		}
		if !equal(*s.Avg, mean, 1e-12) || math.Abs(*s.Std-std) > 1e-9*mean {
			rt.Fatalf("%v: mean %v and deviation %v, want %v and %v", sorted, *s.Avg, *s.Std, mean, std)
		}
		failed := rapid.Int64Range(1, 50).Draw(rt, "failed")
		adjusted, err := nearestRank(columnOf(t, values...), failed, 1)
		if err != nil {
			rt.Fatal(err)
		}
		for range failed {
			sorted = append(sorted, math.Inf(1))
		}
		for i, p := range percentiles(&adjusted) {
			want := stat.Nearest(sorted, levels[i]/100)
			if (*p == nil) != math.IsInf(want, 1) || *p != nil && **p != want {
				rt.Fatalf("nearest p%v of %v = %v, want %v", levels[i], sorted, *p, want)
			}
		}
	})
}
