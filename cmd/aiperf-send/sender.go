package main

import (
	"bytes"
	"cmp"
	"container/heap"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"aiperf/internal/cli"
	"aiperf/internal/transport"
	"aiperf/schema"
)

// interruptGrace is how long requests in flight may go on after the first interrupt.
const interruptGrace = 5 * time.Second

// lastWords is how long a reader has to take what is left after the second interrupt.
const lastWords = 500 * time.Millisecond

// A turn is one request on its way.
type turn struct {
	req     *schema.Request
	size    int
	phase   *phase
	session *session
	due     int64 // earliest send, monotonic; 0: at once
	seq     int64 // order of input

	num       int64 // of its send within the phase
	scheduled int64 // planned send; 0: nothing planned it
	issued    int64
	cancel    *transport.Canceller
	ctx       context.Context
}

// A session is a conversation: its turns are sent one after the other and it holds one slot.
type session struct {
	key     sessionKey
	id      string // correlation id
	target  *transport.Target
	turns   []*turn // waiting for their predecessor
	busy    bool    // a turn is in flight or waits for its time
	holds   bool    // it has a slot
	begun   bool    // a turn of it was sent
	lastEnd int64
}

type sessionKey struct {
	num          int64
	conversation string
}

type completion struct {
	t          *turn
	start, end int64
	failed     bool
	why        string // it failed
	cancelled  bool
	reads      []schema.Read
}

// A sender owns the schedule: one goroutine decides, every call has a goroutine of its own.
type sender struct {
	env    *cli.Env
	c      *cli.Context
	cfg    *config
	ctx    context.Context
	out    *spool
	client *transport.Client
	anchor transport.Anchor
	alarm  *alarm
	bar    *cli.Progress

	runID    string
	in       chan *turn
	inErr    error // set before in is closed
	stopIn   context.CancelFunc
	closedIn bool
	done     chan completion

	held         []*turn // requests of the next phase that have come already, in order
	ended        bool    // the input has ended
	seq          int64
	urls         int
	interrupted  bool
	again        bool // interrupted twice
	inflight     map[*turn]struct{}
	sent, bad    int64 // over all phases
	firstFailure string
	health       health
}

func newSender(ctx context.Context, env *cli.Env, c *cli.Context, cfg *config, out *spool) *sender {
	return &sender{
		env: env, c: c, cfg: cfg, ctx: ctx, out: out, anchor: transport.NewAnchor(),
		client: transport.New(transport.Options{Reuse: cfg.reuse, Kernel: cfg.kernel}),
		in:     make(chan *turn, 64), done: make(chan completion, 4096), inflight: map[*turn]struct{}{},
		bar: cli.NewProgress(env, c.Bool("quiet")), health: newHealth(),
	}
}

func (s *sender) put(v any) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		s.env.Warnf("a line could not be encoded: %v", err)
		return
	}
	s.out.put(b.Bytes())
}

func (s *sender) run() error {
	var err error
	if s.alarm, err = newAlarm(); err != nil {
		return err
	}
	defer s.alarm.stop()
	defer s.client.Close()
	ctx, stop := context.WithCancel(s.ctx)
	defer stop()
	s.stopIn = stop
	go s.read(ctx, s.c.Args)

	index := 0
	for !s.over() {
		name := s.nextPhase(index)
		if name == "" {
			break
		}
		s.phase(name, index)
		index++
	}
	s.stopReading()
	s.bar.Done(s.words())
	werr := s.closeOut()
	switch {
	case werr != nil && gone(werr) && s.interrupted:
		return cli.Silent(cli.ExitInterrupted)
	case werr != nil && gone(werr):
		return werr // nobody reads on: a quiet end
	case werr != nil:
		return werr
	case s.interrupted:
		return cli.Silent(cli.ExitInterrupted)
	case s.ended && s.inErr != nil && !errors.Is(s.inErr, context.Canceled):
		return s.inErr
	case s.sent > 0 && s.bad == s.sent:
		return cli.Errorf(cli.ExitNo, "all %d requests failed", s.sent).WithHint("the first failure: %s", s.firstFailure)
	case s.sent == 0 && s.ended && !s.outputFailed():
		return cli.Errorf(cli.ExitNo, "no request in the input").WithHint("aiperf-gen writes request lines; lines of other kinds were passed on")
	}
	return nil
}

