package dataset

import (
	"fmt"
	"slices"

	"github.com/valyala/fastjson"

	"aiperf/internal/endpoint"
)

var mooncakeKeys = []string{"type", "input_length", "hash_ids", "text_input", "messages", "tools", "payload",
	"output_length", "timestamp", "delay", "session_id", "extra"}

// mooncake reads a row of mooncake_trace: exactly one of input_length (and hash_ids), text_input,
// messages (and tools) and payload. Times are milliseconds. Other keys are not read.
func mooncake(o *fastjson.Object) (*row, error) {
	r := &row{}
	if err := common(o, r); err != nil {
		return nil, err
	}
	o.Visit(func(k []byte, _ *fastjson.Value) {
		if r.unknown == "" && !slices.Contains(mooncakeKeys, string(k)) {
			r.unknown = string(k)
		}
	})
	n := 0
	for _, key := range []string{"input_length", "text_input", "messages", "payload"} {
		if present(o, key) != nil {
			n++
		}
	}
	if n != 1 {
		return nil, fmt.Errorf("want exactly one of input_length, text_input, messages and payload, got %d", n)
	}
	ids, tools := present(o, "hash_ids"), present(o, "tools")
	if ids != nil && present(o, "input_length") == nil {
		return nil, fmt.Errorf(`"hash_ids" needs "input_length"`)
	}
	if tools != nil && present(o, "messages") == nil {
		return nil, fmt.Errorf(`"tools" needs "messages"`)
	}
	if v := present(o, "input_length"); v != nil {
		length, err := v.Int64()
		if err != nil || length < 1 || length > 1<<31-1 {
			return nil, fmt.Errorf(`"input_length" must be a whole number of at least 1`)
		}
		r.length, r.live = length, "input_length"
	}
	if ids != nil {
		items, err := ids.Array()
		if err != nil {
			return nil, fmt.Errorf(`"hash_ids" must be a list of whole numbers`)
		}
		for _, item := range items {
			id, err := item.Int64()
			if err != nil {
				return nil, fmt.Errorf(`"hash_ids" must be a list of whole numbers`)
			}
			r.blocks = append(r.blocks, id)
		}
	}
	if v := present(o, "text_input"); v != nil {
		s, err := v.StringBytes()
		if err != nil {
			return nil, fmt.Errorf(`"text_input" must be a text`)
		}
		r.turn.Texts, r.live = []string{string(s)}, "text_input"
	}
	if v := present(o, "messages"); v != nil {
		items, err := v.Array()
		if err != nil || len(items) == 0 {
			return nil, fmt.Errorf(`"messages" must be a list that is not empty`)
		}
		for _, item := range items {
			if item.Type() != fastjson.TypeObject || item.GetStringBytes("role") == nil {
				return nil, fmt.Errorf(`every message must be an object with a "role"`)
			}
		}
		r.turn.Messages = endpoint.Compact(nil, v)
	}
	if tools != nil {
		if items, err := tools.Array(); err != nil || len(items) == 0 {
			return nil, fmt.Errorf(`"tools" must be a list that is not empty`)
		}
		r.turn.Tools = endpoint.Compact(nil, tools)
	}
	if v := present(o, "payload"); v != nil {
		if p, err := v.Object(); err != nil || p.Len() == 0 {
			return nil, fmt.Errorf(`"payload" must be an object that is not empty`)
		}
		r.turn.Payload = endpoint.Compact(nil, v)
	}
	return r, nil
}

// checkBlocks compares the hash ids of a row with its length.
func (r *row) checkBlocks(size int) error {
	if n := len(r.blocks); n > 0 && int64(n-1)*int64(size) >= r.length {
		return fmt.Errorf("%d hash_ids of %d tokens are too many for input_length %d (hint: --isl-block-size)", n, size, r.length)
	}
	return nil
}

// fill makes the prompt of a row that gives a length only. An id may come with several sizes: a
// shorter block is the beginning of the longer one.
func (s *Rows) fill(r *row) {
	if r.length == 0 {
		return
	}
	p := s.prompts
	if len(r.blocks) == 0 {
		text, n := p.Text(int(r.length))
		isl := int64(n)
		r.turn.Texts, r.turn.ISL = []string{text}, &isl
		return
	}
	var out []byte
	total, left := 0, int(r.length)
	for i, id := range r.blocks {
		size := min(s.opt.BlockSize, left)
		left -= size
		b := s.block(id, size)
		if last := i == len(r.blocks)-1; last && left > 0 {
			pieces := p.Block(s.trace, id, size)
			pieces = p.Corpus.Take(slices.Clone(pieces), p.start(), left)
			b = p.separated(pieces)
		}
		out = append(out, b.text...)
		total += b.count
	}
	if p.sep == "" && p.Tok != nil { // tokens may join where blocks meet
		total = p.Tok.Count(string(out))
	}
	isl := int64(total)
	r.turn.Texts, r.turn.ISL = []string{string(out)}, &isl
	r.turn.PrefixBlocks = s.seen.add(r.blocks)
}

type block struct {
	text  string
	count int
}

type blockKey struct {
	id   int64
	size int
}

// block returns a block from a small cache, or makes it.
func (s *Rows) block(id int64, size int) block {
	k := blockKey{id, size}
	if b, ok := s.blocks[k]; ok {
		return b
	}
	b := s.prompts.separated(s.prompts.Block(s.trace, id, size))
	if len(s.blocks) >= 8192 {
		clear(s.blocks)
	}
	s.blocks[k] = b
	return b
}
