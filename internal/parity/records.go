package parity

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"aiperf/schema"
)

// display is a metric's value as AIPerf writes it.
func display(v schema.MetricValue) []float64 {
	factor := map[string]float64{"ns": 1e-6, "B": 1.0 / 1024}[v.Unit]
	if factor == 0 {
		factor = 1
	}
	var list []float64
	if json.Unmarshal(v.Value, &list) != nil {
		var one float64
		_ = json.Unmarshal(v.Value, &one)
		list = []float64{one}
	}
	for i := range list {
		list[i] *= factor
	}
	return list
}

// Records compares the metric_record lines of out with AIPerf's record file, request by request. hidden
// names the metrics that are in no record file.
func (c *Comparison) Records(path, out string, hidden func(tag string) bool) error {
	want := map[string]schema.MetricRecord{}
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	num := 0
	for l := range strings.Lines(string(b)) {
		num++
		var m schema.MetricRecord
		if err := json.Unmarshal([]byte(l), &m); err != nil {
			return fmt.Errorf("%s:%d: %w", path, num, err)
		}
		want[m.Metadata.XRequestID] = m
	}
	for l := range strings.Lines(out) {
		var m schema.MetricRecord
		if err := json.Unmarshal([]byte(l), &m); err != nil {
			return err
		}
		if m.Kind != schema.KindMetricRecord {
			continue
		}
		id := m.Metadata.XRequestID
		w, ok := want[id]
		if !ok {
			c.Faultf("request %s twice, or unknown", id)
			continue
		}
		delete(want, id)
		c.record(id, m, w, hidden)
	}
	if len(want) > 0 {
		c.Faultf("%d requests are missing", len(want))
	}
	return nil
}

func (c *Comparison) record(id string, m, w schema.MetricRecord, hidden func(string) bool) {
	if (m.Error == nil) != (w.Error == nil) {
		c.Faultf("%s: error %v, AIPerf's %v", id, m.Error, w.Error)
		return
	}
	for _, tag := range sortedKeys(w.Metrics) {
		got, ok := m.Metrics[tag]
		if !ok {
			c.Faultf("%s: no %s", id, tag)
			continue
		}
		a, b := display(got), display(w.Metrics[tag])
		if len(a) != len(b) {
			c.Faultf("%s: %s: %d values, AIPerf has %d", id, tag, len(a), len(b))
			continue
		}
		for i := range a {
			c.Number(id+": "+tag, a[i], b[i])
		}
	}
	for _, tag := range sortedKeys(m.Metrics) {
		if _, ok := w.Metrics[tag]; !ok && !hidden(tag) {
			c.Faultf("%s: %s is not in AIPerf's record", id, tag)
		}
	}
}
