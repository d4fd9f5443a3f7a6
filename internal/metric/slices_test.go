package metric

import (
	"testing"
	"time"

	"aiperf/internal/judge"
	"aiperf/schema"
)

func TestASliceHoldsTheRequestsThatBeganInItAndTheCurvesOfAll(t *testing.T) {
	o := Options{EndpointType: "chat", Streaming: true, FixedSchedule: true, SliceDuration: 20 * time.Millisecond, NetworkLatencyNS: f(5e6)}
	in := append(of(with(planned(0, 10), prefix(1, 2), issued(1))), pair...)
	for _, definitions := range []string{Default, Definitions013} {
		o.Definitions = definitions
		s := summary(t, o, append(in, with(broken(31, "x"), func(s *judge.Sample) { s.EndNS = 45 * ms }))...)
		if len(s.Timeslices) != 2 {
			t.Fatalf("%d slices, want 2", len(s.Timeslices))
		}
		a, b := s.Timeslices[0], s.Timeslices[1]
		if a.StartNS != 10*ms || a.EndNS != 30*ms || b.StartNS != 30*ms || b.EndNS != 50*ms || !a.IsComplete || !b.IsComplete {
			t.Errorf("slices %d-%d and %d-%d", a.StartNS, a.EndNS, b.StartNS, b.EndNS)
		}
		check(t, "first slice", a.Metrics, map[string]float64{"request_count": 2, "request_latency min": 9e6, "request_latency max": 40e6, "benchmark_duration": 40e6,
			"request_throughput": 100, "output_token_throughput": 250, "effective_concurrency": 29.0 / 20, "network_rtt": 5e6, "network_adjusted_request_latency min": 4e6,
			"theoretical_prefix_cache_hit": 50, "credit_to_start_latency": none, "effective_latency": none, "replay_sched_lag_p50": none, "adj_request_latency": none, "request_error_rate": 0})
		check(t, "second slice", b.Metrics, map[string]float64{"request_count": 1, "request_latency": 30e6, "request_throughput": 50, "effective_concurrency": (20 + 20 + 14) / 20.0,
			"effective_prefill_throughput": 1000, "error_request_count": 1, "request_error_rate": 50, "adj_request_latency p50": 30, "adj_request_latency count": 2, "theoretical_prefix_cache_hit": none})
		check(t, "the phase", s.Metrics, map[string]float64{"credit_to_start_latency": 9, "replay_sched_lag_p50": 0, "request_throughput": 60})
	}
}

func TestTheLastSliceIsCutAtTheLastEndOfAnyPhase(t *testing.T) {
	for _, c := range []struct {
		name     string
		end      int64 // of a warmup request, ms
		want     int64
		complete bool
	}{
		{"at the end of the requests", 0, 60 * ms, false},
		{"at the end of a warmup that lasted longer", 65, 65 * ms, false},
		{"not where the slice was over by then", 70, 70 * ms, true},
	} {
		warm := with(at(1, 1), func(s *judge.Sample) { s.Metadata.BenchmarkPhase, s.EndNS = schema.PhaseWarmup, c.end*ms })
		_, sums := runOf(t, Options{EndpointType: "chat", Streaming: true, SliceDuration: 60 * time.Millisecond}, append(of(warm), pair...))
		last := sums[1].Timeslices[len(sums[1].Timeslices)-1]
		if last.EndNS != c.want || last.IsComplete != c.complete {
			t.Errorf("cut %s: %d, complete %v; want %d, %v", c.name, last.EndNS, last.IsComplete, c.want, c.complete)
		}
		if sums[0].Phase != schema.PhaseWarmup || sums[0].Timeslices != nil {
			t.Errorf("the warmup comes second or has slices: %+v", sums[0])
		}
	}
}

// In 0.13.0 a slice's edge is a float64: 10 ms after a moment that is held 100 ns early.
func TestSliceEdgesRound(t *testing.T) {
	first, second := at(0, 1), at(0, 1)
	first.Metadata.RequestStartNS, first.EndNS = today+100, today+100+ms
	second.Metadata.RequestStartNS, second.EndNS = today+10*ms+64, today+20*ms // 36 ns before our edge; 0.13.0 holds both at multiples of 256
	for _, c := range []struct {
		definitions string
		slices      int
		start       int64
	}{{Default, 1, today + 100}, {Definitions013, 2, today}} {
		s := summary(t, Options{EndpointType: "chat", Streaming: true, SliceDuration: 10 * time.Millisecond, Definitions: c.definitions}, first, second)
		if len(s.Timeslices) != c.slices || s.Timeslices[0].StartNS != c.start {
			t.Errorf("%s: %d slices from today+%d, want %d from today+%d", c.definitions, len(s.Timeslices), s.Timeslices[0].StartNS-today, c.slices, c.start-today)
		}
	}
}

func TestWhatWasLeftOutIsCounted(t *testing.T) {
	cut := with(at(1, 5), func(s *judge.Sample) { s.Malformed = 3 })
	s := summary(t, chat, cut, at(2, 9, 4), at(9, -2, 4), at(3, 5), with(at(4, 5), func(s *judge.Sample) { s.Rules = []string{"tool-prose", "raw-done"} }), with(at(5, 5), func(s *judge.Sample) { s.Rules = []string{"raw-done"} }))
	if got := marshal(t, s.Skipped); got != `{"events that did not parse":1,"times out of order":2}` {
		t.Errorf("skipped %s", got)
	}
	if got := marshal(t, s.Rules); got != `{"raw-done":2,"tool-prose":1}` {
		t.Errorf("rules %s", got)
	}
}

func TestAPhaseThatWasCancelledSaysSo(t *testing.T) {
	r, err := NewRun(chat)
	if err != nil {
		t.Fatal(err)
	}
	r.SetCancelled(schema.PhaseProfiling)
	for _, s := range of(with(at(1, 5), func(s *judge.Sample) { s.Model = "b" }), with(at(2, 5), func(s *judge.Sample) { s.Model = "a" }), at(3, 5)) {
		if _, err := r.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	sums, err := r.Summaries()
	if err != nil || len(sums) != 1 || !sums[0].Cancelled || marshal(t, sums[0].Models) != `["a","b"]` || !sums[0].Streaming || sums[0].EndpointType != "chat" || sums[0].Definitions != Default {
		t.Errorf("%+v, %v", sums, err)
	}
}

func TestARunThatCannotBeIsRefused(t *testing.T) {
	for name, o := range map[string]Options{"an unknown endpoint type": {EndpointType: "chatt"}, "no endpoint type": {}, "unknown definitions": {EndpointType: "chat", Definitions: "aiperf-0.12"},
		"a goal that does not apply": {EndpointType: "chat", Goodput: quick.Goodput}} {
		if _, err := NewRun(o); err == nil {
			t.Errorf("%s was taken", name)
		}
	}
}
