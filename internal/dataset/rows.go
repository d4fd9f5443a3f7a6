package dataset

import (
	"io"
	"math"
	"slices"
	"sort"

	"github.com/valyala/fastjson"

	"aiperf/internal/cli"
	"aiperf/internal/rng"
	"aiperf/internal/stream"
)

// Options say how a file becomes conversations.
type Options struct {
	Type        string // a dataset type; "": found out from the first row
	BlockSize   int    // tokens a hash id stands for
	Start, End  *int64 // rows with a timestamp outside are left out, ms, both bounds kept
	MaxISL      int64  // longer rows are left out; 0: none
	MaxOSL      int64  // longer caps are cut; 0: none
	OutputTimes float64
	Speedup     float64 // timestamps are divided by it
	OSL         *float64
	OSLStddev   float64
	Warn        func(format string, args ...any)
}

// Rows is a file of single_turn or mooncake_trace rows. Only an index of it is in memory: a row is
// read again when it is asked for.
type Rows struct {
	Type  string
	First struct{ At, Delay bool } // what the first row of the file has

	file     *textFile
	parse    parser
	opt      Options
	prompts  *Prompts
	root     rng.Root
	models   *Models
	trace    string
	refs     []rowRef
	convs    []convRef
	names    map[int32]string // session ids that the file gives
	pick     []uint16         // random models by turn
	caps     []int32          // drawn output caps by turn
	json     fastjson.Parser
	buf      []byte
	blocks   map[blockKey]block
	seen     idSet
	kept     map[int]*Conversation
	keptSize int
}

type rowRef struct {
	off       int64
	at, delay float64 // ms; NaN: none
	size      int32
	line      int32
	next      int32 // row of the same session; -1: none
	conv      int32
}

type convRef struct {
	first, last int32
	turn        int32 // turns of all conversations before it
	turns       int32
}

// keptBytes bounds the conversations that stay in memory so that a second pass asks the same.
const keptBytes = 64 << 20

// OpenRows indexes a file ("-" is stdin). Every row is checked.
func OpenRows(name string, stdin io.Reader, opt Options, p *Prompts, m *Models, root rng.Root) (*Rows, error) {
	f, err := openText(name, stdin)
	if err != nil {
		return nil, err
	}
	s := &Rows{Type: opt.Type, file: f, opt: opt, prompts: p, models: m, root: root, names: map[int32]string{},
		blocks: map[blockKey]block{}, seen: idSet{}, kept: map[int]*Conversation{}}
	if err := s.index(); err != nil {
		return nil, err
	}
	if len(s.convs) == 0 {
		return nil, &FileError{f.name, "no row is left to send"}
	}
	s.trace = f.sum()[:16]
	s.drawTurns()
	return s, nil
}

func (s *Rows) index() error {
	sessions := map[string]int32{}
	kind := map[int32]string{}
	warned, rows := false, 0
	lo, hi, fractional := math.Inf(1), math.Inf(-1), false
	err := s.file.lines(func(off int64, line int, data []byte, complete bool) error {
		v, err := s.json.ParseBytes(data)
		if err != nil && !complete {
			s.opt.Warn("%s:%d: the last line is unfinished and was left out", s.file.name, line)
			return nil
		}
		var o *fastjson.Object
		if err == nil {
			o, err = v.Object()
		}
		if err != nil {
			return rowError(s.file.name, line, "not a JSON object: %v", err)
		}
		if s.parse == nil {
			if err := s.detect(o, line); err != nil {
				return err
			}
		}
		r, err := s.parse(o)
		if err == nil {
			err = r.checkBlocks(s.opt.BlockSize)
		}
		if err != nil {
			return rowError(s.file.name, line, "%v", err)
		}
		if rows++; rows == 1 {
			s.First.At, s.First.Delay = r.at != nil, r.delay != nil
		}
		if r.unknown != "" && !warned {
			warned = true
			s.opt.Warn("%s:%d: field %q is not one of %s's and is not read (said once)", s.file.name, line, r.unknown, s.Type)
		}
		ref := rowRef{off: off, size: int32(len(data)), line: int32(line), at: math.NaN(), delay: math.NaN(), next: -1}
		if r.at != nil {
			if s.opt.Start != nil && *r.at < float64(*s.opt.Start) || s.opt.End != nil && *r.at > float64(*s.opt.End) {
				return nil
			}
			lo, hi, fractional = min(lo, *r.at), max(hi, *r.at), fractional || *r.at != math.Trunc(*r.at)
			ref.at = *r.at
			if s.opt.Speedup != 1 {
				ref.at = math.Trunc(ref.at / s.opt.Speedup)
			}
		}
		if r.delay != nil {
			ref.delay = *r.delay
		}
		if s.opt.MaxISL > 0 && r.length > s.opt.MaxISL {
			return nil
		}
		i := int32(len(s.refs))
		c, ok := sessions[r.session]
		if r.session != "" && ok {
			conv := &s.convs[c]
			if r.live != "" {
				return rowError(s.file.name, line, "session %q has several turns by %s: they carry the server's answers, which is not built yet", r.session, r.live)
			}
			if kind[c] != shape(r) {
				return rowError(s.file.name, line, "session %q mixes rows with %s and with %s", r.session, kind[c], shape(r))
			}
			s.refs[conv.last].next, conv.last = i, i
			conv.turns++
		} else {
			c = int32(len(s.convs))
			s.convs = append(s.convs, convRef{first: i, last: i, turns: 1})
			if r.session != "" {
				sessions[r.session], kind[c], s.names[c] = c, shape(r), r.session
			}
		}
		ref.conv = c
		s.refs = append(s.refs, ref)
		return nil
	})
	if err != nil {
		return err
	}
	if rows == 0 {
		return &FileError{s.file.name, "the file has no rows"}
	}
	turn := int32(0)
	for i := range s.convs {
		s.convs[i].turn = turn
		turn += s.convs[i].turns
	}
	if span := hi - lo; fractional && span > 0 && span < 10_000 && s.opt.Speedup == 1 {
		s.opt.Warn("%s: timestamps span %g ms and have decimals: are they seconds? they are read as milliseconds (hint: --synthesis-speedup-ratio 0.001)", s.file.name, span)
	} else if span > 31*24*3600e3 && s.opt.Speedup == 1 {
		s.opt.Warn("%s: timestamps span %.0f days: are they micro- or nanoseconds? they are read as milliseconds (hint: --synthesis-speedup-ratio 1000)", s.file.name, span/(24*3600e3))
	}
	return nil
}

