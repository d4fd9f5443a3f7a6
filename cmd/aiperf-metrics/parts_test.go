package main

import (
	"os"
	"strings"
	"testing"

	"aiperf/internal/judge"
	"aiperf/schema"
)

func TestSniff(t *testing.T) {
	for _, c := range []struct {
		name, line, endpoint string
		streaming            bool
	}{
		{"our record names both", `{"kind":"record","endpoint_type":"completions","streaming":true,"metadata":{}}`, "completions", true},
		{"a record that says it did not stream, whatever it accepted", `{"streaming":false,"request_headers":{"Accept":"text/event-stream"}}`, "chat", false},
		{"AIPerf's raw line streamed when it accepted an event stream", `{"request_headers":{"Accept":"text/event-stream"},"payload":{"messages":[]}}`, "chat", true},
		{"or asked for one in its payload", `{"payload":{"prompt":"x","stream":true}}`, "completions", true},
		{"Anthropic's header", `{"request_headers":{"anthropic-version":"2023-06-01","Accept":"application/json"},"payload":{"messages":[]}}`, "messages", false},
		{"embeddings have an input and no stream", `{"payload":{"input":["a"],"model":"m"}}`, "embeddings", false},
		{"responses have an input and a stream", `{"payload":{"input":[],"stream":false}}`, "responses", false},
		{"rankings by their lists", `{"payload":{"query":"q","documents":[]}}`, "cohere_rankings", false},
		{"a metric record with a first token was streamed", `{"metrics":{"time_to_first_token":{"value":1,"unit":"ms"}}}`, "chat", true},
	} {
		if n := sniff([]byte(c.line)); n.endpoint != c.endpoint || n.streaming != c.streaming {
			t.Errorf("%s: %q, streaming %v", c.name, n.endpoint, n.streaming)
		}
	}
}

func TestPhasesOfAIPerfsFiles(t *testing.T) {
	var p phases
	b, err := os.ReadFile(peer + "/cancellation/phase_manifest.json")
	if err != nil {
		t.Fatal(err)
	}
	lines, err := p.manifest(b)
	if err != nil || len(lines) != 2 {
		t.Fatalf("%d timing lines, %v", len(lines), err)
	}
	if w := p.by[schema.PhaseProfiling]; w.start != 1796014466784873683 || w.end != 1796014468387196703 {
		t.Errorf("profiling window %+v", w)
	}
	if w := p.by[schema.PhaseWarmup]; w.start != 1796014466554596306 || w.end != 1796014466781824023 {
		t.Errorf("warmup window %+v", w)
	}
	p = phases{}
	b, err = os.ReadFile(peer + "/fixed-schedule/server_metrics_export.json")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.serverMetrics(b); err != nil {
		t.Fatal(err)
	}
	if w := p.by[schema.PhaseProfiling]; w == nil || w.start != 1796014442777470057 || w.end != 1796014443845738764 {
		t.Errorf("window of server metrics %+v", w)
	}
}

func TestTimingLinesOfAPhaseAreOneWindow(t *testing.T) {
	var p phases
	for _, l := range []string{ // out of order
		`{"kind":"timing","phase":"profiling","end_ns":900,"was_cancelled":true}`,
		`{"kind":"timing","phase":"profiling"}`,
		`{"kind":"timing","phase":"profiling","start_ns":100,"fixed_schedule":true}`,
	} {
		if err := p.timing([]byte(l)); err != nil {
			t.Fatal(err)
		}
	}
	if w := p.by["profiling"]; w.start != 100 || w.end != 900 || !p.cancelled || !p.fixedSchedule {
		t.Errorf("%+v %+v", w, p)
	}
}

