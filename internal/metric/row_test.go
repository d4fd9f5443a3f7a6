package metric

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"testing"

	"aiperf/internal/judge"
	"aiperf/schema"
)

// A rowCase is what one metric is of a few requests.
type rowCase struct {
	name string
	o    Options // zero: a streaming chat
	in   []*judge.Sample
	tag  string
	each []string // in each request's metric record, internal unit; "" is absent, "*" present, nil is not looked at
	over stats    // over all of them; nil is absent. One number metrics have avg alone
}

// stats are statistics of a summary by name; a missing one is not looked at.
type stats map[string]float64

func avg(x float64) stats { return stats{"avg": x} }

var chat = Options{EndpointType: "chat", Streaming: true}

const ms = int64(1e6)

// at is a valid request: it starts at start ms of the wall clock, contents arrive so many ms later.
func at(start int64, content ...int64) *judge.Sample {
	s := &judge.Sample{Valid: true, StartPerfNS: 7 * ms, EndNS: start * ms}
	s.Metadata.RequestStartNS, s.Metadata.BenchmarkPhase = start*ms, schema.PhaseProfiling
	for i, c := range content {
		s.Contents = append(s.Contents, judge.Content{PerfNS: 7*ms + c*ms, Read: i})
		s.EndNS = (start + c) * ms
	}
	return s
}

// broken is a request that failed at once.
func broken(start int64, message string) *judge.Sample {
	s := at(start)
	s.Valid, s.Error = false, &schema.Error{Type: "Oops", Message: message}
	return s
}

func with(s *judge.Sample, edit ...func(*judge.Sample)) *judge.Sample {
	for _, f := range edit {
		f(s)
	}
	return s
}

func tokens(isl, osl int64) func(*judge.Sample) {
	return func(s *judge.Sample) { s.ISL, s.OutputTokens = &isl, &osl }
}

func of(s ...*judge.Sample) []*judge.Sample { return s }

func runOf(t testing.TB, o Options, in []*judge.Sample) ([]*schema.MetricRecord, []*schema.Summary) {
	t.Helper()
	r, err := NewRun(o)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var records []*schema.MetricRecord
	for _, s := range in {
		m, err := r.Add(s)
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, m)
	}
	sums, err := r.Summaries()
	if err != nil {
		t.Fatal(err)
	}
	return records, sums
}

// summary is the one summary of the profiling phase.
func summary(t testing.TB, o Options, in ...*judge.Sample) *schema.Summary {
	t.Helper()
	_, sums := runOf(t, o, in)
	if len(sums) != 1 || sums[0].Phase != schema.PhaseProfiling {
		t.Fatalf("%d summaries, want one of the profiling phase", len(sums))
	}
	return sums[0]
}

func given(s schema.MetricSummary) stats {
	out := stats{}
	for name, p := range map[string]*float64{"avg": s.Avg, "min": s.Min, "max": s.Max, "sum": s.Sum, "std": s.Std, "p1": s.P1, "p5": s.P5,
		"p10": s.P10, "p25": s.P25, "p50": s.P50, "p75": s.P75, "p90": s.P90, "p95": s.P95, "p99": s.P99} {
		if p != nil {
			out[name] = *p
		}
	}
	if s.Count != nil {
		out["count"] = float64(*s.Count)
	}
	return out
}

func equal(a, b, share float64) bool {
	return a == b || math.Abs(a-b) <= share*math.Max(math.Abs(a), math.Abs(b))
}

// same compares a written value with the wanted one; the digits of floats may differ in the last place.
func same(got, want string) bool {
	if got == want {
		return true
	}
	a, err1 := strconv.ParseFloat(got, 64)
	b, err2 := strconv.ParseFloat(want, 64)
	return err1 == nil && err2 == nil && b != math.Trunc(b) && equal(a, b, 1e-12)
}

