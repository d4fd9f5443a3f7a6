package metric

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"aiperf/internal/judge"
	"aiperf/schema"
)

// The faults of other tools that fall to judging and measuring together: from the bytes of an answer to
// the summary. Those of the metrics alone are in summary_test.go under the same names.

// A read is what came at one moment, ms after the start.
type read struct {
	at   float64
	text string
}

// streamed is a record of a streamed chat that started at a wall-clock ms.
func streamed(start int64, reads ...read) *schema.Record {
	ok := 200
	r := &schema.Record{EndpointType: "chat", Status: &ok, StartPerfNS: 1e9, ResponseHeaders: map[string]string{"Content-Type": "text/event-stream"},
		Metadata: schema.Metadata{RequestStartNS: t0 + start*ms, BenchmarkPhase: schema.PhaseProfiling}}
	for _, x := range reads {
		r.Body += x.text
		at := int64(1e9) + int64(math.Round(x.at*1e6))
		r.Reads = append(r.Reads, schema.Read{End: int64(len(r.Body)), PerfNS: at, ReadNS: at})
	}
	return r
}

// said is a chunk with text; finish, if any, ends the answer; usage, if any, is in the same chunk.
func said(at float64, text, finish, usage string) read {
	end, counts := "null", ""
	if finish != "" {
		end = `"` + finish + `"`
	}
	if usage != "" {
		counts = `,"usage":` + usage
	}
	return read{at, fmt.Sprintf(`data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":%q},"finish_reason":%s}]%s}`+"\n\n", text, end, counts)}
}

func counts(at float64, prompt, completion int) read {
	return read{at, fmt.Sprintf(`data: {"object":"chat.completion.chunk","choices":[],"usage":{"prompt_tokens":%d,"completion_tokens":%d}}`+"\n\n", prompt, completion)}
}

func done(at float64) read { return read{at, "data: [DONE]\n\n"} }

// fromBytes judges the records by the server's counts and sums them up.
func fromBytes(t testing.TB, o judge.Options, m Options, records ...*schema.Record) *schema.Summary {
	t.Helper()
	o.UseServerTokenCount, m.UseServerTokenCount = true, true
	j := judge.New(o)
	var in []*judge.Sample
	for _, r := range records {
		in = append(in, j.Judge(r))
	}
	return summary(t, m, in...)
}

func TestB02FromTheBytes(t *testing.T) {
	got := fromBytes(t, judge.Options{}, chat, streamed(0, said(90, "Yes.", "stop", ""), counts(95, 5, 2), done(95)))
	check(t, "an answer in the first chunk", got.Metrics, map[string]float64{"time_to_first_token": 90e6, "request_latency": 90e6, "decode_duration": 0,
		"inter_token_latency": 0, "inter_token_latency count": 1, "output_token_throughput_per_user": none, "output_sequence_length": 2, "inter_chunk_latency": none})
}

func TestB04FromTheBytes(t *testing.T) {
	var in []*schema.Record
	for i, at := range []float64{100, 200, 300} {
		in = append(in, streamed(int64(i), said(at, "a", "stop", ""), counts(at+1, 5, 1), done(at+1)))
	}
	in = append(in, streamed(3, said(50, "", "stop", ""), counts(51, 5, 0), done(51)))
	got := fromBytes(t, judge.Options{}, chat, in...)
	check(t, "one of four without content", got.Metrics, map[string]float64{"time_to_first_token count": 3, "time_to_first_token min": 100e6, "time_to_first_token p50": 200e6,
		"time_to_first_token": 200e6, "request_count": 3, "error_request_count": 1})
	if got.Records.Valid != 3 || len(got.ErrorSummary) != 1 || got.ErrorSummary[0].Count != 1 {
		t.Errorf("the fourth is not counted apart: %+v, %+v", got.Records, got.ErrorSummary)
	}
}

func TestB07FromTheBytes(t *testing.T) {
	got := fromBytes(t, judge.Options{}, chat, streamed(0, said(500, "a", "", ""), said(510, "b", "", ""), said(520, "c", "stop", ""), counts(521, 5, 3), done(521)))
	check(t, "three events", got.Metrics, map[string]float64{"inter_chunk_latency count": 2, "inter_chunk_latency min": 10e6, "inter_chunk_latency max": 10e6, "inter_token_latency": 10e6,
		"time_to_first_token": 500e6})
}

func TestB09FromTheBytes(t *testing.T) {
	reads := []read{said(100, "abcde", "", `{"prompt_tokens":8,"completion_tokens":5}`)}
	for i := 1; i <= 16; i++ {
		finish := ""
		if i == 16 {
			finish = "stop"
		}
		reads = append(reads, said(100+5*float64(i), "x", finish, fmt.Sprintf(`{"prompt_tokens":8,"completion_tokens":%d}`, 5+i)))
	}
	r := streamed(0, append(reads, done(181))...)
	check(t, "by default", fromBytes(t, judge.Options{}, chat, r).Metrics, map[string]float64{"output_sequence_length": 21, "inter_token_latency": 4e6, "output_token_throughput_per_user": 250})
	check(t, "by the chunks' own usage", fromBytes(t, judge.Options{PerChunkUsage: true}, chat, r).Metrics, map[string]float64{"inter_token_latency": 5e6, "output_token_throughput_per_user": 200})
	all := streamed(0, said(100, "abcde", "", `{"prompt_tokens":8,"completion_tokens":5}`), said(140, "", "stop", ""), said(140, "f", "stop", ""), done(141))
	check(t, "a first chunk as large as the answer", fromBytes(t, judge.Options{PerChunkUsage: true}, chat, all).Metrics, map[string]float64{"output_sequence_length": 5, "inter_token_latency": 10e6})
}

