package metric

import (
	"strings"
	"testing"

	"aiperf/internal/judge"
)

func TestAllowed(t *testing.T) {
	for _, c := range []struct {
		name string
		o    Options
		tag  string
		want bool
	}{
		{"a streaming chat has a first token", Options{EndpointType: "chat", Streaming: true}, "time_to_first_token", true},
		{"without --streaming there is none", Options{EndpointType: "chat"}, "time_to_first_token", false},
		{"embeddings get an output length, since the discrepancy count needs it", Options{EndpointType: "embeddings"}, "output_sequence_length", true},
		{"but no total of it", Options{EndpointType: "embeddings"}, "total_osl", false},
		{"server counts switch the discrepancy off, and what it pulled in", Options{EndpointType: "embeddings", UseServerTokenCount: true}, "output_sequence_length", false},
		{"experimental ones need developer mode", Options{EndpointType: "chat"}, "thinking_efficiency", false},
		{"the HTTP trace is always computed", Options{EndpointType: "chat"}, "http_req_total", true},
	} {
		if got := Allowed(c.o)[c.tag]; got != c.want {
			t.Errorf("%s: Allowed(%+v)[%s] = %v, want %v", c.name, c.o, c.tag, got, c.want)
		}
	}
}

func TestParseGoodput(t *testing.T) {
	got, err := ParseGoodput("time_to_first_token:100 output_token_throughput_per_user:20")
	if err != nil || len(got) != 2 || got[0].Limit != 100*1e6 || got[1].Limit != 20 {
		t.Fatalf("ParseGoodput = %v, %v", got, err)
	}
	if !got[0].Met(1e8) || got[0].Met(1e8+1) || !got[1].Met(20) || got[1].Met(19.9) {
		t.Error("limits are inclusive, and their direction is the metric's")
	}
	if _, err := ParseGoodput("time_to_first_tokn:100"); err == nil || !strings.Contains(err.Error(), `"time_to_first_token"`) {
		t.Errorf("an unknown tag gave %v, want the nearest", err)
	}
}

func TestRecordValues(t *testing.T) {
	p := func(n int64) *int64 { return &n }
	s := &judge.Sample{StartPerfNS: 100, Contents: []judge.Content{{PerfNS: 150}, {PerfNS: 150}, {PerfNS: 400}}, OutputTokens: p(0), ReasoningTokens: p(3)}
	first := *s
	first.FirstChunkTokens = p(2)
	for _, c := range []struct {
		name string
		tag  string
		s    *judge.Sample
		v    []float64
		want float64
		ok   bool
	}{
		{"the last content ends the latency", "request_latency", s, nil, 300, true},
		{"the first content is the first token", "time_to_first_token", s, nil, 50, true},
		{"two messages of one read are 0 apart", "time_to_second_token", s, nil, 0, true},
		{"no content, no latency", "request_latency", &judge.Sample{}, nil, 0, false},
		{"no output tokens are absent", "output_token_count", s, nil, 0, false},
		{"reasoning counts into the length", "output_sequence_length", s, nil, 3, true},
		{"two gaps for three tokens", "inter_token_latency", s, []float64{3, 300, 50}, 125, true},
		{"one token has no gap", "inter_token_latency", s, []float64{1, 300, 50}, 0, false},
		{"a first chunk of two tokens leaves one gap", "inter_token_latency", &first, []float64{3, 300, 50}, 250, true},
		{"a zero ITL has no rate", "output_token_throughput_per_user", s, []float64{0}, 0, false},
		{"a mismatch is signed", "osl_mismatch_diff_pct", s, []float64{80, 100}, -20, true},
		{"a discrepancy is not", "usage_completion_tokens_diff_pct", s, []float64{100, 80}, 20, true},
	} {
		got, ok := find(c.tag).Record(c.s, c.v)
		if ok != c.ok || ok && got != c.want {
			t.Errorf("%s: %s = %v, %v, want %v, %v", c.name, c.tag, got, ok, c.want, c.ok)
		}
	}
}
