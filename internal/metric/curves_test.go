package metric

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func ref[T any](v T) *T { return &v }

func TestCurves(t *testing.T) {
	const s = int64(1e9)
	one := interval{Start: 0, End: 4 * s, First: ref(1 * s), ISL: ref(10.0), OSL: ref(4.0), Gaps: []int64{1 * s, 0, 2 * s}}
	for _, c := range []struct {
		name     string
		list     []interval
		from, to int64
		want     map[string]curveStats
	}{
		{"no records are zero throughout", nil, 0, s, map[string]curveStats{
			"effective_concurrency": {}, "active_total_throughput": {},
		}},
		{"idle lead and tail count", []interval{{Start: 1 * s, End: 2 * s}}, 0, 4 * s, map[string]curveStats{
			"effective_concurrency":        {Avg: 0.25, P90: 1, P95: 1, P99: 1, Max: 1, Std: math.Sqrt(0.1875)},
			"effective_decode_concurrency": {},
		}},
		{"a request ending as another starts is never two", []interval{{Start: 0, End: s}, {Start: s, End: 2 * s}}, 0, 2 * s, map[string]curveStats{
			"effective_concurrency": {Avg: 1, P50: 1, P90: 1, P95: 1, P99: 1, Min: 1, Max: 1},
		}},
		{"a request cut by the window counts inside it", []interval{{Start: 0, End: 4 * s}}, 2 * s, 3 * s, map[string]curveStats{
			"effective_concurrency": {Avg: 1, P50: 1, P90: 1, P95: 1, P99: 1, Min: 1, Max: 1},
		}},
		// 10 tokens/s for 1 s; then 3 tokens over two gaps above 0: 1.5/s for 1 s, 0.75/s for 2 s.
		// In flight: 10, then 11, then 13 (its gap and the empty one after it), 14 at the very end, that counts 1 ns.
		{"decode follows the chunks", []interval{one}, 0, 4 * s, map[string]curveStats{
			"effective_prefill_throughput":       {Avg: 2.5, P90: 10, P95: 10, P99: 10, Max: 10, Std: math.Sqrt(18.75)},
			"effective_decode_throughput":        {Avg: 0.75, P50: 0.75, P90: 1.5, P95: 1.5, P99: 1.5, Max: 1.5, Std: math.Sqrt(0.28125)},
			"effective_total_throughput":         {Avg: 3.25, P50: 1, P90: 10, P95: 10, P99: 10, Min: 1, Max: 10, Std: math.Sqrt(15.1875)},
			"active_decode_throughput":           {Avg: 1, P50: 0.75, P90: 1.5, P95: 1.5, P99: 1.5, Min: 0.75, Max: 1.5, Std: math.Sqrt(0.125)},
			"active_prefill_throughput_per_user": {Avg: 10, P50: 10, P90: 10, P95: 10, P99: 10, Min: 10, Max: 10},
			"tokens_in_flight":                   {Avg: 11.75, P50: 11, P90: 13, P95: 13, P99: 13, Min: 10, Max: 14, Std: math.Sqrt(1.6875)},
		}},
		{"two users share a rate", []interval{one, one}, 0, 4 * s, map[string]curveStats{
			"effective_prefill_throughput":          {Avg: 5, P90: 20, P95: 20, P99: 20, Max: 20, Std: math.Sqrt(75)},
			"effective_prefill_throughput_per_user": {Avg: 2.5, P90: 10, P95: 10, P99: 10, Max: 10, Std: math.Sqrt(18.75)},
		}},
	} {
		got := sweepOf(c.list, c.from, c.to, false)
		if len(got) != curveCount {
			t.Errorf("%s: %d curves, want %d", c.name, len(got), curveCount)
		}
		for tag, want := range c.want {
			if !near(got[tag], want, 1e-8) {
				t.Errorf("%s: %s = %+v, want %+v", c.name, tag, got[tag], want)
			}
		}
	}
}

func TestAnEmptyWindowHasNoCurves(t *testing.T) {
	for _, letter := range []bool{false, true} {
		if got := sweepOf([]interval{{Start: 0, End: 10}}, 5, 5, letter); got != nil {
			t.Errorf("sweep over an empty window = %v, want nil", got)
		}
	}
}

