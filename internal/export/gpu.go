package export

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"aiperf/schema"
)

// telemetryData is AIPerf's telemetry_data block, read for the CSV and the console. A metric may
// bring its own header and order; keys this package does not know are left alone.
type telemetryData struct {
	Summary struct {
		Configured []string `json:"endpoints_configured"`
		Successful []string `json:"endpoints_successful"`
	} `json:"summary"`
	Endpoints map[string]struct {
		GPUs map[string]gpu `json:"gpus"`
	} `json:"endpoints"`
}

type gpu struct {
	Index     int                             `json:"gpu_index"`
	Name      string                          `json:"gpu_name"`
	UUID      string                          `json:"gpu_uuid"`
	Platform  string                          `json:"platform"`
	Hostname  *string                         `json:"hostname"`
	Namespace *string                         `json:"namespace"`
	PodName   *string                         `json:"pod_name"`
	Metrics   map[string]schema.MetricSummary `json:"metrics"`
	endpoint  string
}

// gpus returns every device by endpoint and index.
func (r *Report) gpus() []gpu {
	var d telemetryData
	if json.Unmarshal(r.Profiling.Telemetry, &d) != nil {
		return nil
	}
	var out []gpu
	for name, e := range d.Endpoints {
		for _, g := range e.GPUs {
			g.endpoint = name
			out = append(out, g)
		}
	}
	slices.SortFunc(out, func(a, b gpu) int {
		return cmp.Or(cmp.Compare(a.endpoint, b.endpoint), cmp.Compare(a.Index, b.Index), cmp.Compare(a.UUID, b.UUID))
	})
	return out
}

// tags returns the metrics of a device in the order of their fields.
func (g *gpu) tags() []string {
	return slices.SortedFunc(maps.Keys(g.Metrics), func(a, b string) int {
		return cmp.Or(cmp.Compare(gpuField(a), gpuField(b)), cmp.Compare(a, b))
	})
}

// metric returns one metric of a device with its header and unit filled in.
func (g *gpu) metric(tag string) schema.MetricSummary {
	m := g.Metrics[tag]
	if m.Header == "" {
		m.Header = gpuHeader(tag)
	}
	m.DisplayUnit = cmp.Or(m.DisplayUnit, m.Unit)
	return m
}

// gpuRows adds the GPU section; without a device it is the header alone, as AIPerf has it.
func (r *Report) gpuRows(t *csvTable) {
	gpus := r.gpus()
	extra := []struct {
		name string
		get  func(*gpu) *string
	}{
		{"Hostname", func(g *gpu) *string { return g.Hostname }},
		{"Namespace", func(g *gpu) *string { return g.Namespace }},
		{"Pod Name", func(g *gpu) *string { return g.PodName }},
	}
	head := append([]string{"Endpoint", "GPU_Index", "GPU_Name", "GPU_UUID", "Platform", "Metric"}, statNames(csvStats)...)
	used := extra[:0]
	for _, e := range extra {
		if slices.ContainsFunc(gpus, func(g gpu) bool { return e.get(&g) != nil }) {
			used = append(used, e)
			head = append(head, e.name)
		}
	}
	t.row(head...)
	for _, g := range gpus {
		for _, tag := range g.tags() {
			m := g.metric(tag)
			row := []string{g.endpoint, strconv.Itoa(g.Index), g.Name, g.UUID, g.Platform, m.Header + " (" + m.DisplayUnit + ")"}
			row = append(row, cells(&m)...)
			for _, e := range used {
				if p := e.get(&g); p != nil {
					row = append(row, *p)
				} else {
					row = append(row, "None")
				}
			}
			t.row(row...)
		}
	}
}
