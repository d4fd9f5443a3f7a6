package metric

import (
	"math"
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

// overflow is 1 when a failure says that the context was exceeded, else 0.
func overflow(o *Options, s *judge.Sample) float64 {
	if s.Error == nil {
		return 0
	}
	text := strings.ToLower(s.Error.Message)
	for _, w := range o.ContextOverflow {
		if w != "" && strings.Contains(text, strings.ToLower(w)) {
			return 1
		}
	}
	return 0
}

// oslMismatch is 1 when the length is further from the asked one than both thresholds allow.
func oslMismatch(o *Options, osl, asked float64) float64 {
	return one(math.Abs(osl-asked) > math.Min(asked*o.OSLMismatchPct/100, float64(o.OSLMismatchTokens)))
}

// discrepant is 1 when a count of the server differs from ours by more than the threshold; reasoning
// counts only when both sides have it.
func discrepant(o *Options, s *judge.Sample, completion, prompt float64) float64 {
	worst := math.Max(completion, prompt)
	if u, ok := used(s, func(u *judge.Usage) *int64 { return u.ReasoningTokens }); ok {
		if r, ok := whole(s.ReasoningTokens); ok && r != 0 {
			worst = math.Max(worst, 100*math.Abs(u-r)/r)
		}
	}
	return one(worst > o.UsageDiffPct)
}

func one(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}
