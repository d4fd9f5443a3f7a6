package metric

import (
	"testing"

	"aiperf/schema"
)

var rateRows = []rowCase{
	{"counts valid requests", chat, of(at(1, 9), at(2, 9), broken(3, "x")), "request_count", []string{"1", "1", ""}, avg(2)},
	{"is absent, not 0, where nothing succeeded", chat, of(broken(3, "x")), "request_count", nil, nil},
	{"counts both kinds", chat, of(at(1, 9), broken(3, "x"), broken(3, "y")), "completed_request_count", nil, avg(3)},
	{"counts failures alone", chat, of(broken(3, "x")), "completed_request_count", nil, avg(1)},
	{"is the share of failures", chat, of(at(1, 9), at(2, 9), at(3, 9), broken(4, "x")), "request_error_rate", nil, avg(25)},
	{"is 0, not absent, on a clean run", chat, of(at(1, 9)), "request_error_rate", nil, avg(0)},
	{"is 100 where nothing succeeded", chat, of(broken(4, "x")), "request_error_rate", nil, avg(100)},

	{"is the earliest start of a valid request", chat, of(at(7, 9), at(5, 9), broken(1, "x")), "min_request_timestamp", nil, avg(5e6)},
	{"is absent where nothing succeeded", chat, of(broken(1, "x")), "min_request_timestamp", nil, nil},
	{"is the latest last content of a valid request", chat, of(at(7, 9), at(5, 30, 40), broken(100, "x")), "max_response_timestamp", nil, avg(45e6)},
	{"is absent where nothing succeeded", chat, of(broken(1, "x")), "max_response_timestamp", nil, nil},
	{"is between the two", chat, of(at(7, 9), at(5, 30, 40), broken(100, "x"), broken(1, "x")), "benchmark_duration", nil, avg(40e6)},
	{"is absent where no time passed", chat, of(at(7, 0)), "benchmark_duration", nil, nil},
	{"is absent where nothing succeeded", chat, of(broken(1, "x"), broken(9, "x")), "benchmark_duration", nil, nil},

	{"is valid requests over the duration", chat, of(at(10, 5), at(20, 40), broken(21, "x")), "request_throughput", nil, avg(40)},
	{"is absent where no time passed", chat, of(at(7, 0)), "request_throughput", nil, nil},
	{"is the input over the duration", chat, of(with(at(10, 5), tokens(3, 1)), with(at(20, 40), tokens(7, 1))), "input_token_throughput", nil, avg(200)},
	{"is absent without counts", chat, of(at(10, 5)), "input_token_throughput", nil, nil},
	{"is the output over the duration", chat, of(with(at(10, 5), tokens(3, 1), reason(3)), with(at(20, 40), tokens(7, 1))), "output_token_throughput", nil, avg(100)},
	{"is 0 where the output is", chat, of(with(at(10, 5), tokens(3, 0))), "output_token_throughput", nil, avg(0)},
	{"is absent where no tokens are produced", Options{EndpointType: "embeddings"}, of(with(at(10, 5), tokens(3, 0))), "output_token_throughput", nil, nil},
	{"is both over the duration", chat, of(with(at(10, 5), tokens(3, 1)), with(at(20, 40), tokens(7, 4))), "total_token_throughput", nil, avg(300)},
	{"is absent without an output", chat, of(at(10, 5)), "total_token_throughput", nil, nil},
}

func TestRatesRows(t *testing.T) { checkRows(t, rateRows) }

// A day of today: float64 holds such times in steps of 256 ns.
const today = int64(1_790_000_000_000_000_000)

