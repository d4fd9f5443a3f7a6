package metric

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"aiperf/internal/judge"
	"aiperf/schema"
)

func ptr[T any](x T) *T { return &x }

const t0 = 1_796_014_433_000_000_000 // wall, ns; a multiple of 256

// answered is a valid request that started ms milliseconds after t0 and whose contents came at the
// given milliseconds after its start; osl is its output length.
func answered(ms int64, osl int64, at ...float64) *judge.Sample {
	s := &judge.Sample{Valid: true, EndpointType: "chat", StartPerfNS: 1000, Metadata: schema.Metadata{RequestStartNS: t0 + ms*1e6}}
	if osl >= 0 {
		s.OutputTokens = &osl
	}
	for i, x := range at {
		s.Contents = append(s.Contents, judge.Content{PerfNS: 1000 + int64(x*1e6), Read: i})
	}
	s.EndNS = s.Metadata.RequestStartNS
	if n := len(s.Contents); n > 0 {
		s.EndNS += s.Contents[n-1].PerfNS - 1000
		s.FirstOutputPerfNS = &s.Contents[0].PerfNS
	}
	return s
}

func failed(ms int64, e schema.Error, at ...float64) *judge.Sample {
	s := answered(ms, -1, at...)
	s.Valid, s.Error, s.FirstOutputPerfNS = false, &e, nil
	return s
}

func summarize(t testing.TB, o Options, samples ...*judge.Sample) *schema.Summary {
	t.Helper()
	if o.EndpointType == "" {
		o.EndpointType = "chat"
	}
	r, err := NewRun(o)
	if err != nil {
		t.Fatal(err)
	}
	return sum(t, r, samples...)
}

