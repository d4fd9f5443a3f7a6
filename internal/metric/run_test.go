package metric

import (
	"testing"

	"aiperf/internal/judge"
)

func TestAdd(t *testing.T) {
	p := func(n int64) *int64 { return &n }
	r, err := NewRun(Options{EndpointType: "chat", Streaming: true})
	if err != nil {
		t.Fatal(err)
	}
	s := &judge.Sample{Valid: true, StartPerfNS: 100, OutputTokens: p(3), ISL: p(9),
		Contents: []judge.Content{{PerfNS: 150}, {PerfNS: 400}}}
	m, err := r.Add(s)
	if err != nil {
		t.Fatal(err)
	}
	for tag, want := range map[string]string{
		"request_latency": "300", "time_to_first_token": "50", "decode_duration": "250", "inter_token_latency": "125",
		"output_token_throughput_per_user": "8000000", "output_sequence_length": "3", "error_isl": "", "requested_osl": "",
	} {
		if got := string(m.Metrics[tag].Value); got != want {
			t.Errorf("valid: %s = %q, want %q", tag, got, want)
		}
	}
	s.Valid = false
	if m, _ = r.Add(s); len(m.Metrics) != 3 || string(m.Metrics["error_isl"].Value) != "9" || string(m.Metrics["error_request_count"].Value) != "1" || string(m.Metrics["context_overflow_count"].Value) != "0" {
		t.Errorf("a failed request has %v, want error_isl 9, error_request_count 1, context_overflow_count 0", m.Metrics)
	}
	slo, _ := ParseGoodput("time_to_first_token:1")
	if _, err := NewRun(Options{EndpointType: "chat", Goodput: slo}); err == nil {
		t.Error("a goal on the first token of an unstreamed run was accepted")
	}
}
