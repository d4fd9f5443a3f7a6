package metric

import (
	"math"
	"testing"

	"aiperf/internal/judge"
)

// planned is a request that was to start at one ms of the wall clock and started at another.
func planned(plan, start int64) *judge.Sample {
	s := at(start, 9)
	x := plan * ms
	s.ScheduledNS = &x
	return s
}

var fixed = Options{EndpointType: "chat", FixedSchedule: true}

var replayRows = []rowCase{
	{"is how late the request left", fixed, of(planned(10, 13), planned(20, 18)), "replay_send_schedule_offset", []string{"3000000", "-2000000"}, stats{"avg": 0.5e6, "min": -2e6}},
	{"is absent without a plan", fixed, of(at(1, 9)), "replay_send_schedule_offset", []string{""}, nil},
	{"is absent without a schedule", chat, of(planned(10, 13)), "replay_send_schedule_offset", []string{""}, nil},
	{"is absent for a failed request", fixed, of(with(planned(10, 13), fail)), "replay_send_schedule_offset", []string{""}, nil},

	// offsets -2, 3, 8: lags 0, 5, 10 ms behind the most punctual
	{"is the middle lag behind the most punctual request", fixed, of(planned(10, 13), planned(20, 18), planned(30, 38)), "replay_sched_lag_p50", nil, stats{"avg": 5, "p50": math.NaN(), "count": math.NaN()}},
	{"is interpolated", fixed, of(planned(10, 13), planned(20, 18), planned(30, 38)), "replay_sched_lag_p90", nil, stats{"avg": 9, "sum": math.NaN()}},
	{"is interpolated", fixed, of(planned(10, 13), planned(20, 18), planned(30, 38)), "replay_sched_lag_p99", nil, stats{"avg": 9.9, "std": math.NaN()}},
	{"is 0 for one request, however late", fixed, of(planned(10, 9999)), "replay_sched_lag_p99", nil, stats{"avg": 0}},
	{"is absent without plans", fixed, of(at(1, 9)), "replay_sched_lag_p50", nil, nil},
	{"is absent without plans", fixed, of(at(1, 9)), "replay_sched_lag_p90", nil, nil},
	{"is absent without plans", fixed, of(at(1, 9)), "replay_sched_lag_p99", nil, nil},

	{"is 1 above a p99 of 500 ms", fixed, of(planned(0, 0), planned(0, 506)), "replay_sched_degraded", nil, stats{"avg": 1}},
	{"is 0 at a p99 of exactly 500 ms", fixed, of(planned(0, 0), planned(0, 500), planned(0, 500), planned(0, 500), planned(0, 500)), "replay_sched_degraded", nil, stats{"avg": 0}},
	{"is absent without plans", fixed, of(at(1, 9)), "replay_sched_degraded", nil, nil},
}

func TestReplayRows(t *testing.T) { checkRows(t, replayRows) }
