// Input writes a big input of aiperf-metrics to stdout, the same for the same arguments:
//
//	input record N CHUNKS         records as aiperf-send writes them, each of CHUNKS streamed chunks
//	input metric_record N CHUNKS  lines as AIPerf's profile_export.jsonl has them, with CHUNKS-1 gaps
//
// Requests overlap: 256 are open at a time.
package main

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
)

const (
	epoch = 1796029846830239203 // ns
	open  = 256                 // requests at a time
	wait  = 40e6                // ns to the first chunk, about
	step  = 8e6                 // ns between chunks, about
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: input record|metric_record N CHUNKS")
		os.Exit(64)
	}
	n, err1 := strconv.Atoi(os.Args[2])
	chunks, err2 := strconv.Atoi(os.Args[3])
	write := map[string]func(*maker, int, int){"record": (*maker).record, "metric_record": (*maker).metricRecord}[os.Args[1]]
	if err1 != nil || err2 != nil || chunks < 1 || write == nil {
		fmt.Fprintln(os.Stderr, "usage: input record|metric_record N CHUNKS")
		os.Exit(64)
	}
	w := bufio.NewWriterSize(os.Stdout, 1<<20)
	m := maker{rng: rand.New(rand.NewPCG(1, 2))}
	for i := range n {
		m.buf = m.buf[:0]
		write(&m, i, chunks)
		if _, err := w.Write(m.buf); err != nil {
			os.Exit(74)
		}
	}
	if w.Flush() != nil {
		os.Exit(74)
	}
}

type maker struct {
	rng *rand.Rand
	buf []byte
	at  []int64 // arrival of each chunk, ns from the start
}

func (m *maker) add(format string, args ...any) { m.buf = fmt.Appendf(m.buf, format, args...) }

// times draws the arrivals of a request and returns its start, ns since epoch.
func (m *maker) times(i, chunks int) int64 {
	long := int64(wait + step*float64(chunks))
	t := int64(wait * (0.5 + m.rng.Float64()))
	m.at = m.at[:0]
	for range chunks {
		m.at = append(m.at, t)
		t += int64(step * (0.5 + m.rng.Float64()))
	}
	return int64(i)*long/open + m.rng.Int64N(long/open+1)
}

func (m *maker) metadata(i int, start int64) {
	id := fmt.Sprintf("%08x-%04x-4%03x-8%03x-%012x", m.rng.Uint32(), i&0xffff, i&0xfff, i&0xfff, i)
	m.add(`"metadata":{"session_num":%d,"x_request_id":"%s","x_correlation_id":"%s","conversation_id":"session_%06d","turn_index":0,`+
		`"credit_issued_ns":%d,"request_start_ns":%d,"request_ack_ns":%d,"request_end_ns":%d,"worker_id":"worker","benchmark_phase":"profiling",`+
		`"phase_index":0,"profiling_index":0,"phase_name":"profiling","phase_kind":"profiling","was_cancelled":false,"context_overflow_skip":false,"agent_depth":0}`,
		i, id, id, i, epoch+start-90000, epoch+start, epoch+start+m.at[0]/2, epoch+start+m.at[len(m.at)-1]+50000)
}

var words = []string{" time", " people", " government", " of", " the", " reason", " long", " it", " minute", " state\\n"}

func (m *maker) record(i, chunks int) {
	start := m.times(i, chunks)
	m.add(`{"kind":"record","run_id":"3243c84c9d28c010","endpoint_type":"chat","streaming":true,`)
	m.metadata(i, start)
	m.add(`,"start_perf_ns":%d,"url":"http://127.0.0.1:8000/v1/chat/completions","request_headers":{"Accept":"text/event-stream",`+
		`"Content-Type":"application/json","User-Agent":"aiperf-send/0.1.0"},"status":200,"response_headers":{"Content-Type":"text/event-stream; charset=utf-8"},"body":"`, start)
	const head = `data: {\"id\":\"chatcmpl-0\",\"object\":\"chat.completion.chunk\",\"created\":1700000000,\"model\":\"mock\",\"choices\":[`
	body := len(m.buf)
	ends := make([]int, 0, chunks)
	escapes := 0
	from := body
	for c := range chunks {
		if c < chunks-1 {
			m.add(head+`{\"index\":0,\"delta\":{\"content\":\"%s\"},\"logprobs\":null,\"finish_reason\":null}]}\n\n`, words[m.rng.IntN(len(words)-1)])
		} else {
			m.add(head+`{\"index\":0,\"delta\":{\"content\":\"%s\"},\"logprobs\":null,\"finish_reason\":\"stop\"}],`+
				`\"usage\":{\"prompt_tokens\":200,\"completion_tokens\":%d,\"total_tokens\":%d}}\n\ndata: [DONE]\n\n`, words[0], chunks, chunks+200)
		}
		for _, b := range m.buf[from:] {
			if b == '\\' {
				escapes++
			}
		}
		from = len(m.buf)
		ends = append(ends, len(m.buf)-body-escapes)
	}
	m.add(`","reads":[`)
	for c, end := range ends {
		if c > 0 {
			m.buf = append(m.buf, ',')
		}
		m.add(`[%d,%d,%d]`, end, start+m.at[c], start+m.at[c]+9000)
	}
	m.add(`],"payload":{"model":"mock","messages":[{"role":"user","content":"%s"}],"stream":true,"stream_options":{"include_usage":true},"max_completion_tokens":%d},"model":"mock","requested_osl":%d}`+"\n",
		question, chunks, chunks)
}

var question = func() string {
	s := ""
	for i := range 150 {
		s += words[i%9]
	}
	return s
}()

func (m *maker) metricRecord(i, chunks int) {
	start := m.times(i, chunks)
	m.buf = append(m.buf, '{')
	m.metadata(i, start)
	ms := func(ns int64) float64 { return float64(ns) / 1e6 }
	last := m.at[chunks-1]
	m.add(`,"metrics":{"request_latency":{"value":%v,"unit":"ms"},"time_to_first_token":{"value":%v,"unit":"ms"},`, ms(last), ms(m.at[0]))
	if chunks > 1 {
		decode := last - m.at[0]
		m.add(`"time_to_second_token":{"value":%v,"unit":"ms"},"decode_duration":{"value":%v,"unit":"ms"},"inter_token_latency":{"value":%v,"unit":"ms"},"output_token_throughput_per_user":{"value":%v,"unit":"tokens/sec/user"},"inter_chunk_latency":{"value":[`,
			ms(m.at[1]-m.at[0]), ms(decode), ms(decode)/float64(chunks-1), float64(chunks-1)/float64(decode)*1e9)
		for c := 1; c < chunks; c++ {
			if c > 1 {
				m.buf = append(m.buf, ',')
			}
			m.add(`%v`, ms(m.at[c]-m.at[c-1]))
		}
		m.add(`],"unit":"ms"},`)
	}
	m.add(`"output_sequence_length":{"value":%d,"unit":"tokens"},"output_token_count":{"value":%d,"unit":"tokens"},"input_sequence_length":{"value":200,"unit":"tokens"},`+
		`"usage_prompt_tokens":{"value":200,"unit":"tokens"},"usage_completion_tokens":{"value":%d,"unit":"tokens"},"usage_total_tokens":{"value":%d,"unit":"tokens"}}}`+"\n",
		chunks, chunks, chunks, chunks+200)
}
