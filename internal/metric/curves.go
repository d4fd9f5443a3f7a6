package metric

import (
	"cmp"
	"slices"
)

// An interval is what the curves need of one record. Times are wall-clock ns; First is Start plus
// the time to first token; Gaps are the ns between chunks with content. A missing input leaves the
// record out of the curves that need it, so a failed record has only Start and End.
type interval struct {
	Start, End int64
	First      *int64
	ISL, OSL   *float64
	Gaps       []int64
}

// curveStats are the statistics of one curve, each instant weighing the same. A percentile is the
// smallest value at or below which the curve stays for that share of the time.
type curveStats struct {
	Avg, P50, P90, P95, P99, Min, Max, Std float64
}

// The curves by their place in curveMetrics.
const (
	curveConcurrency = iota
	curveDecode
	curvePrefill
	curveDecodeConcurrency
	curvePrefillConcurrency
	curveTotal
	curveDecodePerUser
	curvePrefillPerUser
	curveTokens
	curveActiveDecode
	curveActivePrefill
	curveActiveDecodePerUser
	curveActivePrefillPerUser
	curveActiveTotal
	curveCount
)

// curveFloor is the share of a curve's maximum below which a value is 0: AIPerf's own.
const curveFloor = 1e-9

// sweep returns the statistics of the curves over [from, to], wall-clock ns, by tag; nil if the window
// is empty. The result does not depend on the order of list, bit for bit. letter is the arithmetic of
// 0.13.0: moments rounded to float64. It runs over the events twice, holding only the open records:
// once to find the range and the coarse shape of each curve, once for its moments and exact percentiles.
func sweep(list *intervals, from, to int64, letter bool) (map[string]curveStats, error) {
	w := walk{list: list, from: from, to: to}
	if letter {
		w.float = true
		w.from, w.to = floatNS(from), floatNS(to)
	}
	if w.to <= w.from {
		return nil, nil
	}
	if err := list.sort(); err != nil {
		return nil, err
	}

	columns := make([]curveColumn, curveCount)
	w.run(func(l *load, ns int64) { l.each(columns, ns, (*curveColumn).survey) })
	for i := range columns {
		columns[i].aim()
	}
	w.run(func(l *load, ns int64) { l.each(columns, ns, (*curveColumn).collect) })
	if w.err != nil {
		return nil, w.err
	}

	out := make(map[string]curveStats, curveCount)
	for i := range columns {
		out[curveMetrics[i].Tag] = columns[i].stats()
	}
	return out, nil
}

// compareIntervals is a total order of intervals: those it calls equal are the same in every input.
func compareIntervals(a, b interval) int {
	return cmp.Or(
		cmp.Compare(a.Start, b.Start),
		cmp.Compare(a.End, b.End),
		comparePointers(a.First, b.First),
		comparePointers(a.ISL, b.ISL),
		comparePointers(a.OSL, b.OSL),
		slices.Compare(a.Gaps, b.Gaps),
	)
}

// comparePointers orders nil before every value.
func comparePointers[T cmp.Ordered](a, b *T) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return -1
	case b == nil:
		return 1
	}
	return cmp.Compare(*a, *b)
}

// floatNS rounds a moment to the nearest float64: steps of 256 ns around the year 2026.
func floatNS(ns int64) int64 { return int64(float64(ns)) }

// A twice is a sum of float64 with about 106 bits: adding and later taking away the same values
// leaves no residue that a float64 could show, and none at all once no value is left.
type twice struct {
	hi, lo float64
	open   int // values added and not yet taken away
}

func (t *twice) add(x float64) { t.open++; t.sum(x) }

func (t *twice) remove(x float64) {
	t.open--
	if t.sum(-x); t.open == 0 {
		t.hi, t.lo = 0, 0
	}
}

// sum is the two-sum of Knuth, then renormalised.
func (t *twice) sum(x float64) {
	s := t.hi + x
	b := s - t.hi
	e := (t.hi - (s - b)) + (x - b) + t.lo
	t.hi = s + e
	t.lo = e - (t.hi - s)
}

// A load is the value of each basic curve at one moment.
type load struct {
	all, prefilling, decoding      int
	prefill, decode, total, tokens twice
}

// each hands every curve its value over the next ns nanoseconds; the active ones only where they are.
func (l *load) each(columns []curveColumn, ns int64, use func(*curveColumn, float64, int64)) {
	prefill, decode, total := max(l.prefill.hi, 0), max(l.decode.hi, 0), max(l.total.hi, 0)
	var prefillUser, decodeUser float64
	if l.prefilling > 0 {
		prefillUser = prefill / float64(l.prefilling)
		columns[curveActivePrefill].push(prefill, ns, use)
		columns[curveActivePrefillPerUser].push(prefillUser, ns, use)
	}
	if l.decoding > 0 {
		decodeUser = decode / float64(l.decoding)
		columns[curveActiveDecode].push(decode, ns, use)
		columns[curveActiveDecodePerUser].push(decodeUser, ns, use)
	}
	if l.all > 0 {
		columns[curveActiveTotal].push(total, ns, use)
	}
	columns[curveConcurrency].push(float64(l.all), ns, use)
	columns[curveDecode].push(decode, ns, use)
	columns[curvePrefill].push(prefill, ns, use)
	columns[curveDecodeConcurrency].push(float64(l.decoding), ns, use)
	columns[curvePrefillConcurrency].push(float64(l.prefilling), ns, use)
	columns[curveTotal].push(total, ns, use)
	columns[curveDecodePerUser].push(decodeUser, ns, use)
	columns[curvePrefillPerUser].push(prefillUser, ns, use)
	columns[curveTokens].push(max(l.tokens.hi, 0), ns, use)
}