func checkRows(t *testing.T, rows []rowCase) {
	for _, c := range rows {
		t.Run(c.tag+"/"+c.name, func(t *testing.T) {
			if c.o.EndpointType == "" {
				c.o.EndpointType, c.o.Streaming = chat.EndpointType, chat.Streaming
			}
			records, sums := runOf(t, c.o, c.in)
			m := find(c.tag)
			if m == nil {
				t.Fatalf("%s is not in the table", c.tag)
			}
			for i, want := range c.each {
				v, ok := records[i].Metrics[c.tag]
				if ok != (want != "") || ok && want != "*" && !same(string(v.Value), want) {
					t.Errorf("request %d: %s = %s (present %v), want %q", i, c.tag, v.Value, ok, want)
				}
				if ok && v.Unit != m.Unit {
					t.Errorf("request %d: unit %q, want %q", i, v.Unit, m.Unit)
				}
			}
			s, ok := sums[len(sums)-1].Metrics[c.tag]
			if ok != (c.over != nil) {
				t.Fatalf("in the summary: %v, want %v (%v)", ok, c.over != nil, given(s))
			}
			got, share := given(s), 1e-12
			if m.Kind == KindSweep {
				share = 1e-8 // a token that is there for 1 ns
			}
			for name, want := range c.over {
				if x, ok := got[name]; math.IsNaN(want) == ok || ok && !equal(x, want, share) {
					t.Errorf("%s = %v (present %v), want %v", name, x, ok, want)
				}
			}
			if ok && (m.Kind == KindAggregate || m.Kind == KindDerived) && len(got) != 1 {
				t.Errorf("a number of the run has %v, want avg alone", got)
			}
		})
	}
}

// families are the cases of every test file of this package.
var families = [][]rowCase{latencyRows, tokenRows, rateRows, goodputRows, errorRows, usageRows(), discrepancyRows, replayRows,
	mediaRows, speculativeRows, networkRows, httpRows(), adjustedRows, prefixRows, curveRows}

// neverComputed are rows that no stream of ours can fill.
var neverComputed = map[string]string{
	"credit_drop_latency": "when a worker took a credit is in no file",
}

func TestEveryRowHasItsValueAndItsAbsence(t *testing.T) {
	value, absence := map[string]bool{}, map[string]bool{}
	for _, rows := range families {
		for _, c := range rows {
			if c.over == nil || slices.Contains(c.each, "") {
				absence[c.tag] = true
			}
			if c.over != nil {
				value[c.tag] = true
			}
		}
	}
	for _, m := range All {
		if _, never := neverComputed[m.Tag]; value[m.Tag] == never {
			t.Errorf("%s: a case with a value: %v, want %v", m.Tag, value[m.Tag], !never)
		}
		if !absence[m.Tag] && m.Tag != "request_error_rate" && m.Tag != "completed_request_count" { // any request gives these two
			t.Errorf("%s: no case in which it is absent", m.Tag)
		}
	}
}

func TestASummaryDescribesItsMetrics(t *testing.T) {
	s := summary(t, chat, with(at(1, 10, 20), tokens(3, 2)), with(broken(2, "x"), tokens(4, 0)))
	for tag, m := range s.Metrics {
		row := find(tag)
		if m.Header != row.Header || m.ShortHeader != row.Short || m.Unit != row.Unit || m.DisplayUnit != row.Show || m.Group != row.Group ||
			m.LargerIsBetter != (row.Flags&LargerIsBetter != 0) || m.Type != string(row.Kind) || All[m.Rank].Tag != tag ||
			(m.Order == nil) != (row.Order == 0) || m.Order != nil && *m.Order != row.Order {
			t.Errorf("%s describes itself as %+v", tag, m)
		}
	}
	for tag, want := range map[string][]string{
		"time_to_first_token": nil, "min_request_timestamp": {"internal", "no_individual_records"}, "error_request_count": {"error_only", "no_individual_records"},
	} {
		if got := s.Metrics[tag].Flags; !slices.Equal(got, want) {
			t.Errorf("%s: flags %v, want %v", tag, got, want)
		}
	}
	if got := Flags(Experimental | HTTPTrace).words(); !slices.Equal(got, []string{"experimental", "http_trace"}) {
		t.Errorf("words = %v", got)
	}
}

func marshal(t testing.TB, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
