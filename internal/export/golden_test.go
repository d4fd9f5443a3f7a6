package export

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"aiperf/schema"
)

var update = flag.Bool("update", false, "write the goldens anew")

const peer = "../../testdata/peer/aiperf-0.13.0"

// catalogue reads the metric table of the reference: what a summary says of each metric.
func catalogue(t *testing.T) map[string]schema.MetricSummary {
	t.Helper()
	b, err := os.ReadFile("../metric/testdata/metrics.tsv")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(b)), "\n")
	col := map[string]int{}
	for i, n := range strings.Split(lines[0], "\t") {
		col[n] = i
	}
	out := map[string]schema.MetricSummary{}
	for i, l := range lines[1:] {
		c := strings.Split(l, "\t")
		m := schema.MetricSummary{Header: c[col["header"]], Unit: c[col["unit"]], DisplayUnit: c[col["display_unit"]],
			Type: c[col["kind"]], Group: c[col["console_group"]], Rank: i}
		if n, err := strconv.Atoi(c[col["display_order"]]); err == nil {
			m.Order = &n
		}
		if f := c[col["flags"]]; f != "" {
			m.Flags = strings.Split(strings.ToLower(f), "|")
		}
		out[c[col["tag"]]] = m
	}
	return out
}

type doc = map[string]json.RawMessage

func readDoc(t *testing.T, b []byte) doc {
	t.Helper()
	var d doc
	if err := json.Unmarshal(b, &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// notMetrics are the keys of AIPerf's JSON that are no metric.
var notMetrics = strings.Fields(`schema_version aiperf_version benchmark_id telemetry_data input_config run_info
	was_cancelled is_complete incomplete_reason error_summary start_time end_time branch_stats warmup_metrics
	pooled_spec_decode_acceptance_histogram metadata is_complete start_ns end_ns`)

// metricsOf reads the metric blocks of one of AIPerf's objects as the metrics of a summary. The
// statistics are left in display units, so that the writers' forms can be compared to the last digit.
func metricsOf(t *testing.T, d doc, cat map[string]schema.MetricSummary) map[string]schema.MetricSummary {
	t.Helper()
	out := map[string]schema.MetricSummary{}
	for tag, raw := range d {
		if slices.Contains(notMetrics, tag) {
			continue
		}
		m, ok := cat[tag]
		if !ok {
			t.Errorf("%s is in the file and not in metrics.tsv", tag)
		}
		if err := json.Unmarshal(raw, &m); err != nil {
			t.Fatalf("%s: %v", tag, err)
		}
		m.DisplayUnit = m.Unit
		out[tag] = m
	}
	return out
}

// peerReport makes the report that AIPerf's own JSON describes.
func peerReport(t *testing.T, run string) (*Report, doc) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(peer, run, "profile_export_aiperf.json"))
	if err != nil {
		t.Fatal(err)
	}
	d := readDoc(t, b)
	cat := catalogue(t)
	s := &schema.Summary{Kind: schema.KindSummary, Phase: schema.PhaseProfiling, EndpointType: "chat", Streaming: true,
		Metrics: metricsOf(t, d, cat), Telemetry: d["telemetry_data"], Validity: schema.Validity{OK: true}}
	r := &Report{RunID: str(d["benchmark_id"]), Version: str(d["aiperf_version"]), Profiling: s, Location: time.UTC}
	must := func(key string, v any) {
		if raw, ok := d[key]; ok {
			if err := json.Unmarshal(raw, v); err != nil {
				t.Fatalf("%s: %v", key, err)
			}
		}
	}
	must("was_cancelled", &s.Cancelled)
	must("error_summary", &s.ErrorSummary)
	must("pooled_spec_decode_acceptance_histogram", &s.PooledSpec)
	s.Window.StartNS, s.Window.EndNS = wall(t, str(d["start_time"])), wall(t, str(d["end_time"]))
	s.Records.Valid = 1
	if w, ok := d["warmup_metrics"]; ok {
		r.Warmup = &schema.Summary{Phase: schema.PhaseWarmup, Metrics: metricsOf(t, readDoc(t, w), cat)}
	}
	return r, d
}

func str(b json.RawMessage) string { var s string; _ = json.Unmarshal(b, &s); return s }

func wall(t *testing.T, s string) int64 {
	t.Helper()
	at, err := time.ParseInLocation("2006-01-02T15:04:05.000000", s, time.UTC)
	if err != nil {
		t.Fatal(err)
	}
	return at.UnixNano()
}

func runs(t *testing.T) []string {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(peer, "*", "profile_export_aiperf.json"))
	if len(files) < 10 {
		t.Fatalf("%d of AIPerf's runs found under %s", len(files), peer)
	}
	var out []string
	for _, f := range files {
		out = append(out, filepath.Base(filepath.Dir(f)))
	}
	return out
}

// ours are the keys that no two programs share: ids, commands, the flags' own form.
var ours = []string{"input_config", "run_info"}

// TestJSONIsAIPerfs writes each of AIPerf's runs with our writer: every key but ours is the same
// text, and the keys that have a fixed order have it.
func TestJSONIsAIPerfs(t *testing.T) {
	compared := 0
	for _, run := range runs(t) {
		t.Run(run, func(t *testing.T) {
			r, want := peerReport(t, run)
			b, err := r.JSON()
			if err != nil {
				t.Fatal(err)
			}
			got := readDoc(t, b)
			compared += compare(t, got, want)
			if g, w := keys(t, b), keys(t, mustRead(t, filepath.Join(peer, run, "profile_export_aiperf.json"))); !slices.Equal(fixed(g), fixed(w)) {
				t.Errorf("order of keys\n got %v\nwant %v", fixed(g), fixed(w))
			}
		})
	}
	t.Logf("%d keys compared", compared)
	if compared < 500 {
		t.Errorf("only %d keys were compared", compared)
	}
}

