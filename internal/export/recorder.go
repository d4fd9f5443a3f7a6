package export

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unsafe"

	"github.com/valyala/fastjson"

	"aiperf/internal/unit"
	"aiperf/schema"
)

// A recorder makes lines of profile_export.jsonl from metric records. What our own metric records
// hold is passed on as it is written, but for the metrics; any other shape is decoded (RecordLine).
type recorder struct {
	p     fastjson.Parser
	known map[string]schema.MetricSummary
	trace bool
	by    map[string]*column
	tags  []tagged
	num   []byte
	out   []byte
}

// A column is how one tag in one unit is written.
type column struct {
	unit, head, tail string
	factor           float64
	skip             bool
}

type tagged struct {
	tag string
	v   *fastjson.Value
}

// line is RecordLine of a metric record as written, valid until the next call.
func (r *recorder) line(data []byte) ([]byte, error) {
	if out, ok := r.fast(data); ok {
		return out, nil
	}
	var m schema.MetricRecord
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, err
	}
	return RecordLine(&m, r.known, r.trace), nil
}

func (r *recorder) fast(data []byte) (out []byte, ok bool) {
	if bytes.IndexByte(data, '\\') >= 0 {
		return nil, false
	}
	v, err := r.p.ParseBytes(data)
	if err != nil || v.Exists("error") || v.Exists("spec_decode_acceptance") {
		return nil, false
	}
	md, ms := v.Get("metadata"), v.Get("metrics")
	if md == nil || ms == nil || md.Type() != fastjson.TypeObject || ms.Type() != fastjson.TypeObject {
		return nil, false
	}
	if r.trace && (v.Exists("trace_data", "request_headers") || v.Exists("trace_data", "response_headers")) {
		return nil, false // headers are sorted
	}
	r.tags = r.tags[:0]
	ms.GetObject().Visit(func(key []byte, x *fastjson.Value) { r.tags = append(r.tags, tagged{view(key), x}) })
	byTag := func(a, b tagged) int { return strings.Compare(a.tag, b.tag) }
	if !slices.IsSortedFunc(r.tags, byTag) {
		slices.SortFunc(r.tags, byTag)
	}
	for i := 1; i < len(r.tags); i++ {
		if r.tags[i].tag == r.tags[i-1].tag {
			return nil, false
		}
	}
	b := md.MarshalTo(append(r.out[:0], `{"metadata":`...))
	b = append(b, `,"metrics":{`...)
	empty := len(b)
	for _, t := range r.tags {
		value, unit := t.v.Get("value"), t.v.GetStringBytes("unit")
		if value == nil || unit == nil {
			return nil, false
		}
		s := r.column(t.tag, view(unit))
		if s.skip {
			continue
		}
		from := len(b)
		b = append(b, s.head...)
		if b, ok = r.value(b, value, s.factor); !ok {
			b = b[:from]
			continue
		}
		b = append(b, s.tail...)
	}
	if len(b) == empty {
		return nil, true
	}
	b = append(b[:len(b)-1], '}')
	if t := v.Get("trace_data"); r.trace && t != nil && t.Type() != fastjson.TypeNull {
		b = t.MarshalTo(append(b, `,"trace_data":`...))
	}
	r.out = append(b, '}')
	return r.out, true
}

// value appends a number or a list of numbers times f; false: it is neither.
func (r *recorder) value(b []byte, v *fastjson.Value, f float64) ([]byte, bool) {
	switch v.Type() {
	case fastjson.TypeNumber:
		r.num = v.MarshalTo(r.num[:0])
		out := appendScaled(b, json.Number(view(r.num)), f)
		return out, out != nil
	case fastjson.TypeArray:
		b = append(b, '[')
		for i, x := range v.GetArray() {
			if i > 0 {
				b = append(b, ',')
			}
			out, ok := b, false
			if x.Type() == fastjson.TypeNumber {
				out, ok = r.value(b, x, f)
			}
			if !ok {
				return b, false
			}
			b = out
		}
		return append(b, ']'), true
	}
	return b, false
}

func (r *recorder) column(tag, unit string) *column {
	if s := r.by[tag]; s != nil && s.unit == unit {
		return s
	}
	if r.by == nil || len(r.by) > 4096 {
		r.by = map[string]*column{}
	}
	to, f, skip := show(r.known, tag, unit)
	s := &column{unit: strings.Clone(unit), factor: f, skip: skip}
	s.head = string(compact(tag)) + `:{"value":`
	s.tail = `,"unit":` + string(compact(to)) + `},`
	r.by[strings.Clone(tag)] = s
	return s
}

// show says in which unit a metric of a record is shown, and what makes it so.
func show(known map[string]schema.MetricSummary, tag, from string) (to string, f float64, skip bool) {
	to = from
	if m, ok := known[tag]; ok {
		if hidden(&m) || has(&m, "no_individual_records") {
			return "", 0, true
		}
		to = m.DisplayUnit
	} else if from == "ns" {
		to = "ms"
	}
	f, ok := unit.Convert(1, from, to)
	if !ok {
		f, to = 1, from
	}
	return to, f, false
}

func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
