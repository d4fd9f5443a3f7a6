package dataset

import (
	"encoding/json"
	"fmt"
	"math"
	"sort"
	"strconv"
	"strings"

	"aiperf/internal/rng"
)

// A SeqDist draws pairs of input and output length, each pair with its share.
type SeqDist struct {
	Pairs []SeqPair
	cum   []float64
}

// A SeqPair is one pair: lengths and deviations in tokens, Share in percent.
type SeqPair struct {
	ISL       int64   `json:"isl"`
	ISLStddev float64 `json:"isl_stddev"`
	OSL       int64   `json:"osl"`
	OSLStddev float64 `json:"osl_stddev"`
	Share     float64 `json:"prob"`
}

// ParseSeqDist reads the three spellings: "256,128:40;512,256:60", "[(256,128):40,(512,256):60]",
// both with deviations as "256|10,128|5", and {"pairs":[{"isl":…,"osl":…,"prob":…}]}.
func ParseSeqDist(text string) (*SeqDist, error) {
	d := &SeqDist{}
	text = strings.TrimSpace(text)
	var err error
	switch {
	case strings.HasPrefix(text, "{"):
		dec := json.NewDecoder(strings.NewReader(text))
		dec.DisallowUnknownFields()
		err = dec.Decode(d)
	case strings.HasPrefix(text, "["):
		body, ok := strings.CutSuffix(text[1:], "]")
		if !ok {
			return nil, fmt.Errorf("the closing ] is missing")
		}
		for rest := strings.TrimSpace(body); rest != "" && err == nil; {
			var pair string
			inner, tail, ok := strings.Cut(strings.TrimPrefix(rest, "("), ")")
			if !ok || !strings.HasPrefix(rest, "(") {
				return nil, fmt.Errorf("%q: want (isl,osl):share", rest)
			}
			share, next, more := strings.Cut(tail, ",")
			pair = inner + share
			if err = d.add(pair); more && strings.TrimSpace(next) == "" {
				return nil, fmt.Errorf("a pair is missing after the last comma")
			}
			rest = strings.TrimSpace(next)
		}
	default:
		for _, pair := range strings.Split(text, ";") {
			if err = d.add(pair); err != nil {
				break
			}
		}
	}
	if err != nil {
		return nil, err
	}
	return d, d.check()
}

func (d *SeqDist) add(text string) error {
	lengths, share, ok := strings.Cut(text, ":")
	isl, osl, both := strings.Cut(lengths, ",")
	if !ok || !both {
		return fmt.Errorf("%q: want isl,osl:share", strings.TrimSpace(text))
	}
	var p SeqPair
	var err error
	if p.ISL, p.ISLStddev, err = length(isl); err == nil {
		p.OSL, p.OSLStddev, err = length(osl)
	}
	if err == nil {
		p.Share, err = strconv.ParseFloat(strings.TrimSpace(share), 64)
	}
	if err != nil {
		return fmt.Errorf("%q: want isl,osl:share", strings.TrimSpace(text))
	}
	d.Pairs = append(d.Pairs, p)
	return nil
}

func length(text string) (mean int64, sd float64, err error) {
	m, s, has := strings.Cut(text, "|")
	if mean, err = strconv.ParseInt(strings.TrimSpace(m), 10, 64); err == nil && has {
		sd, err = strconv.ParseFloat(strings.TrimSpace(s), 64)
	}
	return mean, sd, err
}

func (d *SeqDist) check() error {
	if len(d.Pairs) == 0 {
		return fmt.Errorf("there is no pair")
	}
	sum := 0.0
	for _, p := range d.Pairs {
		if p.ISL < 1 || p.OSL < 1 {
			return fmt.Errorf("lengths must be at least 1, got %d,%d", p.ISL, p.OSL)
		}
		if !(p.ISLStddev >= 0) || !(p.OSLStddev >= 0) || math.IsInf(p.ISLStddev+p.OSLStddev, 0) {
			return fmt.Errorf("deviations must be at least 0")
		}
		if !(p.Share >= 0 && p.Share <= 100) {
			return fmt.Errorf("shares are percentages from 0 to 100, got %v", p.Share)
		}
		sum += p.Share
		d.cum = append(d.cum, sum)
	}
	if math.Abs(sum-100) > 1e-6*100 {
		return fmt.Errorf("the shares total %v, want 100", sum)
	}
	for i := range d.cum {
		d.cum[i] /= sum
	}
	return nil
}

// Draw returns one pair of lengths.
func (d *SeqDist) Draw(r *rng.Rand) (isl, osl int64) {
	u := r.Float()
	i := sort.Search(len(d.cum), func(i int) bool { return d.cum[i] > u })
	p := d.Pairs[min(i, len(d.Pairs)-1)]
	isl, osl = p.ISL, p.OSL
	if p.ISLStddev > 0 {
		isl = r.PositiveNormal(float64(p.ISL), p.ISLStddev)
	}
	if p.OSLStddev > 0 {
		osl = r.PositiveNormal(float64(p.OSL), p.OSLStddev)
	}
	return isl, osl
}
