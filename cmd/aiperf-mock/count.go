package main

import (
	"hash/maphash"
	"strings"
	"sync"
)

// A tally counts prompts and remembers what it counted, for benchmarks send few prompts often.
type tally struct {
	counter
	seed maphash.Seed
	mu   sync.Mutex
	seen map[uint64]int
}

const tallySize = 1 << 14

func newTally(c counter) *tally {
	return &tally{counter: c, seed: maphash.MakeSeed(), seen: map[uint64]int{}}
}

// of returns the tokens of a prompt: its texts joined with one space, without a chat template.
func (t *tally) of(p prompt) int {
	if p.texts == nil {
		return p.ids
	}
	text := strings.Join(p.texts, " ")
	key := maphash.String(t.seed, text)
	t.mu.Lock()
	n, ok := t.seen[key]
	t.mu.Unlock()
	if ok {
		return n
	}
	n = t.Count(text)
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.seen) >= tallySize {
		clear(t.seen)
	}
	t.seen[key] = n
	return n
}
