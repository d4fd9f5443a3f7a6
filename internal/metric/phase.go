package metric

import (
	"encoding/json"
	"slices"
	"strings"

	"aiperf/internal/column"
	"aiperf/internal/judge"
	"aiperf/schema"
)

// A PhaseWindow is a phase from its start to the return of its last request, wall-clock ns, and where
// that stands: "timing", "manifest" or "flag". EndNS is nil for a phase that never ended.
type PhaseWindow struct {
	StartNS int64
	EndNS   *int64
	Source  string
}

// A phase gathers what its summary says.
type phase struct {
	run             *Run
	name            string
	window          *PhaseWindow
	all             *set
	rows            rowLog // for slices
	credit, latency *column.Column
	lagBase         *int64
	lag             *column.Column
	errors          map[string]*schema.ErrorCount
	pooled          map[int]int64
	rules, skipped  map[string]int64
	records         int64
	cancelled       int64
	skippedOverflow int64
}

func (r *Run) phase(name string) *phase {
	if name == "" {
		name = schema.PhaseProfiling
	}
	p := r.phases[name]
	if p == nil {
		p = &phase{run: r, name: name, all: r.newSet(r.store), rows: rowLog{dir: r.opt.TempDir}, errors: map[string]*schema.ErrorCount{},
			pooled: map[int]int64{}, rules: map[string]int64{}, skipped: map[string]int64{}}
		r.phases[name] = p
	}
	return p
}

// SetPhase gives a phase's window; it may come at any time before Summaries.
func (r *Run) SetPhase(name string, w PhaseWindow) { r.phase(name).window = &w }

// AddProbe takes one handshake's round trip.
func (r *Run) AddProbe(n schema.NetworkProbe) {
	if n.Success && n.RTTNS != nil {
		r.probes.sum += *n.RTTNS
		r.probes.n++
	}
}

// rtt is the network's round trip, ns; 0: not known.
func (r *Run) rtt() float64 {
	if r.opt.NetworkLatencyNS != nil {
		return float64(*r.opt.NetworkLatencyNS)
	}
	x, _ := quotient(float64(r.probes.sum), float64(r.probes.n))
	return x
}

func (p *phase) skip(why string) { p.skipped[why]++ }

func (p *phase) add(s *judge.Sample, r *row) error {
	p.records++
	if s.Metadata.WasCancelled {
		p.cancelled++
	}
	for _, rule := range s.Rules {
		p.rules[rule]++
	}
	if s.Malformed > 0 {
		p.skipped["malformed_event"] += int64(s.Malformed)
	}
	if s.Error != nil {
		p.failed(*s.Error)
	}
	if s.Valid && s.SpecDecode != nil {
		for accepted, steps := range s.SpecDecode.Histogram {
			p.pooled[accepted] += steps
		}
	}
	if b := s.PrefixBlocks; s.Valid && b != nil && b.Total > 0 {
		r.hit, r.total = min(max(b.Hit, 0), b.Total), b.Total
	}
	if err := p.credits(s, r); err != nil {
		return err
	}
	if err := p.lagging(s); err != nil {
		return err
	}
	if !p.run.opt.strict() && (rounds(r.start) || rounds(r.end)) {
		p.rules[ruleEpochs]++
	}
	if p.run.opt.SliceDuration > 0 && p.name == schema.PhaseProfiling {
		if err := p.rows.add(r); err != nil {
			return err
		}
	}
	return p.all.add(r)
}

func (p *phase) failed(e schema.Error) {
	text, err := json.Marshal(e)
	if err != nil {
		return // an Error always marshals unless its details are no JSON
	}
	n := p.errors[string(text)]
	if n == nil {
		n = &schema.ErrorCount{ErrorDetails: e}
		p.errors[string(text)] = n
	}
	n.Count++
}

// errorSummary lists the failures, most frequent first.
func (p *phase) errorSummary() []schema.ErrorCount {
	type keyed struct {
		key string
		*schema.ErrorCount
	}
	list := make([]keyed, 0, len(p.errors))
	for k, n := range p.errors {
		list = append(list, keyed{k, n})
	}
	slices.SortFunc(list, func(a, b keyed) int {
		if a.Count != b.Count {
			return int(b.Count - a.Count)
		}
		return strings.Compare(a.key, b.key)
	})
	out := make([]schema.ErrorCount, len(list))
	for i, n := range list {
		out[i] = *n.ErrorCount
	}
	return out
}

// credits keeps the two latencies that begin with the scheduler's decision, ms; errors have them too.
func (p *phase) credits(s *judge.Sample, r *row) error {
	c := s.Metadata.CreditIssuedNS
	if c == nil {
		return nil
	}
	if p.credit == nil {
		p.credit, p.latency = p.run.store.New(), p.run.store.New()
	}
	ms := func(to int64) float64 { return max(p.run.opt.apart(*c, to), 0) / 1e6 }
	if err := p.credit.Append(ms(r.start)); err != nil {
		return err
	}
	return p.latency.Append(ms(r.end))
}

// lagging keeps the offset to the schedule, ns, less that of the first request seen: only differences count.
func (p *phase) lagging(s *judge.Sample) error {
	if s.ScheduledNS == nil || !p.run.allowed["replay_send_schedule_offset"] {
		return nil
	}
	x := s.Metadata.RequestStartNS - *s.ScheduledNS
	if p.run.opt.strict() {
		x = int64(float64(x))
	}
	if p.lagBase == nil {
		p.lagBase, p.lag = &x, p.run.store.New()
	}
	return p.lag.Append(float64(x - *p.lagBase))
}
