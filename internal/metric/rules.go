package metric

import "aiperf/internal/judge"

const (
	ruleWindow = "phase-window"
	ruleEpochs = "epoch-float64"
)

// Rules are the places where the default departs from AIPerf 0.13.0 once requests are judged; the
// others are judge.Rules. Under Definitions013 none is in force.
var Rules = []judge.Rule{
	{Name: ruleWindow, Says: "throughputs and goodput divide by benchmark_duration, the curves run from the first start to the last end",
		Evidence: "0.13.0 divides by its phase window, which no record holds (run rate-slices)"},
	{Name: ruleEpochs, Says: "wall-clock stamps are exact",
		Evidence: "0.13.0 keeps them in float64, in steps of 256 ns (benchmark_duration of every run)"},
}

// rounds says whether float64 cannot hold the stamp.
func rounds(ns int64) bool { return int64(float64(ns)) != ns }

// stamp is a wall-clock stamp as the definitions keep it.
func (o *Options) stamp(ns int64) int64 {
	if o.strict() {
		return int64(float64(ns))
	}
	return ns
}

// apart is b - a, ns.
func (o *Options) apart(a, b int64) float64 {
	if o.strict() {
		return float64(b) - float64(a)
	}
	return float64(b - a)
}