func shape(r *row) string {
	switch {
	case r.turn.Payload != nil:
		return "payload"
	case r.turn.Messages != nil:
		return "messages"
	}
	return "text"
}

// detect takes the typed format, or the only one that the first row fits.
func (s *Rows) detect(o *fastjson.Object, line int) error {
	if s.Type == "" {
		var fits []string
		has := func(key string) bool { return present(o, key) != nil }
		if t := o.Get("type"); t != nil && t.Type() == fastjson.TypeString && slices.Contains([]string{"single_turn", "mooncake_trace", "multi_turn", "random_pool"}, string(t.GetStringBytes())) {
			fits = []string{string(t.GetStringBytes())}
		} else {
			if _, err := singleTurn(o); err == nil || has("image") || has("images") || has("audio") || has("audios") || has("video") || has("videos") {
				fits = append(fits, "single_turn")
			}
			if _, err := mooncake(o); err == nil && !has("chat_id") && !has("question_id") {
				fits = append(fits, "mooncake_trace")
			}
			if v := present(o, "messages"); v != nil && v.Type() == fastjson.TypeArray && !has("conversation_id") {
				fits = append(fits, "raw_payload")
			}
			if has("turns") {
				fits = append(fits, "multi_turn")
			}
			if has("chat_id") {
				fits = append(fits, "bailian_trace")
			}
		}
		switch len(fits) {
		case 0:
			return rowError(s.file.name, line, "the row fits no dataset type; --custom-dataset-type says which it should be")
		case 1:
			s.Type = fits[0]
		default:
			return rowError(s.file.name, line, "the row fits %s and %s; --custom-dataset-type says which", fits[0], fits[1])
		}
	}
	switch s.Type {
	case "single_turn":
		s.parse = singleTurn
	case "mooncake_trace":
		s.parse = mooncake
	default:
		return cli.Usagef("dataset type %s is not built yet: single_turn and mooncake_trace are", s.Type)
	}
	return nil
}

// drawTurns draws what each turn gets by chance, in the order of the conversations.
func (s *Rows) drawTurns() {
	n := len(s.refs)
	if s.models.Random && len(s.models.Names) > 1 {
		for range n {
			s.pick = append(s.pick, uint16(s.models.r.Below(len(s.models.Names))))
		}
	}
	if s.opt.OSL != nil {
		r := s.root.Child("composer.turn.max_tokens")
		for range n {
			s.caps = append(s.caps, int32(r.PositiveNormal(math.Trunc(*s.opt.OSL), math.Trunc(s.opt.OSLStddev))))
		}
	}
}

func (s *Rows) Len() int { return len(s.convs) }

// Turns is the number of rows.
func (s *Rows) Turns() int { return len(s.refs) }

