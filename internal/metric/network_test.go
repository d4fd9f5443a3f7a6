package metric

import (
	"testing"

	"aiperf/schema"
)

func rtt(ns float64) Options {
	return Options{EndpointType: "chat", Streaming: true, NetworkLatencyNS: &ns}
}

var networkRows = []rowCase{
	{"is each latency less the round trip, and never below 0", rtt(4e6), of(at(1, 3), at(2, 8), at(3, 12)), "network_adjusted_request_latency", nil,
		stats{"avg": 4e6, "min": 0, "max": 8e6, "sum": 12e6, "p50": 4e6, "p25": 2e6, "count": none}},
	{"is absent without a round trip", chat, of(at(1, 3)), "network_adjusted_request_latency", nil, nil},
	{"is absent where the round trip is 0", rtt(0), of(at(1, 3)), "network_adjusted_request_latency", nil, nil},
	{"is absent where nothing succeeded", rtt(4e6), of(broken(1, "x")), "network_adjusted_request_latency", nil, nil},
	{"is of the first content", rtt(4e6), of(at(1, 5, 30), at(2, 7, 40)), "network_adjusted_time_to_first_token", nil, stats{"avg": 2e6, "std": 1e6, "sum": 4e6, "count": none}},
	{"is absent without a first content", Options{EndpointType: "chat", NetworkLatencyNS: f(4e6)}, of(at(1, 5, 30)), "network_adjusted_time_to_first_token", nil, nil},
	{"is of the first output", rtt(4e6), of(with(at(1, 5, 30), firstOutput(30))), "network_adjusted_time_to_first_output_token", nil, stats{"avg": 26e6, "count": none}},
	{"is absent without output", rtt(4e6), of(at(1, 5)), "network_adjusted_time_to_first_output_token", nil, nil},
	{"has every statistic, and they are all the same", rtt(4e6), of(at(1, 5)), "network_rtt", nil,
		stats{"avg": 4e6, "min": 4e6, "max": 4e6, "sum": 4e6, "std": 0, "p1": 4e6, "p5": 4e6, "p10": 4e6, "p25": 4e6, "p50": 4e6, "p75": 4e6, "p90": 4e6, "p95": 4e6, "p99": 4e6, "count": none}},
	{"is absent without a round trip", chat, of(at(1, 5)), "network_rtt", nil, nil},
}

func TestNetworkRows(t *testing.T) { checkRows(t, networkRows) }

func TestTheRoundTripIsTheMeanOfTheProbes(t *testing.T) {
	probe := func(ns int64, ok bool) schema.NetworkProbe {
		return schema.NetworkProbe{Success: ok, RTTNS: &ns}
	}
	r, err := NewRun(chat)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []schema.NetworkProbe{probe(1e6, true), probe(9e9, false), probe(4e6, true), probe(1e6, true), {Success: true}} {
		r.AddProbe(p)
	}
	if got := r.roundTrip(); got != 2e6 {
		t.Errorf("round trip %v, want 2e6", got)
	}
	given := 5e6
	r.opt.NetworkLatencyNS = &given
	if got := r.roundTrip(); got != 5e6 {
		t.Errorf("round trip %v, want the user's 5e6", got)
	}
}
