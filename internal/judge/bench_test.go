package judge

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// line makes a record of n streamed chunks, as aiperf-send writes it.
func line(n int) []byte {
	var b bytes.Buffer
	b.WriteString(`{"kind":"record","endpoint_type":"chat","streaming":true,"metadata":{"session_num":6,"x_request_id":"f857f8d8-efe3-4239-bc80-b40cfdf35aba",` +
		`"request_start_ns":1796029846830239203,"request_end_ns":1796029846877948946,"benchmark_phase":"profiling","was_cancelled":false,"context_overflow_skip":false,"agent_depth":0},` +
		`"start_perf_ns":6199806610790,"status":200,"response_headers":{"Content-Type":"text/event-stream"},"body":"`)
	end, reads := 0, ""
	for i := range n {
		chunk := `data: {"id":"chatcmpl-mock-0","object":"chat.completion.chunk","created":1700000000,"model":"mock","choices":[{"index":0,"delta":{"content":" time"},"logprobs":null,"finish_reason":null}]}` + "\n\n"
		if i == n-1 {
			chunk = `data: {"id":"chatcmpl-mock-0","object":"chat.completion.chunk","created":1700000000,"model":"mock","choices":[{"index":0,"delta":{"content":" time"},"logprobs":null,"finish_reason":"stop"}],` +
				`"usage":{"prompt_tokens":200,"completion_tokens":40,"total_tokens":240}}` + "\n\ndata: [DONE]\n\n"
		}
		end += len(chunk)
		reads += fmt.Sprintf(",[%d,%d,%d]", end, 6199806610790+1000*i, 6199806610990+1000*i)
		b.WriteString(strings.NewReplacer(`"`, `\"`, "\n", `\n`).Replace(chunk))
	}
	b.WriteString(`","reads":[` + reads[1:] + `],"payload":{"model":"mock","messages":[{"role":"user","content":"` + strings.Repeat("why is that so ", 60) + `"}],"stream":true},"model":"mock","requested_osl":40}`)
	return b.Bytes()
}

func benchmarkLine(b *testing.B, n int) {
	l := line(n)
	j := New(Options{UseServerTokenCount: true})
	if s, err := j.Line(l); err != nil || !s.Valid || len(s.Contents) != n {
		b.Fatal(s, err)
	}
	b.SetBytes(int64(len(l)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := j.Line(l); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLine4(b *testing.B)   { benchmarkLine(b, 4) }
func BenchmarkLine40(b *testing.B)  { benchmarkLine(b, 40) }
func BenchmarkLine200(b *testing.B) { benchmarkLine(b, 200) }

func BenchmarkCut200(b *testing.B) {
	l := line(200)
	var c cut
	b.SetBytes(int64(len(l)))
	for b.Loop() {
		if err := c.split(l); err != nil {
			b.Fatal(err)
		}
	}
}
