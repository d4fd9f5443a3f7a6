package metric

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strconv"

	"aiperf/internal/judge"
	"aiperf/schema"
)

// A field is a metric's place in a metric record: what stands before and behind its value.
type field struct {
	tag        string
	slot       int // -1: the gaps between chunks
	head, tail []byte
}

// fields are the metrics of a request in the order of their tags.
func fields(steps []step) []field {
	list := []field{{tag: "inter_chunk_latency", slot: -1, head: []byte(`"inter_chunk_latency":{"value":`), tail: []byte(`,"unit":"ns"},`)}}
	for slot, st := range steps {
		list = append(list, field{st.Tag, slot, []byte(`"` + st.Tag + `":{"value":`), []byte(`,"unit":"` + st.Unit + `"},`)})
	}
	slices.SortFunc(list, func(a, b field) int { return bytes.Compare([]byte(a.tag), []byte(b.tag)) })
	return list
}

// encode appends the metric record behind its kind and run id: from `"metadata":` to the closing brace,
// byte for byte what encoding/json makes of schema.MetricRecord.
func (w *Worker) encode(b []byte, s *judge.Sample) []byte {
	b = appendMetadata(append(b, `"metadata":`...), &s.Metadata)
	b = append(b, `,"metrics":{`...)
	extra := w.extra(s)
	for i := range w.fields {
		f := &w.fields[i]
		for len(extra) > 0 && extra[0] < f.tag {
			b, extra = w.appendExtra(b, extra[0], s), extra[1:]
		}
		if f.slot < 0 {
			if w.gaps != nil {
				b = append(appendList(append(b, f.head...), w.gaps), f.tail...)
			}
			continue
		}
		if x := w.values[f.slot]; !math.IsNaN(x) {
			b = append(appendNumber(append(b, f.head...), x, w.steps[f.slot].Value), f.tail...)
		}
	}
	for _, tag := range extra {
		b = w.appendExtra(b, tag, s)
	}
	if b[len(b)-1] == ',' {
		b = b[:len(b)-1]
	}
	b = append(b, '}')
	if s.Trace != nil {
		b = appendTrace(append(b, `,"trace_data":`...), s.Trace)
	}
	if s.SpecDecode != nil && s.Valid && len(s.SpecDecode.JSON) > 0 {
		b = appendJSON(append(b, `,"spec_decode_acceptance":`...), s.SpecDecode.JSON)
	}
	if s.Error != nil {
		b = appendJSON(append(b, `,"error":`...), s.Error)
	}
	if len(s.Rules) > 0 {
		b = appendJSON(append(b, `,"rules":`...), s.Rules)
	}
	return append(b, '}')
}

// extra are the metrics that a metric record brought and this run does not compute, sorted.
func (w *Worker) extra(s *judge.Sample) []string {
	if s.Metadata.ContextOverflowSkip {
		return nil
	}
	var out []string
	for tag := range s.FromMetrics {
		slot, ok := w.slots[tag]
		if tag == "inter_chunk_latency" && w.gaps != nil || ok && !math.IsNaN(w.values[slot]) {
			continue
		}
		out = append(out, tag)
	}
	slices.Sort(out)
	return out
}

func (w *Worker) appendExtra(b []byte, tag string, s *judge.Sample) []byte {
	b = append(appendString(b, tag), ':')
	for _, g := range w.given {
		if g.Tag == tag {
			b = appendNumber(append(b, `{"value":`...), g.x, g.Value)
			return append(appendString(append(b, `,"unit":`...), g.Unit), "},"...)
		}
	}
	return append(appendJSON(b, s.FromMetrics[tag]), ',')
}

func appendNumber(b []byte, x float64, kind string) []byte {
	if kind == "int" && math.Abs(x) < 1<<63 {
		return strconv.AppendInt(b, int64(x), 10)
	}
	if a := math.Abs(x); a != 0 && (a < 1e-6 || a >= 1e21) {
		return appendJSON(b, x)
	}
	return strconv.AppendFloat(b, x, 'f', -1, 64)
}

func appendList(b []byte, gaps []int64) []byte {
	b = append(b, '[')
	for i, g := range gaps {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, g, 10)
	}
	return append(b, ']')
}

// appendJSON is the slow way, as stream.Writer goes it: no HTML escapes.
func appendJSON(b []byte, v any) []byte {
	var buf bytes.Buffer
	e := json.NewEncoder(&buf)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return append(b, "null"...)
	}
	return append(b, bytes.TrimSuffix(buf.Bytes(), []byte{'\n'})...)
}

func appendString(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return appendJSON(b, s)
		}
	}
	return append(append(append(b, '"'), s...), '"')
}

// An object is written field by field; what is absent is left out.
type object struct{ b []byte }

func (o *object) key(k string) {
	if o.b[len(o.b)-1] != '{' {
		o.b = append(o.b, ',')
	}
	o.b = append(append(append(o.b, '"'), k...), '"', ':')
}

