package metric

import (
	"testing"

	"aiperf/internal/judge"
	"aiperf/schema"
)

func TestHTTPTrace(t *testing.T) {
	at := func(ns int64) *int64 { return ptr(t0 + ns) }
	fresh := schema.TraceData{ConnectionPoolWaitStartNS: at(0), ConnectionPoolWaitEndNS: at(3), DNSLookupStartNS: at(3), DNSLookupEndNS: at(10),
		TCPConnectStartNS: at(10), TCPConnectEndNS: at(40), RequestSendStartNS: at(0), RequestSendEndNS: at(50), ResponseReceiveStartNS: at(90),
		ResponseReceiveEndNS: at(190), RequestBytesTotal: ptr(int64(2048)), RequestChunksCount: ptr(int64(2)), ResponseBytesTotal: ptr(int64(512)),
		ResponseChunksCount: ptr(int64(4))}
	change := func(f func(*schema.TraceData)) *schema.TraceData {
		c := fresh
		f(&c)
		return &c
	}
	for _, c := range []struct {
		name  string
		trace *schema.TraceData
		want  map[string]float64
	}{
		{"a new connection", &fresh, map[string]float64{"http_req_blocked": 3, "http_req_dns_lookup": 7, "http_req_connecting": 30, "http_req_sending": 50,
			"http_req_waiting": 40, "http_req_receiving": 100, "http_req_connection_reused": 0, "http_req_data_sent": 2048, "http_req_chunks_sent": 2,
			"http_req_data_received": 512, "http_req_chunks_received": 4, "http_req_connection_overhead": 40, "http_req_duration": 190, "http_req_total": 230}},
		{"a kept connection needs no lookup and no handshake", change(func(d *schema.TraceData) {
			d.ConnectionReusedNS, d.ConnectionPoolWaitStartNS, d.ConnectionPoolWaitEndNS = at(0), nil, nil
		}), map[string]float64{"http_req_blocked": 0, "http_req_dns_lookup": 0, "http_req_connecting": 0, "http_req_connection_reused": 1,
			"http_req_connection_overhead": 0, "http_req_total": 190}},
		{"a wait that did not end", change(func(d *schema.TraceData) { d.ConnectionPoolWaitEndNS = nil }), map[string]float64{"http_req_blocked": none,
			"http_req_connection_overhead": none, "http_req_total": none, "http_req_duration": 190}},
		{"an address needs no lookup", change(func(d *schema.TraceData) { d.DNSLookupStartNS, d.DNSLookupEndNS = nil, nil }), map[string]float64{"http_req_dns_lookup": 0}},
		{"a known name needs none either", change(func(d *schema.TraceData) { d.DNSCacheHitNS, d.DNSLookupEndNS = at(3), nil }), map[string]float64{"http_req_dns_lookup": 0}},
		{"a lookup that did not end", change(func(d *schema.TraceData) { d.DNSLookupEndNS = nil }), map[string]float64{"http_req_dns_lookup": none}},
		{"no handshake on a new connection", change(func(d *schema.TraceData) { d.TCPConnectStartNS = nil }), map[string]float64{"http_req_connecting": none}},
		{"one read is received at once", change(func(d *schema.TraceData) { d.ResponseChunksCount = ptr(int64(1)) }), map[string]float64{"http_req_receiving": 0, "http_req_total": 130}},
		{"no read is no time", change(func(d *schema.TraceData) { d.ResponseChunksCount = ptr(int64(0)) }), map[string]float64{"http_req_receiving": none}},
		{"an interval below 0 is none", change(func(d *schema.TraceData) { d.ResponseReceiveStartNS = at(49) }), map[string]float64{"http_req_waiting": none, "http_req_total": none}},
		{"a request without an end of sending", change(func(d *schema.TraceData) { d.RequestSendEndNS = nil }), map[string]float64{"http_req_sending": none, "http_req_waiting": none}},
		{"no trace, no values", nil, map[string]float64{"http_req_blocked": none, "http_req_connection_reused": none, "http_req_data_sent": none, "http_req_total": none}},
	} {
		s := answered(0, 2, 100)
		s.Trace = c.trace
		check(t, c.name, summarize(t, streaming, s).Metrics, c.want)
	}
	f := failed(0, schema.Error{Type: "x"})
	f.Trace = &fresh
	check(t, "a failed request has none", summarize(t, streaming, f).Metrics, map[string]float64{"http_req_total": none, "http_req_blocked": none})
}