func TestB11FromTheBytes(t *testing.T) {
	got := fromBytes(t, judge.Options{}, chat, streamed(0, said(0, "a", "stop", ""), counts(0, 5, 3), done(0)))
	check(t, "an answer in no time", got.Metrics, map[string]float64{"request_latency": 0, "e2e_output_token_throughput": none, "output_token_throughput_per_user": none,
		"prefill_throughput_per_user": none, "benchmark_duration": none, "request_throughput": none, "request_count": 1})
	got = fromBytes(t, judge.Options{}, chat, streamed(0, said(10, " ", "", ""), said(30, "a", "stop", ""), counts(31, 5, 2), done(31)))
	check(t, "a space is content", got.Metrics, map[string]float64{"time_to_first_token": 10e6, "inter_chunk_latency": 20e6})
}

func TestB12FromTheBytes(t *testing.T) {
	got := fromBytes(t, judge.Options{}, chat,
		streamed(0, said(10, "abc", "", ""), said(40, "def", "", ""), said(70, "ghi", "", ""), said(100, "jkl", "stop", ""), counts(101, 5, 12), done(101)),
		streamed(0, said(10, "a", "", ""), said(20, "b", "stop", ""), counts(21, 5, 2), done(21))).Metrics
	check(t, "one value a request", got, map[string]float64{"inter_token_latency count": 2, "inter_token_latency max": 10e6, "inter_token_latency min": 90e6 / 11, "inter_chunk_latency count": 4})
	if p99 := *got["inter_token_latency"].P99; math.Abs(p99-9981818) > 1 {
		t.Errorf("ITL p99 = %v ns, want 9981818", p99)
	}
}

func TestB15FromTheBytes(t *testing.T) {
	r := streamed(0, read{400, `{"object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"Hello there."},"finish_reason":"stop"}],"usage":{"prompt_tokens":10,"completion_tokens":20}}`})
	r.ResponseHeaders["Content-Type"] = "application/json"
	check(t, "not streamed", fromBytes(t, judge.Options{}, unstream, r).Metrics, map[string]float64{"request_latency": 400e6, "e2e_output_token_throughput": 50, "time_to_first_token": none,
		"time_to_second_token": none, "inter_token_latency": none, "inter_chunk_latency": none, "decode_duration": none, "output_token_throughput_per_user": none})
	// the same answer in a run that asked for a stream: what came is the first token and the last
	check(t, "a stream was asked for", fromBytes(t, judge.Options{}, chat, r).Metrics, map[string]float64{"time_to_first_token": 400e6, "decode_duration": 0, "inter_token_latency": 0,
		"output_token_throughput_per_user": none, "time_to_first_output_token": 400e6, "inter_chunk_latency": none})
}

func TestB17FromTheBytes(t *testing.T) {
	good := func(start int64) *schema.Record {
		return streamed(start, said(100, "a", "", ""), said(200, "b", "stop", ""), counts(201, 5, 2), done(201))
	}
	slow := streamed(0, said(9000, "a", "", ""))
	slow.Error = &schema.Error{Type: "TimeoutError", Message: "no answer in 30 s"}
	end := slow.Metadata.RequestStartNS + 30e9
	slow.Metadata.RequestEndNS = &end
	got := fromBytes(t, judge.Options{}, chat, good(0), good(100), good(800), slow)
	check(t, "a failure stays apart", got.Metrics, map[string]float64{"time_to_first_token max": 100e6, "time_to_first_token count": 3, "request_latency max": 200e6, "inter_token_latency max": 100e6,
		"inter_chunk_latency count": 3, "benchmark_duration": 1000e6, "request_throughput": 3, "error_request_count": 1, "request_error_rate": 25, "adj_time_to_first_token p99": none})
}

func TestB50FromTheBytes(t *testing.T) {
	one := streamed(0, said(100, "Yes", "stop", ""), counts(101, 5, 1), done(101))
	broken := streamed(0)
	broken.Status, broken.Error = nil, &schema.Error{Type: "ConnectionRefusedError", Message: "refused"}
	got := fromBytes(t, judge.Options{}, chat, one, broken)
	text, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), "NaN") || strings.Contains(string(text), "Inf") {
		t.Errorf("not JSON: %s", text)
	}
	check(t, "a one-token answer and a failure", got.Metrics, map[string]float64{"output_sequence_length": 1, "inter_token_latency": none, "output_token_throughput_per_user": none, "inter_chunk_latency": none,
		"request_latency": 100e6, "adj_request_latency p99": none, "adj_request_latency count": 2})
}

func TestARunThatFailedAltogetherIsSummedUp(t *testing.T) {
	got := summary(t, chat, broken(1, "x"), broken(2, "x"), broken(3, "y"))
	if got.Validity.OK || !slices.Equal(got.Validity.Reasons, []string{"no request succeeded"}) || got.Records.Errors != 3 {
		t.Errorf("validity %+v, records %+v", got.Validity, got.Records)
	}
	if ok := summary(t, chat, at(1, 5), broken(2, "x")); !ok.Validity.OK || len(ok.Validity.Reasons) != 0 {
		t.Errorf("one success: validity %+v", ok.Validity)
	}
}
