// Package tokenizer turns text into token ids and back: the tiktoken encodings, built in and offline,
// and a Hugging Face tokenizer.json from disk, the cache or the hub.
//
// Special tokens in a text are encoded as such, as AIPerf does: a literal <|endoftext|> is one id.
// A Tokenizer is loaded at its first use and may be used by several goroutines.
package tokenizer

import (
	"fmt"
	"strings"
	"sync"

	tiktoken "github.com/tiktoken-go/tokenizer"
)

// Builtin is the name of the encoding used where no other is known.
const Builtin = "builtin"

// A Tokenizer is one encoding, or a tokenizer.json.
type Tokenizer struct {
	coder
	note string
}

// A coder is what every tokenizer can do. Ids of tokens it does not have are -1.
type coder interface {
	Name() string
	VocabSize() int
	BOS() int
	EOS() int
	SpecialTokens() int // what it would put around one text by itself
	Encode(text string) []int
	Count(text string) int
	Decode(ids []int) string
}

// An Error is a tokenizer that cannot be had.
type Error struct {
	Name   string
	Why    string
	What   string // what to do; "" when that is not known
	Err    error
	absent bool // neither in the cache nor to be fetched
}

func (e *Error) Error() string { return fmt.Sprintf("--tokenizer %s: %s", e.Name, e.Why) }
func (e *Error) Unwrap() error { return e.Err }

// Hint says what to do; "" when that is not known.
func (e *Error) Hint() string { return e.What }

// ExitCode is EX_UNAVAILABLE for what the hub did not give, EX_USAGE for any other.
func (e *Error) ExitCode() int {
	if e.absent {
		return 69
	}
	return 64
}

// Open returns the tokenizer of that name without the network: builtin, a tiktoken encoding, or the
// path of a tokenizer.json. Encodings are loaded at their first use. A Finder knows models too.
func Open(name string) (*Tokenizer, error) {
	t, err := Finder{}.find(name)
	if err == nil && t == nil {
		return nil, &Error{Name: name, Why: "is no known encoding and no path", What: "give builtin or one of " + strings.Join(Names(), ", ")}
	}
	return t, err
}

// Separator is the text of the token that parts texts: BOS, else EOS, else none.
func (t *Tokenizer) Separator() string {
	for _, id := range []int{t.BOS(), t.EOS()} {
		if id >= 0 {
			return t.Decode([]int{id})
		}
	}
	return ""
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

// BOS is -1: the encodings have none.
func (e *encoding) BOS() int { return -1 }

// SpecialTokens is 0: nothing is put around a text.
func (e *encoding) SpecialTokens() int { return 0 }

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