func TestMedia(t *testing.T) {
	with := func(f func(*judge.Sample)) *judge.Sample {
		s := answered(0, 2, 500)
		f(s)
		return s
	}
	zero := answered(0, 2, 0)
	zero.NumImages, zero.AudioSeconds = ptr(int64(2)), ptr(3.0)
	for _, c := range []struct {
		name string
		o    Options
		s    *judge.Sample
		want map[string]float64
	}{
		{"two images in half a second", streaming, with(func(s *judge.Sample) { s.NumImages = ptr(int64(2)) }), map[string]float64{"num_images": 2,
			"image_throughput": 4, "image_latency": 250}},
		{"no image is absent", streaming, with(func(s *judge.Sample) { s.NumImages = ptr(int64(0)) }), map[string]float64{"num_images": none, "image_throughput": none}},
		{"completions take no images", Options{EndpointType: "completions"}, with(func(s *judge.Sample) { s.NumImages = ptr(int64(2)) }), map[string]float64{"num_images": none}},
		{"three seconds of audio in half a second", streaming, with(func(s *judge.Sample) { s.AudioSeconds = ptr(3.0) }), map[string]float64{"audio_duration": 3, "rtfx": 6}},
		{"audio without length is absent", streaming, with(func(s *judge.Sample) { s.AudioSeconds = ptr(0.0) }), map[string]float64{"audio_duration": none, "rtfx": none}},
		{"no time, no rate", streaming, zero, map[string]float64{"image_throughput": none, "rtfx": none, "image_latency": 0}},
		{"a video, as the server says", Options{EndpointType: "video_generation"}, with(func(s *judge.Sample) {
			s.VideoInferenceTime, s.VideoPeakMemoryMB = ptr(1.5), ptr(900.0)
		}), map[string]float64{"video_inference_time": 1.5, "video_peak_memory": 900}},
		{"a chat makes no video", streaming, with(func(s *judge.Sample) { s.VideoInferenceTime = ptr(1.5) }), map[string]float64{"video_inference_time": none}},
		{"the head came at 20 ms, the first token at 500", Options{Streaming: true, Dev: true}, with(func(s *judge.Sample) { s.AckPerfNS = ptr(int64(1000 + 20e6)) }),
			map[string]float64{"stream_setup_latency": 20e6, "stream_prefill_latency": 480e6}},
		{"outside of developer mode neither", streaming, with(func(s *judge.Sample) { s.AckPerfNS = ptr(int64(1000 + 20e6)) }), map[string]float64{"stream_setup_latency": none}},
		{"prefill is input by first token", streaming, with(func(s *judge.Sample) { s.ISL = ptr(int64(100)) }), map[string]float64{"prefill_throughput_per_user": 200, "input_sequence_length": 100}},
		{"the first token of reasoning is no output", streaming, with(func(s *judge.Sample) { s.FirstOutputPerfNS = nil }), map[string]float64{"time_to_first_output_token": none, "time_to_first_token": 500e6}},
	} {
		check(t, c.name, summarize(t, c.o, c.s).Metrics, c.want)
	}
}

// TestUsage gives every usage figure its own number and wants it back, alone and in its total.
func TestUsage(t *testing.T) {
	n := func(x int64) *int64 { return &x }
	s := answered(0, 2, 500)
	s.Usage = &judge.Usage{PromptTokens: n(1), PromptCacheReadTokens: n(2), PromptCacheWriteTokens: n(3), PromptCacheMissTokens: n(4), PromptAudioTokens: n(5),
		ToolUsePromptTokens: n(6), PromptAudioSeconds: ptr(7.5), CompletionTokens: n(8), ReasoningTokens: n(9), CompletionAudioTokens: n(10),
		AcceptedPrediction: n(11), RejectedPrediction: n(12), TotalTokens: n(13)}
	want := map[string]float64{}
	for tag, x := range map[string]float64{"prompt_tokens": 1, "prompt_cache_read_tokens": 2, "prompt_cache_write_tokens": 3, "prompt_cache_miss_tokens": 4,
		"prompt_audio_tokens": 5, "tool_use_prompt_tokens": 6, "prompt_audio_seconds": 7.5, "completion_tokens": 8, "reasoning_tokens": 9,
		"completion_audio_tokens": 10, "accepted_prediction_tokens": 11, "rejected_prediction_tokens": 12, "total_tokens": 13} {
		want["usage_"+tag], want["total_usage_"+tag] = x, 2*x
	}
	check(t, "two of the same", summarize(t, streaming, s, s).Metrics, want)
	for tag := range want {
		want[tag] = none
	}
	check(t, "no usage", summarize(t, streaming, answered(0, 2, 500)).Metrics, want)
}

// TestPeerRatesByDefault holds the default against the reference: rates are counts by benchmark_duration.
func TestPeerRatesByDefault(t *testing.T) {
	for _, name := range []string{"rate-slices", "usage-vendors"} {
		dir := peer + name
		var p peerRun
		loadJSON(t, dir+"/run.json", &p)
		r := peerNew(t, dir, p, Default)
		s := sum(t, r, peerSamples(t, dir, p, Default)...)
		m := s.Metrics
		seconds := *m["benchmark_duration"].Avg / 1e9
		check(t, name, m, map[string]float64{"request_throughput": *m["request_count"].Avg / seconds, "output_token_throughput": *m["output_sequence_length"].Sum / seconds,
			"input_token_throughput": *m["input_sequence_length"].Sum / seconds})
		if s.Window.Source != "records" || s.Rules["window-records"] != s.Records.Total || s.Records.Total == 0 {
			t.Errorf("%s: window %+v, rules %v", name, s.Window, s.Rules)
		}
	}
}
