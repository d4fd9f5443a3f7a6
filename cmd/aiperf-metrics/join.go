package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"aiperf/internal/column"
	"aiperf/internal/judge"
)

// requests joins lines of one x_request_id. AIPerf's raw and record lines wait for each other until
// the end of the input, in a spool; our own records do not wait.
type requests struct {
	seen  map[[16]byte]struct{} // ids taken already, not held
	held  map[[16]byte]int32    // index of waiting
	lines []waiting
	spool *column.Spool
}

// waiting is where the lines of one request lie in the spool.
type waiting struct{ raw, metrics piece }

type piece struct {
	off int64
	n   int32 // 0: none
}

// spoolBytes of waiting lines are held in memory.
const spoolBytes = 4 << 20

// A duplicate is a line of a request that was counted before.
const duplicate = "duplicate request"

// take returns the sample of a line when it is to be counted now, and whether it was left out as a
// duplicate.
func (r *requests) take(s *judge.Sample, hold bool, line []byte) (now *judge.Sample, dup bool, err error) {
	id := s.Metadata.XRequestID
	if id == "" {
		return s, false, nil
	}
	k := key(id)
	if _, dup := r.seen[k]; dup {
		return nil, true, nil
	}
	i, waits := r.held[k]
	if !hold {
		if waits {
			return nil, true, nil
		}
		if r.seen == nil {
			r.seen = map[[16]byte]struct{}{}
		}
		r.seen[k] = struct{}{}
		return s, false, nil
	}
	if !waits {
		if r.held == nil {
			r.held, r.spool = map[[16]byte]int32{}, column.NewSpool(spoolBytes, "")
		}
		i = int32(len(r.lines))
		r.held[k], r.lines = i, append(r.lines, waiting{})
	}
	w := &r.lines[i]
	to := &w.raw
	if s.FromMetrics != nil {
		to = &w.metrics
	}
	if to.n != 0 {
		return nil, true, nil
	}
	to.n = int32(len(line))
	to.off, err = r.spool.Append(line)
	return nil, false, err
}

// rest hands out what waited to the end, in the order of the first lines: the raw line, and its metric
// record beside it, or either alone (the other is nil).
func (r *requests) rest(f func(raw, metrics []byte) error) error {
	if r.spool == nil {
		return nil
	}
	defer r.spool.Close()
	r.held = nil
	read := func(p piece) ([]byte, error) {
		if p.n == 0 {
			return nil, nil
		}
		b, err := r.spool.Read(p.off, int(p.n))
		return bytes.Clone(b), err
	}
	for _, w := range r.lines {
		raw, err := read(w.raw)
		if err != nil {
			return err
		}
		metrics, err := read(w.metrics)
		if err != nil {
			return err
		}
		if err := f(raw, metrics); err != nil {
			return err
		}
	}
	return nil
}

// key is an id in 16 bytes: a UUID as it is, anything else by its SHA-256.
func key(id string) (k [16]byte) {
	if len(id) == 36 && id[8] == '-' && id[13] == '-' && id[18] == '-' && id[23] == '-' {
		digits := make([]byte, 0, 32)
		for _, part := range [][2]int{{0, 8}, {9, 13}, {14, 18}, {19, 23}, {24, 36}} {
			digits = append(digits, id[part[0]:part[1]]...)
		}
		if _, err := hex.Decode(k[:], digits); err == nil && string(digits) == strings.ToLower(string(digits)) {
			return k
		}
	}
	sum := sha256.Sum256([]byte(id))
	return [16]byte(sum[:16])
}
