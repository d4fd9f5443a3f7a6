package dataset

import (
	"fmt"

	"aiperf/internal/rng"
	"aiperf/internal/tokenizer"
)

// Prompts makes texts of a wanted number of tokens.
type Prompts struct {
	Corpus Corpus
	Tok    *tokenizer.Tokenizer
	// Missed counts texts whose length is not the wanted one.
	Missed int

	sep   string    // begins every block; "": nothing does
	draw  *rng.Rand // start of every prompt, top-up and prefix
	base  uint64    // seed of the blocks
	buf   []int32
	block *rng.Rand
}

// NewPrompts draws from corpus as AIPerf does.
func NewPrompts(c Corpus, tok *tokenizer.Tokenizer, root rng.Root) *Prompts {
	seed := rng.ChildSeed(root.Seed, "dataset.prompt.corpus")
	p := &Prompts{Corpus: c, Tok: tok, draw: rng.New(seed), base: seed, block: rng.New(0)}
	if tok != nil {
		p.sep = tok.Separator()
	}
	return p
}

func (p *Prompts) start() int { return p.draw.Below(p.Corpus.Len()) }

// Text returns a prompt of n tokens, at least 1, and its real count.
func (p *Prompts) Text(n int) (string, int) { return p.After(nil, n) }

// After returns a prompt of the pieces of a prefix and n more tokens.
func (p *Prompts) After(prefix []int32, n int) (string, int) {
	n = max(n, 1)
	p.buf = p.Corpus.Take(append(p.buf[:0], prefix...), p.start(), n)
	text, got := p.Corpus.Text(p.buf, len(prefix)+n, p.start)
	if got != len(prefix)+n {
		p.Missed++
	}
	return text, got
}

// Prefix returns the pieces of a text of n tokens.
func (p *Prompts) Prefix(n int) []int32 {
	pieces := p.Corpus.Take(nil, p.start(), n)
	if f, ok := p.Corpus.(*File); ok {
		text, _ := f.Text(pieces, n, p.start)
		pieces = pieces[:0]
		for _, id := range f.tok.Encode(text) {
			pieces = append(pieces, int32(id))
		}
	}
	return pieces
}

// Block returns the pieces of one hash id, from a start that depends on the seed, the trace and the id
// alone: size-1 of them, since the separator makes it size, or size where there is no separator. An id
// that comes with another size begins the same way.
func (p *Prompts) Block(trace string, id int64, size int) []int32 {
	p.block.Seed(rng.Hash(fmt.Sprintf("%d:%s:%d", p.base, trace, id)))
	if p.sep != "" {
		size--
	}
	p.buf = p.Corpus.Take(p.buf[:0], p.block.Below(p.Corpus.Len()), size)
	return p.buf
}

// separated is the text of a block and its count. The separator is one token whatever stands beside
// it, so the counts of blocks add up.
func (p *Prompts) separated(pieces []int32) block {
	text, n := p.Corpus.Raw(pieces)
	if p.sep != "" {
		n++
	}
	return block{p.sep + text, n}
}
