package endpoint

import "github.com/valyala/fastjson"

// messages reads an Anthropic event or a whole message.
func (a *Answer) messages(v *fastjson.Value, c *Chunk) {
	switch string(str(v.Get("type"))) {
	case "message_start":
		c.Usage = v.Get("message", "usage")
	case "message_delta":
		c.Usage = v.Get("usage")
	case "message_stop":
		c.End = true
	case "content_block_delta":
		d := v.Get("delta")
		if d == nil {
			return
		}
		switch string(str(d.Get("type"))) {
		case "text_delta":
			text(d.Get("text"), c)
		case "input_json_delta":
			text(d.Get("partial_json"), c)
		case "thinking_delta":
			if b := str(d.Get("thinking")); len(b) > 0 {
				c.Content, c.Reasoning = true, b
			}
		}
	case "message":
		c.Usage = v.Get("usage")
		var thinking, tool, prose []byte
		for _, b := range v.GetArray("content") {
			switch string(str(b.Get("type"))) {
			case "thinking":
				thinking = append(thinking, str(b.Get("thinking"))...)
			case "text":
				prose = append(prose, str(b.Get("text"))...)
			case "tool_use":
				tool = append(tool, str(b.Get("name"))...)
				if in := b.Get("input"); in != nil {
					tool = Compact(tool, in)
				}
			}
		}
		switch {
		case len(thinking) > 0:
			c.Content, c.Reasoning, c.Text, c.Output = true, thinking, prose, len(prose) > 0
		case len(tool) > 0:
			c.Content, c.Output, c.Text, c.Prose = true, true, tool, prose
		case len(prose) > 0:
			c.Content, c.Output, c.Text = true, true, prose
		}
	}
}

// FoldUsage adds the keys of an earlier usage that the last one lacks (Anthropic streams only).
func FoldUsage(last, earlier *fastjson.Value) {
	o, err := earlier.Object()
	if err != nil {
		return
	}
	o.Visit(func(k []byte, x *fastjson.Value) {
		if last.Get(string(k)) == nil {
			last.Set(string(k), x)
		}
	})
}