func (s curveStats) list() []float64 {
	return []float64{s.Avg, s.P50, s.P90, s.P95, s.P99, s.Min, s.Max, s.Std}
}

// near compares at a share of the curve's maximum.
func near(a, b curveStats, share float64) bool {
	x, y := a.list(), b.list()
	for i := range x {
		if !(math.Abs(x[i]-y[i]) <= share*max(1, math.Abs(b.Max))) {
			return false
		}
	}
	return true
}

// drawIntervals makes a few records that share many moments.
func drawIntervals(t *rapid.T) []interval {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) interval {
		v := interval{Start: rapid.Int64Range(0, 40).Draw(t, "start")}
		v.End = v.Start + rapid.Int64Range(0, 40).Draw(t, "length")
		if rapid.Bool().Draw(t, "answered") {
			v.First = ref(rapid.Int64Range(v.Start, v.End).Draw(t, "first"))
			if rapid.IntRange(0, 9).Draw(t, "has ISL") > 0 {
				v.ISL = ref(float64(rapid.IntRange(0, 50).Draw(t, "ISL")))
			}
			if rapid.IntRange(0, 9).Draw(t, "has OSL") > 0 {
				v.OSL = ref(float64(rapid.IntRange(0, 20).Draw(t, "OSL")))
			}
			v.Gaps = rapid.SliceOfN(rapid.Int64Range(0, 9), 0, 6).Draw(t, "gaps")
		}
		return v
	}), 0, 8).Draw(t, "records")
}

// sweepSlowly evaluates every curve anew on each elementary stretch, by its definition.
func sweepSlowly(list []interval, from, to int64) map[string]curveStats {
	moments := []int64{from, to}
	for _, v := range list {
		moments = append(moments, v.Start, v.End, v.End-1)
		if v.First != nil {
			at := *v.First
			moments = append(moments, at)
			for _, g := range v.Gaps {
				at += g
				moments = append(moments, at)
			}
		}
	}
	slices.Sort(moments)
	moments = slices.Compact(moments)
	type piece struct{ value, ns float64 }
	var curves [curveCount][]piece
	for i := 0; i+1 < len(moments); i++ {
		a, b := moments[i], moments[i+1]
		if a < from || b > to {
			continue
		}
		in := func(x, y int64) bool { return x <= a && b <= y }
		var v [curveCount]float64
		for _, r := range list {
			if in(r.Start, r.End) {
				v[curveConcurrency]++
			}
			if r.First == nil {
				continue
			}
			first := *r.First
			if in(r.Start, first) {
				v[curvePrefillConcurrency]++
				if r.ISL != nil {
					rate := *r.ISL / float64(first-r.Start) * 1e9
					v[curvePrefill] += rate
					v[curveTotal] += rate
				}
			}
			if in(first, r.End) {
				v[curveDecodeConcurrency]++
				if r.OSL != nil && *r.OSL > 1 {
					v[curveTotal] += (*r.OSL - 1) / float64(r.End-first) * 1e9
				}
			}
			if r.OSL == nil {
				continue
			}
			var positive float64
			for _, g := range r.Gaps {
				if g > 0 {
					positive++
				}
			}
			at := first
			for _, g := range r.Gaps {
				if in(at, at+g) && *r.OSL > 1 {
					v[curveDecode] += (*r.OSL - 1) / positive / float64(g) * 1e9
				}
				at += g
			}
			if r.ISL == nil || !in(r.Start, r.End) {
				continue
			}
			if first > r.Start {
				v[curveTokens] += *r.ISL
			}
			if len(r.Gaps) == 0 || *r.OSL <= 1 {
				continue
			}
			if first <= a {
				v[curveTokens]++
			}
			at = first
			for _, g := range r.Gaps {
				at += g
				if min(at, r.End-1) <= a {
					v[curveTokens] += (*r.OSL - 1) / float64(len(r.Gaps))
				}
			}
		}
		ns := float64(b - a)
		if n := v[curveDecodeConcurrency]; n > 0 {
			v[curveDecodePerUser] = v[curveDecode] / n
			curves[curveActiveDecode] = append(curves[curveActiveDecode], piece{v[curveDecode], ns})
			curves[curveActiveDecodePerUser] = append(curves[curveActiveDecodePerUser], piece{v[curveDecode] / n, ns})
		}
		if n := v[curvePrefillConcurrency]; n > 0 {
			v[curvePrefillPerUser] = v[curvePrefill] / n
			curves[curveActivePrefill] = append(curves[curveActivePrefill], piece{v[curvePrefill], ns})
			curves[curveActivePrefillPerUser] = append(curves[curveActivePrefillPerUser], piece{v[curvePrefill] / n, ns})
		}
		if v[curveConcurrency] > 0 {
			curves[curveActiveTotal] = append(curves[curveActiveTotal], piece{v[curveTotal], ns})
		}
		for i := curveConcurrency; i < curveActiveDecode; i++ {
			curves[i] = append(curves[i], piece{v[i], ns})
		}
	}
	out := map[string]curveStats{}
	for i, pieces := range curves {
		var s curveStats
		if len(pieces) > 0 {
			slices.SortFunc(pieces, func(a, b piece) int { return cmp.Compare(a.value, b.value) })
			var total, square float64
			for _, p := range pieces {
				total += p.ns
				s.Avg += p.value * p.ns
			}
			s.Avg /= total
			s.Min, s.Max = pieces[0].value, pieces[len(pieces)-1].value
			for _, p := range pieces {
				square += (p.value - s.Avg) * (p.value - s.Avg) * p.ns
			}
			s.Std = math.Sqrt(square / total)
			for j, to := range []*float64{&s.P50, &s.P90, &s.P95, &s.P99} {
				var at float64
				for _, p := range pieces {
					*to = p.value
					if at += p.ns; at/total >= curvePercentiles[j] {
						break
					}
				}
			}
		}
		out[curveMetrics[i].Tag] = s
	}
	return out
}

