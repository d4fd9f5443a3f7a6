package endpoint

import "github.com/valyala/fastjson"

// chat reads choices[0] of a chat completion or of one chunk of it.
func (a *Answer) chat(v *fastjson.Value, c *Chunk) {
	c.Usage, c.Spec = v.Get("usage"), v.Get("metrics", "speculative_decoding")
	for _, ch := range v.GetArray("choices") {
		if len(str(ch.Get("finish_reason"))) > 0 {
			c.End = true
		}
	}
	choice := first(v, "choices")
	if choice == nil {
		return
	}
	var m *fastjson.Value
	named := true
	switch string(str(v.Get("object"))) {
	case "chat.completion":
		m = choice.Get("message")
	case "chat.completion.chunk":
		m = choice.Get("delta")
	default:
		named = false
		if m = choice.Get("delta"); m == nil || m.Type() != fastjson.TypeObject {
			m = choice.Get("message")
		}
	}
	if m == nil {
		return
	}
	content := str(m.Get("content"))
	r := str(m.Get("reasoning_content"))
	if len(r) == 0 {
		r = str(m.Get("reasoning"))
	}
	if len(r) > 0 {
		c.Content, c.Reasoning, c.Text, c.Output = true, r, content, len(content) > 0
	} else if t := a.calls(m.GetArray("tool_calls")); len(t) > 0 {
		c.Content, c.Output, c.Text, c.Prose = true, true, t, content
	} else if len(content) > 0 {
		c.Content, c.Output, c.Text = true, true, content
	}
	c.NoObject = c.Content && !named
}

// calls joins name and arguments of the tool calls.
func (a *Answer) calls(calls []*fastjson.Value) []byte {
	a.tools = a.tools[:0]
	for _, t := range calls {
		a.tools = append(a.tools, str(t.Get("function", "name"))...)
		a.tools = append(a.tools, str(t.Get("function", "arguments"))...)
	}
	return a.tools
}

func (a *Answer) completions(v *fastjson.Value, c *Chunk) {
	c.Usage, c.Spec = v.Get("usage"), v.Get("metrics", "speculative_decoding")
	for _, ch := range v.GetArray("choices") {
		if len(str(ch.Get("finish_reason"))) > 0 {
			c.End = true
		}
	}
	if choice := first(v, "choices"); choice != nil {
		text(choice.Get("text"), c)
		o := string(str(v.Get("object")))
		c.NoObject = c.Content && o != "completion" && o != "text_completion"
	}
}
