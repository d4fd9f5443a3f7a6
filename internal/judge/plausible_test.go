package judge

import (
	"strings"
	"testing"
)

func TestARecordThatCannotHaveBeenMeasuredIsRefused(t *testing.T) {
	for name, c := range map[string]struct{ meta, rest, want string }{
		"a start before the epoch": {`"request_start_ns":-5`, ``, "request_start_ns -5"},
		"no start":                 {`"request_start_ns":0`, ``, "request_start_ns 0"},
		"an end before the start":  {`"request_start_ns":1700000000000000000,"request_end_ns":1600000000000000000`, ``, "request_end_ns"},
		"reads beyond the body":    {`"request_start_ns":1700000000000000000`, `,"body":"abc","reads":[[1000000000,2,3]]`, "reads[0] ends at byte 1000000000 of a body of 3"},
		"reads that go back":       {`"request_start_ns":1700000000000000000`, `,"body":"abc","reads":[[3,2,3],[1,4,5]]`, "reads[1]"},
	} {
		t.Run(name, func(t *testing.T) {
			line := `{"kind":"record","start_perf_ns":1,"status":200,"metadata":{"benchmark_phase":"profiling",` + c.meta + `}` + c.rest + `}`
			if _, err := New(Options{}).Line([]byte(line)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want an error with %q", err, c.want)
			}
		})
	}
	if _, err := New(Options{}).Line([]byte(`{"kind":"record","start_perf_ns":1,"status":200,"metadata":{"benchmark_phase":"profiling","request_start_ns":1700000000000000000},"body":"abc","reads":[[3,2,3]]}`)); err != nil {
		t.Errorf("a plain record: %v", err)
	}
}
