package metric

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"aiperf/internal/unit"
)

// An SLO is one goal of --goodput; Limit is in the metric's internal unit.
type SLO struct {
	Tag   string
	Limit float64
}

// Met says whether x reaches the goal, inclusive: at least for metrics where larger is better, at
// most for the others.
func (o SLO) Met(x float64) bool {
	if m := find(o.Tag); m != nil && m.Flags&LargerIsBetter != 0 {
		return x >= o.Limit
	}
	return x <= o.Limit
}

// ParseGoodput reads "tag:value ..." with values in the metrics' display units. A tag that is not a
// number of a request is an error that names the nearest one. Whether the tag applies to a run is
// NewRun's question.
func ParseGoodput(text string) ([]SLO, error) {
	var out []SLO
	for word := range strings.FieldsSeq(text) {
		tag, value, ok := strings.Cut(word, ":")
		x, err := strconv.ParseFloat(value, 64)
		if !ok || err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, fmt.Errorf("goodput: reading %q: want tag:number", word)
		}
		m := find(tag)
		if m == nil || m.Kind != KindRecord || m.Value == "list[int]" {
			return nil, fmt.Errorf("goodput: no metric of a request is named %q, the nearest is %q", tag, nearest(tag))
		}
		x, ok = unit.Convert(x, m.Show, m.Unit)
		if !ok {
			return nil, fmt.Errorf("goodput: %s: no way from %s to %s", tag, m.Show, m.Unit)
		}
		out = append(out, SLO{tag, x})
	}
	return out, nil
}

func find(tag string) *Metric {
	for i := range All {
		if All[i].Tag == tag {
			return &All[i]
		}
	}
	return nil
}

// nearest is the tag of a number of a request with the smallest edit distance to tag.
func nearest(tag string) string {
	best, least := "", math.MaxInt
	for _, m := range All {
		if m.Kind == KindRecord && m.Value != "list[int]" {
			if d := distance(tag, m.Tag); d < least {
				best, least = m.Tag, d
			}
		}
	}
	return best
}

// distance is Levenshtein's, in bytes.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
