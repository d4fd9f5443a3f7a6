package metric

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"aiperf/internal/judge"
)

// Two requests, wall-clock ms. The first: start 10, tokens at 20 30 50, 10 in and 5 out: 2 tokens a gap.
// The second: start 30, tokens at 40 60, 20 in and 3 out. Between 10 and 60, in steps of 10:
//
//	running    1  1    2    2    1
//	prefilling 1  0    1    0    0
//	decoding   0  1    1    2    1
//	prefill/s  1000 0  2000 0    0
//	decode/s   0  200  100  200  100
//	total/s    1000 133.3 2133.3 233.3 100   (a request's decode spread evenly)
//	in flight  10 11   33   34   21          (the last token of each comes just before its end)
var (
	pair      = of(with(at(10, 10, 20, 40), tokens(10, 5)), with(at(30, 10, 30), tokens(20, 3)))
	instant   = of(broken(5, "x"))
	embedding = Options{EndpointType: "embeddings"}
	third     = 100.0 / 3
)

var curveRows = []rowCase{
	{"counts the requests that run, weighted by time", chat, pair, "effective_concurrency", nil, stats{"avg": 1.4, "min": 1, "max": 2, "p50": 1, "p90": 2, "std": math.Sqrt(0.24), "sum": none, "count": none}},
	{"counts failures too", chat, append([]*judge.Sample{with(broken(10, "x"), func(s *judge.Sample) { s.EndNS = 60 * ms })}, pair...), "effective_concurrency", nil, stats{"avg": 2.4}},
	{"is absent where no time passed", chat, instant, "effective_concurrency", nil, nil},
	{"counts the requests before their first token", chat, pair, "effective_prefill_concurrency", nil, stats{"avg": 0.4, "min": 0, "max": 1, "p50": 0, "p90": 1, "std": math.Sqrt(0.24)}},
	{"is 0 without streaming", unstream, pair, "effective_prefill_concurrency", nil, stats{"avg": 0, "max": 0}},
	{"is absent where no time passed", chat, instant, "effective_prefill_concurrency", nil, nil},
	{"counts the requests after their first token", chat, pair, "effective_decode_concurrency", nil, stats{"avg": 1, "min": 0, "max": 2, "p50": 1, "p90": 2, "std": math.Sqrt(0.4)}},
	{"is absent where no time passed", chat, instant, "effective_decode_concurrency", nil, nil},
	{"spreads the input up to the first token", chat, pair, "effective_prefill_throughput", nil, stats{"avg": 600, "min": 0, "max": 2000, "p50": 0, "p90": 2000, "std": 800}},
	{"is absent where no time passed", chat, instant, "effective_prefill_throughput", nil, nil},
	{"gives every gap the same number of tokens", chat, pair, "effective_decode_throughput", nil, stats{"avg": 120, "min": 0, "max": 200, "p50": 100, "p90": 200, "p95": 200, "p99": 200, "std": math.Sqrt(5600)}},
	{"is 0 where no tokens are produced", embedding, pair, "effective_decode_throughput", nil, stats{"avg": 0, "max": 0, "std": 0}},
	{"is absent where no time passed", chat, instant, "effective_decode_throughput", nil, nil},
	{"spreads the output over the decode time, whatever the gaps", chat, pair, "effective_total_throughput", nil,
		stats{"avg": 720, "min": 100, "max": 2000 + 4*third, "p50": 100 + 4*third, "p90": 2000 + 4*third}},
	{"is absent where no time passed", chat, instant, "effective_total_throughput", nil, nil},
	{"is the rate by the requests that decode", chat, pair, "effective_decode_throughput_per_user", nil, stats{"avg": 100, "min": 0, "max": 200, "p50": 100, "p90": 200, "std": math.Sqrt(4000)}},
	{"is absent where no time passed", chat, instant, "effective_decode_throughput_per_user", nil, nil},
	{"is the rate by the requests that prefill", chat, append(pair, with(at(10, 10, 40), tokens(30, 5))), "effective_prefill_throughput_per_user", nil, stats{"avg": 800, "min": 0, "max": 2000, "p50": 0}},
	{"is absent where no time passed", chat, instant, "effective_prefill_throughput_per_user", nil, nil},
	{"holds the input from the start and each token from its arrival", chat, pair, "tokens_in_flight", nil, stats{"avg": 21.8, "min": 10, "max": 36, "p50": 21, "p90": 34}},
	{"is absent where no time passed", chat, instant, "tokens_in_flight", nil, nil},

	{"leaves out the time in which none decodes", chat, pair, "active_decode_throughput", nil, stats{"avg": 150, "min": 100, "max": 200, "p50": 100, "p90": 200, "std": 50}},
	{"is 0 where none ever decodes", unstream, pair, "active_decode_throughput", nil, stats{"avg": 0, "min": 0, "max": 0, "p50": 0, "p99": 0, "std": 0}},
	{"is absent where no time passed", chat, instant, "active_decode_throughput", nil, nil},
	{"leaves out the time in which none prefills", chat, pair, "active_prefill_throughput", nil, stats{"avg": 1500, "min": 1000, "max": 2000, "p50": 1000, "p90": 2000, "std": 500}},
	{"is absent where no time passed", chat, instant, "active_prefill_throughput", nil, nil},
	{"leaves out the time in which none decodes", chat, pair, "active_decode_throughput_per_user", nil, stats{"avg": 125, "min": 100, "max": 200, "p50": 100, "p90": 200, "std": math.Sqrt(1875)}},
	{"is absent where no time passed", chat, instant, "active_decode_throughput_per_user", nil, nil},
	{"leaves out the time in which none prefills", chat, append(pair, with(at(10, 10, 40), tokens(30, 5))), "active_prefill_throughput_per_user", nil, stats{"avg": 2000, "min": 2000, "std": 0}},
	{"is absent where no time passed", chat, instant, "active_prefill_throughput_per_user", nil, nil},
	{"leaves out the time in which none runs", chat, append(pair, at(70, 40)), "active_total_throughput", nil, stats{"avg": 400, "min": 0, "max": 2000 + 4*third, "p50": 100}},
	{"is absent where no time passed", chat, instant, "active_total_throughput", nil, nil},
}

