package export

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"aiperf/schema"
)

func f(x float64) *float64 { return &x }

func small(ms map[string]schema.MetricSummary) *Report {
	return &Report{RunID: "r", Version: "v", Profiling: &schema.Summary{Phase: schema.PhaseProfiling, Metrics: ms,
		Records: schema.Counts{Total: 1, Valid: 1}, Validity: schema.Validity{OK: true}}}
}

func TestB49NumbersInCSVArePlainAndNamesQuoted(t *testing.T) {
	r := small(map[string]schema.MetricSummary{
		"request_throughput": {Header: "Request Throughput", Unit: "requests/sec", DisplayUnit: "requests/sec", Type: "derived", Avg: f(1742.35)},
		"odd":                {Header: `a,"b"`, Unit: "ns", DisplayUnit: "ms", Type: "record", Avg: f(1234567890000), P50: f(2e6)},
	})
	b := r.CSV()
	want := "Metric,avg,min,max,sum,p1,p5,p10,p25,p50,p75,p90,p95,p99,std\r\n" +
		`"a,""b"" (ms)",1234567.89,,,,,,,,2.00,,,,,` + "\r\n\r\n" +
		"Metric,Value\r\nRequest Throughput (requests/sec),1742.35\r\n\r\n\r\n" +
		"Endpoint,GPU_Index,GPU_Name,GPU_UUID,Platform,Metric,avg,min,max,sum,p1,p5,p10,p25,p50,p75,p90,p95,p99,std\r\n"
	if string(b) != want {
		t.Errorf("got\n%q\nwant\n%q", b, want)
	}
	rd := csv.NewReader(bytes.NewReader(b))
	rd.FieldsPerRecord = -1
	rows, err := rd.ReadAll()
	if err != nil || rows[1][0] != `a,"b" (ms)` {
		t.Errorf("a reader gets %q, %v", rows, err)
	}
}

func TestB50NotANumberIsAbsentAndTheFileStands(t *testing.T) {
	r := small(map[string]schema.MetricSummary{
		"inter_token_latency": {Header: "Inter Token Latency", Unit: "ns", DisplayUnit: "ms", Type: "record", Group: "default",
			Avg: f(math.NaN()), P99: f(math.Inf(1)), P50: f(5e6)},
	})
	b, err := r.JSON()
	if err != nil || !json.Valid(b) {
		t.Fatalf("not JSON: %v\n%s", err, b)
	}
	if got := flat(readDoc(t, b)["inter_token_latency"]); got != `{"unit":"ms","p50":5.0}` {
		t.Errorf("got %s", got)
	}
	if got := strings.Split(string(r.CSV()), "\r\n")[1]; got != "Inter Token Latency (ms),,,,,,,,,5.00,,,,," {
		t.Errorf("got %s", got)
	}
	var text bytes.Buffer
	if err := r.Console(&text, Look{Width: 140}); err != nil || strings.Contains(text.String(), "NaN") || !strings.Contains(text.String(), "N/A") {
		t.Errorf("%v\n%s", err, text.String())
	}
}

func TestRecordLine(t *testing.T) {
	known := map[string]schema.MetricSummary{
		"request_latency":        {Unit: "ns", DisplayUnit: "ms"},
		"output_sequence_length": {Unit: "tokens", DisplayUnit: "tokens"},
		"credit_drop_latency":    {Unit: "ns", DisplayUnit: "ms", Flags: []string{"internal"}},
		"min_request_timestamp":  {Unit: "ns", DisplayUnit: "ns", Flags: []string{"no_individual_records"}},
	}
	tests := []struct{ name, in, want string }{
		{"nanoseconds become milliseconds, whole counts stay whole, hidden tags go",
			`{"metadata":{},"metrics":{"request_latency":{"value":17426912,"unit":"ns"},"output_sequence_length":{"value":9,"unit":"tokens"},"credit_drop_latency":{"value":1,"unit":"ns"},"min_request_timestamp":{"value":1,"unit":"ns"}}}`,
			`{"output_sequence_length":{"value":9,"unit":"tokens"},"request_latency":{"value":17.426911999999998,"unit":"ms"}}`},
		{"a list is converted number by number",
			`{"metadata":{},"metrics":{"inter_chunk_latency":{"value":[1000000,0],"unit":"ns"}}}`,
			`{"inter_chunk_latency":{"value":[1.0,0.0],"unit":"ms"}}`},
		{"what is no number is left out",
			`{"metadata":{},"metrics":{"a":{"value":"NaN","unit":"ms"},"b":{"value":1.5,"unit":"%"}}}`,
			`{"b":{"value":1.5,"unit":"%"}}`},
		{"nothing to show is no line", `{"metadata":{},"metrics":{}}`, ""},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			var rec schema.MetricRecord
			if err := json.Unmarshal([]byte(c.in), &rec); err != nil {
				t.Fatal(err)
			}
			b := RecordLine(&rec, known, false)
			got := ""
			if b != nil {
				got = string(readDoc(t, b)["metrics"])
			}
			if got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestAppendFloat(t *testing.T) {
	for want, x := range map[string]float64{"40.0": 40, "0.0": 0, "0.0001": 1e-4, "1e-05": 1e-5, "1.5e-07": 1.5e-7,
		"1e+16": 1e16, "1234567890123456.0": 1234567890123456, "-2.5": -2.5} {
		b := appendFloat(nil, x)
		var y float64
		if err := json.Unmarshal(b, &y); err != nil || y != x {
			t.Errorf("%s reads back as %v (%v)", b, y, err)
		}
		if !strings.ContainsAny(string(b), ".e") {
			t.Errorf("%s (%s) is not recognisable as a float", b, want)
		}
	}
}

func TestRedaction(t *testing.T) {
	r := small(nil)
	r.Runs = []schema.Run{{Tool: "aiperf-send", Config: json.RawMessage(
		`{"api-key":"SECRET1","header":["Authorization: Bearer SECRET2","X-Fine: yes","{\"x-api-key\":\"SECRET3\"}"],"url":["http://u:SECRET4@h/v1?key=SECRET5"],"num-sessions":7}`)}}
	got := string(r.InputConfig())
	if strings.Contains(got, "SECRET") {
		t.Errorf("a secret is in %s", got)
	}
	if !strings.Contains(got, "X-Fine: yes") || !strings.Contains(got, `"num-sessions":7`) {
		t.Errorf("what is no secret is gone from %s", got)
	}
}

func TestAcceptance(t *testing.T) {
	got := acceptance(map[string]int64{"0": 4, "1": 3, "9": 2, "12": 1})
	if want := "Accepted drafts per step (% of steps):  0: 40%  1: 30%  >=8: 30%"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
