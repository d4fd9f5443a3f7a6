package rest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"testing"

	"aiperf/schema"
)

const peer = "../../../testdata/peer/aiperf-0.13.0/"

func lines(t *testing.T, path string) [][]byte {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out [][]byte
	r := bufio.NewReaderSize(f, 1<<20)
	for {
		b, err := r.ReadBytes('\n')
		if len(bytes.TrimSpace(b)) > 0 {
			out = append(out, bytes.TrimSpace(b))
		}
		if err != nil {
			return out
		}
	}
}

func roundTrip(t *testing.T, kind string, in [][]byte, extra string) (rest []string, rows [][]byte, file []byte) {
	t.Helper()
	var b bytes.Buffer
	w := NewWriter(&b)
	if extra != "" {
		if err := w.WriteLine(schema.KindRun, []byte(extra)); err != nil {
			t.Fatal(err)
		}
	}
	for _, l := range in {
		if err := w.WriteLine(kind, l); err != nil {
			t.Fatalf("%s: %v", l[:min(len(l), 100)], err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	n := 0
	if extra != "" {
		n = 1
	}
	err := Lines(bytes.NewReader(b.Bytes()), int64(b.Len()), func(l []byte) error {
		if len(rest) < n {
			rest = append(rest, string(l))
			return nil
		}
		rows = append(rows, bytes.Clone(l))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return rest, rows, b.Bytes()
}

// same compares two lines as the type T sees them.
func same[T any](t *testing.T, got, want []byte) {
	t.Helper()
	var g, w T
	if err := json.Unmarshal(got, &g); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(want, &w); err != nil {
		t.Fatal(err)
	}
	gb, _ := json.Marshal(g)
	wb, _ := json.Marshal(w)
	var ga, wa any
	_ = json.Unmarshal(gb, &ga)
	_ = json.Unmarshal(wb, &wa)
	if ga == nil || wa == nil {
		t.Fatal("nothing to compare")
	}
	ga.(map[string]any)["kind"], wa.(map[string]any)["kind"] = "", ""
	if !reflect.DeepEqual(ga, wa) {
		t.Fatalf("got  %.600s\nwant %.600s", gb, wb)
	}
}

func TestRecordsComeBackFromParquet(t *testing.T) {
	for _, run := range []string{"stream-shapes", "faults", "not-streamed", "messages-api", "cancellation"} {
		in := lines(t, peer+run+"/profile_export_raw.jsonl")
		const runLine = `{"kind":"run","schema":"aiperf.stream/1","tool":"x"}`
		rest, rows, _ := roundTrip(t, schema.KindRecord, in, runLine)
		if len(rest) != 1 || rest[0] != runLine || len(rows) != len(in) {
			t.Fatalf("%s: %d other lines, %d rows, want 1 and %d", run, len(rest), len(rows), len(in))
		}
		for i := range in {
			same[schema.Record](t, rows[i], in[i])
		}
	}
}

func TestOurRecordsComeBackFromParquet(t *testing.T) {
	code, num := 499, int64(3)
	rec := schema.Record{Kind: "record", RunID: "r", Metadata: schema.Metadata{BenchmarkPhase: "profiling", RequestStartNS: 1},
		Body: "data: x\n\n", Reads: []schema.Read{{End: 3, PerfNS: 10, ReadNS: 11}, {End: 9, PerfNS: 20, ReadNS: 22}},
		RequestHeaders: map[string]string{"A": "b"}, Error: &schema.Error{Code: &code, Type: "T", CauseChain: []string{"a", "b"}},
		TraceData: &schema.TraceData{TraceType: "aiperf-send", RequestSendStartNS: &num}, Payload: []byte(`{"a":[1,2]}`), ISL: &num}
	b, _ := json.Marshal(rec)
	_, rows, _ := roundTrip(t, schema.KindRecord, [][]byte{b}, "")
	if len(rows) != 1 || string(rows[0]) != string(b) {
		t.Errorf("got  %s\nwant %s", rows, b)
	}
}

func TestMetricRecordsComeBackFromParquetWithOneColumnAMetric(t *testing.T) {
	for _, run := range []string{"stream-shapes", "faults", "spec-decode", "cancellation"} {
		in := lines(t, peer+run+"/profile_export.jsonl")
		_, rows, file := roundTrip(t, schema.KindMetricRecord, in, "")
		if len(rows) != len(in) {
			t.Fatalf("%s: %d rows, want %d", run, len(rows), len(in))
		}
		for i := range in {
			var g, w schema.MetricRecord
			if json.Unmarshal(rows[i], &g) != nil || json.Unmarshal(in[i], &w) != nil {
				t.Fatal("bad line")
			}
			if len(g.Metrics) != len(w.Metrics) {
				t.Fatalf("%s line %d: %d metrics, want %d", run, i+1, len(g.Metrics), len(w.Metrics))
			}
			for tag, v := range w.Metrics {
				var x, y any
				_ = json.Unmarshal(g.Metrics[tag].Value, &x)
				_ = json.Unmarshal(v.Value, &y)
				if !reflect.DeepEqual(x, y) || g.Metrics[tag].Unit != v.Unit {
					t.Fatalf("%s line %d: %s = %v %s, want %v %s", run, i+1, tag, x, g.Metrics[tag].Unit, y, v.Unit)
				}
			}
			g.Metrics, w.Metrics = nil, nil
			gb, _ := json.Marshal(g)
			wb, _ := json.Marshal(w)
			same[schema.MetricRecord](t, gb, wb)
		}
		if out := os.Getenv("AIPERF_TEST_KEEP"); out != "" {
			if err := os.WriteFile(out+"/"+run+".parquet", file, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestTwoTablesInOneFileAreRefused(t *testing.T) {
	w := NewWriter(&bytes.Buffer{})
	if err := w.WriteLine(schema.KindRecord, []byte(`{"kind":"record","start_perf_ns":1}`)); err != nil {
		t.Fatal(err)
	}
	if err := w.WriteLine(schema.KindMetricRecord, []byte(`{"kind":"metric_record"}`)); err == nil {
		t.Error("a metric record was taken beside records")
	}
}

func FuzzLinesNeverPanics(f *testing.F) {
	var b bytes.Buffer
	w := NewWriter(&b)
	_ = w.WriteLine(schema.KindRecord, []byte(`{"kind":"record","start_perf_ns":1}`))
	_ = w.Close()
	f.Add(b.Bytes())
	f.Add([]byte("PAR1"))
	stuck := bytes.Clone(b.Bytes()) // a page that gives no rows, again and again
	stuck[2876] ^= 0x80
	f.Add(stuck)
	f.Fuzz(func(t *testing.T, in []byte) {
		_ = Lines(bytes.NewReader(in), int64(len(in)), func([]byte) error { return nil })
	})
}
