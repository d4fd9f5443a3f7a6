package main

import (
	"encoding/json"

	"aiperf/schema"
)

// A window is a phase's, wall-clock ns; 0: not known.
type window struct {
	start, end int64
	source     string
}

// phases gathers what timing lines, manifests and server metrics say of each phase.
type phases struct {
	by            map[string]*window
	cancelled     bool
	fixedSchedule bool
	concurrency   *int64
}

func (p *phases) widen(phase string, start, end int64, source string) {
	if p.by == nil {
		p.by = map[string]*window{}
	}
	w := p.by[phase]
	if w != nil && w.source == "manifest" && source == "server-metrics" {
		return // the manifest is the exact one
	}
	if w == nil || w.source == "server-metrics" && source != w.source {
		w = &window{source: source}
		p.by[phase] = w
	}
	if start != 0 && (w.start == 0 || start < w.start) {
		w.start = start
	}
	w.end = max(w.end, end)
}

func deref(p *int64) int64 {
	if p == nil {
		return 0
	}
	return *p
}

// timing takes a timing line.
func (p *phases) timing(line []byte) error {
	var t schema.Timing
	if err := json.Unmarshal(line, &t); err != nil {
		return err
	}
	p.widen(t.Phase, deref(t.StartNS), deref(t.EndNS), "timing")
	p.cancelled = p.cancelled || t.WasCancelled
	p.fixedSchedule = p.fixedSchedule || t.FixedSchedule && t.Phase == schema.PhaseProfiling
	if t.Concurrency != nil && t.Phase == schema.PhaseProfiling && p.concurrency == nil {
		p.concurrency = t.Concurrency
	}
	return nil
}

// manifest takes AIPerf's phase_manifest.json and returns timing lines that say the same.
func (p *phases) manifest(doc []byte) ([]schema.Timing, error) {
	var m struct {
		Phases []struct {
			Kind         string `json:"phase_kind"`
			Name         string `json:"phase_name"`
			Index        int    `json:"phase_index"`
			Profiling    *int   `json:"profiling_index"`
			StartNS      *int64 `json:"start_ns"`
			EndNS        *int64 `json:"end_ns"`
			WasCancelled bool   `json:"was_cancelled"`
		} `json:"phases"`
	}
	if err := json.Unmarshal(doc, &m); err != nil {
		return nil, err
	}
	var out []schema.Timing
	for _, ph := range m.Phases {
		p.widen(ph.Kind, deref(ph.StartNS), deref(ph.EndNS), "manifest")
		p.cancelled = p.cancelled || ph.WasCancelled
		out = append(out, schema.Timing{Kind: schema.KindTiming, Phase: ph.Kind, PhaseIndex: ph.Index, ProfilingIndex: ph.Profiling,
			PhaseName: ph.Name, PhaseKind: ph.Kind, StartNS: ph.StartNS, EndNS: ph.EndNS, TimestampNS: max(deref(ph.EndNS), deref(ph.StartNS)),
			WasCancelled: ph.WasCancelled})
	}
	return out, nil
}

// serverMetrics takes the phase windows of AIPerf's server_metrics_export.json.
func (p *phases) serverMetrics(doc []byte) ([]schema.Timing, error) {
	var m struct {
		Summary struct {
			Ranges map[string]struct {
				StartNS int64 `json:"start_ns"`
				EndNS   int64 `json:"end_ns"`
			} `json:"phase_time_ranges"`
		} `json:"summary"`
	}
	if err := json.Unmarshal(doc, &m); err != nil {
		return nil, err
	}
	var out []schema.Timing
	for _, phase := range []string{schema.PhaseWarmup, schema.PhaseProfiling} {
		r, ok := m.Summary.Ranges[phase]
		if !ok {
			continue
		}
		p.widen(phase, r.StartNS, r.EndNS, "server-metrics")
		out = append(out, schema.Timing{Kind: schema.KindTiming, Phase: phase, PhaseName: phase, PhaseKind: phase,
			StartNS: &r.StartNS, EndNS: &r.EndNS, TimestampNS: r.EndNS})
	}
	return out, nil
}