func sum(t testing.TB, r *Run, samples ...*judge.Sample) *schema.Summary {
	t.Helper()
	for _, s := range samples {
		if _, err := r.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	out, err := r.Summaries()
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if len(out) == 0 {
		return &schema.Summary{}
	}
	return out[len(out)-1]
}

// stats are the statistics that a test names; "-" for absent.
func check(t *testing.T, name string, s map[string]schema.MetricSummary, want map[string]float64) {
	t.Helper()
	for key, x := range want {
		tag, stat, _ := strings.Cut(key, " ")
		if stat == "" {
			stat = "avg"
		}
		m, ok := s[tag]
		have := map[string]*float64{"avg": m.Avg, "min": m.Min, "max": m.Max, "sum": m.Sum, "p1": m.P1, "p25": m.P25, "p50": m.P50, "p75": m.P75,
			"p90": m.P90, "p95": m.P95, "p99": m.P99, "std": m.Std}[stat]
		if stat == "count" && m.Count != nil {
			have = ptr(float64(*m.Count))
		}
		switch {
		case math.IsNaN(x) && (!ok || have == nil):
		case math.IsNaN(x):
			t.Errorf("%s: %s = %v, want none", name, key, *have)
		case have == nil:
			t.Errorf("%s: %s is absent, want %v", name, key, x)
		case math.Abs(*have-x) > 1e-9*math.Max(1, math.Abs(x)):
			t.Errorf("%s: %s = %v, want %v", name, key, *have, x)
		}
	}
}

var none = math.NaN()

var streaming = Options{EndpointType: "chat", Streaming: true}

func TestB02AnswerInOneChunk(t *testing.T) {
	s := answered(0, 2, 90)
	check(t, "B02", summarize(t, streaming, s).Metrics, map[string]float64{"time_to_first_token": 90e6, "request_latency": 90e6,
		"inter_token_latency": 0, "inter_token_latency count": 1, "output_token_throughput_per_user": none, "time_to_second_token": none, "inter_chunk_latency": none})
}

func TestB04NoFirstTokenIsNoZero(t *testing.T) {
	got := summarize(t, streaming, answered(0, 3, 100), answered(0, 3, 200), answered(0, 3, 300),
		failed(0, schema.Error{Type: "InvalidInferenceResultError"})).Metrics
	check(t, "B04", got, map[string]float64{"time_to_first_token count": 3, "time_to_first_token min": 100e6, "time_to_first_token p50": 200e6,
		"request_count": 3, "error_request_count": 1})
}

func TestB07FirstTokenIsNoGap(t *testing.T) {
	check(t, "B07", summarize(t, streaming, answered(0, 3, 500, 510, 520)).Metrics, map[string]float64{"inter_chunk_latency": 10e6,
		"inter_chunk_latency count": 2, "inter_chunk_latency max": 10e6, "inter_token_latency": 10e6})
}

func TestB09BundledFirstEvent(t *testing.T) {
	at := []float64{100}
	for i := 1; i <= 16; i++ {
		at = append(at, 100+5*float64(i))
	}
	s := answered(0, 21, at...) // 80 ms after the first event
	check(t, "by default all but one token", summarize(t, streaming, s).Metrics, map[string]float64{"inter_token_latency": 4e6, "output_token_throughput_per_user": 250})
	s.FirstChunkTokens = ptr(int64(5))
	check(t, "with the first chunk's own count", summarize(t, streaming, s).Metrics, map[string]float64{"inter_token_latency": 5e6, "output_token_throughput_per_user": 200})
	s.FirstChunkTokens = ptr(int64(21))
	check(t, "a first chunk as large as the answer falls back", summarize(t, streaming, s).Metrics, map[string]float64{"inter_token_latency": 4e6})
}

func TestB11ZeroDenominators(t *testing.T) {
	s := answered(0, 3, 0)
	check(t, "B11", summarize(t, streaming, s).Metrics, map[string]float64{"request_latency": 0, "e2e_output_token_throughput": none,
		"output_token_throughput_per_user": none, "inter_token_latency": 0, "benchmark_duration": none, "request_throughput": none,
		"output_token_throughput": none, "request_count": 1})
}

func TestB12OneValueARequest(t *testing.T) {
	// 12 tokens in 4 events, 90 ms after the first one; and 2 tokens 10 ms apart.
	got := summarize(t, streaming, answered(0, 12, 10, 40, 70, 100), answered(0, 2, 10, 20)).Metrics
	lo, hi := 90e6/11, 10e6
	check(t, "B12", got, map[string]float64{"inter_token_latency count": 2, "inter_token_latency p99": lo + 0.99*(hi-lo), "inter_chunk_latency count": 4, "inter_chunk_latency max": 30e6})
	if p99 := *got["inter_token_latency"].P99 / 1e6; math.Abs(p99-9.981818) > 1e-6 {
		t.Errorf("ITL p99 = %v ms, want 9.981818", p99)
	}
}

func TestB15NotStreamed(t *testing.T) {
	check(t, "B15", summarize(t, Options{EndpointType: "chat"}, answered(0, 20, 400)).Metrics, map[string]float64{"time_to_first_token": none,
		"time_to_second_token": none, "inter_token_latency": none, "inter_chunk_latency": none, "decode_duration": none,
		"request_latency": 400e6, "e2e_output_token_throughput": 50})
}

func TestB17FailuresStayApart(t *testing.T) {
	got := summarize(t, streaming, answered(0, 5, 100, 200), answered(100, 5, 100, 200), answered(800, 5, 100, 200),
		failed(0, schema.Error{Type: "TimeoutError"}, 9000)).Metrics
	check(t, "B17", got, map[string]float64{"time_to_first_token max": 100e6, "request_latency count": 3, "error_request_count": 1, "request_count": 3,
		"benchmark_duration": 1000e6, "request_throughput": 3, "request_error_rate": 25, "completed_request_count": 4})
}

func TestB50NothingIsNaN(t *testing.T) {
	s := summarize(t, streaming, answered(0, 1, 100), failed(5, schema.Error{Type: "TimeoutError"}))
	b, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(b), "NaN") || strings.Contains(string(b), "Inf") {
		t.Errorf("not JSON: %s", b)
	}
	check(t, "B50", s.Metrics, map[string]float64{"inter_token_latency": none, "output_token_throughput_per_user": none,
		"adj_request_latency p99": none, "adj_request_latency p1": 100, "adj_request_latency count": 2})
}

