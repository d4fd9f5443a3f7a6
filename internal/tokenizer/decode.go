package tokenizer

import (
	"strings"
	"unicode/utf8"
)

// Decode returns the text of ids. What is not UTF-8 when they are joined (a character whose bytes
// are cut) becomes U+FFFD, one for each maximal part of a character; unknown ids give nothing.
func (e *encoding) Decode(ids []int) string {
	e.table.Do(e.fill)
	var b strings.Builder
	for _, id := range ids {
		if id >= 0 && id < len(e.pieces) {
			b.WriteString(e.pieces[id])
		}
	}
	return valid(b.String())
}

func (e *encoding) fill() {
	c := e.get()
	e.pieces = make([]string, e.vocab)
	for id := range e.pieces {
		if s, err := c.Decode([]uint{uint(id)}); err == nil {
			e.pieces[id] = s
		}
	}
	for s, id := range e.specials {
		e.pieces[id] = s
	}
	e.pieces[e.specials[eot]] = eot
	if id, ok := e.specials["<|endofprompt|>"]; ok {
		e.pieces[id] = "<|endofprompt|>"
	}
}

// valid replaces each maximal subpart of an ill-formed sequence by U+FFFD (Unicode 15, 3.9, D93b),
// as Python's errors="replace" does. Go's own range replaces each byte.
func valid(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 8)
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r != utf8.RuneError || n != 1 {
			b.WriteString(s[i : i+n])
			i += n
			continue
		}
		b.WriteRune(utf8.RuneError)
		i += subpart(s[i:])
	}
	return b.String()
}

// subpart returns the length of the longest start of s that could have begun a character, at least 1.
func subpart(s string) int {
	lo, hi, want := byte(0x80), byte(0xbf), 0
	switch c := s[0]; {
	case c >= 0xc2 && c <= 0xdf:
		want = 2
	case c >= 0xe0 && c <= 0xef:
		want = 3
		if c == 0xe0 {
			lo = 0xa0
		} else if c == 0xed {
			hi = 0x9f
		}
	case c >= 0xf0 && c <= 0xf4:
		want = 4
		if c == 0xf0 {
			lo = 0x90
		} else if c == 0xf4 {
			hi = 0x8f
		}
	}
	n := 1
	for n < want && n < len(s) && s[n] >= lo && s[n] <= hi {
		n++
		lo, hi = 0x80, 0xbf
	}
	return n
}
