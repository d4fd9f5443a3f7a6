package main

import (
	"sync"

	"aiperf/internal/tokenizer"
)

// cacheBytes bounds the texts whose counts are remembered.
const cacheBytes = 64 << 20

// A counter counts with one tokenizer and remembers texts, which repeat in prompts with a common
// part and in runs over a small dataset. Several goroutines may use it.
type counter struct {
	tok *tokenizer.Tokenizer
	mu  sync.Mutex
	by  map[string]int
	n   int
}

// Count returns the tokens of text.
func (c *counter) Count(text string) int {
	c.mu.Lock()
	n, ok := c.by[text]
	c.mu.Unlock()
	if ok {
		return n
	}
	n = c.tok.Count(text)
	c.mu.Lock()
	if c.n+len(text) > cacheBytes {
		c.by, c.n = nil, 0
	}
	if c.by == nil {
		c.by = map[string]int{}
	}
	if _, ok := c.by[text]; !ok {
		c.by[text], c.n = n, c.n+len(text)
	}
	c.mu.Unlock()
	return n
}

// counters are the tokenizers of a run by model; a name typed by the user serves all.
type counters struct {
	name string // --tokenizer
	find tokenizer.Finder
	note func(string)
	mu   sync.Mutex
	by   map[string]*counter
}

func (c *counters) of(model string) (*counter, error) {
	name := c.name
	if name == "" {
		name = model
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if k := c.by[name]; k != nil {
		return k, nil
	}
	tok, err := c.find.For(c.name, model)
	if err != nil {
		return nil, err
	}
	if n := tok.Note(); n != "" {
		c.note(n)
	}
	if c.by == nil {
		c.by = map[string]*counter{}
	}
	k := &counter{tok: tok}
	for _, other := range c.by {
		if other.tok.Name() == tok.Name() {
			k = other // one cache an encoding
		}
	}
	c.by[name] = k
	return k, nil
}