// closeOut waits until the reader has everything. A second interrupt gives it lastWords and no more:
// the reader may have stopped for good.
func (s *sender) closeOut() error {
	closed := make(chan error, 1)
	go func() { closed <- s.out.close() }()
	var late <-chan time.Time
	if s.again {
		late = time.After(lastWords)
	}
	for {
		select {
		case err := <-closed:
			return err
		case <-late:
			return cli.Errorf(cli.ExitInterrupted, "interrupted twice: the last lines were not read by anybody and are lost")
		case <-s.env.Interrupts:
			if s.interrupted {
				late = time.After(lastWords)
			}
			s.interrupted = true
		}
	}
}

func (s *sender) words() string {
	if s.sent == 0 {
		return "no requests"
	}
	return fmt.Sprintf("%d requests, %d failed", s.sent, s.bad)
}

// over reports that nothing more will be sent.
func (s *sender) over() bool {
	return s.interrupted || s.outputFailed() || s.ended && len(s.held) == 0
}

func (s *sender) outputFailed() bool {
	select {
	case <-s.out.failed:
		return true
	default:
		return false
	}
}

// nextPhase waits for the first request and says which phase it belongs to; "" when there is none.
func (s *sender) nextPhase(index int) string {
	for len(s.held) == 0 && !s.ended {
		select {
		case t, ok := <-s.in:
			if !ok {
				s.ended = true
				return ""
			}
			s.held = append(s.held, t)
		case <-s.env.Interrupts:
			s.interrupted = true
			return ""
		case <-s.out.failed:
			return ""
		}
	}
	if len(s.held) == 0 {
		return ""
	}
	if p := s.held[0].req.Phase; p != "" {
		return p
	}
	if index == 0 && s.cfg.warmup.duration != nil {
		return schema.PhaseWarmup
	}
	return schema.PhaseProfiling
}

// A phase is one stretch of load with bounds and a window of its own.
type phase struct {
	name  string
	index int
	bounds
	start    int64 // monotonic
	slots    int64 // -1: unlimited
	used     int64
	sessions map[sessionKey]*session
	later    turnHeap // turns whose time has not come
	ready    []*turn  // next turns of running sessions
	fresh    []*turn  // first turns
	lastTick int64
	ticks    []int64 // planned ticks that nobody has taken
	pending  int
	bytes    int
	stopped  bool // no more sends
	cutAt    int64
	next     bool // the next phase has begun to arrive
	counts   schema.Timing
}

func (s *sender) phase(name string, index int) {
	p := &phase{name: name, index: index, bounds: s.cfg.profiling, sessions: map[sessionKey]*session{}, slots: -1}
	if name == schema.PhaseWarmup {
		p.bounds = s.cfg.warmup
	}
	first := s.held[0].req
	timed := first.TickNS != nil || first.AtNS != nil
	switch {
	case p.concurrency != nil:
		p.slots = *p.concurrency
	case !timed:
		p.slots = 1
	}
	p.start = transport.Mono()
	p.lastTick = p.start
	s.begin(p, first)
	held := s.held
	s.held = nil
	for _, t := range held {
		s.admit(p, t)
	}
	snapshot := p.start + 1e9
	interrupts := s.env.Interrupts
	failed := s.out.failed
	for {
		now := transport.Mono()
		s.bound(p, now)
		if s.stuck(p) {
			s.idle(p, false)
		}
		s.issue(p, now)
		if s.finished(p) {
			break
		}
		if now >= snapshot {
			s.snapshot(p, false)
			snapshot += 1e9 * ((now-snapshot)/1e9 + 1)
		}
		s.alarm.set(s.wake(p, snapshot))
		var in chan *turn
		if s.wants(p) {
			in = s.in
		}
		select {
		case t, ok := <-in:
			if !ok {
				s.ended = true
				s.idle(p, true)
				break
			}
			s.admit(p, t)
		case d := <-s.done:
			s.complete(p, d)
		case <-s.alarm.C:
		case <-interrupts:
			if s.interrupted { // the second one
				s.again = true
				s.cut()
				p.cutAt = 0
				break
			}
			s.interrupted = true
			s.stop(p)
			p.cutAt = transport.Mono() + int64(interruptGrace)
			s.stopReading()
		case <-failed:
			failed = nil
			s.stop(p)
			s.cut()
			s.stopReading()
		}
		s.bar.Show(func() string { return s.progress(p) })
	}
	s.finish(p)
}

// wants reports whether the schedule can use more of the input.
func (s *sender) wants(p *phase) bool {
	if s.ended || len(s.held) > 0 || s.interrupted || p.stopped && p.duration == nil {
		return false
	}
	return p.pending < aheadTurns && p.bytes < aheadBytes
}

// stuck reports that every slot is held by a session whose next turn has not come, with as much read
// ahead as there may be.
func (s *sender) stuck(p *phase) bool {
	return !s.wants(p) && len(s.inflight) == 0 && len(p.later) == 0 && len(p.ready) == 0 && len(p.fresh) > 0 && p.slots >= 0 && p.used >= p.slots
}

