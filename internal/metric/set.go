package metric

import (
	"math"

	"aiperf/internal/column"
)

// A set is what is kept of the requests of one phase or one slice.
type set struct {
	run       *Run
	store     *column.Store
	cols      []*column.Column // by slot; nil: no value
	sums      []float64        // of aggregates, by slot; NaN: none
	intervals []interval       // for the curves

	minStart, maxResponse *int64 // of valid requests
	firstStart, lastEnd   *int64 // of all
	valid, errors         int64
	hit, blocks           int64
}

func (r *Run) newSet(store *column.Store) *set { return &set{run: r, store: store} }

func (s *set) add(r *row) error {
	iv := interval{Start: r.start, End: r.end}
	for len(s.cols) < len(s.run.steps) {
		s.cols = append(s.cols, nil)
		s.sums = append(s.sums, math.NaN())
	}
	if r.valid {
		s.valid++
		s.minStart = lower(s.minStart, s.run.opt.stamp(r.start))
		iv.Gaps = r.gaps
	} else {
		s.errors++
	}
	s.firstStart, s.lastEnd = lower(s.firstStart, r.start), higher(s.lastEnd, r.end)
	s.hit, s.blocks = s.hit+r.hit, s.blocks+r.total
	for _, v := range r.values {
		st := &s.run.steps[v.slot]
		if st.Kind == KindAggregate {
			s.sums[v.slot] = orZero(s.sums[v.slot]) + v.x
			continue
		}
		if err := s.append(v.slot, v.x); err != nil {
			return err
		}
		if !r.valid {
			continue
		}
		switch st.Tag {
		case "request_latency":
			s.maxResponse = higher(s.maxResponse, s.run.opt.stamp(r.start+int64(v.x)))
		case "time_to_first_token":
			at := r.start + int64(v.x)
			iv.First = &at
		case "input_sequence_length":
			iv.ISL = &v.x
		case "output_sequence_length":
			iv.OSL = &v.x
		}
	}
	s.intervals = append(s.intervals, iv)
	if slot, ok := s.run.slots["inter_chunk_latency"]; ok && r.valid {
		for _, g := range r.gaps {
			if err := s.append(slot, float64(g)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *set) append(slot int, x float64) error {
	if s.cols[slot] == nil {
		s.cols[slot] = s.store.New()
	}
	return s.cols[slot].Append(x)
}

// column is the values of a tag; nil: none.
func (s *set) column(tag string) *column.Column {
	if slot, ok := s.run.slots[tag]; ok && slot < len(s.cols) {
		return s.cols[slot]
	}
	return nil
}

func lower(p *int64, x int64) *int64 {
	if p == nil || x < *p {
		return &x
	}
	return p
}

func higher(p *int64, x int64) *int64 {
	if p == nil || x > *p {
		return &x
	}
	return p
}
