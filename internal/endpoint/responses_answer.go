package endpoint

import "github.com/valyala/fastjson"

// responses reads an OpenAI Responses event or a whole response.
func (a *Answer) responses(v *fastjson.Value, c *Chunk) {
	at := [2]int64{v.GetInt64("output_index"), v.GetInt64("content_index")}
	switch string(str(v.Get("type"))) {
	case "response.output_text.delta":
		text(v.Get("delta"), c)
		if a.deltas == nil {
			a.deltas = map[[2]int64]bool{}
		}
		a.deltas[at] = true
		return
	case "response.reasoning_text.delta":
		if b := str(v.Get("delta")); len(b) > 0 {
			c.Content, c.Reasoning = true, b
		}
		return
	case "response.function_call_arguments.delta":
		text(v.Get("delta"), c)
		return
	case "response.output_text.done":
		if a.deltas[at] {
			c.Content = true // a content moment without text
		} else {
			text(v.Get("text"), c)
		}
		return
	case "response.completed":
		c.Usage, c.End = v.Get("response", "usage"), true
		return
	case "response.incomplete":
		c.End = true
		return
	case "response.failed":
		c.End = true
		if e := v.Get("response", "error"); e != nil && e.Type() == fastjson.TypeObject {
			c.Error = e
		}
		return
	case "error":
		if c.Error == nil {
			c.Error = v
		}
		return
	}
	if string(str(v.Get("object"))) != "response" {
		return
	}
	c.Usage = v.Get("usage")
	var reasoning, message, call []byte
	for _, item := range v.GetArray("output") {
		switch string(str(item.Get("type"))) {
		case "reasoning":
			for _, s := range item.GetArray("summary") {
				reasoning = append(reasoning, str(s.Get("text"))...)
			}
		case "message":
			for _, p := range item.GetArray("content") {
				message = append(message, str(p.Get("text"))...)
			}
		case "function_call":
			call = append(append(call, str(item.Get("name"))...), str(item.Get("arguments"))...)
		}
	}
	switch {
	case len(reasoning) > 0:
		c.Content, c.Reasoning, c.Text, c.Output = true, reasoning, message, len(message) > 0
	case len(message) > 0:
		c.Content, c.Output, c.Text = true, true, message
	case len(call) > 0:
		c.Content, c.Output, c.Text = true, true, call
	default:
		text(v.Get("output_text"), c)
	}
}
