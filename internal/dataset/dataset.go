// Package dataset makes what is asked of the server: synthetic prompts, and the rows of files and
// traces. A dataset is a numbered set of conversations; a conversation is an ordered list of turns,
// one request each.
package dataset

import (
	"fmt"

	"aiperf/internal/endpoint"
	"aiperf/internal/rng"
	"aiperf/internal/stream"
	"aiperf/schema"
)

// A Turn is one request before it has a place in a run.
type Turn struct {
	endpoint.Message
	Payload      []byte   // sent as it is; Message is then unused
	ISL          *int64   // tokens of the whole prompt, when it was made here
	AtMS         *float64 // recorded time, on the dataset's own scale
	DelayMS      *float64 // after the previous turn's end
	PrefixBlocks *schema.PrefixBlocks
}

// A Conversation is its turns in order. Turns are self-contained: none needs an answer of another.
type Conversation struct {
	ID    string
	Mode  string // context mode; "" for a single turn
	Turns []Turn
}

// A Source is a set of conversations, 0 to Len()-1.
type Source interface {
	Len() int
	Conversation(i int) (*Conversation, error)
}

// Models gives each generated turn its model.
type Models struct {
	Names  []string
	Random bool
	r      *rng.Rand
	n      int
}

// NewModels deals names in turn, or draws them.
func NewModels(names []string, random bool, root rng.Root) *Models {
	return &Models{Names: names, Random: random, r: root.Child("composer.turn.model_selection")}
}

// Next is the model of the next turn.
func (m *Models) Next() string {
	if m.Random {
		return m.Names[m.r.Below(len(m.Names))]
	}
	m.n++
	return m.Names[(m.n-1)%len(m.Names)]
}

// A Sampler says which conversation comes next.
type Sampler func() int

// NewSampler takes a strategy: sequential goes round, random draws with replacement, shuffle makes
// a new order for each pass.
func NewSampler(strategy string, n int, root rng.Root) Sampler {
	i := -1
	switch strategy {
	case "random":
		r := root.Child("dataset.sampler.random")
		return func() int { return r.Below(n) }
	case "shuffle":
		r := root.Child("dataset.sampler.shuffle")
		var order []int
		return func() int {
			if i++; i%n == 0 {
				order = r.Shuffle(n)
			}
			return order[i%n]
		}
	}
	return func() int {
		if i++; i == n {
			i = 0
		}
		return i
	}
}

func sessionID(i int, root rng.Root) string {
	if root.Typed {
		return fmt.Sprintf("session_%06d", i)
	}
	a, b := rng.Hash(fmt.Sprintf("%d:session:%d", root.Seed, i)), rng.Hash(fmt.Sprintf("%d:session.low:%d", root.Seed, i))
	return fmt.Sprintf("%08x-%04x-4%03x-%04x-%012x", a>>32, a>>16&0xffff, a&0xfff, b>>48&0x3fff|0x8000, b&0xffffffffffff)
}

// A RowError names the line of a row that cannot be used.
func rowError(name string, line int, format string, args ...any) error {
	return &stream.LineError{File: name, Num: line, Err: fmt.Errorf(format, args...)}
}