func TestRunLevel(t *testing.T) {
	usage := func(s *judge.Sample, u judge.Usage) *judge.Sample { s.Usage = &u; return s }
	isl := func(s *judge.Sample, n int64) *judge.Sample { s.ISL = &n; return s }
	goals, err := ParseGoodput("time_to_first_token:100 output_token_throughput_per_user:10")
	if err != nil {
		t.Fatal(err)
	}
	overflowing := failed(0, schema.Error{Type: "Bad Request", Message: "This model's Maximum Context is 8192"})
	for _, c := range []struct {
		name    string
		o       Options
		samples []*judge.Sample
		want    map[string]float64
	}{
		{"a clean run has no error count, and a rate of 0", streaming, []*judge.Sample{answered(0, 4, 500), answered(500, 6, 500)}, map[string]float64{
			"request_count": 2, "error_request_count": none, "completed_request_count": 2, "request_error_rate": 0, "context_overflow_count": none,
			"min_request_timestamp": t0, "max_response_timestamp": t0 + 1e9, "benchmark_duration": 1e9, "request_throughput": 2,
			"total_osl": 10, "total_output_tokens": 10, "output_token_throughput": 10, "total_token_throughput": none, "request_latency std": 0}},
		{"both lengths make the total rate", streaming, []*judge.Sample{isl(answered(0, 4, 500), 16)}, map[string]float64{"total_isl": 16,
			"input_token_throughput": 32, "output_token_throughput": 8, "total_token_throughput": 40}},
		{"sums of 0 are values", streaming, []*judge.Sample{answered(0, 0, 500)}, map[string]float64{"total_osl": 0, "output_token_throughput": 0, "output_token_count": none, "total_output_tokens": none}},
		{"only failures", streaming, []*judge.Sample{overflowing, isl(failed(0, schema.Error{Type: "x"}), 7)}, map[string]float64{"request_count": none, "error_request_count": 2,
			"request_error_rate": 100, "context_overflow_count": 1, "error_isl": 7, "total_error_isl": 7, "adj_request_latency": none, "input_sequence_length": none}},
		{"every goal must be met, and a request without one of the metrics does not count",
			Options{Streaming: true, Goodput: goals},
			[]*judge.Sample{answered(0, 11, 100, 500), answered(0, 2, 100.1, 150), answered(0, 3, 100, 500), answered(600, 1, 50, 400), failed(0, schema.Error{Type: "x"})},
			map[string]float64{"good_request_count": 1, "goodput": 1, "good_request_fraction": 0.2, "benchmark_duration": 1e9}},
		{"no request has all goal metrics", Options{Streaming: true, Goodput: goals}, []*judge.Sample{answered(0, 1, 50)},
			map[string]float64{"good_request_count": none, "goodput": none, "good_request_fraction": 0}},
		{"a difference of more than 10 % is a discrepancy, of 10 % is none", streaming, []*judge.Sample{
			usage(isl(answered(0, 100, 50), 100), judge.Usage{PromptTokens: ptr(int64(110)), CompletionTokens: ptr(int64(90))}),
			usage(isl(answered(0, 100, 50), 100), judge.Usage{PromptTokens: ptr(int64(100)), CompletionTokens: ptr(int64(111))}),
			usage(isl(answered(0, 100, 50), 100), judge.Usage{PromptTokens: ptr(int64(300))})},
			map[string]float64{"usage_discrepancy_count": 1, "usage_prompt_tokens_diff_pct count": 3, "usage_prompt_tokens_diff_pct max": 200,
				"usage_completion_tokens_diff_pct count": 2, "total_usage_prompt_tokens": 510, "total_usage_completion_tokens": 201}},
		{"server counts have no discrepancies", Options{Streaming: true, UseServerTokenCount: true}, []*judge.Sample{
			usage(isl(answered(0, 100, 50), 100), judge.Usage{PromptTokens: ptr(int64(200)), CompletionTokens: ptr(int64(90))})},
			map[string]float64{"usage_discrepancy_count": none, "usage_prompt_tokens_diff_pct": none}},
		{"the cache share is of the totals", streaming, []*judge.Sample{
			usage(answered(0, 1, 50), judge.Usage{PromptTokens: ptr(int64(30)), PromptCacheReadTokens: ptr(int64(10))}),
			usage(answered(0, 1, 50), judge.Usage{PromptTokens: ptr(int64(10))})}, map[string]float64{"overall_usage_prompt_cache_read_pct": 25}},
		{"no prompt tokens, no share", streaming, []*judge.Sample{
			usage(answered(0, 1, 50), judge.Usage{PromptTokens: ptr(int64(0)), PromptCacheReadTokens: ptr(int64(0))})}, map[string]float64{"overall_usage_prompt_cache_read_pct": none}},
		{"a mismatch is over min(5 %, 50 tokens)", streaming, []*judge.Sample{asked(answered(0, 95, 50), 100), asked(answered(0, 94, 50), 100),
			asked(answered(0, 1951, 50), 2000), asked(answered(0, 1949, 50), 2000), asked(answered(0, 5, 50), 0)},
			map[string]float64{"osl_mismatch_count": 2, "osl_mismatch_diff_pct count": 4, "osl_mismatch_diff_pct min": -6}},
		{"an accuracy run has none", Options{Accuracy: true}, []*judge.Sample{asked(answered(0, 1, 50), 100)}, map[string]float64{"osl_mismatch_count": none, "osl_mismatch_diff_pct": none}},
		{"thinking is of the answer", Options{Dev: true}, []*judge.Sample{thinking(answered(0, 10, 50), 30), thinking(answered(0, 30, 50), 30)},
			map[string]float64{"thinking_efficiency max": 3, "thinking_efficiency min": 1, "overall_thinking_efficiency": 1.5, "total_reasoning_tokens": 60, "output_sequence_length": 50}},
		{"embeddings have an output length of 0 and no rate of it", Options{EndpointType: "embeddings"}, []*judge.Sample{isl(answered(0, 0, 50), 5)},
			map[string]float64{"output_sequence_length": 0, "output_token_throughput": none, "total_osl": none, "total_isl": 5}},
	} {
		check(t, c.name, summarize(t, c.o, c.samples...).Metrics, c.want)
	}
}

