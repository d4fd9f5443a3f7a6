package metric

import (
	"math"
)

// A walk goes through the events of sorted records in time, holding the open ones in a heap.
type walk struct {
	list     *intervals // sorted
	from, to int64
	float    bool // moments are rounded to float64

	heap eventHeap
	err  error // of reading the list
}

// The kinds of event. Their order at one moment does not show: a curve has a value only between moments.
const (
	eventLate  = iota // chunks stamped at or after the end count just before it
	eventEnd          // the answer is complete
	eventFirst        // the first token
	eventStart        // the request is sent
	eventGap          // a gap between chunks begins
	eventChunk        // a gap ends with a chunk
)

// An event is the next thing that happens to an open record, whose rank is its place in the list.
type event struct {
	at   int64
	rank int
	kind int8
	gap  int32 // of eventChunk: its place in Gaps
	open *openRecord
}

// An openRecord is a record between its first and its last event. Rates are tokens/s; 0 is unknown.
type openRecord struct {
	*interval
	start, first, end int64
	total             float64 // from first to end
	tokens            bool    // counts in tokens in flight
	held              twice   // tokens it adds to them now
	share             float64 // tokens of a gap above 0
	each              float64 // tokens in flight of a later chunk, also after a gap of 0
	late              int     // later chunks stamped at or after the end
	next              int32   // place in Gaps of the next gap
	elapsed           int64   // ns from first to the start of it
}

// moment returns ns as the walk sees it.
func (w *walk) moment(ns int64) int64 {
	if w.float {
		return floatNS(ns)
	}
	return ns
}

// before returns the last moment ahead of ns.
func (w *walk) before(ns int64) int64 {
	if w.float {
		return int64(math.Nextafter(float64(ns), math.Inf(-1)))
	}
	return ns - 1
}

// run calls visit with every stretch of [from, to] on which no curve changes and its length in ns.
func (w *walk) run(visit func(*load, int64)) {
	var l load
	w.heap = w.heap[:0]
	now, next := w.from, 0
	if w.err != nil {
		return
	}
	for {
		for p := w.list.places; next < len(p) && (len(w.heap) == 0 || w.moment(p[next].start) <= w.heap[0].at); next++ {
			if w.err = w.open(next); w.err != nil {
				return
			}
		}
		if len(w.heap) == 0 || w.heap[0].at >= w.to {
			break
		}
		e := w.heap.pop()
		if e.at > now {
			visit(&l, e.at-now)
			now = e.at
		}
		w.apply(&l, e)
	}
	if w.to > now {
		visit(&l, w.to-now)
	}
}

// push files the next event of r at the moment at.
func (w *walk) push(at int64, rank int, kind int8, r *openRecord) {
	w.heap.push(event{at: at, rank: rank, kind: kind, open: r})
}

// open makes the record of that rank ready and files its start.
func (w *walk) open(rank int) error {
	iv, err := w.list.read(w.list.places[rank])
	if err != nil {
		return err
	}
	r := &openRecord{interval: iv}
	r.start, r.end = w.moment(r.Start), w.moment(r.End)
	if r.First != nil {
		r.first = w.moment(*r.First)
		r.tokens = r.ISL != nil && r.OSL != nil
	}
	if r.First != nil && r.OSL != nil {
		if r.end > r.first {
			r.total = (*r.OSL - 1) / float64(r.end-r.first) * 1e9
		}
		positive, elapsed := 0, int64(0)
		for _, gap := range r.Gaps {
			if gap > 0 {
				positive++
				elapsed += gap
			}
			if w.moment(r.first+elapsed) >= r.end {
				r.late++
			}
		}
		if len(r.Gaps) > 0 && *r.OSL > 1 {
			r.each = (*r.OSL - 1) / float64(len(r.Gaps))
		}
		if positive > 0 && *r.OSL > 1 {
			r.share = (*r.OSL - 1) / float64(positive)
		}
	}
	w.push(r.start, rank, eventStart, r)
	return nil
}

