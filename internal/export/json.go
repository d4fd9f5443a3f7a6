package export

import (
	"maps"
	"slices"
	"strconv"

	"aiperf/schema"
)

// JSON is profile_export_aiperf.json.
func (r *Report) JSON() ([]byte, error) {
	s := r.Profiling
	ms := shown(s.Metrics)
	var o object
	o.add("schema_version", SchemaVersion)
	o.add("aiperf_version", r.Version)
	o.add("benchmark_id", r.RunID)
	o.declared(ms)
	o.raw("telemetry_data", r.telemetry())
	o.raw("input_config", r.InputConfig())
	o.raw("run_info", r.runInfo())
	o.add("was_cancelled", s.Cancelled)
	why := r.incomplete()
	o.add("is_complete", why == "")
	if why != "" {
		o.add("incomplete_reason", why)
	}
	o.raw("error_summary", errorSummary(s.ErrorSummary))
	start, end := r.window()
	if start != 0 {
		o.add("start_time", r.isoLocal(start))
	}
	if end != 0 {
		o.add("end_time", r.isoLocal(end))
	}
	if r.Warmup != nil {
		var w object
		w.blocks(shown(r.Warmup.Metrics))
		o.raw("warmup_metrics", w.bytes())
	}
	if len(s.PooledSpec) > 0 {
		o.raw("pooled_spec_decode_acceptance_histogram", histogram(s.PooledSpec))
	}
	o.further(ms)
	return indented(o.bytes())
}

func errorSummary(list []schema.ErrorCount) []byte {
	out := []byte{'['}
	for i, e := range list {
		if i > 0 {
			out = append(out, ',')
		}
		var o object
		o.raw("error_details", errorObject(&e.ErrorDetails))
		o.add("count", e.Count)
		out = append(out, o.bytes()...)
	}
	return append(out, ']')
}

// errorObject is an error in AIPerf's form: its message is there even when it is empty.
func errorObject(e *schema.Error) []byte {
	var o object
	if e.Code != nil {
		o.add("code", *e.Code)
	}
	if e.Type != "" {
		o.add("type", e.Type)
	}
	o.add("message", e.Message)
	if e.Cause != "" {
		o.add("cause", e.Cause)
	}
	if len(e.CauseChain) > 0 {
		o.add("cause_chain", e.CauseChain)
	}
	if len(e.Details) > 0 {
		o.raw("details", e.Details)
	}
	return o.bytes()
}

// histogram writes the buckets by number.
func histogram(h map[string]int64) []byte {
	var o object
	for _, k := range buckets(h) {
		o.raw(k, strconv.AppendInt(nil, h[k], 10))
	}
	return o.bytes()
}

// buckets returns the keys of a histogram in the order of their numbers.
func buckets(h map[string]int64) []string {
	return slices.SortedFunc(maps.Keys(h), func(a, b string) int {
		x, errA := strconv.Atoi(a)
		y, errB := strconv.Atoi(b)
		if errA != nil || errB != nil || x == y {
			return slices.Compare([]byte(a), []byte(b))
		}
		return x - y
	})
}

// telemetryGraceNS is how long after the phase samples of it are still taken.
const telemetryGraceNS = 666_000_000

// telemetry is the summary's own, or the block that says there was no device.
func (r *Report) telemetry() []byte {
	if t := r.Profiling.Telemetry; len(t) > 0 && string(t) != "null" {
		return t
	}
	start, end := r.window()
	var sum, o object
	sum.raw("endpoints_configured", []byte("[]"))
	sum.raw("endpoints_successful", []byte("[]"))
	if start != 0 {
		sum.add("start_time", r.isoLocal(start))
	}
	if end != 0 {
		sum.add("end_time", r.isoLocal(end+telemetryGraceNS))
	}
	o.raw("summary", sum.bytes())
	o.raw("endpoints", []byte("{}"))
	o.raw("error_summary", []byte("[]"))
	return o.bytes()
}

// TimeslicesJSON is profile_export_aiperf_timeslices.json.
func (r *Report) TimeslicesJSON() ([]byte, error) {
	list := []byte{'['}
	for i, t := range r.Profiling.Timeslices {
		if i > 0 {
			list = append(list, ',')
		}
		var o object
		o.add("start_ns", t.StartNS)
		o.add("end_ns", t.EndNS)
		if !t.IsComplete {
			o.add("is_complete", false)
		}
		o.blocks(shown(t.Metrics))
		list = append(list, o.bytes()...)
	}
	var o object
	o.raw("timeslices", append(list, ']'))
	o.raw("input_config", r.InputConfig())
	return indented(o.bytes())
}