func TestCurvesEqualTheSlowOracle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := drawIntervals(t)
		from := rapid.Int64Range(-5, 50).Draw(t, "from")
		to := from + rapid.Int64Range(0, 60).Draw(t, "window")
		got, want := sweepOf(list, from, to, false), sweepSlowly(list, from, to)
		if to == from {
			return // no window, no curves
		}
		for tag, w := range want {
			if !near(got[tag], w, 1e-10) {
				t.Fatalf("%s = %+v, want %+v", tag, got[tag], w)
			}
		}
	})
}

func TestCurvesDoNotDependOnTheOrderOfRecords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := drawIntervals(t)
		shuffled := rapid.Permutation(list).Draw(t, "shuffled")
		for _, letter := range []bool{false, true} {
			got, want := sweepOf(shuffled, 0, 60, letter), sweepOf(list, 0, 60, letter)
			for tag := range want {
				if got[tag] != want[tag] {
					t.Fatalf("letter %v: %s = %+v, want %+v", letter, tag, got[tag], want[tag])
				}
			}
		}
	})
}

func BenchmarkSweep(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	const records, chunks = 1000, 200
	var list []interval
	for i := range int64(records) {
		v := interval{Start: i * 20e6, ISL: ref(500.0), OSL: ref(chunks + 1.0)}
		v.First = ref(v.Start + int64(50e6+r.ExpFloat64()*50e6))
		v.End = *v.First
		for range chunks {
			v.Gaps = append(v.Gaps, int64(1e6+r.ExpFloat64()*9e6))
			v.End += v.Gaps[len(v.Gaps)-1]
		}
		list = append(list, v)
	}
	b.ReportAllocs()
	for b.Loop() {
		sweepOf(list, 0, records*20e6+3e9, false)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(records*(chunks+3)), "ns/event")
}

// sweepOf is sweep of intervals in hand.
func sweepOf(list []interval, from, to int64, letter bool) map[string]curveStats {
	var l intervals
	defer l.close()
	for i := range list {
		if err := l.add(&list[i]); err != nil {
			panic(err)
		}
	}
	out, err := sweep(&l, from, to, letter)
	if err != nil {
		panic(err)
	}
	return out
}
