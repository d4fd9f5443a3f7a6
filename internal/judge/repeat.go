package judge

import (
	"bytes"

	"github.com/valyala/fastjson"

	"aiperf/internal/endpoint"
)

// A repeat is a chat chunk that was parsed, cut around its content string. The chunks of one stream
// mostly differ in that string alone: such a one means what the last meant, with another text, and
// needs no parsing.
type repeat struct {
	pre, suf []byte // up to and with the opening quote; from the closing quote on
	chunk    endpoint.Chunk
	text     []byte
}

var (
	contentKey   = []byte(`"content"`)
	contentValue = []byte(`"content":"`)
	surrogate    = [2][]byte{[]byte(`\ud`), []byte(`\uD`)}
)

// learn keeps a chunk whose content is its only yield and has one certain place in data.
func (r *repeat) learn(data []byte, c *endpoint.Chunk) {
	r.pre = r.pre[:0]
	if !c.Content || !c.Output || c.End || len(c.Reasoning) > 0 || len(c.Prose) > 0 || c.Usage != nil && c.Usage.Type() != fastjson.TypeNull ||
		c.Spec != nil || c.Error != nil || c.Bad != "" || c.VideoSecs != nil || c.VideoMB != nil || c.Images != 0 {
		return
	}
	at := bytes.Index(data, contentValue)
	if at < 1 || data[at-1] != '{' && data[at-1] != ',' || bytes.Count(data, contentKey) != 1 {
		return
	}
	open := at + len(contentValue)
	text, end, err := unescape(r.text[:0], data, open-1)
	r.text = text
	if err != nil || !bytes.Equal(text, c.Text) || bytes.IndexByte(data[:open], '\\') >= 0 || bytes.IndexByte(data[end:], '\\') >= 0 {
		return
	}
	r.pre, r.suf = append(r.pre, data[:open]...), append(r.suf[:0], data[end-1:]...)
	r.chunk = endpoint.Chunk{Content: true, Output: true, NoObject: c.NoObject}
}

// match says whether data repeats the chunk that was learnt; c is then what it means.
func (r *repeat) match(data []byte, c *endpoint.Chunk) bool {
	if len(r.pre) == 0 || len(data) <= len(r.pre)+len(r.suf) || !bytes.HasPrefix(data, r.pre) || !bytes.HasSuffix(data, r.suf) ||
		bytes.Contains(data, surrogate[0]) || bytes.Contains(data, surrogate[1]) { // half a character: the parser's room
		return false
	}
	text, end, err := unescape(r.text[:0], data, len(r.pre)-1)
	r.text = text
	if err != nil || end-1 != len(data)-len(r.suf) || len(text) == 0 {
		return false
	}
	*c = r.chunk
	c.Text = text
	return true
}

func (r *repeat) reset() { r.pre = r.pre[:0] }