// compare checks two objects key by key, nested blocks by their compact text.
func compare(t *testing.T, got, want doc) int {
	t.Helper()
	n := 0
	for k, w := range want {
		if slices.Contains(ours, k) {
			continue
		}
		g, ok := got[k]
		if !ok {
			t.Errorf("%s is missing", k)
			continue
		}
		if k == "warmup_metrics" {
			n += compare(t, readDoc(t, g), readDoc(t, w))
			continue
		}
		if flat(g) != flat(w) {
			t.Errorf("%s\n got %s\nwant %s", k, flat(g), flat(w))
		}
		n++
	}
	for k := range got {
		if _, ok := want[k]; !ok {
			t.Errorf("%s is not in AIPerf's file", k)
		}
	}
	return n
}

func flat(b []byte) string {
	var buf bytes.Buffer
	if err := json.Compact(&buf, b); err != nil {
		return string(b)
	}
	return buf.String()
}

// keys returns the keys of a document in their order.
func keys(t *testing.T, b []byte) []string {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(b))
	var out []string
	if _, err := d.Token(); err != nil {
		t.Fatal(err)
	}
	for d.More() {
		k, err := d.Token()
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, k.(string))
		var skip json.RawMessage
		if err := d.Decode(&skip); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// fixed keeps the keys whose order AIPerf fixes.
func fixed(keys []string) []string {
	return slices.DeleteFunc(keys, func(k string) bool { return !slices.Contains(declared, k) && !slices.Contains(notMetrics, k) })
}

func mustRead(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestCSVIsAIPerfs writes each of AIPerf's runs as CSV: the same bytes, the GPU section included.
func TestCSVIsAIPerfs(t *testing.T) {
	for _, run := range runs(t) {
		t.Run(run, func(t *testing.T) {
			r, _ := peerReport(t, run)
			got, want := string(r.CSV()), string(mustRead(t, filepath.Join(peer, run, "profile_export_aiperf.csv")))
			if got == want {
				return
			}
			g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
			for i := range max(len(g), len(w)) {
				if i >= len(g) || i >= len(w) || g[i] != w[i] {
					t.Fatalf("line %d\n got %q\nwant %q", i+1, at(g, i), at(w, i))
				}
			}
		})
	}
}

func at(l []string, i int) string {
	if i < len(l) {
		return l[i]
	}
	return "(no line)"
}

func TestTimeslicesAreAIPerfs(t *testing.T) {
	for _, run := range []string{"rate-slices", "fixed-schedule"} {
		t.Run(run, func(t *testing.T) {
			r, _ := peerReport(t, run)
			cat := catalogue(t)
			var want struct {
				Timeslices []doc `json:"timeslices"`
			}
			if err := json.Unmarshal(mustRead(t, filepath.Join(peer, run, "profile_export_aiperf_timeslices.json")), &want); err != nil {
				t.Fatal(err)
			}
			for _, d := range want.Timeslices {
				s := schema.Timeslice{IsComplete: d["is_complete"] == nil, Metrics: metricsOf(t, d, cat)}
				_ = json.Unmarshal(d["start_ns"], &s.StartNS)
				_ = json.Unmarshal(d["end_ns"], &s.EndNS)
				r.Profiling.Timeslices = append(r.Profiling.Timeslices, s)
			}
			b, err := r.TimeslicesJSON()
			if err != nil {
				t.Fatal(err)
			}
			var got struct {
				Timeslices []doc `json:"timeslices"`
			}
			if err := json.Unmarshal(b, &got); err != nil || len(got.Timeslices) != len(want.Timeslices) || len(want.Timeslices) == 0 {
				t.Fatalf("%d slices, want %d (%v)", len(got.Timeslices), len(want.Timeslices), err)
			}
			for i := range want.Timeslices {
				compare(t, got.Timeslices[i], want.Timeslices[i])
			}
			if w, err := os.ReadFile(filepath.Join(peer, run, "profile_export_aiperf_timeslices.csv")); err == nil && string(r.TimeslicesCSV()) != string(w) {
				t.Error("the CSV of the slices differs")
			}
		})
	}
}

func TestConsoleGoldens(t *testing.T) {
	for _, run := range []string{"rate-slices", "spec-decode", "gpu-energy"} {
		for _, l := range []Look{{Width: 80}, {Width: 140}, {Width: 200}, {Width: 80, ASCII: true}, {Width: 140, ASCII: true}} {
			name := run + "-" + strconv.Itoa(l.Width)
			if l.ASCII {
				name += "-ascii"
			}
			t.Run(name, func(t *testing.T) {
				r, _ := peerReport(t, run)
				var buf bytes.Buffer
				if err := r.Console(&buf, l); err != nil {
					t.Fatal(err)
				}
				for i, line := range strings.Split(buf.String(), "\n") {
					if n := len([]rune(line)); n > l.Width {
						t.Errorf("line %d has %d columns of %d: %s", i+1, n, l.Width, line)
					}
					if l.ASCII && strings.ContainsFunc(line, func(c rune) bool { return c > 126 }) {
						t.Errorf("line %d is not ASCII: %s", i+1, line)
					}
				}
				file := filepath.Join("testdata", "console", name+".txt")
				if *update {
					_ = os.MkdirAll(filepath.Dir(file), 0o777)
					if err := os.WriteFile(file, buf.Bytes(), 0o666); err != nil {
						t.Fatal(err)
					}
				}
				if want := mustRead(t, file); !bytes.Equal(buf.Bytes(), want) {
					t.Errorf("%s differs; look, then -update:\n%s", file, buf.String())
				}
			})
		}
	}
}
