package dataset

import (
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"unicode/utf8"

	"aiperf/internal/stream"
	"aiperf/internal/tokenizer"
)

// A Corpus is a ring of pieces that prompts are cut from.
type Corpus interface {
	// Len is the number of pieces.
	Len() int
	// Take appends n pieces from start on, going round at the end.
	Take(dst []int32, start, n int) []int32
	// Text returns a text of exactly n tokens that begins as pieces do, and its real count, which
	// is n but where the text cannot be made so. draw gives a fresh start for what is missing.
	Text(pieces []int32, n int, draw func() int) (string, int)
	// Raw returns the text of pieces as it is, and its count.
	Raw(pieces []int32) (string, int)
}

// builtinLen is about the size of AIPerf's own corpus.
const builtinLen = 1 << 20

// Builtin is a text of our own making: words by a small grammar. Its pieces are single tokens of
// every tiktoken encoding whatever stands beside them, so lengths are exact without counting.
type Builtin struct {
	lex    *lexicon
	pieces []uint16
}

// NewBuiltin makes the text, always the same one.
func NewBuiltin() *Builtin {
	b := &Builtin{lex: newLexicon(), pieces: make([]uint16, 0, builtinLen+32)}
	r := rand.New(rand.NewPCG(1, 2))
	for len(b.pieces) < builtinLen {
		b.pieces = b.lex.sentence(b.pieces, r)
	}
	b.pieces = b.pieces[:builtinLen]
	return b
}

// smallLen is the part of the text that is encoded where its words are not single tokens: a start within
// 150 ms matters more than variety.
const smallLen = 1 << 15

// BuiltinFor returns the built-in text for a tokenizer: as it is where each word is one token of it,
// as for the tiktoken encodings; encoded with it otherwise.
func BuiltinFor(tok *tokenizer.Tokenizer) Corpus {
	b := NewBuiltin()
	if b.fits(tok) {
		return b
	}
	f := &File{tok: tok}
	for at := 0; at < smallLen; at += 2048 {
		text, _ := b.Raw(b.Take(nil, at, 2048))
		for _, id := range tok.Encode(text) {
			f.tokens = append(f.tokens, int32(id))
		}
	}
	return f
}

// fits tries each word, with a blank and without, and a stretch of text.
func (b *Builtin) fits(tok *tokenizer.Tokenizer) bool {
	for i := range b.lex.bare {
		if tok.Count(b.lex.bare[i]) != 1 || tok.Count(b.lex.spaced[i]) != 1 {
			return false
		}
	}
	text, n := b.Raw(b.Take(nil, 0, 2048))
	return tok.Count(text) == n
}

func (l *lexicon) sentence(p []uint16, r *rand.Rand) []uint16 {
	one := func(from []uint16) { p = append(p, from[r.IntN(len(from))]) }
	noun := func(dets []uint16) {
		one(dets)
		for r.IntN(3) == 0 {
			one(l.adjs)
		}
		one(l.nouns)
	}
	clause := func(dets []uint16) {
		noun(dets)
		if r.IntN(4) == 0 {
			one(l.adv)
		}
		one(l.verbs)
		noun(l.dets)
		if r.IntN(2) == 0 {
			one(l.preps)
			noun(l.dets)
		}
	}
	clause(l.openers)
	for r.IntN(3) == 0 {
		if r.IntN(2) == 0 {
			p = append(p, comma)
		}
		one(l.cons)
		clause(l.dets)
	}
	return append(p, stop)
}

func (b *Builtin) Len() int { return len(b.pieces) }

// Take begins at a word: two punctuation pieces side by side could be one token.
func (b *Builtin) Take(dst []int32, start, n int) []int32 {
	for b.pieces[start] < firstWord {
		start = (start + 1) % len(b.pieces)
	}
	for range n {
		dst = append(dst, int32(b.pieces[start]))
		if start++; start == len(b.pieces) {
			start = 0
			for b.pieces[start] < firstWord {
				start++
			}
		}
	}
	return dst
}

