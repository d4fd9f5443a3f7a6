package export

import (
	"bytes"
	"encoding/csv"
	"strconv"
	"strings"

	"aiperf/schema"
)

// A table is CSV by RFC 4180: CRLF, quotes only where needed. An empty record is a bare CRLF.
type csvTable struct {
	buf bytes.Buffer
	w   *csv.Writer
}

func newCSV() *csvTable {
	t := &csvTable{}
	t.w = csv.NewWriter(&t.buf)
	t.w.UseCRLF = true
	return t
}

func (t *csvTable) row(cells ...string) { _ = t.w.Write(cells) } // a buffer never fails

func (t *csvTable) gap(n int) {
	t.w.Flush()
	t.buf.WriteString(strings.Repeat("\r\n", n))
}

func (t *csvTable) bytes() []byte {
	t.w.Flush()
	return t.buf.Bytes()
}

// CSV is profile_export_aiperf.csv: metrics with percentiles, scalars, GPUs.
func (r *Report) CSV() []byte {
	ms := shown(r.Profiling.Metrics)
	var wide, narrow []string
	for _, tag := range sortedTags(ms) {
		m := ms[tag]
		switch {
		case distributed(&m):
			wide = append(wide, tag)
		case m.Type != "accuracy":
			narrow = append(narrow, tag)
		}
	}
	t := newCSV()
	if len(wide) > 0 {
		t.row(append([]string{"Metric"}, statNames(csvStats)...)...)
		for _, tag := range wide {
			m := ms[tag]
			t.row(append([]string{rowName(&m)}, cells(&m)...)...)
		}
	}
	if len(wide) > 0 && len(narrow) > 0 {
		t.gap(1)
	}
	if len(narrow) > 0 {
		t.row("Metric", "Value")
		for _, tag := range narrow {
			m := ms[tag]
			t.row(rowName(&m), fixed2(m.Avg))
		}
	}
	t.gap(2)
	r.gpuRows(t)
	return t.bytes()
}

func statNames(ss []stat) []string {
	out := make([]string, len(ss))
	for i, s := range ss {
		out[i] = s.name
	}
	return out
}

func cells(m *schema.MetricSummary) []string {
	out := make([]string, len(csvStats))
	for i, s := range csvStats {
		out[i] = fixed2(s.get(m))
	}
	return out
}

// distributed reports a metric with any percentile.
func distributed(m *schema.MetricSummary) bool {
	for _, s := range percentiles {
		if s.get(m) != nil {
			return true
		}
	}
	return false
}

// rowName is "Header (unit)"; counts have no unit.
func rowName(m *schema.MetricSummary) string {
	switch strings.ToLower(m.DisplayUnit) {
	case "", "count", "requests":
		return m.Header
	}
	return m.Header + " (" + m.DisplayUnit + ")"
}

// TimeslicesCSV is profile_export_aiperf_timeslices.csv: one row a slice, metric and statistic.
func (r *Report) TimeslicesCSV() []byte {
	t := newCSV()
	t.row("Timeslice", "Start_NS", "End_NS", "Metric", "Unit", "Stat", "Value")
	for i, slice := range r.Profiling.Timeslices {
		ms := shown(slice.Metrics)
		for _, tag := range sortedTags(ms) {
			m := ms[tag]
			for _, s := range csvStats {
				if v := s.get(&m); finite(v) {
					t.row(strconv.Itoa(i), strconv.FormatInt(slice.StartNS, 10), strconv.FormatInt(slice.EndNS, 10),
						m.Header, m.DisplayUnit, s.name, fixed2(v))
				}
			}
		}
	}
	return t.bytes()
}