func TestCurves(t *testing.T) { checkRows(t, curveRows) }

// curveTags are the curves and, for the active ones, the curve that must be above 0.
var curveTags = map[string]string{"effective_concurrency": "", "effective_prefill_concurrency": "", "effective_decode_concurrency": "", "effective_prefill_throughput": "", "effective_decode_throughput": "",
	"effective_total_throughput": "", "tokens_in_flight": "", "effective_prefill_throughput_per_user": "", "effective_decode_throughput_per_user": "",
	"active_prefill_throughput": "effective_prefill_concurrency", "active_decode_throughput": "effective_decode_concurrency", "active_total_throughput": "effective_concurrency",
	"active_prefill_throughput_per_user": "effective_prefill_concurrency", "active_decode_throughput_per_user": "effective_decode_concurrency"}

// moment evaluates every curve at one time, by looking at every request. justBefore is the instant
// before t, which must be whole; else t is the half after it.
func moment(list []interval, t int64, justBefore bool) map[string]float64 {
	v := map[string]float64{}
	in := func(a, b int64) bool { // [a, b) holds the moment
		if justBefore {
			return a < t && t <= b
		}
		return a <= t && t < b
	}
	for _, iv := range list {
		if in(iv.Start, iv.End) {
			v["effective_concurrency"]++
		}
		if iv.First == nil {
			continue
		}
		first := *iv.First
		if in(iv.Start, first) {
			v["effective_prefill_concurrency"]++
			if iv.ISL != nil {
				v["effective_prefill_throughput"] += *iv.ISL / float64(first-iv.Start) * 1e9
				v["effective_total_throughput"] += *iv.ISL / float64(first-iv.Start) * 1e9
			}
		}
		if in(first, iv.End) {
			v["effective_decode_concurrency"]++
			if iv.OSL != nil && *iv.OSL > 1 {
				v["effective_total_throughput"] += (*iv.OSL - 1) / float64(iv.End-first) * 1e9
			}
		}
		if iv.OSL == nil {
			continue
		}
		if in(iv.Start, iv.End) && iv.ISL != nil && first > iv.Start {
			v["tokens_in_flight"] += *iv.ISL
		}
		if *iv.OSL <= 1 || len(iv.Gaps) == 0 {
			continue
		}
		if in(first, iv.End) {
			v["tokens_in_flight"]++
		}
		positive := 0
		for _, g := range iv.Gaps {
			if g > 0 {
				positive++
			}
		}
		chunk := first
		for _, g := range iv.Gaps {
			if in(chunk, chunk+g) {
				v["effective_decode_throughput"] += (*iv.OSL - 1) / float64(positive) / float64(g) * 1e9
			}
			chunk += g
			if in(min(chunk, iv.End), iv.End) || justBefore && t == iv.End && iv.End > iv.Start {
				v["tokens_in_flight"] += (*iv.OSL - 1) / float64(len(iv.Gaps))
			}
		}
	}
	for _, kind := range []string{"prefill", "decode"} {
		if n := v["effective_"+kind+"_concurrency"]; n > 0 {
			v["effective_"+kind+"_throughput_per_user"] = v["effective_"+kind+"_throughput"] / n
			v["active_"+kind+"_throughput_per_user"] = v["effective_"+kind+"_throughput_per_user"]
		}
		v["active_"+kind+"_throughput"] = v["effective_"+kind+"_throughput"]
	}
	v["active_total_throughput"] = v["effective_total_throughput"]
	return v
}