func (b *Builtin) Text(pieces []int32, n int, draw func() int) (string, int) {
	if n < len(pieces) {
		pieces = pieces[:n]
	}
	text, _ := b.Raw(pieces)
	return strings.TrimPrefix(text, " "), len(pieces)
}

func (b *Builtin) Raw(pieces []int32) (string, int) {
	n := 0
	for _, p := range pieces {
		n += len(b.lex.spaced[p])
	}
	var out strings.Builder
	out.Grow(n)
	for _, p := range pieces {
		out.WriteString(b.lex.spaced[p])
	}
	return out.String(), len(pieces)
}

// File is a text of the user's, as tokens.
type File struct {
	tok    *tokenizer.Tokenizer
	tokens []int32
}

// chunkChars is the size from which on a chunk of lines is encoded on its own, as AIPerf cuts its corpus.
const chunkChars = 10000

// NewFile reads a text file: lines stripped, empty ones dropped, gathered in chunks of 10,000
// characters or more that are joined by blanks and encoded each on its own.
func NewFile(name string, tok *tokenizer.Tokenizer) (*File, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, &stream.OpenError{Err: err}
	}
	var chunks []string
	var lines []string
	chars := 0
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		lines = append(lines, line)
		if chars += utf8.RuneCountInString(line); chars >= chunkChars {
			chunks = append(chunks, strings.Join(lines, " "))
			lines, chars = lines[:0], 0
		}
	}
	if len(lines) > 0 {
		chunks = append(chunks, strings.Join(lines, " "))
	}
	parts := make([][]int, len(chunks))
	var wg sync.WaitGroup
	slots := make(chan struct{}, 4)
	for i := range chunks {
		slots <- struct{}{}
		wg.Go(func() {
			parts[i] = tok.Encode(chunks[i])
			<-slots
		})
	}
	wg.Wait()
	f := &File{tok: tok}
	for _, p := range parts {
		for _, id := range p {
			f.tokens = append(f.tokens, int32(id))
		}
	}
	if len(f.tokens) == 0 {
		return nil, &FileError{name, "the corpus has no text"}
	}
	return f, nil
}

// A FileError is an input whose content cannot be used.
type FileError struct{ Name, Why string }

func (e *FileError) Error() string { return e.Name + ": " + e.Why }

// ExitCode is EX_DATAERR.
func (e *FileError) ExitCode() int { return 65 }

func (f *File) Len() int { return len(f.tokens) }

func (f *File) Take(dst []int32, start, n int) []int32 {
	for n > 0 {
		m := min(n, len(f.tokens)-start)
		dst = append(dst, f.tokens[start:start+m]...)
		start, n = 0, n-m
	}
	return dst
}

// Text decodes, encodes again and repairs, up to ten rounds. What has not settled then is cut to n
// or less and filled with words, each a token of its own.
func (f *File) Text(pieces []int32, n int, draw func() int) (string, int) {
	ids := ints(pieces)
	for range 10 {
		text := f.tok.Decode(ids)
		got := f.tok.Encode(text)
		if len(got) == n && strings.TrimSpace(text) != "" {
			return text, n
		}
		if ids = got; len(ids) > n {
			ids = ids[:n]
		} else {
			ids = append(ids, ints(f.Take(nil, draw(), n-len(ids)))...)
		}
	}
	if n == 1 {
		return "the", f.tok.Count("the")
	}
	for keep := min(n, len(ids)); ; keep-- {
		text := f.tok.Decode(ids[:keep])
		c := f.tok.Count(text)
		if c > n {
			continue
		}
		if c < n {
			text += strings.Repeat(" the", n-c)
			c = f.tok.Count(text)
		}
		if c == n && strings.TrimSpace(text) != "" || keep == 0 {
			return text, c
		}
	}
}

func (f *File) Raw(pieces []int32) (string, int) {
	text := f.tok.Decode(ints(pieces))
	return text, f.tok.Count(text)
}

func ints(p []int32) []int {
	out := make([]int, len(p))
	for i, v := range p {
		out[i] = int(v)
	}
	return out
}