func TestPlannedTimes(t *testing.T) {
	var p plan
	for _, l := range []string{`{"timestamp":1000,"input_length":4}`, `{"timestamp":1080.5,"input_length":4}`} {
		if !p.trace("trace.jsonl", []byte(l)) {
			t.Fatalf("%s is no trace line", l)
		}
	}
	if p.trace("x", []byte(`{"timestamp":5,"level":"info"}`)) {
		t.Error("a log line is no trace line")
	}
	if err := p.request([]byte(`{"kind":"request","phase":"profiling","conversation_id":"c","turn_index":1,"at_ns":7}`)); err != nil {
		t.Fatal(err)
	}
	one, known := 1, int64(42)
	for _, c := range []struct {
		name string
		s    judge.Sample
		want int64
	}{
		{"the second line of a trace is session_000001", judge.Sample{Metadata: schema.Metadata{ConversationID: "session_000001", BenchmarkPhase: "profiling"}}, 1080500000},
		{"a request line by its session and turn", judge.Sample{Metadata: schema.Metadata{ConversationID: "c", TurnIndex: &one, BenchmarkPhase: "profiling"}}, 7},
		{"the record's own time stands", judge.Sample{ScheduledNS: &known, Metadata: schema.Metadata{ConversationID: "session_000001", BenchmarkPhase: "profiling"}}, 42},
	} {
		p.schedule(&c.s)
		if c.s.ScheduledNS == nil || *c.s.ScheduledNS != c.want {
			t.Errorf("%s: %v, want %d", c.name, c.s.ScheduledNS, c.want)
		}
	}
	s := judge.Sample{Metadata: schema.Metadata{ConversationID: "session_000009", BenchmarkPhase: "profiling"}}
	if p.schedule(&s); s.ScheduledNS != nil {
		t.Errorf("an unknown session is planned at %d", *s.ScheduledNS)
	}
}

func TestRequestsJoinById(t *testing.T) {
	raw := func() *judge.Sample { return &judge.Sample{Metadata: schema.Metadata{XRequestID: "a"}} }
	rec := func() *judge.Sample {
		s := raw()
		s.Trace, s.FromMetrics = &schema.TraceData{LocalIP: "ip"}, map[string]schema.MetricValue{}
		return s
	}
	for name, pair := range map[string][2]*judge.Sample{"raw first": {raw(), rec()}, "record first": {rec(), raw()}} {
		var r requests
		for _, s := range pair {
			l := "raw"
			if s.FromMetrics != nil {
				l = "record"
			}
			if now, dup, err := r.take(s, true, []byte(l)); now != nil || dup || err != nil {
				t.Errorf("%s: not held", name)
			}
		}
		n := 0
		_ = r.rest(func(raw, metrics []byte) error {
			n++
			if string(raw) != "raw" || string(metrics) != "record" {
				t.Errorf("%s: got %s, %s", name, raw, metrics)
			}
			return nil
		})
		if n != 1 {
			t.Errorf("%s: %d requests", name, n)
		}
	}
	var r requests
	if now, _, _ := r.take(raw(), false, nil); now == nil {
		t.Error("a record of ours waits")
	}
	if now, dup, _ := r.take(rec(), false, nil); now != nil || !dup {
		t.Error("the metric record beside its record is counted again")
	}
}

func TestBadInput(t *testing.T) {
	good := strings.SplitAfter(kinded(t, schema.KindRecord, peer+"/rate-slices/profile_export_raw.jsonl"), "\n")
	ok := good[1] // the first one is a 503
	for _, c := range []struct {
		name, in string
		args     []string
		code     int
		says     string
	}{
		{"a line that is not JSON is named", ok + "{nope\n" + ok, nil, 65, "<stdin>:2:"},
		{"a record without its times is named", ok + `{"kind":"record","metadata":{}}` + "\n", nil, 65, "<stdin>:2:"},
		{"bad lines are left out when asked", ok + "{nope\n" + `{"kind":"record"}` + "\n", []string{"--skip-bad"}, 0, ""},
		{"an unfinished last line is one warning", ok + `{"kind":"record","meta`, nil, 0, "unfinished"},
		{"no record at all", "", nil, 1, "no record in the input"},
		{"no request succeeded", good[0], nil, 1, "none of 1 requests succeeded"},
		{"an unknown goal names the nearest", ok, []string{"--goodput", "time_to_fist_token:3"}, 64, "time_to_first_token"},
		{"a window the wrong way round", ok, []string{"--window", "5,4"}, 64, "--window"},
		{"per-chunk usage wants server counts", ok, []string{"--per-chunk-usage"}, 64, "--use-server-token-count"},
		{"a missing file", "", []string{"no-such-file.jsonl"}, 66, "no-such-file.jsonl"},
	} {
		code, out, errs := tool(c.in, append([]string{"--tokenizer", "builtin"}, c.args...)...)
		if code != c.code || !strings.Contains(errs, c.says) {
			t.Errorf("%s: exit %d, want %d; stderr %q, want %q", c.name, code, c.code, errs, c.says)
		}
		if c.code < 64 && !strings.Contains(out, `"kind":"run"`) {
			t.Errorf("%s: no run line", c.name)
		}
	}
}
