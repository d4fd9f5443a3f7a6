package judge

import "testing"

func TestMetricsComeBackInInternalUnits(t *testing.T) {
	s, err := Metrics([]byte(`{"metadata":{"request_start_ns":2,"request_end_ns":9,"benchmark_phase":"profiling"},"metrics":{"request_latency":{"value":23.747916999999998,"unit":"ms"},"inter_chunk_latency":{"value":[1.1,0.0],"unit":"ms"},"http_req_data_sent":{"value":0.19921875,"unit":"KB"},"inter_token_latency":{"value":5.4184425833333325,"unit":"ms"},"output_sequence_length":{"value":9,"unit":"tokens"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for tag, want := range map[string]string{"request_latency": "23747917 ns", "inter_chunk_latency": "[1100000,0] ns",
		"http_req_data_sent": "204 B", "output_sequence_length": "9 tokens", "inter_token_latency": "5.418442583333332e+06 ns"} {
		if v := s.FromMetrics[tag]; string(v.Value)+" "+v.Unit != want {
			t.Errorf("%s = %s %s, want %s", tag, v.Value, v.Unit, want)
		}
	}
	if !s.Valid || s.EndNS != 9 {
		t.Errorf("valid %v, end %d", s.Valid, s.EndNS)
	}
	if _, err := Metrics([]byte(`{"metrics":{}}`)); err == nil {
		t.Error("no error without metadata")
	}
}