// Conversation reads one. The first 64 MiB stay as they were made; of others, texts
// that are drawn here (lengths without hash ids) are drawn anew by a second pass.
func (s *Rows) Conversation(i int) (*Conversation, error) {
	if c, ok := s.kept[i]; ok {
		return c, nil
	}
	c := s.head(i)
	t := s.convs[i].turn
	for ref := s.convs[i].first; ref >= 0; ref = s.refs[ref].next {
		turn, err := s.turn(ref, t)
		if err != nil {
			return nil, err
		}
		c.Turns = append(c.Turns, *turn)
		t++
	}
	size := 0
	for _, t := range c.Turns {
		size += 1024 + len(t.Messages) + len(t.Payload)
		for _, text := range t.Texts {
			size += len(text)
		}
	}
	if s.keptSize+size <= keptBytes {
		s.kept[i] = c
		s.keptSize += size
	}
	return c, nil
}

func (s *Rows) head(i int) *Conversation {
	c := &Conversation{ID: s.names[int32(i)]}
	if c.ID == "" {
		c.ID = sessionID(i, s.root)
	}
	if s.convs[i].turns > 1 {
		c.Mode = "message_array_with_responses"
	}
	return c
}

// turn reads row ref, which is turn number n of all.
func (s *Rows) turn(ref, n int32) (*Turn, error) {
	at := s.refs[ref]
	s.buf = slices.Grow(s.buf[:0], int(at.size))[:at.size]
	if _, err := s.file.ReadAt(s.buf, at.off); err != nil {
		return nil, &stream.IOError{Name: s.file.name, Err: err}
	}
	v, err := s.json.ParseBytes(s.buf)
	var o *fastjson.Object
	if err == nil {
		o, err = v.Object()
	}
	if err != nil {
		return nil, rowError(s.file.name, int(at.line), "the file changed while it was read: %v", err)
	}
	r, err := s.parse(o)
	if err != nil {
		return nil, rowError(s.file.name, int(at.line), "%v", err)
	}
	s.fill(r)
	t := &r.turn
	if !math.IsNaN(at.at) {
		t.AtMS = &at.at
	}
	t.DelayMS = r.delay
	if s.pick != nil {
		t.Model = s.models.Names[s.pick[n]]
	} else {
		t.Model = s.models.Names[int(n)%len(s.models.Names)]
	}
	if t.MaxTokens == nil && s.caps != nil {
		c := int64(s.caps[n])
		t.MaxTokens = &c
	}
	if t.MaxTokens != nil && s.Type == "mooncake_trace" {
		c := *t.MaxTokens
		if s.opt.OutputTimes != 1 {
			c = max(1, int64(math.RoundToEven(float64(c)*s.opt.OutputTimes)))
		}
		if s.opt.MaxOSL > 0 {
			c = min(c, s.opt.MaxOSL)
		}
		t.MaxTokens = &c
	}
	return t, nil
}

// A Planned is one turn of a fixed schedule.
type Planned struct {
	Conversation   *Conversation // without its turns
	Session, Index int
	Final          bool
	Turn           *Turn
	AtMS           *float64 // since the start of the schedule
}

// Schedule calls each for every turn in order of time, file order on ties. Time 0 is zero, or the
// smallest first timestamp when zero is nil.
func (s *Rows) Schedule(zero *float64, each func(*Planned) error) error {
	type slot struct {
		key   float64
		ref   int32
		turn  int32
		index int32
	}
	var slots []slot
	least := math.Inf(1)
	for i := range s.convs {
		c := &s.convs[i]
		first := &s.refs[c.first]
		if math.IsNaN(first.at) {
			return rowError(s.file.name, int(first.line), "a fixed schedule needs a timestamp on the first row of each session")
		}
		least = min(least, first.at)
		key, n := first.at, int32(0)
		for ref := c.first; ref >= 0; ref = s.refs[ref].next {
			if at := s.refs[ref].at; at > key {
				key = at
			} else if d := s.refs[ref].delay; n > 0 && math.IsNaN(at) && d > 0 {
				key += d
			}
			slots = append(slots, slot{key, ref, c.turn + n, n})
			n++
		}
	}
	sort.SliceStable(slots, func(i, j int) bool {
		if slots[i].key != slots[j].key {
			return slots[i].key < slots[j].key
		}
		return slots[i].ref < slots[j].ref
	})
	if zero == nil {
		zero = &least
	}
	numbers := make([]int32, len(s.convs)) // sessions by when they start
	started := int32(0)
	for _, sl := range slots {
		conv := s.refs[sl.ref].conv
		if sl.index == 0 {
			numbers[conv] = started
			started++
		}
		t, err := s.turn(sl.ref, sl.turn)
		if err != nil {
			return err
		}
		p := &Planned{Conversation: s.head(int(conv)), Session: int(numbers[conv]), Index: int(sl.index), Final: s.refs[sl.ref].next < 0, Turn: t}
		if t.AtMS != nil {
			at := max(0, *t.AtMS-*zero)
			p.AtMS = &at
		}
		if err := each(p); err != nil {
			return err
		}
	}
	return nil
}

// Close gives the file back.
func (s *Rows) Close() error { return s.file.Close() }
