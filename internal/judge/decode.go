package judge

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"unsafe"

	"github.com/valyala/fastjson"

	"aiperf/schema"
)

// Decode reads one record line: ours (body or body_b64, and reads) or AIPerf's raw line (responses).
// The error names the field that is missing or wrong.
func Decode(line []byte) (*schema.Record, error) {
	var d decoder
	rec := new(schema.Record)
	if err := d.decode(line, rec); err != nil {
		return nil, err
	}
	return rec, nil
}

// decoder fills Records whose strings lie in the parser's buffer: they live until the next decode.
type decoder struct {
	p     fastjson.Parser
	cut   cut
	rpt   []schema.RawResponse
	brief bool // leave out what judging does not read

	payload *fastjson.Value // brief: the payload, until the next decode
}

func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

func (d *decoder) decode(line []byte, r *schema.Record) error {
	if err := d.cut.split(line); err != nil {
		return fmt.Errorf("record: %w", err)
	}
	v, err := d.p.ParseBytes(d.cut.line)
	if err != nil {
		return fmt.Errorf("record: %w", err)
	}
	m := v.Get("metadata")
	if m == nil || m.Type() != fastjson.TypeObject {
		return fmt.Errorf("record: metadata is missing")
	}
	*r = schema.Record{Kind: schema.KindRecord}
	if err := metadata(m, &r.Metadata); err != nil {
		return err
	}
	start := integer(v.Get("start_perf_ns"))
	if start == nil {
		return fmt.Errorf("record: start_perf_ns is missing or no integer")
	}
	r.StartPerfNS = *start
	r.RunID, r.EndpointType, r.URL, r.Model = s(v, "run_id"), s(v, "endpoint_type"), s(v, "url"), s(v, "model")
	r.Streaming, r.ScheduledNS = boolean(v.Get("streaming")), integer(v.Get("scheduled_ns"))
	r.Status, r.RequestedOSL, r.ISL = small(v.Get("status")), integer(v.Get("requested_osl")), integer(v.Get("isl"))
	r.NumImages = integer(v.Get("num_images"))
	r.CacheBustMarker, r.CacheBustTarget = s(v, "cache_bust_marker"), s(v, "cache_bust_target")
	if x := v.Get("audio_duration_seconds"); x != nil && x.Type() == fastjson.TypeNumber {
		f := x.GetFloat64()
		r.AudioDurationSeconds = &f
	}
	for _, o := range []struct {
		key string
		to  *map[string]string
	}{{"request_headers", &r.RequestHeaders}, {"response_headers", &r.ResponseHeaders}} {
		if d.brief && o.to == &r.RequestHeaders {
			continue
		}
		if h := v.GetObject(o.key); h != nil {
			headers := map[string]string{}
			h.Visit(func(k []byte, x *fastjson.Value) {
				if !d.brief || strings.EqualFold(view(k), "content-type") {
					headers[string(k)] = string(x.GetStringBytes())
				}
			})
			*o.to = headers
		}
	}
	for _, o := range []struct {
		key string
		to  any
	}{{"error", &r.Error}, {"prefix_blocks", &r.PrefixBlocks}} {
		if x := v.Get(o.key); x != nil && x.Type() != fastjson.TypeNull {
			if err := json.Unmarshal(x.MarshalTo(nil), o.to); err != nil {
				return fmt.Errorf("record: %s: %w", o.key, err)
			}
		}
	}
	if x := v.Get("trace_data"); x != nil && x.Type() != fastjson.TypeNull {
		if r.TraceData, err = traceData(x); err != nil {
			return fmt.Errorf("record: trace_data: %w", err)
		}
	}
	if d.payload = v.Get("payload"); d.payload != nil && !d.brief {
		r.Payload = d.payload.MarshalTo(nil)
	}
	if err := d.body(v, r); err != nil {
		return err
	}
	return d.responses(v, r)
}

func (d *decoder) body(v *fastjson.Value, r *schema.Record) error {
	r.Body = view(d.cut.body)
	if b := v.GetStringBytes("body_b64"); len(b) > 0 {
		out, err := base64.StdEncoding.DecodeString(string(b))
		if err != nil {
			return fmt.Errorf("record: body_b64: %w", err)
		}
		r.BodyB64 = out
	}
	if len(d.cut.reads) > 0 {
		r.Reads = d.cut.reads
	} else if r.Body != "" || len(r.BodyB64) > 0 {
		return fmt.Errorf("record: reads is missing beside body")
	}
	return nil
}