func asked(s *judge.Sample, n int64) *judge.Sample    { s.RequestedOSL = &n; return s }
func thinking(s *judge.Sample, n int64) *judge.Sample { s.ReasoningTokens = &n; return s }

func TestJoined(t *testing.T) {
	credit := func(s *judge.Sample, before int64) *judge.Sample {
		s.Metadata.CreditIssuedNS = ptr(s.Metadata.RequestStartNS - before*1e6)
		return s
	}
	planned := func(s *judge.Sample, late float64) *judge.Sample {
		s.ScheduledNS = ptr(s.Metadata.RequestStartNS - t0 - int64(late*1e6))
		return s
	}
	blocks := func(s *judge.Sample, hit, total int64) *judge.Sample {
		s.PrefixBlocks = &schema.PrefixBlocks{Hit: hit, Total: total}
		return s
	}
	drafts := func(s *judge.Sample, d judge.SpecDecode) *judge.Sample { s.SpecDecode = &d; return s }
	for _, c := range []struct {
		name    string
		o       Options
		samples []*judge.Sample
		want    map[string]float64
	}{
		{"latencies from the decision, failures too, none below 0", streaming, []*judge.Sample{credit(answered(0, 2, 10), 3), credit(answered(0, 2, 30), -5),
			credit(failed(0, schema.Error{Type: "x"}), 6), answered(0, 2, 10)}, map[string]float64{
			"credit_to_start_latency count": 3, "credit_to_start_latency max": 6, "credit_to_start_latency min": 0, "credit_to_start_latency": 3,
			"effective_latency max": 25, "effective_latency min": 6, "effective_latency p50": 13}},
		{"lag counts from the most punctual request", Options{Streaming: true, FixedSchedule: true}, []*judge.Sample{planned(answered(0, 2, 10), 5),
			planned(answered(10, 2, 10), 505.5), planned(answered(20, 2, 10), 7), answered(30, 2, 10)}, map[string]float64{"replay_sched_lag_p50": 2,
			"replay_sched_lag_p99": 2 + 0.98*498.5, "replay_sched_lag_p90": 2 + 0.8*498.5, "replay_sched_degraded": 0, "replay_send_schedule_offset count": 3}},
		{"a p99 over half a second is degraded", Options{Streaming: true, FixedSchedule: true}, []*judge.Sample{planned(answered(0, 2, 10), 0),
			planned(answered(10, 2, 10), 506)}, map[string]float64{"replay_sched_lag_p99": 500.94, "replay_sched_degraded": 1}},
		{"without a fixed schedule there is no lag", streaming, []*judge.Sample{planned(answered(0, 2, 10), 5)}, map[string]float64{"replay_sched_lag_p50": none, "replay_send_schedule_offset": none}},
		{"hits are at most the blocks, failures do not count", streaming, []*judge.Sample{blocks(answered(0, 2, 10), 1, 4), blocks(answered(0, 2, 10), 9, 4),
			blocks(answered(0, 2, 10), 0, 0), blocks(failed(0, schema.Error{Type: "x"}), 4, 4)}, map[string]float64{"theoretical_prefix_cache_hit": 62.5,
			"theoretical_prefix_cache_hit sum": 5, "theoretical_prefix_cache_hit count": 8}},
		{"drafts", streaming, []*judge.Sample{
			drafts(answered(0, 2, 10), judge.SpecDecode{MeanAcceptanceLength: 2.5, DraftAcceptanceRate: 0.5, Accepted: 6, Draft: 12, Steps: 4, Histogram: map[int]int64{1: 2, 2: 2}}),
			drafts(answered(0, 2, 10), judge.SpecDecode{MeanAcceptanceLength: 1, DraftAcceptanceRate: 0})}, map[string]float64{
			"spec_decode_acceptance_length": 1.75, "spec_decode_draft_acceptance_rate max": 50, "spec_decode_accepted_per_verified": 0.625, "spec_decode_accepted_per_verified count": 1,
			"spec_decode_steps": 2, "spec_decode_steps count": 2, "spec_decode_accepted_draft_tokens max": 6, "spec_decode_draft_tokens max": 12,
			"total_spec_decode_steps": 4, "total_accepted_draft_tokens": 6, "total_draft_tokens": 12,
			"spec_decode_token_weighted_acceptance_length": 2.5, "spec_decode_overall_draft_acceptance_rate": 50}},
		{"no drafts, no overall rate", streaming, []*judge.Sample{drafts(answered(0, 2, 10), judge.SpecDecode{})}, map[string]float64{
			"spec_decode_token_weighted_acceptance_length": none, "spec_decode_overall_draft_acceptance_rate": none, "total_draft_tokens": 0}},
		{"the round trip comes off, down to 0", Options{Streaming: true, NetworkLatencyNS: ptr(20e6)}, []*judge.Sample{answered(0, 2, 10, 50), answered(0, 2, 50, 90)},
			map[string]float64{"network_rtt": 20e6, "network_rtt std": 0, "network_rtt p99": 20e6, "network_rtt sum": 20e6, "network_rtt count": none,
				"network_adjusted_time_to_first_token min": 0, "network_adjusted_time_to_first_token max": 30e6, "network_adjusted_time_to_first_token count": none,
				"network_adjusted_request_latency": 50e6, "network_adjusted_request_latency std": 20e6, "network_adjusted_time_to_first_output_token sum": 30e6}},
		{"a round trip of 0 is none", Options{Streaming: true, NetworkLatencyNS: ptr(0.0)}, []*judge.Sample{answered(0, 2, 10)}, map[string]float64{"network_rtt": none}},
		{"each failure took for ever: nearest rank of 2 and 3 more", streaming, []*judge.Sample{answered(0, 3, 10, 30), answered(0, 3, 20, 60),
			failed(0, schema.Error{Type: "x"}), failed(0, schema.Error{Type: "x"}), failed(0, schema.Error{Type: "x"})}, map[string]float64{
			"adj_request_latency count": 5, "adj_request_latency min": 30, "adj_request_latency p25": 60, "adj_request_latency p50": none, "adj_request_latency": none,
			"adj_request_latency max": none, "adj_request_latency std": none, "adj_time_to_first_token p1": 10, "adj_inter_token_latency p25": 20, "adj_decode_duration min": 20}},
		{"without failures there is no such twin", streaming, []*judge.Sample{answered(0, 3, 10, 30)}, map[string]float64{"adj_request_latency min": none}},
	} {
		check(t, c.name, summarize(t, c.o, c.samples...).Metrics, c.want)
	}
	r, err := NewRun(streaming)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []schema.NetworkProbe{{RTTNS: ptr(int64(3e6)), Success: true}, {RTTNS: ptr(int64(5e6)), Success: true}, {RTTNS: ptr(int64(99e6))}, {Success: true}} {
		r.AddProbe(n)
	}
	check(t, "the mean of the probes that succeeded", sum(t, r, answered(0, 2, 10)).Metrics, map[string]float64{"network_rtt": 4e6})
}

