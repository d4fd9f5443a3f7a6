package export

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"aiperf/schema"
)

// lines are the metric records of the kept runs.
func lines(t testing.TB) (out [][]byte) {
	files, err := filepath.Glob("../../testdata/peer/aiperf-0.13.0/*/profile_export.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatal("no kept run", err)
	}
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		s := bufio.NewScanner(bytes.NewReader(b))
		s.Buffer(nil, 1<<20)
		for s.Scan() {
			out = append(out, bytes.Clone(s.Bytes()))
		}
	}
	return append(out,
		[]byte(`{"kind":"metric_record","metadata":{"session_num":0,"request_start_ns":1,"benchmark_phase":"profiling","was_cancelled":false,"context_overflow_skip":false,"agent_depth":0},`+
			`"metrics":{"b":{"value":12,"unit":"ns"},"a":{"value":[1,2.5],"unit":"B"},"hid":{"value":1,"unit":"ns"},"n":{"value":null,"unit":"ns"}}}`),
		[]byte(`{"metadata":{"session_num":0,"request_start_ns":1,"benchmark_phase":"profiling","was_cancelled":false,"context_overflow_skip":false,"agent_depth":0},"metrics":{}}`))
}

func TestARecordPassedOnIsTheRecordDecoded(t *testing.T) {
	known := map[string]schema.MetricSummary{
		"a":               {Unit: "B", DisplayUnit: "KB"},
		"hid":             {Unit: "ns", DisplayUnit: "ms", Flags: []string{"internal"}},
		"request_latency": {Unit: "ns", DisplayUnit: "ms"},
		"request_count":   {Unit: "requests", DisplayUnit: "requests", Flags: []string{"no_individual_records"}},
	}
	fast := 0
	for _, trace := range []bool{false, true} {
		r := recorder{known: known, trace: trace}
		for _, l := range lines(t) {
			var m schema.MetricRecord
			if err := json.Unmarshal(l, &m); err != nil {
				t.Fatal(err)
			}
			want := RecordLine(&m, known, trace)
			got, err := r.line(l)
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s\n is %s\nwant %s (%v)", l, got, want, err)
			}
			if _, ok := r.fast(l); ok {
				fast++
			}
		}
	}
	if fast == 0 {
		t.Error("no record was passed on")
	}
}

func BenchmarkRecordLine(b *testing.B) {
	all := lines(b)
	n := 0
	for _, l := range all {
		n += len(l)
	}
	for _, c := range []struct {
		name string
		line func(l []byte) error
	}{
		{"passed", func() func(l []byte) error {
			r := recorder{trace: true}
			return func(l []byte) error { _, err := r.line(l); return err }
		}()},
		{"decoded", func(l []byte) error {
			var m schema.MetricRecord
			err := json.Unmarshal(l, &m)
			RecordLine(&m, nil, true)
			return err
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(n))
			b.ReportAllocs()
			for b.Loop() {
				for _, l := range all {
					if err := c.line(l); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