// idle takes the slots of the sessions that wait for a turn from the input: for good when nothing more
// will come, until their next turn otherwise.
func (s *sender) idle(p *phase, forGood bool) {
	for _, ss := range p.sessions {
		switch {
		case ss.busy:
		case forGood:
			s.release(p, ss)
		case ss.holds:
			ss.holds = false
			p.used--
		}
	}
}

// admit takes one request of the input.
func (s *sender) admit(p *phase, t *turn) {
	if t.req.Phase != "" && t.req.Phase != p.name {
		s.hold(p, t)
		return
	}
	if p.stopped {
		if t.req.Phase == "" && p.name == schema.PhaseWarmup { // phase-less: the rest is the benchmark
			s.hold(p, t)
		}
		return
	}
	s.seq++
	t.phase, t.seq = p, s.seq
	key := sessionKey{t.req.SessionNum, t.req.ConversationID}
	ss := p.sessions[key]
	if ss == nil {
		ss = &session{key: key, target: s.cfg.targets[s.urls%len(s.cfg.targets)]}
		s.urls++
		ss.id = newID()
		if t.req.AtNS != nil && t.req.ConversationID != "" {
			ss.id = "fixed-schedule-" + t.req.ConversationID
		}
		p.sessions[key] = ss
	}
	t.session = ss
	p.pending++
	p.bytes += t.size
	if t.req.TickNS != nil {
		p.lastTick += *t.req.TickNS
		p.ticks = append(p.ticks, p.lastTick)
	}
	if ss.busy {
		ss.turns = append(ss.turns, t)
		return
	}
	ss.busy = true
	s.plan(p, t)
}

// hold keeps a request for the next phase: the input has nothing more for this one.
func (s *sender) hold(p *phase, t *turn) {
	s.held = append(s.held, t)
	if !p.next {
		p.next = true
		s.idle(p, true)
	}
}

// plan finds out when a turn whose predecessor has ended may go.
func (s *sender) plan(p *phase, t *turn) {
	if t.req.AtNS != nil {
		t.due = p.start + *t.req.AtNS
	}
	if t.req.DelayNS != nil && t.session.lastEnd > 0 {
		t.due = max(t.due, t.session.lastEnd+*t.req.DelayNS)
	}
	t.scheduled = t.due
	if t.due == 0 && t.session.lastEnd > 0 {
		t.scheduled = t.session.lastEnd
	}
	if t.due > transport.Mono() {
		heap.Push(&p.later, t)
		return
	}
	s.queue(p, t)
}

func (s *sender) queue(p *phase, t *turn) {
	if t.session.holds {
		p.ready = append(p.ready, t)
	} else {
		p.fresh = append(p.fresh, t)
	}
}

// issue sends everything whose time has come and that has a slot.
func (s *sender) issue(p *phase, now int64) {
	for len(p.later) > 0 && p.later[0].due <= now {
		s.queue(p, heap.Pop(&p.later).(*turn))
	}
	if p.stopped {
		return
	}
	for {
		t := s.choose(p, now)
		if t == nil {
			return
		}
		s.send(p, t)
	}
}

// choose takes the next turn that may go now: those of running sessions first.
func (s *sender) choose(p *phase, now int64) *turn {
	for _, q := range []*[]*turn{&p.ready, &p.fresh} {
		if len(*q) == 0 || q == &p.fresh && p.slots >= 0 && p.used >= p.slots {
			continue
		}
		t := (*q)[0]
		if t.req.TickNS != nil {
			if len(p.ticks) == 0 || p.ticks[0] > now {
				return nil
			}
			t.scheduled = max(t.scheduled, p.ticks[0])
			p.ticks = p.ticks[1:]
		}
		(*q)[0] = nil
		*q = (*q)[1:]
		return t
	}
	return nil
}

func (s *sender) send(p *phase, t *turn) {
	if !t.session.holds {
		t.session.holds = true
		p.used++
		if !t.session.begun {
			t.session.begun = true
			p.counts.SentSessions++
		}
	}
	p.pending--
	p.bytes -= t.size
	t.num = p.counts.RequestsSent
	p.counts.RequestsSent++
	p.counts.TotalSessionTurns++
	t.cancel, t.ctx = transport.NewCanceller(context.Background())
	s.inflight[t] = struct{}{}
	t.issued = transport.Mono()
	go s.fire(t)
}

