package judge

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/valyala/fastjson"

	"aiperf/schema"
)

// A MetricsReader reads metric_record lines. It reuses its buffers: one for each goroutine.
type MetricsReader struct {
	p    fastjson.Parser
	tags map[string]string // seen so far; each stands in memory once
	num  []byte
}

// Metrics makes a Sample of a metric_record line.
func Metrics(line []byte) (*Sample, error) { return new(MetricsReader).Line(line) }

// Line makes a Sample of a metric_record line. AIPerf's own lines, which have no kind, hold times in
// ms and sizes in KB: they come back in internal units (integer ns, bytes).
func (r *MetricsReader) Line(line []byte) (*Sample, error) {
	v, err := r.p.ParseBytes(line)
	if err != nil {
		return nil, fmt.Errorf("metric record: %w", err)
	}
	s := new(Sample)
	m := v.Get("metadata")
	if m == nil || m.GetInt64("request_start_ns") == 0 {
		return nil, fmt.Errorf("metric record: metadata.request_start_ns is missing")
	}
	if err := metadata(m, &s.Metadata); err != nil && s.Metadata.BenchmarkPhase != "" {
		return nil, fmt.Errorf("metric %w", err)
	}
	for _, o := range []struct {
		key string
		to  any
	}{{"error", &s.Error}, {"rules", &s.Rules}} {
		if x := v.Get(o.key); x != nil && x.Type() != fastjson.TypeNull {
			if err := json.Unmarshal(x.MarshalTo(nil), o.to); err != nil {
				return nil, fmt.Errorf("metric record: %s: %w", o.key, err)
			}
		}
	}
	if x := v.Get("trace_data"); x != nil && x.Type() != fastjson.TypeNull {
		if s.Trace, err = traceData(x); err != nil {
			return nil, fmt.Errorf("metric record: trace_data: %w", err)
		}
	}
	s.Valid, s.EndNS = s.Error == nil, s.Metadata.RequestStartNS
	if e := s.Metadata.RequestEndNS; e != nil {
		s.EndNS = *e
	}
	ms := v.Get("metrics")
	if ms != nil && ms.Type() != fastjson.TypeObject && ms.Type() != fastjson.TypeNull {
		return nil, fmt.Errorf("metric record: metrics is no object")
	}
	o := ms.GetObject()
	s.FromMetrics = make(map[string]schema.MetricValue, o.Len())
	values := make([]byte, 0, len(line)/2)
	if o != nil {
		o.Visit(func(key []byte, x *fastjson.Value) {
			val, unit := x.Get("value"), x.GetStringBytes("unit")
			if x.Type() != fastjson.TypeObject || val == nil {
				err = fmt.Errorf("metric record: %s has no value", key)
				return
			}
			from := len(values)
			var to string
			values, to = r.internal(values, val, unit)
			s.FromMetrics[r.tag(key)] = schema.MetricValue{Value: values[from:len(values):len(values)], Unit: to}
		})
	}
	if err != nil {
		return nil, err
	}
	if x := v.Get("spec_decode_acceptance"); x != nil && x.Type() != fastjson.TypeNull {
		if s.SpecDecode, err = specFromJSON(x.MarshalTo(nil)); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (r *MetricsReader) tag(b []byte) string {
	if t, ok := r.tags[view(b)]; ok {
		return t
	}
	if r.tags == nil || len(r.tags) > 4096 {
		r.tags = map[string]string{}
	}
	t := string(b)
	r.tags[t] = t
	return t
}

// internal appends a value without the display units ms and KB; any other value stays as written.
func (r *MetricsReader) internal(b []byte, v *fastjson.Value, shown []byte) ([]byte, string) {
	factor, unit := 1e6, "ns"
	switch string(shown) {
	case "ms":
	case "KB":
		factor, unit = 1024, "B"
	default:
		return v.MarshalTo(b), r.tag(shown)
	}
	number := func(b []byte, v *fastjson.Value) ([]byte, bool) {
		r.num = v.MarshalTo(r.num[:0])
		x, err := strconv.ParseFloat(view(r.num), 64)
		if v.Type() != fastjson.TypeNumber || err != nil {
			return b, false
		}
		return scaled(b, x*factor), true
	}
	from := len(b)
	b, ok := number(b, v)
	if ok {
		return b, unit
	}
	if v.Type() != fastjson.TypeArray {
		return v.MarshalTo(b), r.tag(shown)
	}
	b = append(b, '[')
	for i, x := range v.GetArray() {
		if i > 0 {
			b = append(b, ',')
		}
		if b, ok = number(b, x); !ok {
			return v.MarshalTo(b[:from]), r.tag(shown)
		}
	}
	return append(b, ']'), unit
}

// Merge takes from the metric record of the same request what a raw line lacks: the HTTP trace, or
// where that was not exported the metrics that were made of it.
func (s *Sample) Merge(m *Sample) {
	if s.Trace != nil {
		return
	}
	s.Trace = m.Trace
	for tag, v := range m.FromMetrics {
		var x float64
		if m.Trace != nil || !strings.HasPrefix(tag, "http_req_") || json.Unmarshal(v.Value, &x) != nil {
			continue
		}
		if s.HTTP == nil {
			s.HTTP = map[string]float64{}
		}
		s.HTTP[tag] = x
	}
}

// scaled writes x, as an integer where it is one but for the noise of the multiplication.
func scaled(b []byte, x float64) []byte {
	if n := int64(x + 0.5); x >= 0 && x < 1<<53 && abs(x-float64(n)) <= 1e-9*max(1, x) {
		return strconv.AppendInt(b, n, 10)
	}
	return strconv.AppendFloat(b, x, 'g', -1, 64)
}

func abs(x float64) float64 { return max(x, -x) }

func specFromJSON(b json.RawMessage) (*SpecDecode, error) {
	var v struct {
		Mean      float64          `json:"mean_acceptance_length"`
		Rate      float64          `json:"draft_acceptance_rate"`
		Histogram map[string]int64 `json:"acceptance_histogram"`
		Accepted  int64            `json:"num_accepted_draft_tokens"`
		Draft     int64            `json:"num_draft_tokens"`
		Steps     int64            `json:"num_spec_steps"`
	}
	if err := json.Unmarshal(b, &v); err != nil {
		return nil, fmt.Errorf("metric record: spec_decode_acceptance: %w", err)
	}
	h := map[int]int64{}
	for k, n := range v.Histogram {
		i, err := strconv.Atoi(k)
		if err != nil {
			return nil, fmt.Errorf("metric record: spec_decode_acceptance: histogram key %q", k)
		}
		h[i] = n
	}
	return &SpecDecode{MeanAcceptanceLength: v.Mean, DraftAcceptanceRate: v.Rate, Histogram: h,
		Accepted: v.Accepted, Draft: v.Draft, Steps: v.Steps, JSON: b}, nil
}