func (d *decoder) responses(v *fastjson.Value, r *schema.Record) error {
	rs := v.GetArray("responses")
	if len(rs) == 0 {
		return nil
	}
	d.rpt = d.rpt[:0]
	for i, x := range rs {
		perf := integer(x.Get("perf_ns"))
		if perf == nil {
			return fmt.Errorf("record: responses[%d].perf_ns is missing", i)
		}
		w := schema.RawResponse{PerfNS: *perf, ContentType: s(x, "content_type"), RawBytes: s(x, "raw_bytes")}
		if t := x.Get("text"); t != nil && t.Type() == fastjson.TypeString {
			str := view(t.GetStringBytes())
			w.Text = &str
		}
		ps := x.GetArray("packets")
		if len(ps) > 0 {
			w.Packets = make([]schema.Packet, len(ps))
			vals := make([]string, len(ps))
			for j, p := range ps {
				w.Packets[j].Name = s(p, "name")
				if val := p.Get("value"); val != nil && val.Type() == fastjson.TypeString {
					vals[j] = view(val.GetStringBytes())
					w.Packets[j].Value = &vals[j]
				}
			}
		}
		d.rpt = append(d.rpt, w)
	}
	r.Responses = d.rpt
	return nil
}

func metadata(m *fastjson.Value, d *schema.Metadata) error {
	start := integer(m.Get("request_start_ns"))
	if start == nil {
		return fmt.Errorf("record: metadata.request_start_ns is missing or no integer")
	}
	c := func(key string) string { return string(m.GetStringBytes(key)) }
	*d = schema.Metadata{
		SessionNum: m.GetInt64("session_num"), XRequestID: c("x_request_id"), XCorrelationID: c("x_correlation_id"),
		ConversationID: c("conversation_id"), TurnIndex: small(m.Get("turn_index")), SourceTraceID: c("source_trace_id"),
		SourceOuterIdx: integer(m.Get("source_outer_idx")), SourceInnerIdx: integer(m.Get("source_inner_idx")), SourceKind: c("source_kind"),
		CreditIssuedNS: integer(m.Get("credit_issued_ns")), RequestStartNS: *start,
		RequestAckNS: integer(m.Get("request_ack_ns")), RequestEndNS: integer(m.Get("request_end_ns")),
		WorkerID: c("worker_id"), RecordProcessorID: c("record_processor_id"), BenchmarkPhase: c("benchmark_phase"),
		PhaseIndex: small(m.Get("phase_index")), ProfilingIndex: small(m.Get("profiling_index")),
		PhaseName: c("phase_name"), PhaseKind: c("phase_kind"), WasCancelled: m.GetBool("was_cancelled"),
		CancellationTimeNS: integer(m.Get("cancellation_time_ns")), ContextOverflowSkip: m.GetBool("context_overflow_skip"),
		AgentDepth: m.GetInt("agent_depth"), ParentCorrelationID: c("parent_correlation_id"), RootCorrelationID: c("root_correlation_id"),
	}
	if d.BenchmarkPhase != schema.PhaseWarmup && d.BenchmarkPhase != schema.PhaseProfiling {
		return fmt.Errorf("record: metadata.benchmark_phase is %q, not warmup or profiling", d.BenchmarkPhase)
	}
	return nil
}

func s(v *fastjson.Value, key string) string { return view(v.GetStringBytes(key)) }

func integer(v *fastjson.Value) *int64 {
	if v == nil || v.Type() != fastjson.TypeNumber {
		return nil
	}
	n, err := v.Int64()
	if err != nil {
		return nil
	}
	return &n
}

func small(v *fastjson.Value) *int {
	if n := integer(v); n != nil {
		i := int(*n)
		return &i
	}
	return nil
}

func boolean(v *fastjson.Value) *bool {
	if v == nil || v.Type() != fastjson.TypeTrue && v.Type() != fastjson.TypeFalse {
		return nil
	}
	b := v.Type() == fastjson.TypeTrue
	return &b
}
