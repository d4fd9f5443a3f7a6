// Package hf reads a Hugging Face tokenizer.json: byte-level BPE as Llama 3, Qwen and Mistral's newer
// models have it. Ids equal those of the reference library without special tokens added; what a file
// asks for that this package does not know is refused by name.
package hf

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Tokenizer is safe for concurrent use.
type Tokenizer struct {
	name      string
	bpe       bpe
	pieces    []string // id: raw bytes, or an added token's text
	normal    []func(string) string
	split     []splitter
	prefix    bool // a space in front of a text that does not begin with one
	raw, norm addedSet
	specials  int
	bos, eos  int
}

// Load reads path, a tokenizer.json or the folder that holds it; tokenizer_config.json beside it names
// BOS and EOS.
func Load(path string) (*Tokenizer, error) {
	f, path, err := read(path)
	if err != nil {
		return nil, err
	}
	t, err := build(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	t.name = path
	t.bos, t.eos = t.named(filepath.Join(filepath.Dir(path), "tokenizer_config.json"))
	return t, nil
}

func build(f *file) (*Tokenizer, error) {
	if err := f.Model.check(); err != nil {
		return nil, err
	}
	t := &Tokenizer{bpe: bpe{whole: f.Model.IgnoreMerges, cache: map[string][]int32{}}, bos: -1, eos: -1}
	var err error
	if t.normal, err = normalizers(f.Normalizer); err != nil {
		return nil, err
	}
	var byteLevel bool
	if t.split, t.prefix, byteLevel, err = splitters(f.PreTokenizer); err != nil {
		return nil, err
	}
	if !byteLevel {
		return nil, refuse("a pre_tokenizer without ByteLevel")
	}
	if f.Decoder == nil || f.Decoder.Type != "ByteLevel" {
		return nil, refuse("a decoder other than ByteLevel")
	}
	if err := t.fill(f); err != nil {
		return nil, err
	}
	t.specials, err = countSpecials(f.PostProcessor)
	return t, err
}

// fill makes the tables of the vocabulary, the merges and the added tokens.
func (t *Tokenizer) fill(f *file) error {
	top := 0
	for _, id := range f.Model.Vocab {
		top = max(top, id)
	}
	for _, a := range f.AddedTokens {
		top = max(top, a.ID)
	}
	if top > 1<<24 {
		return fmt.Errorf("token id %d is out of range", top)
	}
	t.pieces = make([]string, top+1)
	isAdded := map[string]bool{}
	for _, a := range f.AddedTokens {
		if a.ID < 0 {
			return fmt.Errorf("added token %q has the id %d", a.Content, a.ID)
		}
		isAdded[a.Content] = true
	}
	vocab := make(map[string]int32, len(f.Model.Vocab))
	for s, id := range f.Model.Vocab {
		if id < 0 {
			return fmt.Errorf("vocab %q has the id %d", s, id)
		}
		b, ok := bytesOf(s)
		if !ok {
			if isAdded[s] {
				continue // spelled plainly, found as an added token
			}
			return refuse("the vocabulary entry %q, which is not spelled byte by byte", s)
		}
		vocab[b] = int32(id)
		t.pieces[id] = b
	}
	t.bpe.vocab = vocab
	for b := range 256 {
		id, ok := vocab[string([]byte{byte(b)})]
		if !ok {
			id = -1
		}
		t.bpe.bytes[b] = id
	}
	pairs, err := f.Model.merges()
	if err != nil {
		return err
	}
	t.bpe.merges = make(map[uint64]merge, len(pairs))
	for rank, p := range pairs {
		l, lok := f.Model.Vocab[p[0]]
		r, rok := f.Model.Vocab[p[1]]
		to, ok := f.Model.Vocab[p[0]+p[1]]
		if !lok || !rok || !ok {
			return fmt.Errorf("merges[%d]: %q + %q is not in the vocabulary", rank, p[0], p[1])
		}
		key := uint64(uint32(l))<<32 | uint64(uint32(r))
		if _, ok := t.bpe.merges[key]; !ok {
			t.bpe.merges[key] = merge{int32(rank), int32(to)}
		}
	}
	for _, a := range f.AddedTokens {
		if a.SingleWord {
			return refuse("the added token %q with single_word", a.Content)
		}
		if a.Content == "" {
			continue
		}
		t.pieces[a.ID] = a.Content
		if a.Normalized {
			for _, n := range t.normal {
				a.Content = n(a.Content)
			}
			t.norm.add(a)
		} else {
			t.raw.add(a)
		}
	}
	return nil
}

// countSpecials returns how many tokens a template puts around one text.
func countSpecials(s *step) (int, error) {
	if s == nil {
		return 0, nil
	}
	switch s.Type {
	case "ByteLevel":
		return 0, nil
	case "Sequence":
		sum := 0
		for i := range s.Processors {
			n, err := countSpecials(&s.Processors[i])
			if err != nil {
				return 0, err
			}
			sum += n
		}
		return sum, nil
	case "TemplateProcessing":
		var items []struct{ SpecialToken *struct{} }
		if err := json.Unmarshal(s.Single, &items); err != nil {
			return 0, fmt.Errorf("post_processor: %w", err)
		}
		n := 0
		for _, it := range items {
			if it.SpecialToken != nil {
				n++
			}
		}
		return n, nil
	}
	return 0, refuse("post_processor %q", s.Type)
}

// named finds the ids of bos_token and eos_token; -1 when there is none.
func (t *Tokenizer) named(config string) (bos, eos int) {
	var c struct {
		BOS, EOS json.RawMessage
	}
	var raw map[string]json.RawMessage
	if b, err := os.ReadFile(config); err == nil && json.Unmarshal(b, &raw) == nil {
		c.BOS, c.EOS = raw["bos_token"], raw["eos_token"]
	}
	find := func(m json.RawMessage) int {
		var s string
		if json.Unmarshal(m, &s) != nil {
			var o struct{ Content string }
			if json.Unmarshal(m, &o) != nil {
				return -1
			}
			s = o.Content
		}
		if s == "" {
			return -1
		}
		return slices.Index(t.pieces, s)
	}
	return find(c.BOS), find(c.EOS)
}

// Name is the path it was loaded from.
func (t *Tokenizer) Name() string { return t.name }

// VocabSize is one more than the largest id.
func (t *Tokenizer) VocabSize() int { return len(t.pieces) }

// BOS and EOS are ids, -1 when the tokenizer has none.
func (t *Tokenizer) BOS() int { return t.bos }

// EOS is the end-of-sequence id, -1 when there is none.
func (t *Tokenizer) EOS() int { return t.eos }

// SpecialTokens is how many tokens the tokenizer itself would put around one text.
func (t *Tokenizer) SpecialTokens() int { return t.specials }

// Count returns the number of tokens of text, no special tokens added.
func (t *Tokenizer) Count(text string) int { return len(t.Encode(text)) }

// Encode returns the ids of text, no special tokens added; added tokens spelled in it are found.
func (t *Tokenizer) Encode(text string) []int {
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, "\uFFFD")
	}
	out := make([]int, 0, len(text)/4+1)
	t.raw.cut(text, func(part string, id int) {
		if id >= 0 {
			out = append(out, id)
			return
		}
		for _, n := range t.normal {
			part = n(part)
		}
		t.norm.cut(part, func(part string, id int) {
			if id >= 0 {
				out = append(out, id)
				return
			}
			out = t.words(out, part)
		})
	})
	return out
}

