package export

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aiperf/internal/stream"
	"aiperf/schema"
)

// feed gives a stream to a job.
func feed(t *testing.T, j *Job, in string) error {
	t.Helper()
	for l, err := range stream.Lines(t.Context(), strings.NewReader(in), func(string) {}) {
		if err == nil {
			err = j.Add(l)
		}
		if err != nil {
			return err
		}
	}
	return j.Finish()
}

const done = `{"kind":"summary","run_id":"r","phase":"profiling","metrics":{},"records":{"valid":1,"total":1},"validity":{"ok":true}}` + "\n"

func TestRawExport(t *testing.T) {
	dir := t.TempDir()
	j := &Job{Dir: &Dir{Path: dir}, Level: LevelRaw}
	defer j.Close()
	in := `{"kind":"request","run_id":"r","conversation_id":"c1","payload":{"a":1}}
{"kind":"request","run_id":"r","conversation_id":"c1","payload":{"a":2}}
{"kind":"request","run_id":"r","conversation_id":"c2","payload":{"b":1}}
{"kind":"record","run_id":"r","metadata":{"session_num":0,"request_start_ns":1,"benchmark_phase":"profiling","was_cancelled":false,"context_overflow_skip":false,"agent_depth":0},"start_perf_ns":5,"request_headers":{"Authorization":"Bearer x"},"status":200,"response_headers":{"content-type":"text/event-stream"},"body":": ping\n\ndata: {\"x\":1}\r\nid: 7\r\n\r\ndata: [DONE]","reads":[[8,10,11],[40,20,21],[47,30,31]],"payload":{"a":1}}
{"kind":"network_probe","timestamp_ns":1,"target_host":"h","rtt_ns":5,"success":true}
`
	if err := feed(t, j, in+done); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"profile_export_raw.jsonl":             `{"metadata":{"session_num":0,"request_start_ns":1,"benchmark_phase":"profiling","was_cancelled":false,"context_overflow_skip":false,"agent_depth":0},"start_perf_ns":5,"request_headers":{"Authorization":"<redacted>"},"status":200,"responses":[{"perf_ns":10,"packets":[{"name":"comment","value":"ping"}]},{"perf_ns":20,"packets":[{"name":"data","value":"{\"x\":1}"},{"name":"id","value":"7"}]},{"perf_ns":30,"packets":[{"name":"data","value":"[DONE]"}]}],"payload":{"a":1}}` + "\n",
		"profile_export_network_latency.jsonl": `{"timestamp_ns":1,"target_host":"h","rtt_ns":5,"success":true}` + "\n",
	} {
		if got := string(mustRead(t, filepath.Join(dir, name))); got != want {
			t.Errorf("%s\n got %s\nwant %s", name, got, want)
		}
	}
	want := `{"data":[{"session_id":"c1","payloads":[{"a":1},{"a":2}]},{"session_id":"c2","payloads":[{"b":1}]}]}`
	if got := flat(mustRead(t, filepath.Join(dir, "inputs.json"))); got != want {
		t.Errorf("inputs.json\n got %s\nwant %s", got, want)
	}
}

func TestNothingIsLeftWhenAStreamBreaks(t *testing.T) {
	dir := t.TempDir()
	j := &Job{Dir: &Dir{Path: dir}, Level: LevelRecords}
	if err := feed(t, j, `{"kind":"metric_record","metadata":{},"metrics":{}}`+"\n"+`{"kind":"summary","metrics":3}`+"\n"); err == nil {
		t.Fatal("no error")
	}
	j.Close()
	if list, _ := os.ReadDir(dir); len(list) != 0 {
		t.Errorf("%v is left", list)
	}
}

func FuzzJob(f *testing.F) {
	f.Add(done)
	f.Add(`{"kind":"summary","phase":"profiling","telemetry":{"endpoints":{"a":{"gpus":{"g":{"metrics":{"x":{"avg":1e9}}}}}}}}`)
	f.Add(`{"kind":"summary","phase":"profiling","metrics":{"":{"group":"_ _","header":"x"},"b":{"group":"__","header":"\u001b"}},"error_summary":[{}]}`)
	f.Add(`{"kind":"run","config":{"url":"http://a:b@c"}}` + "\n" + done)
	f.Fuzz(func(t *testing.T, in string) {
		j := &Job{}
		if feed(t, j, in) != nil {
			return
		}
		if b, err := j.Report.JSON(); err == nil && !json.Valid(b) {
			t.Errorf("not JSON: %s", b)
		}
		j.Report.CSV()
		for _, w := range []int{40, 80, 140} {
			if err := j.Report.Console(&bytes.Buffer{}, Look{Width: w}); err != nil {
				t.Error(err)
			}
		}
		for _, l := range strings.Split(in, "\n") {
			var m schema.MetricRecord
			if json.Unmarshal([]byte(l), &m) == nil {
				RecordLine(&m, nil, true)
			}
			var r schema.Record
			if json.Unmarshal([]byte(l), &r) == nil {
				messages(&r)
			}
		}
	})
}