func (o *object) text(k, s string) {
	if s != "" {
		o.key(k)
		o.b = appendString(o.b, s)
	}
}

func (o *object) number(k string, p *int64) {
	if p != nil {
		o.key(k)
		o.b = strconv.AppendInt(o.b, *p, 10)
	}
}

func (o *object) small(k string, p *int) {
	if p != nil {
		o.key(k)
		o.b = strconv.AppendInt(o.b, int64(*p), 10)
	}
}

func (o *object) flag(k string, yes bool) {
	o.key(k)
	o.b = strconv.AppendBool(o.b, yes)
}

func appendMetadata(b []byte, m *schema.Metadata) []byte {
	o := object{append(b, '{')}
	o.number("session_num", &m.SessionNum)
	o.text("x_request_id", m.XRequestID)
	o.text("x_correlation_id", m.XCorrelationID)
	o.text("conversation_id", m.ConversationID)
	o.small("turn_index", m.TurnIndex)
	o.text("source_trace_id", m.SourceTraceID)
	o.number("source_outer_idx", m.SourceOuterIdx)
	o.number("source_inner_idx", m.SourceInnerIdx)
	o.text("source_kind", m.SourceKind)
	o.number("credit_issued_ns", m.CreditIssuedNS)
	o.number("request_start_ns", &m.RequestStartNS)
	o.number("request_ack_ns", m.RequestAckNS)
	o.number("request_end_ns", m.RequestEndNS)
	o.text("worker_id", m.WorkerID)
	o.text("record_processor_id", m.RecordProcessorID)
	o.key("benchmark_phase")
	o.b = appendString(o.b, m.BenchmarkPhase)
	o.small("phase_index", m.PhaseIndex)
	o.small("profiling_index", m.ProfilingIndex)
	o.text("phase_name", m.PhaseName)
	o.text("phase_kind", m.PhaseKind)
	o.flag("was_cancelled", m.WasCancelled)
	o.number("cancellation_time_ns", m.CancellationTimeNS)
	o.flag("context_overflow_skip", m.ContextOverflowSkip)
	o.small("agent_depth", &m.AgentDepth)
	o.text("parent_correlation_id", m.ParentCorrelationID)
	o.text("root_correlation_id", m.RootCorrelationID)
	return append(o.b, '}')
}

func appendTrace(b []byte, t *schema.TraceData) []byte {
	if t.RequestHeaders != nil || t.ResponseHeaders != nil || t.RequestChunks != nil || t.ResponseChunks != nil {
		return appendJSON(b, t)
	}
	o := object{append(b, '{')}
	o.key("trace_type")
	o.b = appendString(o.b, t.TraceType)
	o.number("request_send_start_ns", t.RequestSendStartNS)
	o.number("request_headers_sent_ns", t.RequestHeadersSentNS)
	o.number("request_send_end_ns", t.RequestSendEndNS)
	o.number("request_chunks_count", t.RequestChunksCount)
	o.number("request_bytes_total", t.RequestBytesTotal)
	o.small("response_status_code", t.ResponseStatusCode)
	o.text("response_reason", t.ResponseReason)
	o.number("response_receive_start_ns", t.ResponseReceiveStartNS)
	o.number("response_headers_received_ns", t.ResponseHeadersReceivedNS)
	o.number("response_chunks_count", t.ResponseChunksCount)
	o.number("response_bytes_total", t.ResponseBytesTotal)
	o.number("response_receive_end_ns", t.ResponseReceiveEndNS)
	o.number("error_timestamp_ns", t.ErrorTimestampNS)
	o.number("connection_pool_wait_start_ns", t.ConnectionPoolWaitStartNS)
	o.number("connection_pool_wait_end_ns", t.ConnectionPoolWaitEndNS)
	o.number("tcp_connect_start_ns", t.TCPConnectStartNS)
	o.number("tcp_connect_end_ns", t.TCPConnectEndNS)
	o.number("connection_reused_ns", t.ConnectionReusedNS)
	o.number("dns_lookup_start_ns", t.DNSLookupStartNS)
	o.number("dns_lookup_end_ns", t.DNSLookupEndNS)
	o.number("dns_cache_hit_ns", t.DNSCacheHitNS)
	o.number("dns_cache_miss_ns", t.DNSCacheMissNS)
	o.text("local_ip", t.LocalIP)
	o.small("local_port", t.LocalPort)
	o.text("remote_ip", t.RemoteIP)
	o.small("remote_port", t.RemotePort)
	o.number("sending_ns", t.SendingNS)
	o.number("waiting_ns", t.WaitingNS)
	o.number("receiving_ns", t.ReceivingNS)
	o.number("duration_ns", t.DurationNS)
	o.number("blocked_ns", t.BlockedNS)
	o.number("dns_lookup_ns", t.DNSLookupNS)
	o.number("connecting_ns", t.ConnectingNS)
	return append(o.b, '}')
}
