package metric

import (
	"aiperf/internal/judge"
)

var replayMetrics = []Metric{
	{
		Tag: "replay_sched_degraded", Header: "Replay Schedule Degraded", Short: "Sched Degraded",
		Unit: "count", Show: "count", Group: "none",
		Kind: KindInjected, Value: "int", Registered: KindDerived,
		Flags:   FixedSchedule,
		Needs:   []string{"replay_sched_lag_p50", "replay_sched_lag_p90", "replay_sched_lag_p99"},
		Formula: "1 if replay_sched_lag_p99 is over 500 ms, else 0",
	},
	{
		Tag: "replay_sched_lag_p50", Header: "Replay Schedule Lag p50", Short: "Sched Lag p50",
		Unit: "ms", Show: "ms", Group: "none",
		Kind: KindInjected, Value: "float", Registered: KindDerived,
		Flags:   FixedSchedule,
		Needs:   []string{"replay_send_schedule_offset"},
		Formula: "p50 of (replay_send_schedule_offset - the least one)",
	},
	{
		Tag: "replay_sched_lag_p90", Header: "Replay Schedule Lag p90", Short: "Sched Lag p90",
		Unit: "ms", Show: "ms", Group: "none",
		Kind: KindInjected, Value: "float", Registered: KindDerived,
		Flags:   FixedSchedule,
		Needs:   []string{"replay_send_schedule_offset"},
		Formula: "p90 of (replay_send_schedule_offset - the least one)",
	},
	{
		Tag: "replay_sched_lag_p99", Header: "Replay Schedule Lag p99", Short: "Sched Lag p99",
		Unit: "ms", Show: "ms", Group: "none",
		Kind: KindInjected, Value: "float", Registered: KindDerived,
		Flags:   FixedSchedule,
		Needs:   []string{"replay_send_schedule_offset"},
		Formula: "p99 of (replay_send_schedule_offset - the least one)",
	},
	{
		Tag: "replay_send_schedule_offset", Header: "Replay Send Schedule Offset", Short: "Sched Offset",
		Unit: "ns", Show: "ns", Group: "none",
		Kind: KindRecord, Value: "int", Registered: KindRecord,
		Flags:   Internal | FixedSchedule,
		Formula: "request start - planned start",
		Record: func(s *judge.Sample, _ []float64) (float64, bool) {
			if s.ScheduledNS == nil {
				return 0, false
			}
			return float64(s.Metadata.RequestStartNS - *s.ScheduledNS), true
		},
	},
}
