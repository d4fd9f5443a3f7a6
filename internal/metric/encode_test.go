package metric

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"

	"aiperf/internal/endpoint"
	"aiperf/internal/judge"
	"aiperf/schema"
)

// filled sets every field of a struct, so that none can be forgotten.
func filled(v reflect.Value) {
	for i := range v.NumField() {
		f := v.Field(i)
		switch {
		case f.Kind() == reflect.Pointer:
			f.Set(reflect.New(f.Type().Elem()))
			f = f.Elem()
		}
		switch f.Kind() {
		case reflect.Int, reflect.Int64:
			f.SetInt(int64(i) + 1_700_000_000_000_000_000)
		case reflect.String:
			f.SetString("a<\"é")
		case reflect.Bool:
			f.SetBool(true)
		case reflect.Float64:
			f.SetFloat(1.5)
		}
	}
}

// The metric record that is written by hand is the one that encoding/json would write.
func TestEncodedByHandIsEncodedByEncodingJSON(t *testing.T) {
	var metadata schema.Metadata
	var trace, headers schema.TraceData
	filled(reflect.ValueOf(&metadata).Elem())
	metadata.ContextOverflowSkip = false
	filled(reflect.ValueOf(&trace).Elem())
	filled(reflect.ValueOf(&headers).Elem())
	headers.RequestHeaders = map[string]string{"b": "1", "a": "<2>"}
	skip := metadata
	skip.ContextOverflowSkip = true
	r, err := NewRun(Options{EndpointType: "chat", Streaming: true, UseServerTokenCount: true})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	n, code := int64(7), 500
	contents := []judge.Content{{PerfNS: 150}, {PerfNS: 400}}
	metrics := map[string]schema.MetricValue{
		"request_latency": {Value: json.RawMessage("12"), Unit: "ns"}, "zebra": {Value: json.RawMessage("1e-9"), Unit: "<u>"},
		"inter_chunk_latency": {Value: json.RawMessage("[1,2]"), Unit: "ns"}, "tcp_<x>": {Value: json.RawMessage("2.50"), Unit: "ns"},
		"request_count": {Value: json.RawMessage(`1`), Unit: "requests"},
	}
	for name, s := range map[string]*judge.Sample{
		"every field":               {Metadata: metadata, Trace: &trace, Valid: true, StartPerfNS: 100, Contents: contents, OutputTokens: &n, Rules: []string{"<a>"}},
		"a trace with headers":      {Metadata: metadata, Trace: &headers, Valid: true, StartPerfNS: 100, Contents: contents},
		"a failed one":              {Error: &schema.Error{Code: &code, Type: "T", Message: "<\n>"}},
		"one left out":              {Metadata: skip, FromMetrics: metrics, Valid: true},
		"speculative decoding":      {Valid: true, SpecDecode: &endpoint.SpecDecode{JSON: json.RawMessage(`{"a": 1}`)}},
		"metrics of a record":       {Metadata: metadata, FromMetrics: metrics, Valid: true},
		"metrics of a failed one":   {FromMetrics: metrics, Error: &schema.Error{Type: "T"}},
		"nothing but its own count": {},
	} {
		v, err := r.Worker().Compute(s)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got := append([]byte(`{"kind":"metric_record",`), v.Tail...)
		var m schema.MetricRecord
		if err := json.Unmarshal(got, &m); err != nil {
			t.Fatalf("%s: %v: %s", name, err, got)
		}
		if !reflect.DeepEqual(m.Metadata, s.Metadata) || !reflect.DeepEqual(m.TraceData, s.Trace) || !reflect.DeepEqual(m.Error, s.Error) {
			t.Errorf("%s: metadata, trace or error changed: %s", name, got)
		}
		var want bytes.Buffer
		e := json.NewEncoder(&want)
		e.SetEscapeHTML(false)
		if err := e.Encode(&m); err != nil {
			t.Fatal(err)
		}
		if string(got)+"\n" != want.String() {
			t.Errorf("%s:\n got %s\nwant %s", name, got, want.String())
		}
	}
}
