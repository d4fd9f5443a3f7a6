package metric

// A Rule is one place where the default definitions and those of AIPerf 0.13.0 part. The rules of single
// requests (what is an answer, what is a failure) are internal/judge's.
type Rule struct{ Name, Says, Evidence string }

// Rules are the differences of the metrics, in full.
var Rules = []Rule{
	{"window-records", "throughputs and goodput divide by benchmark_duration, and the curves run from the first start to the last end",
		"the reference defines it so; 0.13.0 divides by its phase window and runs the curves over it, which no record file holds"},
	{"exact-epochs", "wall-clock times are exact integers",
		"0.13.0 keeps them as float64, in steps of 256 ns: benchmark_duration, credit and effective latencies, curve times and slice edges carry the rounding"},
	{"negative-absent", "an interval below 0 is absent, with all that is computed from it",
		"0.13.0 refuses it for some intervals and lets it through for others (inter_token_latency, time_to_first_output_token)"},
}