// slow is the oracle: every curve looked at in every nanosecond.
func slow(list []interval, from, to int64, tag string) (s curveStats, values []float64, some bool) {
	mask := curveTags[tag]
	add := func(v map[string]float64) bool { return mask == "" || v[mask] > 0 }
	s.Min, s.Max = math.Inf(1), math.Inf(-1)
	for t := from; t < to; t++ {
		v := moment(list, t, false)
		if !add(v) {
			continue
		}
		values = append(values, v[tag])
		s.Min, s.Max = math.Min(s.Min, v[tag]), math.Max(s.Max, v[tag])
	}
	for _, iv := range list { // a token at the end of its request is there for less than a nanosecond
		if tag == "tokens_in_flight" && iv.End > from && iv.End <= to {
			x := moment(list, iv.End, true)[tag]
			s.Min, s.Max = math.Min(s.Min, x), math.Max(s.Max, x)
		}
	}
	if len(values) == 0 {
		return curveStats{}, nil, false
	}
	for _, x := range values {
		s.Avg += x / float64(len(values))
	}
	for _, x := range values {
		s.Std += (x - s.Avg) * (x - s.Avg) / float64(len(values))
	}
	s.Std = math.Sqrt(s.Std)
	slices.Sort(values)
	return s, values, true
}

func TestCurvesAgainstEveryNanosecond(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := func(name string, top int) *float64 {
			if rapid.IntRange(0, 5).Draw(t, name+"?") == 0 {
				return nil
			}
			x := float64(rapid.IntRange(0, top).Draw(t, name))
			return &x
		}
		ns := func(name string, top int64) int64 { return rapid.Int64Range(0, top).Draw(t, name) }
		var list []interval
		for range rapid.IntRange(0, 5).Draw(t, "requests") {
			iv := interval{Start: 100 + ns("start", 20)}
			iv.End = iv.Start + ns("length", 9)
			if rapid.IntRange(0, 4).Draw(t, "answered") > 0 {
				first := iv.Start + ns("prefill", 9)
				iv.First, iv.End = &first, first+ns("decode", 12)
				iv.ISL, iv.OSL = number("isl", 9), number("osl", 6)
				for range rapid.IntRange(0, 4).Draw(t, "gaps") {
					iv.Gaps = append(iv.Gaps, ns("gap", 4))
				}
			}
			list = append(list, iv)
		}
		from := 95 + ns("from", 20)
		to := from + ns("width", 40)
		got := sweep(list, from, to, rapid.Bool().Draw(t, "letter"))
		if to == from {
			if got != nil {
				t.Fatalf("an empty window has %v", got)
			}
			return
		}
		if len(got) != len(curveTags) {
			t.Fatalf("%d curves, want %d", len(got), len(curveTags))
		}
		for tag := range curveTags {
			g := got[tag]
			want, values, _ := slow(list, from, to, tag)
			close := func(a, b float64) bool {
				return math.Abs(a-b) <= 1e-6*math.Max(1, math.Max(math.Abs(want.Max), math.Abs(b)))
			}
			if !close(g.Avg, want.Avg) || !close(g.Min, want.Min) || !close(g.Max, want.Max) || !close(g.Std, want.Std) {
				t.Fatalf("%s of %s in [%d, %d]: %+v, want %+v", tag, show(list), from, to, g, want)
			}
			for _, q := range []struct{ level, value float64 }{{0.5, g.P50}, {0.9, g.P90}, {0.95, g.P95}, {0.99, g.P99}} {
				below, upTo := 0, 0
				for _, x := range values {
					if close(x, q.value) {
						upTo++
					} else if x < q.value {
						below, upTo = below+1, upTo+1
					}
				}
				if n := float64(len(values)); n > 0 && (float64(upTo)/n < q.level-1e-9 || float64(below)/n > q.level+1e-9) {
					t.Fatalf("%s of %s in [%d, %d]: %v is no quantile %v of %v", tag, show(list), from, to, q.value, q.level, values)
				}
			}
		}
	})
}