func TestPhases(t *testing.T) {
	warm := answered(0, 2, 10)
	warm.Metadata.BenchmarkPhase = schema.PhaseWarmup
	skipped := answered(0, 9, 10)
	skipped.Metadata.ContextOverflowSkip = true
	backwards := answered(0, 2, 10, 30, 20)
	cancelled := failed(400, schema.Error{Type: "RequestCancellationError"})
	cancelled.Metadata.WasCancelled = true
	r, err := NewRun(streaming)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []*judge.Sample{answered(100, 2, 100, 900), warm, skipped, backwards, cancelled} {
		if _, err := r.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	r.SetPhase(schema.PhaseProfiling, PhaseWindow{StartNS: t0 - 1e9, EndNS: t0 + 3e9, Source: "timing"})
	out, err := r.Summaries()
	if err != nil || len(out) != 2 {
		t.Fatalf("%d summaries, %v", len(out), err)
	}
	check(t, "warmup", out[0].Metrics, map[string]float64{"request_count": 1, "time_to_first_token": 10e6, "skipped_context_overflow_count": none})
	p := out[1]
	check(t, "profiling", p.Metrics, map[string]float64{"request_count": 2, "skipped_context_overflow_count": 1, "context_overflow_count": 1, "time_to_second_token count": 2,
		"inter_chunk_latency count": 1, "request_throughput": 2, "benchmark_duration": 1e9})
	if p.Records != (schema.Counts{Total: 3, Valid: 2, Errors: 1, Cancelled: 1}) || p.Skipped["times out of order"] != 1 {
		t.Errorf("records %+v, skipped %v", p.Records, p.Skipped)
	}
	if w := p.Window; w.StartNS != t0 || w.EndNS != t0+1e9 || w.Source != "records" || *w.PhaseStartNS != t0-1e9 || *w.PhaseEndNS != t0+3e9 {
		t.Errorf("window %+v", w)
	}
	if p.Rules["window-records"] != 3 || p.Rules["exact-epochs"] != 0 {
		t.Errorf("rules %v", p.Rules)
	}
	for _, c := range []struct {
		name   string
		window *PhaseWindow
		rate   float64
		source string
	}{
		{"the phase is the window", &PhaseWindow{t0 - 1e9, t0 + 3e9, "manifest"}, 0.25, "manifest"},
		{"a phase without an end leaves the records' duration", &PhaseWindow{t0 - 1e9, 0, "timing"}, 1, "timing"},
		{"without one there are only the records", nil, 1, "records"},
	} {
		r, err := NewRun(Options{EndpointType: "chat", Streaming: true, Definitions: Definitions013})
		if err != nil {
			t.Fatal(err)
		}
		if c.window != nil {
			r.SetPhase(schema.PhaseProfiling, *c.window)
		}
		s := sum(t, r, answered(0, 2, 100, 1000))
		check(t, c.name, s.Metrics, map[string]float64{"request_throughput": c.rate})
		if s.Window.Source != c.source || len(s.Rules) > 0 {
			t.Errorf("%s: window %+v, rules %v", c.name, s.Window, s.Rules)
		}
	}
}

func TestEpochsRound(t *testing.T) {
	s := answered(0, 2, 100)
	s.Metadata.RequestStartNS += 100 // to the lower multiple of 256
	s.Metadata.CreditIssuedNS = ptr(s.Metadata.RequestStartNS - 200)
	s.EndNS += 100
	want := map[string]float64{"benchmark_duration": 100e6, "credit_to_start_latency": 200e-6}
	got := summarize(t, streaming, s)
	check(t, "exact", got.Metrics, want)
	if got.Rules["exact-epochs"] != 1 {
		t.Errorf("rules %v", got.Rules)
	}
	// t0+100 is held as t0, t0-100 as t0, the end t0+100e6+100 as t0+100e6
	check(t, "in steps of 256 ns", summarize(t, Options{Streaming: true, Definitions: Definitions013}, s).Metrics,
		map[string]float64{"benchmark_duration": 100e6 + float64(int64(float64(int64(t0+100e6+100)))-int64(t0+100e6)), "credit_to_start_latency": 0})
}

func TestSlices(t *testing.T) {
	warm := answered(-500, 2, 10)
	warm.Metadata.BenchmarkPhase, warm.EndNS = schema.PhaseWarmup, t0+750e6
	s := summarize(t, Options{Streaming: true, SliceDuration: 200 * time.Millisecond}, answered(199, 4, 50), answered(0, 2, 100), answered(610, 2, 20),
		failed(5, schema.Error{Type: "x"}), warm)
	if len(s.Timeslices) != 2 {
		t.Fatalf("%d slices, want 2: the empty ones are left out", len(s.Timeslices))
	}
	a, b := s.Timeslices[0], s.Timeslices[1]
	if a.StartNS != t0 || a.EndNS != t0+200e6 || !a.IsComplete || b.StartNS != t0+600e6 || b.EndNS != t0+750e6 || b.IsComplete {
		t.Errorf("slices %+v and %+v", a, b)
	}
	check(t, "first", a.Metrics, map[string]float64{"request_count": 2, "error_request_count": 1, "request_throughput": 10, "benchmark_duration": 249e6,
		"request_latency count": 2, "adj_request_latency count": 3, "credit_to_start_latency": none})
	check(t, "last, clipped to the warmup's end", b.Metrics, map[string]float64{"request_count": 1, "error_request_count": none, "request_throughput": 1 / 0.15, "output_token_throughput": 2 / 0.15})
}

func TestErrorSummary(t *testing.T) {
	a, b := schema.Error{Code: ptr(503), Type: "Service Unavailable"}, schema.Error{Code: ptr(429), Type: "Too Many Requests", Message: "slow down"}
	s := summarize(t, streaming, failed(0, b), failed(0, a), failed(0, a))
	if len(s.ErrorSummary) != 2 || s.ErrorSummary[0].Count != 2 || *s.ErrorSummary[0].ErrorDetails.Code != 503 || s.ErrorSummary[1].Count != 1 {
		t.Errorf("%+v", s.ErrorSummary)
	}
	if s := summarize(t, streaming, answered(0, 1, 5)); s.ErrorSummary == nil || s.Validity.Reasons == nil {
		t.Error("empty lists are null")
	}
}

func TestMetricRecordsAreSummedAsTheyStand(t *testing.T) {
	value := func(text, unit string) schema.MetricValue {
		return schema.MetricValue{Value: json.RawMessage(text), Unit: unit}
	}
	s := &judge.Sample{Valid: true, Metadata: schema.Metadata{RequestStartNS: t0}, EndNS: t0 + 30e6, FromMetrics: map[string]schema.MetricValue{
		"request_latency": value("30000000", "ns"), "inter_chunk_latency": value("[10000000,5000000]", "ns"), "time_to_first_token": value("15000000", "ns"),
		"video_inference_time": value("1500000000", "ns"), "my_own": value("7", "things"), "output_sequence_length": value("3", "tokens")}}
	got := summarize(t, Options{EndpointType: "chat"}, s).Metrics
	check(t, "metric record", got, map[string]float64{"request_latency": 30e6, "inter_chunk_latency sum": 15e6, "time_to_first_token": 15e6, "video_inference_time": 1.5,
		"my_own": 7, "request_count": 1, "benchmark_duration": 30e6, "total_osl": 3, "inter_token_latency": none})
	if m := got["video_inference_time"]; m.Unit != "sec" || m.DisplayUnit != "ms" || got["my_own"].Unit != "things" {
		t.Errorf("units %+v, %+v", m, got["my_own"])
	}
	bad := *s
	bad.FromMetrics = map[string]schema.MetricValue{"request_latency": value("1", "tokens")}
	r, _ := NewRun(streaming)
	if _, err := r.Add(&bad); err == nil {
		t.Error("a latency in tokens was taken")
	}
}

// TestPeerRecordsAlone sums up AIPerf's own record lines, without their raw lines. What they do not
// hold is missing: the internal tags and what follows from them.
func TestPeerRecordsAlone(t *testing.T) {
	files, _ := filepath.Glob(peer + "*/profile_export.jsonl")
	if len(files) < 13 {
		t.Fatalf("%d runs", len(files))
	}
	for _, f := range files {
		dir := filepath.Dir(f)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			var p peerRun
			loadJSON(t, dir+"/run.json", &p)
			r := peerNew(t, dir, p, Definitions013)
			var samples []*judge.Sample
			for _, l := range lines(t, f) {
				s, err := judge.Metrics(l)
				if err != nil {
					t.Fatal(err)
				}
				samples = append(samples, s)
			}
			got := sum(t, r, samples...)
			var want map[string]json.RawMessage
			loadJSON(t, dir+"/profile_export_aiperf.json", &want)
			for tag := range want {
				if strings.HasPrefix(tag, "osl_mismatch") || strings.HasPrefix(tag, "replay_sched") {
					delete(want, tag)
				}
			}
			for tag := range got.Metrics {
				if strings.HasPrefix(tag, "osl_mismatch") {
					delete(got.Metrics, tag)
				}
			}
			c := &comparison{t: t}
			c.block("records alone", want, got.Metrics)
			t.Logf("%d values, worst %.2g", c.n, c.worst)
		})
	}
}

