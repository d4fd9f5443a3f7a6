package main

import (
	"hash/maphash"
	"strings"
	"sync"

	"aiperf/internal/cli"
	"aiperf/internal/tokenizer"
)

// vocabulary is what answers are made of: everyday words, each with its blank one token in the usual
// encodings (what is not, under the tokenizer in use, is left out at start).
var vocabulary = strings.Fields(`time year people way day man thing woman life child world school state family student group
country problem hand part place case week company system program question work government number night point home water room
mother area money story fact month lot right study book eye job word business issue side kind head house service friend father
power hour game line end member law car city community name president team minute idea kid body information back parent face
others level office door health person art war history party result change morning reason research girl guy moment air teacher
force education new good high old great big small large national young different black long little important political bad white
real best only sure free low late hard major better economic strong possible whole early human local social true public short`)

// words makes answers and counts prompts.
type words struct {
	tok  *tokenizer.Tokenizer // nil: --no-tokenizer
	list []string

	mu    sync.Mutex
	seed  maphash.Seed
	cache map[uint64]int
}

func newWords(name string, none bool) (*words, error) {
	w := &words{seed: maphash.MakeSeed(), cache: map[uint64]int{}}
	if !none {
		tok, err := tokenizer.Open(name)
		if err != nil {
			return nil, err
		}
		w.tok = tok
	}
	for _, v := range vocabulary {
		if w.tok == nil || w.tok.Count(" "+v) == 1 {
			w.list = append(w.list, " "+v)
		}
	}
	if len(w.list) < 32 {
		return nil, cli.Usagef("--tokenizer %s: only %d of the mock's words are one token in it", name, len(w.list))
	}
	return w, nil
}

// token is the n-th token of an answer that starts at from.
func (w *words) token(from, n int) string { return w.list[(from+n*7)%len(w.list)] }

// count is the number of tokens of a prompt; repeated prompts are counted once.
func (w *words) count(text string) int {
	if w.tok == nil {
		return (len(text) + 3) / 4
	}
	key := maphash.String(w.seed, text)
	w.mu.Lock()
	n, ok := w.cache[key]
	w.mu.Unlock()
	if ok {
		return n
	}
	n = w.tok.Count(text)
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.cache) > 100_000 {
		clear(w.cache)
	}
	w.cache[key] = n
	return n
}
