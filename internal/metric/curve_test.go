package metric

import (
	"math"
	"testing"

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
//	in flight  10 11   33   34   21          (the last token of each comes one ns before its end)
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

func TestCurveRows(t *testing.T) { checkRows(t, curveRows) }
