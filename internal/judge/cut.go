package judge

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"aiperf/schema"
)

// cut takes the two bulky fields of our own record line apart by hand: body and reads. What is left
// of the line is small and goes to the JSON parser. Both walk each byte once, and between them every
// byte is checked.
type cut struct {
	line    []byte // the line without body and reads
	body    []byte // unescaped
	reads   []schema.Read
	hasBody bool
}

var errSyntax = errors.New("not JSON")

// split fills c from a line. Only the first of two fields of one name counts.
func (c *cut) split(line []byte) error {
	c.line, c.body, c.reads, c.hasBody = append(c.line[:0], '{'), c.body[:0], c.reads[:0], false
	hasReads := false
	i := blank(line, 0)
	if i >= len(line) || line[i] != '{' {
		return errSyntax
	}
	i = blank(line, i+1)
	for first := true; ; first = false {
		if i < len(line) && line[i] == '}' && first {
			break
		}
		start := i
		end := quoted(line, i)
		if end < 0 {
			return errSyntax
		}
		key := line[i:end]
		i = blank(line, end)
		if i >= len(line) || line[i] != ':' {
			return errSyntax
		}
		i = blank(line, i+1)
		var err error
		switch {
		case string(key) == `"body"` && !c.hasBody && i < len(line) && line[i] == '"':
			c.hasBody = true
			if c.body, i, err = unescape(c.body, line, i); err != nil {
				return fmt.Errorf("body: %w", err)
			}
		case string(key) == `"reads"` && !hasReads && i < len(line) && line[i] == '[':
			hasReads = true
			if i, err = c.triples(line, i); err != nil {
				return err
			}
		default:
			if i = skip(line, i); i < 0 {
				return errSyntax
			}
			if len(c.line) > 1 {
				c.line = append(c.line, ',')
			}
			c.line = append(c.line, line[start:i]...)
		}
		i = blank(line, i)
		if i >= len(line) {
			return errSyntax
		}
		if line[i] == '}' {
			break
		}
		if line[i] != ',' {
			return errSyntax
		}
		i = blank(line, i+1)
	}
	if blank(line, i+1) != len(line) {
		return errSyntax
	}
	c.line = append(c.line, '}')
	return nil
}

// blank is the index of the next byte from i that is no white space.
func blank(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\r' || b[i] == '\n') {
		i++
	}
	return i
}

// quoted is the index behind the string that begins at i; -1: none does, or it does not end.
func quoted(b []byte, i int) int {
	if i >= len(b) || b[i] != '"' {
		return -1
	}
	for i++; i < len(b); i++ {
		i += plain(b[i:])
		if i >= len(b) {
			break
		}
		switch b[i] {
		case '"':
			return i + 1
		case '\\':
			i++
		}
	}
	return -1
}

// skip is the index behind the value at i, which the JSON parser will check; -1: it does not end.
func skip(b []byte, i int) int {
	for depth := 0; i < len(b); {
		switch b[i] {
		case '"':
			if i = quoted(b, i); i < 0 {
				return -1
			}
			if depth == 0 {
				return i
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return i
			}
			if depth--; depth == 0 {
				return i + 1
			}
		case ',':
			if depth == 0 {
				return i
			}
		}
		i++
	}
	return -1
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// plain is how many bytes at the front are none of ", \ and control characters.
func plain(b []byte) int {
	n := 0
	for ; len(b)-n >= 8; n += 8 {
		if m := special(binary.LittleEndian.Uint64(b[n:])); m != 0 {
			return n + bits.TrailingZeros64(m)/8
		}
	}
	for n < len(b) && b[n] != '"' && b[n] != '\\' && b[n] >= ' ' {
		n++
	}
	return n
}

// special marks the high bit of the lowest byte that is ", \ or a control character; higher marks may be wrong.
func special(x uint64) uint64 {
	q, s := x^('"'*ones), x^('\\'*ones)
	return ((q-ones)&^q | (s-ones)&^s | (x-' '*ones)&^x) & highs
}

// escapes are the letters behind a backslash and what they say; 0: none.
var escapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'n': '\n', 't': '\t', 'r': '\r', 'b': '\b', 'f': '\f'}