// words pre-tokenizes and merges one stretch without added tokens.
func (t *Tokenizer) words(out []int, text string) []int {
	if text == "" {
		return out
	}
	if t.prefix && !strings.HasPrefix(text, " ") {
		text = " " + text
	}
	var buf [256]byte
	var stage func(n int, p []rune)
	stage = func(n int, p []rune) {
		if n < len(t.split) {
			t.split[n](p, func(q []rune) { stage(n+1, q) })
			return
		}
		word := buf[:0]
		for _, r := range p {
			word = utf8.AppendRune(word, r)
		}
		out = t.bpe.append(out, word)
	}
	stage(0, []rune(text))
	return out
}

// Decode returns the text of ids, special tokens included; what is not UTF-8 becomes U+FFFD, ids out
// of range give nothing.
func (t *Tokenizer) Decode(ids []int) string {
	var b strings.Builder
	for _, id := range ids {
		if id >= 0 && id < len(t.pieces) {
			b.WriteString(t.pieces[id])
		}
	}
	s := b.String()
	if utf8.ValidString(s) {
		return s
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}

// addedSet finds added tokens in a text: leftmost, the longest at one place.
type addedSet struct{ by [256][]added }

func (s *addedSet) add(a added) {
	if a.Content == "" {
		return
	}
	c := a.Content[0]
	s.by[c] = append(s.by[c], a)
	slices.SortStableFunc(s.by[c], func(x, y added) int { return len(y.Content) - len(x.Content) })
}

// cut hands on the stretches between added tokens (id -1) and the tokens, in order.
func (s *addedSet) cut(text string, emit func(part string, id int)) {
	at := 0
	for i := 0; i < len(text); {
		hit := s.match(text[i:])
		if hit == nil {
			i++
			continue
		}
		from, to := i, i+len(hit.Content)
		if hit.LStrip {
			from = at + len(strings.TrimRightFunc(text[at:from], unicode.IsSpace))
		}
		if hit.RStrip {
			to = len(text) - len(strings.TrimLeftFunc(text[to:], unicode.IsSpace))
		}
		if from > at {
			emit(text[at:from], -1)
		}
		emit(hit.Content, hit.ID)
		at, i = to, to
	}
	if at < len(text) {
		emit(text[at:], -1)
	}
}

func (s *addedSet) match(text string) *added {
	list := s.by[text[0]]
	for i := range list {
		if strings.HasPrefix(text, list[i].Content) {
			return &list[i]
		}
	}
	return nil
}