// TestOrderDoesNotMatter shuffles the requests, and spills columns and rows to disk.
func TestOrderDoesNotMatter(t *testing.T) {
	dir := filepath.Clean(peer + "rate-slices")
	var p peerRun
	loadJSON(t, dir+"/run.json", &p)
	for _, definitions := range []string{"default", Definitions013} {
		all := peerSamples(t, dir, p, definitions)
		text := func(t testing.TB, list []*judge.Sample) string {
			r := peerNew(t, dir, p, definitions)
			for _, s := range list {
				if _, err := r.Add(s); err != nil {
					t.Fatal(err)
				}
			}
			out, err := r.Summaries()
			if err != nil {
				t.Fatal(err)
			}
			b, err := json.Marshal(out)
			if err != nil {
				t.Fatal(err)
			}
			return string(b)
		}
		want := text(t, all)
		order := slices.Clone(all)
		shuffle := rand.New(rand.NewPCG(13, 0))
		for range 4 {
			shuffle.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
			if got := text(t, order); got != want {
				t.Fatalf("another order, another summary:\n%s\nwant\n%s", got, want)
			}
		}
	}
}

func TestSpilledColumnsAndRowsAreTheSame(t *testing.T) {
	var list []*judge.Sample
	for i := range 3000 {
		list = append(list, answered(int64(i), int64(i%7+2), float64(i%31+1), float64(i%31+20), float64(i%31+25)))
	}
	o := Options{EndpointType: "chat", Streaming: true, SliceDuration: 500 * time.Millisecond}
	want, _ := json.Marshal(summarize(t, o, list...))
	o.MemoryBytes = 8
	got, _ := json.Marshal(summarize(t, o, list...))
	if string(got) != string(want) {
		t.Error("values on disk give another summary")
	}
}

func TestSummariesMayBePartial(t *testing.T) {
	r, err := NewRun(streaming)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		if _, err := r.Add(answered(int64(i), 2, 100, 120)); err != nil {
			t.Fatal(err)
		}
		out, err := r.Summaries()
		if err != nil {
			t.Fatal(err)
		}
		check(t, "so far", out[0].Metrics, map[string]float64{"request_count": float64(i + 1)})
	}
}
