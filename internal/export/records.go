package export

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"aiperf/schema"
)

// RecordLine is one line of profile_export.jsonl without its line end: the record's metrics in
// display units, internal ones left out. It is nil for a record that has nothing to show.
// Known are the metrics of the summaries, by tag; a tag that is in none keeps its unit, but for
// nanoseconds, which become milliseconds.
func RecordLine(rec *schema.MetricRecord, known map[string]schema.MetricSummary, trace bool) []byte {
	var ms object
	for _, tag := range slices.Sorted(maps.Keys(rec.Metrics)) {
		v := rec.Metrics[tag]
		to, f, skip := show(known, tag, v.Unit)
		if skip {
			continue
		}
		val := scaled(v.Value, f)
		if val == nil {
			continue
		}
		var one object
		one.raw("value", val)
		one.add("unit", to)
		ms.raw(tag, one.bytes())
	}
	if ms.empty() && rec.Error == nil {
		return nil
	}
	var o object
	o.add("metadata", rec.Metadata)
	o.raw("metrics", ms.bytes())
	if trace && rec.TraceData != nil {
		o.add("trace_data", rec.TraceData)
	}
	if len(rec.SpecDecodeAcceptance) > 0 {
		o.raw("spec_decode_acceptance", rec.SpecDecodeAcceptance)
	}
	if rec.Error != nil {
		o.raw("error", errorObject(rec.Error))
	}
	return o.bytes()
}

// scaled multiplies a number, or every number of a list; a whole number that is not converted stays
// one. It is nil for what is not a number.
func scaled(v json.RawMessage, f float64) []byte {
	if len(v) > 0 && v[0] == '[' {
		var list []json.Number
		if json.Unmarshal(v, &list) != nil {
			return nil
		}
		out := []byte{'['}
		for i, n := range list {
			if i > 0 {
				out = append(out, ',')
			}
			if out = appendScaled(out, n, f); out == nil {
				return nil
			}
		}
		return append(out, ']')
	}
	if len(v) == 0 || v[0] != '-' && (v[0] < '0' || v[0] > '9') {
		return nil
	}
	return appendScaled(nil, json.Number(v), f)
}

func appendScaled(b []byte, n json.Number, f float64) []byte {
	if f == 1 {
		if _, err := strconv.ParseInt(n.String(), 10, 64); err == nil {
			return append(b, n...)
		}
	}
	x, err := n.Float64()
	if x *= f; err != nil || !finite(&x) {
		return nil
	}
	return appendFloat(b, x)
}
