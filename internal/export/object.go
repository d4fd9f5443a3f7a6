package export

import (
	"bytes"
	"encoding/json"
	"strconv"

	"aiperf/schema"
)

// An object is a JSON object whose keys stay in the order they were added.
type object struct{ b []byte }

func (o *object) key(k string) {
	if len(o.b) == 0 {
		o.b = append(o.b, '{')
	} else {
		o.b = append(o.b, ',')
	}
	o.b = append(o.b, compact(k)...)
	o.b = append(o.b, ':')
}

// raw adds finished JSON.
func (o *object) raw(k string, v []byte) { o.key(k); o.b = append(o.b, v...) }

// add encodes v; it is for values that cannot fail to encode (strings, whole numbers, lists of them).
func (o *object) add(k string, v any) { o.raw(k, compact(v)) }

func (o *object) float(k string, p *float64) {
	if finite(p) {
		o.key(k)
		o.b = appendFloat(o.b, *p)
	}
}

func (o *object) empty() bool { return len(o.b) == 0 }

func (o *object) bytes() []byte {
	if o.empty() {
		return []byte("{}")
	}
	return append(o.b, '}')
}

// compact is v as JSON without HTML escapes; null when it cannot be encoded.
func compact(v any) []byte {
	if s, ok := v.(string); ok && plain(s) {
		return []byte(`"` + s + `"`)
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return []byte("null")
	}
	return bytes.TrimRight(buf.Bytes(), "\n")
}

// indented is finished JSON in two-space steps with a final newline.
func indented(b []byte) ([]byte, error) {
	var buf bytes.Buffer
	if err := json.Indent(&buf, b, "", "  "); err != nil {
		return nil, err
	}
	buf.WriteByte('\n')
	return buf.Bytes(), nil
}

// block is one metric, in display units, as JSON: unit, avg, percentiles, min, max, std, count, sum.
func block(m *schema.MetricSummary) []byte {
	var o object
	o.add("unit", m.DisplayUnit)
	for _, s := range jsonHead {
		o.float(s.name, s.get(m))
	}
	if m.Count != nil {
		o.raw("count", strconv.AppendInt(nil, *m.Count, 10))
	}
	o.float("sum", m.Sum)
	return o.bytes()
}

// blocks adds the metrics of ms, declared ones first.
func (o *object) blocks(ms map[string]schema.MetricSummary) {
	o.declared(ms)
	o.further(ms)
}

func (o *object) declared(ms map[string]schema.MetricSummary) {
	for _, tag := range declared {
		if m, ok := ms[tag]; ok {
			o.raw(tag, block(&m))
		}
	}
}

func (o *object) further(ms map[string]schema.MetricSummary) {
	for _, tag := range further(ms) {
		m := ms[tag]
		o.raw(tag, block(&m))
	}
}

// plain reports text that JSON writes as it stands.
func plain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < 0x20 || c >= 0x7f || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}
