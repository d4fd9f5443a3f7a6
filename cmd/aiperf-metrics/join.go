package main

import "aiperf/internal/judge"

// requests joins lines of one x_request_id. AIPerf's raw and record lines wait for each other until
// the end of the input; our own records do not wait.
type requests struct {
	seen  map[string]bool // taken already, not held
	held  map[string]*judge.Sample
	order []string
}

// A duplicate is a line of a request that was counted before.
const duplicate = "duplicate request"

// take returns the sample when it is to be counted now, and whether it was left out as a duplicate.
func (r *requests) take(s *judge.Sample, hold bool) (now *judge.Sample, dup bool) {
	id := s.Metadata.XRequestID
	if id == "" {
		return s, false
	}
	if r.seen[id] {
		return nil, true
	}
	if !hold {
		if r.held[id] != nil {
			return nil, true
		}
		if r.seen == nil {
			r.seen = map[string]bool{}
		}
		r.seen[id] = true
		return s, false
	}
	first := r.held[id]
	switch {
	case first == nil:
		if r.held == nil {
			r.held = map[string]*judge.Sample{}
		}
		r.held[id] = s
		r.order = append(r.order, id)
	case first.FromMetrics != nil && s.FromMetrics == nil:
		s.Merge(first)
		r.held[id] = s
	case first.FromMetrics == nil && s.FromMetrics != nil:
		first.Merge(s)
	default:
		return nil, true
	}
	return nil, false
}

// rest hands out what waited to the end.
func (r *requests) rest(f func(*judge.Sample) error) error {
	for _, id := range r.order {
		if err := f(r.held[id]); err != nil {
			return err
		}
		delete(r.held, id)
	}
	return nil
}
