package endpoint

import (
	"encoding/json"

	jmespath "github.com/jmespath-community/go-jmespath"
	"github.com/valyala/fastjson"
)

// generate reads Text Generation Inference: token.text of an event, generated_text of a whole answer.
func (a *Answer) generate(v *fastjson.Value, c *Chunk) {
	if v.Type() == fastjson.TypeArray {
		l := v.GetArray()
		if len(l) == 0 {
			return
		}
		v = l[0]
	}
	if !a.Stream {
		text(v.Get("generated_text"), c)
		return
	}
	text(v.Get("token", "text"), c)
	c.End = str(v.Get("generated_text")) != nil
}

// free reads an answer of no known API: by the query, else by looking for the usual fields.
func (a *Answer) free(v *fastjson.Value, c *Chunk) {
	if a.Query != "" && !(a.Type == "template" && a.Query == "text") {
		if a.query(v, c); c.Content || a.Type == "template" {
			return
		}
	}
	if a.embeddings(v, c); c.Content {
		return
	}
	c.Bad = ""
	for _, k := range []string{"rankings", "results"} {
		if r := v.Get(k); r != nil && r.Type() == fastjson.TypeArray {
			c.Content = true
			return
		}
	}
	for _, k := range []string{"text", "content", "response", "output", "result"} {
		x := v.Get(k)
		if x != nil && x.Type() == fastjson.TypeArray {
			a.tools = a.tools[:0]
			for _, s := range x.GetArray() {
				a.tools = append(a.tools, str(s)...)
			}
			if len(a.tools) > 0 {
				c.Content, c.Output, c.Text = true, true, a.tools
				return
			}
		}
		if text(x, c); c.Content {
			return
		}
	}
	if ch := first(v, "choices"); ch != nil {
		for _, x := range []*fastjson.Value{ch.Get("text"), ch.Get("message", "content"), ch.Get("delta", "content")} {
			if text(x, c); c.Content {
				return
			}
		}
	}
}

func (a *Answer) query(v *fastjson.Value, c *Chunk) {
	var x any
	if json.Unmarshal(v.MarshalTo(nil), &x) != nil {
		return
	}
	found, err := jmespath.Search(a.Query, x)
	if err != nil || found == nil {
		return
	}
	switch f := found.(type) {
	case string:
		if f != "" {
			c.Content, c.Output, c.Text = true, true, []byte(f)
		}
	case []any:
		if len(f) == 0 {
			return
		}
		c.Content = true
		for _, s := range f {
			if s, ok := s.(string); ok && s != "" {
				c.Output, c.Text = true, append(c.Text, s...)
			}
		}
	default:
		if b, err := json.Marshal(f); err == nil {
			c.Content, c.Output, c.Text = true, true, b
		}
	}
}

// embeddings reads data[]; an item that is no embedding spoils the answer.
func (a *Answer) embeddings(v *fastjson.Value, c *Chunk) {
	data := v.GetArray("data")
	for i, d := range data {
		if string(str(d.Get("object"))) != "embedding" {
			if i > 0 || a.Type != "chat_embeddings" && a.Type != "raw" && a.Type != "template" {
				c.Bad = "an item of data is no embedding"
				return
			}
			data = nil
			break
		}
	}
	if len(data) > 0 {
		c.Content = true
		return
	}
	if a.Type == "embeddings" || a.Type == "nim_embeddings" {
		return
	}
	for _, k := range []string{"embeddings", "embedding"} {
		if len(v.GetArray(k)) > 0 {
			c.Content = true
		}
	}
}

func rankings(typ string, v *fastjson.Value, c *Chunk) {
	switch {
	case typ == "nim_rankings":
		c.Content = len(v.GetArray("rankings")) > 0
	case typ == "hf_tei_rankings" && v.Type() == fastjson.TypeArray:
		c.Content = len(v.GetArray()) > 0
	default:
		c.Content = len(v.GetArray("results")) > 0
	}
}

// media reads images and videos, where any JSON body counts.
func media(v *fastjson.Value, c *Chunk) {
	c.Content = true
	c.Usage = v.Get("usage")
	c.VideoSecs, c.VideoMB = number(v.Get("inference_time_s")), number(v.Get("peak_memory_mb"))
}