func show(list []interval) (s string) {
	for _, iv := range list {
		s += fmt.Sprintf("{%d", iv.Start)
		if iv.First != nil {
			s += fmt.Sprintf(" first %d", *iv.First)
		}
		for _, x := range []*float64{iv.ISL, iv.OSL} {
			if x != nil {
				s += fmt.Sprintf(" %v", *x)
			} else {
				s += " -"
			}
		}
		s += fmt.Sprintf(" %v %d}", iv.Gaps, iv.End)
	}
	return s
}

func TestCurvesWeighByTime(t *testing.T) {
	seg := []segment{{0, 90, 5}, {90, 100, 1}}
	got := weigh(seg, nil)
	want := curveStats{Avg: 4.6, P50: 5, P90: 5, P95: 5, P99: 5, Min: 1, Max: 5, Std: 1.2}
	if math.Abs(got.Std-want.Std) > 1e-12 || math.Abs(got.Avg-want.Avg) > 1e-12 || cmp.Compare(got.P50, 5) != 0 || got.Min != 1 || got.Max != 5 {
		t.Errorf("weigh = %+v, want %+v", got, want)
	}
	if got := weigh([]segment{{0, 90, 1}, {90, 100, 5}}, nil); got.P50 != 1 || got.P90 != 1 || got.P95 != 5 || got.P99 != 5 {
		t.Errorf("a share of exactly 90 %% reaches p90: %+v", got)
	}
	if got := weigh(seg, []segment{{0, 95, 0}, {95, 100, 2}}); got.Avg != 1 || got.Max != 1 || got.P50 != 1 {
		t.Errorf("where the mask is above 0: %+v, want 1", got)
	}
	if got := weigh(seg, []segment{{0, 100, 0}}); got != (curveStats{}) {
		t.Errorf("nowhere: %+v, want zeroes", got)
	}
	if seg[0].value != 5 {
		t.Error("weigh reordered its input")
	}
}

func TestCurvesForgetDust(t *testing.T) {
	// 1e12 comes and goes beside 1e-3: what is left below a billionth of the top is 0
	got := trace([]change{{0, 1e12}, {10, -1e12}, {0, 1e-3}, {20, -1e-3}}, 30)
	for _, s := range got {
		if s.from >= 10 && s.value != 0 {
			t.Errorf("%+v, want 0 from 10 on", got)
		}
	}
	if got := trace(nil, 30); len(got) != 1 || got[0] != (segment{0, 30, 0}) {
		t.Errorf("no change at all: %+v, want 0 over the window", got)
	}
	// exactly a billionth stays
	if got := trace([]change{{0, 1e9}, {10, 1 - 1e9}, {20, -1}}, 30); len(got) != 3 || got[1].value != 1 {
		t.Errorf("%+v, want 1 from 10 to 20", got)
	}
}
