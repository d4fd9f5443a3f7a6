package metric

import (
	"math"
	"slices"
	"strings"

	"aiperf/internal/judge"
)

func whole(p *int64) (float64, bool) {
	if p == nil {
		return 0, false
	}
	return float64(*p), true
}

func real(p *float64) (float64, bool) {
	if p == nil {
		return 0, false
	}
	return *p, true
}

func positive(x float64, ok bool) (float64, bool) { return x, ok && x > 0 }

func notNegative(x float64) (float64, bool) { return x, x >= 0 }

func quotient(a, b float64) (float64, bool) {
	if b == 0 {
		return 0, false
	}
	return a / b, true
}

// since is the interval from start to p, ns.
func since(p *int64, start int64) (float64, bool) {
	if p == nil {
		return 0, false
	}
	return float64(*p - start), true
}

// sinceStart is the interval from the start to content i, ns; a negative one is no value.
func sinceStart(s *judge.Sample, i int) (float64, bool) {
	if i < 0 || i >= len(s.Contents) {
		return 0, false
	}
	return notNegative(float64(s.Contents[i].PerfNS - s.StartPerfNS))
}

// gap is the interval between contents i-1 and i, ns; a negative one is no value.
func gap(s *judge.Sample, i int) (float64, bool) {
	if i >= len(s.Contents) {
		return 0, false
	}
	return notNegative(float64(s.Contents[i].PerfNS - s.Contents[i-1].PerfNS))
}

// sequenceLength is non-reasoning plus reasoning tokens: absent if both are, and possibly 0.
func sequenceLength(s *judge.Sample) (float64, bool) {
	out, ok1 := whole(s.OutputTokens)
	reasoning, ok2 := whole(s.ReasoningTokens)
	return out + reasoning, ok1 || ok2
}

// interToken spreads the decode time over the tokens after the first chunk, whose own count is known
// under --per-chunk-usage and otherwise taken as 1.
func interToken(s *judge.Sample, osl, decode float64) (float64, bool) {
	if osl < 2 {
		return 0, false
	}
	if c, ok := whole(s.FirstChunkTokens); ok && c > 0 && osl-c >= 1 {
		return decode / (osl - c), true
	}
	return decode / (osl - 1), true
}

func used(s *judge.Sample, field func(*judge.Usage) *int64) (float64, bool) {
	if s.Usage == nil {
		return 0, false
	}
	return whole(field(s.Usage))
}

func usedSeconds(s *judge.Sample) (float64, bool) {
	if s.Usage == nil {
		return 0, false
	}
	return real(s.Usage.PromptAudioSeconds)
}

func drafted(s *judge.Sample, field func(*judge.SpecDecode) (float64, bool)) (float64, bool) {
	if s.SpecDecode == nil {
		return 0, false
	}
	return field(s.SpecDecode)
}

func orZero(x float64) float64 {
	if math.IsNaN(x) {
		return 0
	}
	return x
}

func count(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// gaps are the intervals between contents.
func gaps(s *judge.Sample) (list []int64, negative bool) {
	for i := 1; i < len(s.Contents); i++ {
		d := s.Contents[i].PerfNS - s.Contents[i-1].PerfNS
		if d < 0 {
			return nil, true
		}
		list = append(list, d)
	}
	return list, false
}

// offset is a float like every value; Run keeps the integer beside it.
func offset(s *judge.Sample, _ []float64) (float64, bool) {
	if s.ScheduledNS == nil {
		return 0, false
	}
	return float64(s.Metadata.RequestStartNS - *s.ScheduledNS), true
}

func good(goals []SLO, v []float64) float64 {
	for i, o := range goals {
		if !o.Met(v[i]) {
			return 0
		}
	}
	return 1
}

func overflow(s *judge.Sample, substrings []string) float64 {
	if s.Error == nil {
		return 0
	}
	text := strings.ToLower(s.Error.Message)
	return count(slices.ContainsFunc(substrings, func(sub string) bool { return strings.Contains(text, strings.ToLower(sub)) }))
}

func first(v []float64, _ float64) (float64, bool) { return v[0], true }

func percent(v []float64, _ float64) (float64, bool) { return quotient(100*v[0], v[1]) }

// rate divides what stands second by the window; the first need, benchmark_duration, must only exist.
func rate(v []float64, seconds float64) (float64, bool) { return quotient(v[1], seconds) }
