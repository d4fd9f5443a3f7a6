package metric

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"aiperf/internal/judge"
	"aiperf/schema"
)

// drawSample makes any kind of request: valid or failed, of either phase, with and without what a
// metric may lack.
func drawSample(t *rapid.T) *judge.Sample {
	n := func(name string, top int64) int64 { return rapid.Int64Range(0, top).Draw(t, name) }
	s := at(100 + n("start", 60))
	for i, when := 0, int64(0); i < int(n("contents", 4)); i++ {
		when += n("gap", 9) * ms / 3
		s.Contents = append(s.Contents, judge.Content{PerfNS: s.StartPerfNS + when, Read: i})
		s.EndNS = s.Metadata.RequestStartNS + when
	}
	s.Metadata.RequestStartNS, s.EndNS = t0+s.Metadata.RequestStartNS+n("rounded", 300), t0+s.EndNS+300
	switch n("kind", 5) {
	case 0:
		code := int(500 + n("code", 2))
		s.Valid, s.Error = false, &schema.Error{Code: &code, Type: "E", Message: "m", Cause: rapid.SampledFrom([]string{"a", "b"}).Draw(t, "cause")}
		s.Metadata.WasCancelled = n("cancelled", 1) == 1
	case 1:
		s.Metadata.BenchmarkPhase = schema.PhaseWarmup
	}
	if n("counted", 3) > 0 {
		with(s, tokens(n("isl", 50), n("osl", 9)), used2(usageOf(n("usage", 3))), capped(n("asked", 9)))
	}
	if n("credited", 3) > 0 {
		credit := s.Metadata.RequestStartNS - n("credit", 9)*1000
		s.Metadata.CreditIssuedNS, s.ScheduledNS = &credit, &credit
	}
	if n("drafted", 3) == 0 {
		with(s, drafted2)
	}
	s.Model = rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "model")
	return s
}

func TestAnyOrderOfAnyRequestsGivesTheSameBytes(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		in := rapid.SliceOfN(rapid.Custom(drawSample), 1, 6).Draw(rt, "requests")
		other := rapid.Permutation(in).Draw(rt, "shuffled")
		o := Options{EndpointType: "chat", Streaming: true, FixedSchedule: true, SliceDuration: 20 * time.Millisecond, NetworkLatencyNS: f(1e6), Goodput: quick.Goodput,
			Definitions: rapid.SampledFrom([]string{Default, Definitions013}).Draw(rt, "definitions")}
		_, a := runOf(t, o, in)
		_, b := runOf(t, o, other)
		if x, y := marshal(t, a), marshal(t, b); x != y {
			at := 0
			for at < min(len(x), len(y)) && x[at] == y[at] {
				at++
			}
			rt.Fatalf("another order, another summary: %s and %s", part(x, at), part(y, at))
		}
	})
}

// part is the text around a place.
func part(s string, at int) string { return s[max(0, at-200):min(len(s), at+60)] }

// Two chunks whose stamps go backwards have no interval: neither the time nor a rate made of it.
func TestANegativeIntervalIsAbsent(t *testing.T) {
	n := func(x int64) *int64 { return &x }
	for definitions, want := range map[string]bool{Default: false, Definitions013: true} {
		r, err := NewRun(Options{EndpointType: "chat", Streaming: true, Definitions: definitions})
		if err != nil {
			t.Fatal(err)
		}
		m, err := r.Add(&judge.Sample{Valid: true, StartPerfNS: 100, OutputTokens: n(3), ISL: n(2),
			Contents: []judge.Content{{PerfNS: 250}, {PerfNS: 240}}})
		if err != nil {
			t.Fatal(err)
		}
		for _, tag := range []string{"inter_token_latency", "output_token_throughput_per_user"} {
			if _, ok := m.Metrics[tag]; ok != want {
				t.Errorf("%s: %s present %v, want %v", definitions, tag, ok, want)
			}
		}
		for _, tag := range []string{"decode_duration", "time_to_second_token", "inter_chunk_latency"} {
			if v, ok := m.Metrics[tag]; ok {
				t.Errorf("%s: %s = %s, want none", definitions, tag, v.Value)
			}
		}
	}
}
