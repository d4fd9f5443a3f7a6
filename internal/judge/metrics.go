package judge

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"aiperf/schema"
)

// Metrics makes a Sample of a metric_record line. AIPerf's own lines, which have no kind, hold times in
// ms and sizes in KB: they come back in internal units (integer ns, bytes).
func Metrics(line []byte) (*Sample, error) {
	var m schema.MetricRecord
	if err := json.Unmarshal(line, &m); err != nil {
		return nil, fmt.Errorf("metric record: %w", err)
	}
	if m.Metadata.RequestStartNS == 0 {
		return nil, fmt.Errorf("metric record: metadata.request_start_ns is missing")
	}
	s := &Sample{Metadata: m.Metadata, Valid: m.Error == nil, Error: m.Error, Trace: m.TraceData, Rules: m.Rules,
		FromMetrics: map[string]schema.MetricValue{}, EndNS: m.Metadata.RequestStartNS}
	if e := m.Metadata.RequestEndNS; e != nil {
		s.EndNS = *e
	}
	for tag, v := range m.Metrics {
		s.FromMetrics[tag] = internalUnit(v)
	}
	if len(m.SpecDecodeAcceptance) > 0 {
		sd, err := specFromJSON(m.SpecDecodeAcceptance)
		if err != nil {
			return nil, err
		}
		s.SpecDecode = sd
	}
	return s, nil
}

// Merge takes from the metric record of the same request what a raw line lacks: the HTTP trace, or
// where that was not exported the metrics that were made of it.
func (s *Sample) Merge(m *Sample) {
	if s.Trace != nil {
		return
	}
	s.Trace = m.Trace
	for tag, v := range m.FromMetrics {
		var x float64
		if m.Trace != nil || !strings.HasPrefix(tag, "http_req_") || json.Unmarshal(v.Value, &x) != nil {
			continue
		}
		if s.HTTP == nil {
			s.HTTP = map[string]float64{}
		}
		s.HTTP[tag] = x
	}
}

// internalUnit undoes the display units ms and KB; any other value stays as written.
func internalUnit(v schema.MetricValue) schema.MetricValue {
	factor, unit := 1e6, "ns"
	switch v.Unit {
	case "ms":
	case "KB":
		factor, unit = 1024, "B"
	default:
		return v
	}
	var one float64
	if json.Unmarshal(v.Value, &one) == nil {
		return schema.MetricValue{Value: scaled(nil, one*factor), Unit: unit}
	}
	var list []float64
	if json.Unmarshal(v.Value, &list) != nil {
		return v
	}
	b := []byte{'['}
	for i, x := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = scaled(b, x*factor)
	}
	return schema.MetricValue{Value: append(b, ']'), Unit: unit}
}

// scaled writes x, as an integer where it is one but for the noise of the multiplication.
func scaled(b []byte, x float64) []byte {
	if n := int64(x + 0.5); x >= 0 && x < 1<<53 && abs(x-float64(n)) <= 1e-9*max(1, x) {
		return strconv.AppendInt(b, n, 10)
	}
	return strconv.AppendFloat(b, x, 'g', -1, 64)
}

func abs(x float64) float64 { return max(x, -x) }

func specFromJSON(b json.RawMessage) (*SpecDecode, error) {
	var v struct {
		Mean      float64          `json:"mean_acceptance_length"`
		Rate      float64          `json:"draft_acceptance_rate"`
		Histogram map[string]int64 `json:"acceptance_histogram"`
		Accepted  int64            `json:"num_accepted_draft_tokens"`
		Draft     int64            `json:"num_draft_tokens"`
		Steps     int64            `json:"num_spec_steps"`
	}
	if err := json.Unmarshal(b, &v); err != nil {
		return nil, fmt.Errorf("metric record: spec_decode_acceptance: %w", err)
	}
	h := map[int]int64{}
	for k, n := range v.Histogram {
		i, err := strconv.Atoi(k)
		if err != nil {
			return nil, fmt.Errorf("metric record: spec_decode_acceptance: histogram key %q", k)
		}
		h[i] = n
	}
	return &SpecDecode{MeanAcceptanceLength: v.Mean, DraftAcceptanceRate: v.Rate, Histogram: h,
		Accepted: v.Accepted, Draft: v.Draft, Steps: v.Steps, JSON: b}, nil
}
