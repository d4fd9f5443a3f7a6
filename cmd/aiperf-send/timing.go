package main

import (
	"fmt"
	"runtime"
	"syscall"

	"github.com/HdrHistogram/hdrhistogram-go"

	"aiperf/internal/transport"
	"aiperf/schema"
)

// The end of the histograms, ns.
const hour = int64(3600e9)

// health is what the sender knows of its own delays; nanoseconds, three digits. A delay above an hour counts as an hour.
type health struct{ lag, distortion *hdrhistogram.Histogram }

func newHealth() health {
	return health{hdrhistogram.New(1, hour, 3), hdrhistogram.New(1, hour, 3)}
}

// add notes how late a request left and how late its answer was read.
func (h *health) add(t *turn, d completion) {
	if t.scheduled > 0 {
		_ = h.lag.RecordValue(min(max(d.start-t.scheduled, 1), hour))
	}
	for _, r := range d.reads {
		_ = h.distortion.RecordValue(min(max(r.ReadNS-r.PerfNS, 1), hour))
	}
}

func quantiles(h *hdrhistogram.Histogram) (p50, p99, top *int64) {
	if h.TotalCount() == 0 {
		return nil, nil, nil
	}
	return ptr(h.ValueAtQuantile(50)), ptr(h.ValueAtQuantile(99)), ptr(h.Max())
}

func (s *sender) clientHealth() *schema.ClientHealth {
	c := &schema.ClientHealth{}
	c.LagP50NS, c.LagP99NS, c.LagMaxNS = quantiles(s.health.lag)
	c.DistortionP50NS, c.DistortionP99NS, c.DistortionMaxNS = quantiles(s.health.distortion)
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) == nil {
		c.CPUSeconds = ptr(float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9)
	}
	c.CPUs = ptr(float64(runtime.GOMAXPROCS(0)))
	b, sp := s.out.waiting()
	c.BufferedRecords, c.SpilledRecords = ptr(b), ptr(sp)
	return c
}

// begin opens the window of a phase: before its first request.
func (s *sender) begin(p *phase, q *schema.Request) {
	s.health = newHealth()
	p.counts = schema.Timing{
		Kind: schema.KindTiming, RunID: s.runID, Phase: p.name, PhaseIndex: p.index, PhaseName: p.name, PhaseKind: p.name,
		StartNS: ptr(s.anchor.Wall(p.start)), FixedSchedule: q.AtNS != nil,
	}
	if p.name == schema.PhaseProfiling {
		p.counts.ProfilingIndex = ptr(0)
	}
	if p.slots >= 0 {
		p.counts.Concurrency = ptr(p.slots)
	}
	if p.duration != nil {
		p.counts.ExpectedDurationSec = ptr(p.duration.Seconds())
	}
	if p.grace != nil {
		p.counts.ExpectedGracePeriodSec = ptr(p.grace.Seconds())
	}
	s.snapshot(p, false)
}

func (s *sender) snapshot(p *phase, last bool) {
	now := transport.Mono()
	p.counts.TimestampNS = s.anchor.Wall(now)
	p.counts.RequestsInFlight = int64(len(s.inflight))
	p.counts.WasCancelled = s.interrupted
	if last {
		p.counts.EndNS = ptr(s.anchor.Wall(now))
		p.counts.RequestsEndNS = p.counts.EndNS
		if p.counts.SentEndNS == nil {
			p.counts.SentEndNS = p.counts.EndNS
		}
	}
	p.counts.Client = s.clientHealth()
	s.put(p.counts)
}

// finish closes the window: the last answer has come back.
func (s *sender) finish(p *phase) {
	for _, ss := range p.sessions {
		if ss.begun {
			p.counts.CancelledSessions++
		}
		s.client.Forget(ss.id)
	}
	s.snapshot(p, true)
}

func (s *sender) progress(p *phase) string {
	el := float64(transport.Mono()-p.start) / 1e9
	rate := 0.0
	if el > 0 {
		rate = float64(p.counts.RequestsCompleted) / el
	}
	return fmt.Sprintf("%s: %d done, %d in flight, %.1f requests/s, %d failed, %.0f s", p.name, p.counts.RequestsCompleted, len(s.inflight),
		rate, p.counts.RequestErrors+p.counts.RequestsCancelled, el)
}
