package endpoint

import (
	"encoding/json"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/valyala/fastjson"
)

// A Body is a JSON object under construction. Keys keep the place of their first setting.
type Body struct {
	keys   []string
	values [][]byte
}

// Set writes a key; one that is there keeps its place and gets the new value.
func (b *Body) Set(key string, value []byte) {
	for i, k := range b.keys {
		if k == key {
			b.values[i] = value
			return
		}
	}
	b.keys, b.values = append(b.keys, key), append(b.values, value)
}

// Get returns a key's value.
func (b *Body) Get(key string) ([]byte, bool) {
	for i, k := range b.keys {
		if k == key {
			return b.values[i], true
		}
	}
	return nil, false
}

// Merge lays other over b, shallow.
func (b *Body) Merge(other *Body) {
	if other == nil {
		return
	}
	for i, k := range other.keys {
		b.Set(k, other.values[i])
	}
}

// JSON returns the object, compact.
func (b *Body) JSON() []byte {
	n := 2
	for i, k := range b.keys {
		n += len(k) + len(b.values[i]) + 4
	}
	out := append(make([]byte, 0, n), '{')
	for i, k := range b.keys {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(AppendString(out, k), ':')
		out = append(out, b.values[i]...)
	}
	return append(out, '}')
}

// ParseBody reads a JSON object, its values made compact as Compact does.
func ParseBody(data []byte) (*Body, error) {
	var p fastjson.Parser
	v, err := p.ParseBytes(data)
	if err != nil {
		return nil, err
	}
	o, err := v.Object()
	if err != nil {
		return nil, err
	}
	b := &Body{}
	o.Visit(func(k []byte, v *fastjson.Value) { b.Set(string(k), Compact(nil, v)) })
	return b, nil
}

// Compact appends v as AIPerf writes JSON: no blanks, text as plain UTF-8, numbers as parsed (a
// float in its shortest form, always with a point or an exponent), a key that comes twice once with
// its last value.
func Compact(dst []byte, v *fastjson.Value) []byte {
	switch v.Type() {
	case fastjson.TypeObject:
		b := &Body{}
		v.GetObject().Visit(func(k []byte, v *fastjson.Value) { b.Set(string(k), Compact(nil, v)) })
		return append(dst, b.JSON()...)
	case fastjson.TypeArray:
		dst = append(dst, '[')
		for i, item := range v.GetArray() {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = Compact(dst, item)
		}
		return append(dst, ']')
	case fastjson.TypeString:
		return AppendString(dst, string(v.GetStringBytes()))
	case fastjson.TypeNumber:
		return appendNumber(dst, v.MarshalTo(nil))
	}
	return v.MarshalTo(dst)
}

func appendNumber(dst, text []byte) []byte {
	for _, c := range text {
		if c == '.' || c == 'e' || c == 'E' {
			f, err := strconv.ParseFloat(string(text), 64)
			if err != nil {
				return append(dst, text...)
			}
			return AppendFloat(dst, f)
		}
	}
	return append(dst, text...)
}

// AppendFloat appends f in its shortest form that is still a float: 2.5, 1000.0, 1e16.
func AppendFloat(dst []byte, f float64) []byte {
	if a := math.Abs(f); f != 0 && (a < 1e-5 || a >= 1e16) {
		text := strconv.AppendFloat(nil, f, 'e', -1, 64)
		n := len(text)
		if text[n-2] == '0' { // e+05 and e-05
			text = append(text[:n-2], text[n-1])
		}
		for i, c := range text {
			if c == '+' {
				text = append(text[:i], text[i+1:]...)
				break
			}
		}
		return append(dst, text...)
	}
	start := len(dst)
	dst = strconv.AppendFloat(dst, f, 'f', -1, 64)
	for _, c := range dst[start:] {
		if c == '.' {
			return dst
		}
	}
	return append(dst, ".0"...)
}

const hexDigits = "0123456789abcdef"

// AppendString appends s as a JSON string that escapes only what JSON demands; bytes that are not
// UTF-8 become U+FFFD.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= 0x20 && c != '"' && c != '\\' && c < utf8.RuneSelf {
			i++
			continue
		}
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && n == 1 {
				dst = append(dst, s[start:i]...)
				dst = append(dst, "\ufffd"...)
				start = i + 1
			}
			i += n
			continue
		}
		dst = append(dst, s[start:i]...)
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\b':
			dst = append(dst, `\b`...)
		case '\t':
			dst = append(dst, `\t`...)
		case '\n':
			dst = append(dst, `\n`...)
		case '\f':
			dst = append(dst, `\f`...)
		case '\r':
			dst = append(dst, `\r`...)
		default:
			dst = append(dst, `\u00`...)
			dst = append(dst, hexDigits[c>>4], hexDigits[c&15])
		}
		i++
		start = i
	}
	dst = append(dst, s[start:]...)
	return append(dst, '"')
}

func quoted(s string) []byte { return AppendString(make([]byte, 0, len(s)+2), s) }

func boolean(b bool) []byte { return strconv.AppendBool(nil, b) }

// usageOption asks a streaming answer for its token counts: include_usage is added to
// stream_options unless the author set it. null counts as absent; what is no object is left alone.
func usageOption(b *Body, perChunk bool) {
	if v, _ := b.Get("stream"); string(v) != "true" {
		return
	}
	opts := &Body{}
	if v, ok := b.Get("stream_options"); ok && string(v) != "null" {
		var err error
		if opts, err = ParseBody(v); err != nil {
			return
		}
	}
	if _, ok := opts.Get("include_usage"); !ok {
		opts.Set("include_usage", boolean(true))
	}
	if _, ok := opts.Get("continuous_usage_stats"); perChunk && !ok {
		opts.Set("continuous_usage_stats", boolean(true))
	}
	b.Set("stream_options", opts.JSON())
}

// A Message is what one turn asks, before an API gives it its shape.
type Message struct {
	Role      string // "" is user
	Texts     []string
	System    string          // a leading system message; "" is none
	Context   string          // a user message before the turn's own; "" is none
	Messages  json.RawMessage // an authored message list that stands for Role and Texts
	Tools     json.RawMessage
	MaxTokens *int64 // the output cap
	Model     string
	Extra     *Body // the turn's own, laid over everything
}

// Options are those of a whole run.
type Options struct {
	Streaming       bool
	LegacyMaxTokens bool
	PerChunkUsage   bool
	Extra           *Body // of every request
}
