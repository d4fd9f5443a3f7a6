package metric

import (
	"cmp"
	"math"
	"slices"
)

// An interval is one request as the curves see it, wall-clock ns. First is when its first token came;
// a failed request has only Start and End.
type interval struct {
	Start, End int64
	First      *int64
	ISL, OSL   *float64
	Gaps       []int64 // between chunks
}

// curveStats are weighted by time.
type curveStats struct{ Avg, P50, P90, P95, P99, Min, Max, Std float64 }

// A change is a jump of a curve; at is ns from the start of the window.
type change struct{ at, by float64 }

// A segment is a stretch of constant value.
type segment struct{ from, to, value float64 }

// sweep computes the curves of a set of requests over [from, to] (metrics-and-exports 1.13). letter is
// 0.13.0's arithmetic: epoch times as float64.
func sweep(list []interval, from, to int64, letter bool) map[string]curveStats {
	zero := float64(from) // epoch times as 0.13.0 has them, else exact distances from the window's start
	at := func(ns int64) float64 { return float64(ns) }
	if !letter {
		zero, at = 0, func(ns int64) float64 { return float64(ns - from) }
	}
	width := at(to) - zero
	if width <= 0 {
		return nil
	}
	var running, prefilling, decoding, prefillRate, decodeRate, totalRate, inFlight []change
	span := func(c *[]change, a, b, by float64) {
		if b > a {
			*c = append(*c, change{a - zero, by}, change{b - zero, -by})
		}
	}
	for _, iv := range list {
		start, end := at(iv.Start), at(iv.End)
		span(&running, start, end, 1)
		if iv.First == nil {
			continue
		}
		first := at(*iv.First)
		span(&prefilling, start, first, 1)
		span(&decoding, first, end, 1)
		if iv.ISL != nil && first > start {
			rate := *iv.ISL / (first - start) * 1e9
			span(&prefillRate, start, first, rate)
			span(&totalRate, start, first, rate)
		}
		if iv.OSL == nil {
			continue
		}
		rest := *iv.OSL - 1
		if rest > 0 && end > first {
			span(&totalRate, first, end, rest/(end-first)*1e9)
		}
		n := 0
		for _, g := range iv.Gaps {
			if g > 0 {
				n++
			}
		}
		held := 0.0
		hold := func(t, tokens float64) {
			inFlight = append(inFlight, change{t - zero, tokens})
			held += tokens
		}
		if iv.ISL != nil && first > start {
			hold(start, *iv.ISL)
		}
		aware := rest > 0 && len(iv.Gaps) > 0 // else no output token is seen to arrive
		if aware {
			hold(first, 1)
		}
		sum := 0.0
		for _, g := range iv.Gaps {
			if !aware {
				break
			}
			sum += float64(g)
			t := first + sum
			if g > 0 {
				span(&decodeRate, t-float64(g), t, rest/float64(n)/float64(g)*1e9)
			}
			hold(math.Min(t, math.Nextafter(end, 0)), rest/float64(len(iv.Gaps)))
		}
		inFlight = append(inFlight, change{end - zero, -held})
	}
	out := map[string]curveStats{}
	steps := map[string][]segment{}
	for tag, c := range map[string][]change{
		"effective_concurrency": running, "effective_prefill_concurrency": prefilling, "effective_decode_concurrency": decoding,
		"effective_prefill_throughput": prefillRate, "effective_decode_throughput": decodeRate, "effective_total_throughput": totalRate, "tokens_in_flight": inFlight,
	} {
		steps[tag] = trace(c, width)
		out[tag] = weigh(steps[tag], nil)
	}
	for _, kind := range []string{"prefill", "decode"} {
		rate, users := steps["effective_"+kind+"_throughput"], steps["effective_"+kind+"_concurrency"]
		per := combine(rate, users, func(a, b float64) float64 {
			if b == 0 {
				return 0
			}
			return a / b
		})
		out["effective_"+kind+"_throughput_per_user"] = weigh(per, nil)
		out["active_"+kind+"_throughput"] = weigh(rate, users)
		out["active_"+kind+"_throughput_per_user"] = weigh(per, users)
	}
	out["active_total_throughput"] = weigh(steps["effective_total_throughput"], steps["effective_concurrency"])
	return out
}

// trace turns jumps into the constant stretches of [0, width]; at one instant falls come before rises,
// and what is less than 1e-9 of the highest value is 0.
func trace(c []change, width float64) []segment {
	slices.SortFunc(c, func(a, b change) int {
		if d := cmp.Compare(a.at, b.at); d != 0 {
			return d
		}
		return cmp.Compare(a.by, b.by)
	})
	var out []segment
	last, sum, low, top := 0.0, 0.0, 0.0, 0.0
	cut := func(to float64) {
		if to = math.Min(to, width); to > last {
			v := sum + low
			top = math.Max(top, math.Abs(v))
			if n := len(out); n > 0 && out[n-1].value == v {
				out[n-1].to = to
			} else {
				out = append(out, segment{last, to, v})
			}
			last = to
		}
	}
	for _, x := range c {
		cut(x.at)
		t := sum + x.by // Neumaier: what goes up comes down to 0
		if math.Abs(sum) >= math.Abs(x.by) {
			low += (sum - t) + x.by
		} else {
			low += (x.by - t) + sum
		}
		sum = t
	}
	cut(width)
	for i := range out {
		if math.Abs(out[i].value) < 1e-9*top {
			out[i].value = 0
		}
	}
	return out
}

// combine walks two curves of one window together.
func combine(a, b []segment, f func(a, b float64) float64) []segment {
	var out []segment
	for i, j := 0, 0; i < len(a) && j < len(b); {
		from, to := math.Max(a[i].from, b[j].from), math.Min(a[i].to, b[j].to)
		if to > from {
			out = append(out, segment{from, to, f(a[i].value, b[j].value)})
		}
		if a[i].to <= b[j].to {
			i++
		} else {
			j++
		}
	}
	return out
}

// weigh takes the statistics over the window, or over the instants where mask is above 0.
func weigh(c, mask []segment) curveStats {
	if mask != nil {
		c = slices.DeleteFunc(combine(c, mask, func(a, b float64) float64 {
			if b > 0 {
				return a
			}
			return math.NaN()
		}), func(s segment) bool { return math.IsNaN(s.value) })
	} else {
		c = slices.Clone(c)
	}
	if len(c) == 0 {
		return curveStats{}
	}
	slices.SortFunc(c, func(a, b segment) int {
		if d := cmp.Compare(a.value, b.value); d != 0 {
			return d
		}
		return cmp.Compare(a.to-a.from, b.to-b.from)
	})
	var time, area float64
	for _, s := range c {
		time += s.to - s.from
		area += s.value * (s.to - s.from)
	}
	st := curveStats{Avg: area / time, Min: c[0].value, Max: c[len(c)-1].value}
	var square float64
	for _, s := range c {
		square += (s.value - st.Avg) * (s.value - st.Avg) * (s.to - s.from)
	}
	st.Std = math.Sqrt(square / time)
	share := func(q float64) float64 {
		sum := 0.0
		for _, s := range c {
			if sum += s.to - s.from; sum/time >= q {
				return s.value
			}
		}
		return st.Max
	}
	st.P50, st.P90, st.P95, st.P99 = share(0.5), share(0.9), share(0.95), share(0.99)
	return st
}
