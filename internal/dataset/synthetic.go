package dataset

import (
	"fmt"
	"math"

	"aiperf/internal/rng"
)

// Lengths says how long prompts and answers are, in tokens.
type Lengths struct {
	ISL, ISLStddev float64
	OSL            *float64 // nil: no cap is asked for
	OSLStddev      float64
	Dist           *SeqDist // instead of all the above
}

// Shape says what a synthetic conversation holds besides its text.
type Shape struct {
	Lengths
	Batch         int // texts a turn
	PrefixPool    int
	PrefixLength  int
	SystemLength  int // one system prompt for all, 0: none
	ContextLength int // one extra user message for each conversation, 0: none
}

// Synthetic is a pool of single-turn conversations made as they are first asked for, in order.
type Synthetic struct {
	n, keep int
	shape   Shape
	root    rng.Root
	prompts *Prompts
	models  *Models

	length, cap, dist, pick *rng.Rand
	system                  string
	systemLen               int
	prefixes                [][]int32
	made                    int
	kept                    []*Conversation
}

// NewSynthetic makes a pool of n conversations. The first keep of them stay in memory to be asked
// for again; the others may be asked for once, in order.
func NewSynthetic(n, keep int, s Shape, p *Prompts, m *Models, root rng.Root) (*Synthetic, error) {
	y := &Synthetic{n: n, keep: min(keep, n), shape: s, root: root, prompts: p, models: m,
		length: root.Child("dataset.prompt.length"), cap: root.Child("composer.turn.max_tokens"),
		dist: root.Child("models.sequence.distribution"), pick: root.Child("dataset.prompt.prefix")}
	if s.Dist == nil && s.ISL < 1 {
		return nil, fmt.Errorf("an input length of %v leaves nothing to ask", s.ISL)
	}
	if s.SystemLength > 0 {
		y.system, y.systemLen = p.Text(s.SystemLength)
	}
	for range s.PrefixPool {
		if s.PrefixLength > 0 {
			y.prefixes = append(y.prefixes, p.Prefix(s.PrefixLength))
		}
	}
	if s.ContextLength > 0 { // the user contexts are drawn after all turn texts
		y.keep = n
		for range n {
			y.kept = append(y.kept, y.make())
		}
		for _, c := range y.kept {
			text, got := p.Text(s.ContextLength)
			t := &c.Turns[0]
			t.Context = text
			*t.ISL += int64(got)
			y.recount(t)
		}
	}
	return y, nil
}

func (y *Synthetic) Len() int { return y.n }

func (y *Synthetic) Conversation(i int) (*Conversation, error) {
	for i >= len(y.kept) && len(y.kept) < y.keep {
		y.kept = append(y.kept, y.make())
	}
	if i < len(y.kept) {
		return y.kept[i], nil
	}
	if i != y.made {
		return nil, fmt.Errorf("conversation %d was not kept", i)
	}
	return y.make(), nil
}

func (y *Synthetic) make() *Conversation {
	s := &y.shape
	var isl int64
	var osl *int64
	if s.Dist != nil {
		in, out := s.Dist.Draw(y.dist)
		isl, osl = in, &out
	} else {
		isl = y.length.PositiveNormal(math.Trunc(s.ISL), math.Trunc(s.ISLStddev))
	}
	t := Turn{}
	var total int64
	for range s.Batch {
		var prefix []int32
		if len(y.prefixes) > 0 {
			prefix = y.prefixes[y.pick.Below(len(y.prefixes))]
		}
		text, got := y.prompts.After(prefix, int(isl))
		t.Texts = append(t.Texts, text)
		total += int64(got)
	}
	t.Model = y.models.Next()
	if s.Dist == nil && s.OSL != nil {
		n := y.cap.PositiveNormal(math.Trunc(*s.OSL), math.Trunc(s.OSLStddev))
		osl = &n
	}
	total += int64(y.systemLen)
	t.MaxTokens, t.ISL, t.System = osl, &total, y.system
	y.recount(&t)
	y.made++
	return &Conversation{ID: sessionID(y.made-1, y.root), Turns: []Turn{t}}
}

// recount counts a prompt of several texts as one, joined by blanks, where tokens may join too.
func (y *Synthetic) recount(t *Turn) {
	if _, ok := y.prompts.Corpus.(*File); !ok || len(t.Texts) == 1 && t.System == "" && t.Context == "" {
		return
	}
	all := ""
	for _, text := range append([]string{t.System, t.Context}, t.Texts...) {
		if text != "" {
			if all != "" {
				all += " "
			}
			all += text
		}
	}
	n := int64(y.prompts.Tok.Count(all))
	t.ISL = &n
}
