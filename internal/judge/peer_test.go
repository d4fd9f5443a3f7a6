package judge

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"aiperf/internal/tokenizer"
	"aiperf/schema"
)

const peer = "../../testdata/peer/aiperf-0.13.0"

func jsonLines(t testing.TB, path string) [][]byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Split(bytes.TrimSpace(b), []byte("\n"))
}

// TestPeerRecords judges the raw lines of real AIPerf 0.13.0 runs again and compares every value with
// the record lines AIPerf wrote of them.
func TestPeerRecords(t *testing.T) {
	runs, _ := filepath.Glob(peer + "/*/profile_export_raw.jsonl")
	if len(runs) < 12 {
		t.Fatalf("only %d runs", len(runs))
	}
	o200k, err := tokenizer.Open("builtin")
	if err != nil {
		t.Fatal(err)
	}
	for _, raw := range runs {
		dir := filepath.Dir(raw)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			var run struct {
				Endpoint     string
				ServerTokens bool `json:"server_tokens"`
			}
			b, _ := os.ReadFile(dir + "/run.json")
			if err := json.Unmarshal(b, &run); err != nil {
				t.Fatal(err)
			}
			want := map[string]schema.MetricRecord{}
			for _, l := range jsonLines(t, dir+"/profile_export.jsonl") {
				var m schema.MetricRecord
				if err := json.Unmarshal(l, &m); err != nil {
					t.Fatal(err)
				}
				want[m.Metadata.XRequestID] = m
			}
			j := New(Options{Definitions: Definitions013, EndpointType: run.Endpoint, UseServerTokenCount: run.ServerTokens})
			n := 0
			for _, l := range jsonLines(t, raw) {
				// what 0.13.0 itself concluded from the answer is ours to conclude again
				rec, err := Decode(l)
				if err != nil {
					t.Fatal(err)
				}
				if rec.Error != nil && rec.Error.Type == "InvalidInferenceResultError" {
					rec.Error = nil
				}
				s := j.Judge(rec)
				s.CountTokens(o200k)
				m, ok := want[rec.Metadata.XRequestID]
				if !ok {
					t.Errorf("no record line for %s", rec.Metadata.XRequestID)
					continue
				}
				n += compare(t, s, m, run.ServerTokens)
			}
			if n < 50 {
				t.Errorf("only %d values compared", n)
			}
			t.Logf("%d values", n)
		})
	}
}

func compare(t *testing.T, s *Sample, m schema.MetricRecord, server bool) (n int) {
	t.Helper()
	id := m.Metadata.XRequestID
	if !reflect.DeepEqual(s.Error, m.Error) {
		t.Errorf("%s: error %+v, want %+v", id, s.Error, m.Error)
	}
	if s.EndNS != *m.Metadata.RequestEndNS {
		t.Errorf("%s: end %d, want %d", id, s.EndNS, *m.Metadata.RequestEndNS)
	}
	if len(s.Rules) > 0 {
		t.Errorf("%s: rules %v fired under 0.13.0's definitions", id, s.Rules)
	}
	got := map[string]any{}
	put := func(tag string, v *int64) {
		if v != nil {
			got[tag] = float64(*v)
		}
	}
	ms := func(ns int64) float64 { return float64(ns) * 1e-6 }
	if s.Error != nil {
		put("error_isl", s.ISL)
	} else {
		c := s.Contents
		got["request_latency"] = ms(c[len(c)-1].PerfNS - s.StartPerfNS)
		if s.Streaming {
			got["time_to_first_token"] = ms(c[0].PerfNS - s.StartPerfNS)
			if s.FirstOutputPerfNS != nil {
				got["time_to_first_output_token"] = ms(*s.FirstOutputPerfNS - s.StartPerfNS)
			}
			if len(c) > 1 {
				got["time_to_second_token"] = ms(c[1].PerfNS - c[0].PerfNS)
				var gaps []any
				for i := 1; i < len(c); i++ {
					gaps = append(gaps, ms(c[i].PerfNS-c[i-1].PerfNS))
				}
				got["inter_chunk_latency"] = gaps
			}
		}
		put("input_sequence_length", s.ISL)
		if s.OutputTokens != nil && *s.OutputTokens > 0 {
			put("output_token_count", s.OutputTokens)
		}
		put("reasoning_token_count", s.ReasoningTokens)
		if s.OutputTokens != nil || s.ReasoningTokens != nil {
			var sum int64
			for _, v := range []*int64{s.OutputTokens, s.ReasoningTokens} {
				if v != nil {
					sum += *v
				}
			}
			put("output_sequence_length", &sum)
		}
		if u := s.Usage; u != nil {
			put("usage_prompt_tokens", u.PromptTokens)
			put("usage_completion_tokens", u.CompletionTokens)
			put("usage_total_tokens", u.TotalTokens)
			put("usage_reasoning_tokens", u.ReasoningTokens)
			put("usage_prompt_cache_read_tokens", u.PromptCacheReadTokens)
			put("usage_prompt_cache_write_tokens", u.PromptCacheWriteTokens)
			put("usage_prompt_cache_miss_tokens", u.PromptCacheMissTokens)
			put("usage_accepted_prediction_tokens", u.AcceptedPrediction)
			put("usage_rejected_prediction_tokens", u.RejectedPrediction)
			put("usage_tool_use_prompt_tokens", u.ToolUsePromptTokens)
		}
	}
	tags := map[string]bool{}
	for tag := range got {
		tags[tag] = true
	}
	for _, tag := range []string{"request_latency", "time_to_first_token", "time_to_first_output_token", "time_to_second_token", "inter_chunk_latency",
		"input_sequence_length", "output_token_count", "reasoning_token_count", "output_sequence_length", "error_isl", "usage_prompt_tokens",
		"usage_completion_tokens", "usage_total_tokens", "usage_reasoning_tokens", "usage_prompt_cache_read_tokens", "usage_prompt_cache_write_tokens",
		"usage_prompt_cache_miss_tokens", "usage_accepted_prediction_tokens", "usage_rejected_prediction_tokens", "usage_tool_use_prompt_tokens"} {
		tags[tag] = true
	}
	for tag := range tags {
		var want any
		if v, ok := m.Metrics[tag]; ok {
			_ = json.Unmarshal(v.Value, &want)
		}
		if !same(got[tag], want) {
			t.Errorf("%s: %s = %v, want %v", id, tag, got[tag], want)
		}
		n++
	}
	switch {
	case (s.SpecDecode != nil) != (len(m.SpecDecodeAcceptance) > 0):
		t.Errorf("%s: spec decode %v, want %s", id, s.SpecDecode, m.SpecDecodeAcceptance)
	case s.SpecDecode != nil:
		var a, b any
		_ = json.Unmarshal(s.SpecDecode.JSON, &a)
		_ = json.Unmarshal(m.SpecDecodeAcceptance, &b)
		if !reflect.DeepEqual(a, b) {
			t.Errorf("%s: spec decode %s, want %s", id, s.SpecDecode.JSON, m.SpecDecodeAcceptance)
		}
	}
	return n
}

func same(a, b any) bool {
	x, ok1 := a.([]any)
	y, ok2 := b.([]any)
	if ok1 && ok2 {
		return len(x) == len(y) && !func() bool {
			for i := range x {
				if !same(x[i], y[i]) {
					return true
				}
			}
			return false
		}()
	}
	f, ok1 := a.(float64)
	g, ok2 := b.(float64)
	return ok1 == ok2 && (!ok1 && a == nil && b == nil || ok1 && math.Abs(f-g) <= 1e-12*max(1, math.Abs(g)))
}