func TestTheWindowOfTheRates(t *testing.T) {
	in := of(with(at(10, 10), tokens(2, 4)), with(at(20, 40), tokens(2, 6))) // 10 to 60 ms
	for _, c := range []struct {
		name             string
		definitions      string
		w                PhaseWindow
		source           string
		start, end       int64
		throughput       float64
		rule             int64
		phaseSt, phaseEn int64 // 0: absent
	}{
		{"is benchmark_duration without any", "", PhaseWindow{}, "records", 10 * ms, 60 * ms, 40, 0, 0, 0},
		{"is benchmark_duration by default, and says where 0.13.0 would differ", "", PhaseWindow{5 * ms, 105 * ms, "manifest"}, "records", 10 * ms, 60 * ms, 40, 2, 5 * ms, 105 * ms},
		{"is the user's under every definition", "", PhaseWindow{5 * ms, 105 * ms, "flag"}, "flag", 5 * ms, 105 * ms, 20, 0, 5 * ms, 105 * ms},
		{"is the phase's under 0.13.0", Definitions013, PhaseWindow{5 * ms, 105 * ms, "timing"}, "timing", 5 * ms, 105 * ms, 20, 0, 5 * ms, 105 * ms},
		{"is benchmark_duration under 0.13.0 too where the phase did not end, but the curves begin with it", Definitions013, PhaseWindow{5 * ms, 0, "timing"}, "timing", 5 * ms, 60 * ms, 40, 0, 5 * ms, 0},
		{"differs from no rule where the phase has no end", "", PhaseWindow{5 * ms, 0, "timing"}, "records", 10 * ms, 60 * ms, 40, 0, 5 * ms, 0},
		{"differs from no rule where the phase has no start", "", PhaseWindow{0, 105 * ms, "timing"}, "records", 10 * ms, 60 * ms, 40, 0, 0, 105 * ms},
		{"is benchmark_duration where the phase's start is unknown", Definitions013, PhaseWindow{0, 105 * ms, "timing"}, "records", 10 * ms, 60 * ms, 40, 0, 0, 105 * ms},
	} {
		o := chat
		o.Definitions = c.definitions
		r, err := NewRun(o)
		if err != nil {
			t.Fatal(err)
		}
		r.SetPhase(schema.PhaseProfiling, c.w)
		for _, s := range in {
			if _, err := r.Add(s); err != nil {
				t.Fatal(err)
			}
		}
		sums, err := r.Summaries()
		if err != nil {
			t.Fatal(err)
		}
		s := sums[0]
		if s.Window.Source != c.source || s.Window.StartNS != c.start || s.Window.EndNS != c.end {
			t.Errorf("%s: window %+v", c.name, s.Window)
		}
		if whole2(s.Window.PhaseStartNS) != c.phaseSt || whole2(s.Window.PhaseEndNS) != c.phaseEn {
			t.Errorf("%s: phase window %+v", c.name, s.Window)
		}
		if s.Rules["window-records"] != c.rule {
			t.Errorf("%s: rules %v, want window-records %d", c.name, s.Rules, c.rule)
		}
		for tag, want := range map[string]float64{"request_throughput": c.throughput, "output_token_throughput": 5 * c.throughput, "benchmark_duration": 50e6} {
			if got := given(s.Metrics[tag])["avg"]; !equal(got, want, 1e-12) {
				t.Errorf("%s: %s = %v, want %v", c.name, tag, got, want)
			}
		}
	}
}

// whole2 is 0 for nil.
func whole2(p *int64) int64 {
	if p == nil {
		return 0
	}
	return *p
}

func TestExactEpochs(t *testing.T) {
	s := at(0, 1)
	s.Metadata.RequestStartNS, s.EndNS = today+100, today+100+ms
	credit := today + 27
	s.Metadata.CreditIssuedNS = &credit
	plain := summary(t, chat, s)
	letter := chat
	letter.Definitions = Definitions013
	round := summary(t, letter, s)
	for _, c := range []struct {
		tag          string
		ours, theirs float64
	}{ // today is a multiple of 256, so +100 and +27 round to it, and +100+1e6 = 256*3906+164 rounds up to 256*3907
		{"benchmark_duration", 1e6, 256 * 3907},
		{"credit_to_start_latency", 73e-6, 0},
		{"effective_latency", 1000073e-6, 256 * 3907e-6},
	} {
		if got := given(plain.Metrics[c.tag])["avg"]; !equal(got, c.ours, 1e-12) {
			t.Errorf("%s = %v, want %v", c.tag, got, c.ours)
		}
		if got := given(round.Metrics[c.tag])["avg"]; !equal(got, c.theirs, 1e-12) {
			t.Errorf("%s under 0.13.0 = %v, want %v", c.tag, got, c.theirs)
		}
	}
	if plain.Rules["exact-epochs"] != 1 || len(round.Rules) != 0 {
		t.Errorf("rules %v and %v, want exact-epochs on one request and none", plain.Rules, round.Rules)
	}
	if today%256 != 0 {
		t.Errorf("%d is no multiple of 256", today)
	}
}
