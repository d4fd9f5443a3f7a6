// Package tokenizer turns text into token ids and back: the tiktoken encodings, built in and offline.
//
// Special tokens in a text are encoded as such, as AIPerf does: a literal <|endoftext|> is one id.
// A Tokenizer is loaded at its first use and may be used by several goroutines.
package tokenizer

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	tiktoken "github.com/tiktoken-go/tokenizer"
)

// Builtin is the name of the encoding used where no other is known.
const Builtin = "builtin"

// A Tokenizer is one encoding.
type Tokenizer struct {
	*encoding
	note string
}

// An Error is a tokenizer that cannot be had.
type Error struct {
	Name string
	Why  string
}

func (e *Error) Error() string { return fmt.Sprintf("tokenizer %q: %s", e.Name, e.Why) }

// ExitCode is EX_USAGE.
func (e *Error) ExitCode() int { return 64 }

// Open returns the tokenizer of that name: builtin, or a tiktoken encoding. Any other name (of a
// model, say) gets builtin with a Note that says so; a path is refused. Nothing is loaded yet, and
// the network is never touched.
func Open(name string) (*Tokenizer, error) {
	if name == "" || name == Builtin {
		return &Tokenizer{encoding: encodings["o200k_base"]}, nil
	}
	if e, ok := encodings[name]; ok {
		return &Tokenizer{encoding: e}, nil
	}
	if isPath(name) {
		return nil, &Error{name, "tokenizer files are not read yet; use builtin or one of " + strings.Join(Names(), ", ")}
	}
	return &Tokenizer{encodings["o200k_base"], fmt.Sprintf("no tokenizer found for %q: counting with builtin (o200k_base)", name)}, nil
}

func isPath(name string) bool {
	if strings.HasPrefix(name, ".") || strings.HasPrefix(name, "~") || filepath.IsAbs(name) {
		return true
	}
	_, err := os.Stat(filepath.Join(name, "tokenizer.json"))
	return err == nil
}

// Note says that another tokenizer stands in for the one asked for; "" when none does.
func (t *Tokenizer) Note() string { return t.note }

// Names are the encodings that Open knows, sorted.
func Names() []string {
	return []string{"cl100k_base", "o200k_base", "o200k_harmony", "p50k_base", "p50k_edit", "r50k_base"}
}

// An encoding is shared by all Tokenizers of its name.
type encoding struct {
	name     string
	base     tiktoken.Encoding // whose vocabulary and splitting it has
	vocab    int               // ids are below it, special tokens included
	specials map[string]int

	load   sync.Once
	codec  tiktoken.Codec
	table  sync.Once
	pieces []string // by id
}

// The special tokens and vocabulary sizes are those of tiktoken's openai_public definitions.
var encodings = map[string]*encoding{
	"r50k_base":     {name: "r50k_base", base: tiktoken.R50kBase, vocab: 50257, specials: map[string]int{eot: 50256}},
	"p50k_base":     {name: "p50k_base", base: tiktoken.P50kBase, vocab: 50281, specials: map[string]int{eot: 50256}},
	"p50k_edit":     {name: "p50k_edit", base: tiktoken.P50kEdit, vocab: 50284, specials: map[string]int{eot: 50256, "<|fim_prefix|>": 50281, "<|fim_middle|>": 50282, "<|fim_suffix|>": 50283}},
	"cl100k_base":   {name: "cl100k_base", base: tiktoken.Cl100kBase, vocab: 100277, specials: map[string]int{eot: 100257, "<|fim_prefix|>": 100258, "<|fim_middle|>": 100259, "<|fim_suffix|>": 100260, "<|endofprompt|>": 100276}},
	"o200k_base":    {name: "o200k_base", base: tiktoken.O200kBase, vocab: 200019, specials: map[string]int{eot: 199999, "<|endofprompt|>": 200018}},
	"o200k_harmony": {name: "o200k_harmony", base: tiktoken.O200kBase, vocab: 201088, specials: harmony()},
}

const eot = "<|endoftext|>"

// harmony has the vocabulary of o200k_base, named chat tokens and reserved ids up to 201087.
func harmony() map[string]int {
	m := map[string]int{
		"<|startoftext|>": 199998, eot: 199999, "<|return|>": 200002, "<|constrain|>": 200003,
		"<|channel|>": 200005, "<|start|>": 200006, "<|end|>": 200007, "<|message|>": 200008, "<|call|>": 200012,
		"<|endofprompt|>": 200018,
	}
	for _, id := range []int{200000, 200001, 200004, 200009, 200010, 200011} {
		m[fmt.Sprintf("<|reserved_%d|>", id)] = id
	}
	for id := 200013; id < 201088; id++ {
		m[fmt.Sprintf("<|reserved_%d|>", id)] = id
	}
	return m
}

func (e *encoding) get() tiktoken.Codec {
	e.load.Do(func() {
		c, err := tiktoken.Get(e.base)
		if err != nil {
			panic(fmt.Sprintf("tokenizer %s: %v", e.name, err)) // the names above are the library's own
		}
		e.codec = c
	})
	return e.codec
}

// Name is the encoding in effect.
func (e *encoding) Name() string { return e.name }

// VocabSize is one more than the largest id.
func (e *encoding) VocabSize() int { return e.vocab }

// EOS is the id of the end-of-text token.
func (e *encoding) EOS() int { return e.specials[eot] }

// Encode returns the ids of text. Bytes that are not UTF-8 are read as U+FFFD.
func (e *encoding) Encode(text string) []int {
	var ids []int
	e.split(text, func(plain string) {
		got, _, err := e.get().Encode(plain)
		if err != nil {
			panic(fmt.Sprintf("tokenizer %s: %v", e.name, err)) // the patterns have no timeout, hence no error
		}
		for _, id := range got {
			ids = append(ids, int(id))
		}
	}, func(id int) { ids = append(ids, id) })
	return ids
}

// Count returns len(Encode(text)), cheaper.
func (e *encoding) Count(text string) int {
	n := 0
	e.split(text, func(plain string) {
		got, err := e.get().Count(plain)
		if err != nil {
			panic(fmt.Sprintf("tokenizer %s: %v", e.name, err))
		}
		n += got
	}, func(int) { n++ })
	return n
}

// split cuts text at its special tokens, in order.
func (e *encoding) split(text string, plain func(string), special func(int)) {
	start, from := 0, 0
	for {
		i := strings.Index(text[from:], "<|")
		if i < 0 {
			break
		}
		i += from
		end := strings.Index(text[i:], "|>")
		if end < 0 {
			break
		}
		end += i + 2
		if id, ok := e.specials[text[i:end]]; ok {
			if i > start {
				plain(text[start:i])
			}
			special(id)
			start, from = end, end
		} else {
			from = i + 1
		}
	}
	if start < len(text) {
		plain(text[start:])
	}
}
