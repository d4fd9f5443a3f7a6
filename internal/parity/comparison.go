// Package parity compares what our tools compute of a run with the files that AIPerf 0.13.0 wrote of it:
// counts exactly, floats at 1e-9 relative.
package parity

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Tolerance is how far a float may be from AIPerf's, relative.
const Tolerance = 1e-9

// A Comparison counts the values that were compared and remembers the worst difference and every fault.
type Comparison struct {
	Values int
	Worst  float64 // relative
	Faults []string
}

// Faultf notes a difference.
func (c *Comparison) Faultf(format string, args ...any) {
	c.Faults = append(c.Faults, fmt.Sprintf(format, args...))
}

// Number compares two numbers.
func (c *Comparison) Number(where string, got, want float64) {
	c.Values++
	d := Apart(got, want)
	c.Worst = math.Max(c.Worst, d)
	if d > Tolerance {
		c.Faultf("%s = %v, AIPerf has %v", where, got, want)
	}
}

// Apart is the relative difference of two numbers.
func Apart(a, b float64) float64 {
	if a == b {
		return 0
	}
	return math.Abs(a-b) / math.Max(math.Abs(a), math.Abs(b))
}

// JSON compares two decoded documents value by value; numbers may differ by the tolerance, whole
// numbers not at all. left names the keys of objects that are let be.
func (c *Comparison) JSON(where string, got, want any, left func(key string) bool) {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			c.Faultf("%s is %s, AIPerf has an object", where, brief(got))
			return
		}
		for _, k := range sortedKeys(w) {
			if left(k) {
				continue
			}
			x, ok := g[k]
			if !ok {
				c.Faultf("%s.%s is missing; AIPerf has %s", where, k, brief(w[k]))
				continue
			}
			if k == "std" && noise(g, w) {
				c.Values++
				continue
			}
			c.JSON(where+"."+k, x, w[k], left)
		}
		for _, k := range sortedKeys(g) {
			if _, ok := w[k]; !ok && !left(k) {
				c.Faultf("%s.%s = %s is not in AIPerf's", where, k, brief(g[k]))
			}
		}
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			c.Faultf("%s is %s, AIPerf has %s", where, brief(got), brief(want))
			return
		}
		for i := range w {
			c.JSON(fmt.Sprintf("%s[%d]", where, i), g[i], w[i], left)
		}
	case json.Number:
		g, ok := got.(json.Number)
		if !ok {
			c.Faultf("%s is %s, AIPerf has %s", where, brief(got), w)
			return
		}
		if whole(string(g)) && whole(string(w)) {
			if c.Values++; g != w {
				c.Faultf("%s = %s, AIPerf has %s", where, g, w)
			}
			return
		}
		a, _ := g.Float64()
		b, _ := w.Float64()
		c.Number(where, a, b)
	default:
		if c.Values++; got != want {
			c.Faultf("%s = %s, AIPerf has %s", where, brief(got), brief(want))
		}
	}
}

// noise says whether both deviations are what rounding leaves of equal values: below 1e-14 of the mean.
func noise(g, w map[string]any) bool {
	of := func(o map[string]any, key string) float64 {
		n, _ := o[key].(json.Number)
		x, err := n.Float64()
		if err != nil {
			return math.NaN()
		}
		return x
	}
	return flat(of(g, "std"), of(g, "avg")) && flat(of(w, "std"), of(w, "avg"))
}

func flat(std, mean float64) bool { return std <= 1e-14*math.Abs(mean) }

func whole(n string) bool { return !strings.ContainsAny(n, ".eE") }

func brief(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	if len(b) > 160 {
		return string(b[:160]) + "…"
	}
	return string(b)
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