// unescape appends what the string at line[i] says; next is the index behind it. Eight bytes are moved
// at a time, those behind a special one to be overwritten.
func unescape(to, line []byte, i int) (out []byte, next int, err error) {
	i++
	to = slices.Grow(to, len(line)-i+8)
	n, to := len(to), to[:cap(to)] // what is written so far; never longer than what was read, but for 8 bytes
	for {
		for i+8 <= len(line) {
			x := binary.LittleEndian.Uint64(line[i:])
			binary.LittleEndian.PutUint64(to[n:], x)
			m := special(x)
			if m == 0 {
				i, n = i+8, n+8
				continue
			}
			k := bits.TrailingZeros64(m) / 8
			i, n = i+k, n+k
			if line[i] == '\\' && i+1 < len(line) && escapes[line[i+1]] != 0 {
				to[n] = escapes[line[i+1]]
				i, n = i+2, n+1
				continue
			}
			break
		}
		for i < len(line) && line[i] != '"' && line[i] != '\\' && line[i] >= ' ' {
			to[n] = line[i]
			i, n = i+1, n+1
		}
		switch {
		case i < len(line) && line[i] == '"':
			return to[:n], i + 1, nil
		case i+1 >= len(line):
			return to[:n], i, errSyntax
		case line[i] != '\\':
			return to[:n], i, fmt.Errorf("a control character in a string")
		case escapes[line[i+1]] != 0:
			to[n] = escapes[line[i+1]]
			i, n = i+2, n+1
			continue
		case line[i+1] != 'u':
			return to[:n], i, fmt.Errorf(`\%c is no escape`, line[i+1])
		}
		r, ok := hex4(line, i+2)
		if !ok {
			return to[:n], i, fmt.Errorf(`\u without four hexadecimal digits`)
		}
		i += 6
		if utf16.IsSurrogate(r) {
			low, ok := rune(0), false
			if i+1 < len(line) && line[i] == '\\' && line[i+1] == 'u' {
				low, ok = hex4(line, i+2)
			}
			if r = utf16.DecodeRune(r, low); ok && r != utf8.RuneError {
				i += 6
			}
		}
		n += utf8.EncodeRune(to[n:], r)
	}
}

func hex4(b []byte, i int) (rune, bool) {
	if i+4 > len(b) {
		return 0, false
	}
	n, err := strconv.ParseUint(view(b[i:i+4]), 16, 32)
	return rune(n), err == nil
}

// triples reads [[end, perf_ns, read_ns], ...] at line[i]; next is the index behind it.
func (c *cut) triples(line []byte, i int) (next int, err error) {
	bad := func() (int, error) {
		return i, fmt.Errorf("reads[%d] is not [end, perf_ns, read_ns]", len(c.reads))
	}
	i = blank(line, i+1)
	if i < len(line) && line[i] == ']' {
		return i + 1, nil
	}
	for {
		if i >= len(line) || line[i] != '[' {
			return bad()
		}
		var t [3]int64
		for k := range t {
			n, j, ok := decimal(line, blank(line, i+1))
			if j = blank(line, j); !ok || j >= len(line) || line[j] != ",,]"[k] {
				return bad()
			}
			t[k], i = n, j
		}
		c.reads = append(c.reads, schema.Read{End: t[0], PerfNS: t[1], ReadNS: t[2]})
		if i = blank(line, i+1); i >= len(line) {
			return bad()
		}
		if line[i] == ']' {
			return i + 1, nil
		}
		if line[i] != ',' {
			return bad()
		}
		i = blank(line, i+1)
	}
}

// decimal reads the JSON integer at b[i].
func decimal(b []byte, i int) (n int64, next int, ok bool) {
	negative := i < len(b) && b[i] == '-'
	if negative {
		i++
	}
	start := i
	for ; i < len(b) && b[i]-'0' <= 9; i++ {
		n = n*10 + int64(b[i]-'0')
	}
	digits := i - start // 19 of them overflow to below 0 or not at all
	if digits == 0 || digits > 19 || n < 0 || digits > 1 && b[start] == '0' {
		return 0, i, false
	}
	if negative {
		n = -n
	}
	return n, i, true
}