// apply changes the load by one event and files what follows from it.
func (w *walk) apply(l *load, e event) {
	r := e.open
	switch e.kind {
	case eventStart:
		l.all++
		if r.First != nil {
			l.prefilling++
			if r.ISL != nil && r.first > r.start {
				l.prefill.add(r.prefill())
				l.total.add(r.prefill())
			}
			if r.tokens {
				l.tokens.open++
				if r.first > r.start {
					r.hold(l, *r.ISL)
				}
			}
			w.push(r.first, e.rank, eventFirst, r)
			if r.late > 0 && r.tokens {
				w.push(w.before(r.end), e.rank, eventLate, r)
			}
		}
		if w.float {
			w.ahead(r, e.rank)
		}
		w.push(r.end, e.rank, eventEnd, r)
	case eventFirst:
		l.prefilling--
		if r.ISL != nil && r.first > r.start {
			l.prefill.remove(r.prefill())
			l.total.remove(r.prefill())
		}
		if r.first < r.end {
			l.decoding++
			if r.tokens {
				if r.each > 0 { // an answer without gaps adds its input only
					r.hold(l, 1+float64(r.zeros(0))*r.each)
				}
			}
			if r.total > 0 {
				l.total.add(r.total)
			}
		}
		if !w.float {
			w.emit(l, e)
		}
	case eventGap:
		w.emit(l, e)
	case eventChunk:
		l.decode.remove(r.rate(e.gap))
		if r.tokens && e.at < r.end {
			r.hold(l, float64(1+r.zeros(int(e.gap)+1))*r.each)
		}
		if !w.float {
			w.emit(l, e)
		}
	case eventLate:
		r.hold(l, float64(r.late)*r.each)
	case eventEnd:
		l.all--
		if r.First != nil && r.first < r.end {
			l.decoding--
			if r.total > 0 {
				l.total.remove(r.total)
			}
		}
		if r.tokens {
			r.release(l)
		}
	}
}

// emit begins the record's next gap, if there is one. In float64 a gap ends at its rounded chunk and
// begins its length before that, rounded again, so neighbours overlap by a step or leave a hole of
// one, as in AIPerf; exact ones meet.
func (w *walk) emit(l *load, e event) {
	r := e.open
	if r.share == 0 || !r.skip() {
		return
	}
	gap := r.Gaps[r.next]
	l.decode.add(r.rate(r.next))
	w.heap.push(event{at: w.moment(r.first + r.elapsed + gap), rank: e.rank, kind: eventChunk, gap: r.next, open: r})
	r.elapsed += gap
	r.next++
	if w.float {
		w.ahead(r, e.rank)
	}
}

// ahead files the start of the record's next gap, if there is one.
func (w *walk) ahead(r *openRecord, rank int) {
	if r.share != 0 && r.skip() {
		gap := r.Gaps[r.next]
		w.push(w.moment(w.moment(r.first+r.elapsed+gap)-gap), rank, eventGap, r)
	}
}

// skip goes to the next gap above 0; false if there is none.
func (r *openRecord) skip() bool {
	for int(r.next) < len(r.Gaps) && r.Gaps[r.next] <= 0 {
		r.next++
	}
	return int(r.next) < len(r.Gaps)
}

// zeros returns how many gaps from place i on are 0: their chunks come with the one before.
func (r *openRecord) zeros(i int) int {
	n := 0
	for i+n < len(r.Gaps) && r.Gaps[i+n] <= 0 {
		n++
	}
	return n
}

// rate returns the tokens a second of a gap.
func (r *openRecord) rate(gap int32) float64 { return r.share / float64(r.Gaps[gap]) * 1e9 }

// prefill returns the tokens a second of the record before its first token.
func (r *openRecord) prefill() float64 { return *r.ISL / float64(r.first-r.start) * 1e9 }

// hold adds n tokens to those in flight.
func (r *openRecord) hold(l *load, n float64) {
	l.tokens.sum(n)
	r.held.sum(n)
}

// release takes all tokens of the record out of flight.
func (r *openRecord) release(l *load) {
	l.tokens.sum(-r.held.lo)
	l.tokens.remove(r.held.hi)
}

// An eventHeap gives the earliest event first, and of those at one moment the one of lowest rank. It
// is a binary heap of its own, as container/heap allocates for every event.
type eventHeap []event

func (a *event) less(b *event) bool {
	if a.at != b.at {
		return a.at < b.at
	}
	if a.rank != b.rank {
		return a.rank < b.rank
	}
	if a.kind != b.kind {
		return a.kind < b.kind
	}
	return a.gap < b.gap
}

func (h *eventHeap) push(e event) {
	*h = append(*h, e)
	q := *h
	for i := len(q) - 1; i > 0; {
		up := (i - 1) / 2
		if !q[i].less(&q[up]) {
			break
		}
		q[i], q[up] = q[up], q[i]
		i = up
	}
}

func (h *eventHeap) pop() event {
	q := *h
	top, last := q[0], len(q)-1
	q[0], q[last] = q[last], event{}
	q = q[:last]
	*h = q
	for i := 0; ; {
		least := 2*i + 1
		if least >= last {
			return top
		}
		if least+1 < last && q[least+1].less(&q[least]) {
			least++
		}
		if !q[least].less(&q[i]) {
			return top
		}
		q[i], q[least] = q[least], q[i]
		i = least
	}
}