func (s *sender) complete(p *phase, d completion) {
	t, ss := d.t, d.t.session
	delete(s.inflight, t)
	s.health.add(t, d)
	s.sent++
	p.counts.RequestsCompleted++
	switch {
	case d.cancelled:
		p.counts.RequestsCancelled++
		s.bad++
	case d.failed:
		p.counts.RequestErrors++
		s.bad++
		if s.firstFailure == "" {
			s.firstFailure = d.why
		}
	}
	ss.lastEnd = d.end
	if len(ss.turns) > 0 {
		next := ss.turns[0]
		ss.turns = ss.turns[1:]
		s.plan(p, next)
		return
	}
	ss.busy = false
	if t.req.Final || s.ended || p.next {
		s.release(p, ss)
	}
}

// release ends a session and frees its slot.
func (s *sender) release(p *phase, ss *session) {
	if ss.holds {
		ss.holds = false
		p.used--
	}
	if ss.begun {
		p.counts.CompletedSessions++
	}
	delete(p.sessions, ss.key)
	s.client.Forget(ss.id)
}

// bound applies the phase's duration and the moment when answers are cut.
func (s *sender) bound(p *phase, now int64) {
	if p.duration != nil && !p.stopped && now >= p.start+int64(*p.duration) {
		p.counts.TimeoutTriggered = true
		s.stop(p)
		if p.grace != nil {
			p.cutAt = p.start + int64(*p.duration) + int64(*p.grace)
		}
		if p.name == schema.PhaseProfiling {
			s.stopReading()
		}
	}
	if p.cutAt > 0 && now >= p.cutAt {
		p.cutAt = 0
		p.counts.GracePeriodTimeoutTriggered = len(s.inflight) > 0 && !s.interrupted
		s.cut()
	}
}

// stop ends the sending; what has not been sent yet never will be, but for phase-less requests of a
// warmup, which are the benchmark's.
func (s *sender) stop(p *phase) {
	p.stopped = true
	p.counts.SentEndNS = ptr(s.anchor.Wall(transport.Mono()))
	if p.name == schema.PhaseWarmup && !s.interrupted {
		s.carry(p)
	}
	p.later, p.ready, p.fresh, p.ticks = nil, nil, nil, nil
	for _, ss := range p.sessions {
		ss.turns = nil
	}
	p.pending, p.bytes = 0, 0
}

// carry keeps the phase-less requests of a warmup that were read and not sent for the next phase, in
// their order.
func (s *sender) carry(p *phase) {
	rest := slices.Concat(p.later, p.ready, p.fresh)
	for _, ss := range p.sessions {
		rest = append(rest, ss.turns...)
	}
	rest = slices.DeleteFunc(rest, func(t *turn) bool { return t.req.Phase != "" })
	if len(rest) == 0 {
		return
	}
	slices.SortFunc(rest, func(a, b *turn) int { return cmp.Compare(a.seq, b.seq) })
	for _, t := range rest {
		t.due, t.scheduled = 0, 0
	}
	s.held, p.next = append(rest, s.held...), true
}

// cut cancels every request in flight.
func (s *sender) cut() {
	for t := range s.inflight {
		t.cancel.Cancel()
	}
}

// finished reports that the phase has nothing left to do.
func (s *sender) finished(p *phase) bool {
	if len(s.inflight) > 0 {
		return false
	}
	if p.stopped {
		if p.name == schema.PhaseWarmup && !s.interrupted && !s.outputFailed() {
			return len(s.held) > 0 || s.ended
		}
		return true
	}
	return (s.ended || p.next) && p.pending == 0
}

// wake is when something must be done next.
func (s *sender) wake(p *phase, snapshot int64) int64 {
	at := snapshot
	if len(p.later) > 0 {
		at = min(at, p.later[0].due)
	}
	if len(p.ticks) > 0 && (len(p.ready) > 0 || len(p.fresh) > 0 && (p.slots < 0 || p.used < p.slots)) {
		at = min(at, p.ticks[0])
	}
	if p.duration != nil && !p.stopped {
		at = min(at, p.start+int64(*p.duration))
	}
	if p.cutAt > 0 {
		at = min(at, p.cutAt)
	}
	return max(at, 1)
}

// turnHeap is ordered by due time, then by input.
type turnHeap []*turn

func (h turnHeap) Len() int { return len(h) }
func (h turnHeap) Less(i, j int) bool {
	return h[i].due < h[j].due || h[i].due == h[j].due && h[i].seq < h[j].seq
}
func (h turnHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

// Push implements heap.Interface.
func (h *turnHeap) Push(x any) { *h = append(*h, x.(*turn)) }

// Pop implements heap.Interface.
func (h *turnHeap) Pop() any {
	old := *h
	t := old[len(old)-1]
	old[len(old)-1] = nil
	*h = old[:len(old)-1]
	return t
}
