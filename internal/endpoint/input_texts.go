package endpoint

import "github.com/valyala/fastjson"

// InputTexts walks a request body and returns the texts its input length counts, in payload order, and
// the number of tokens that stand in it as ids already. They are to be joined with one space.
func InputTexts(v *fastjson.Value) (texts []string, ids int64) {
	w := walk{}
	w.add(v.Get("instructions"))
	items := v.GetArray("messages")
	if len(items) == 0 {
		for _, it := range v.GetArray("input") {
			if it.Get("role") != nil || it.Get("type") != nil {
				items = v.GetArray("input")
				break
			}
		}
	}
	w.content(v.Get("system"))
	for _, it := range items {
		w.item(it)
	}
	if len(items) == 0 {
		w.flat(v)
	}
	for _, t := range v.GetArray("tools") {
		f := t
		if n := t.Get("function"); n != nil {
			f = n
		}
		w.add(f.Get("name"))
		w.add(f.Get("description"))
		for _, k := range []string{"parameters", "input_schema"} {
			w.json(f.Get(k))
		}
	}
	return w.texts, w.ids
}

type walk struct {
	texts []string
	ids   int64
}

func (w *walk) add(v *fastjson.Value) {
	if b := str(v); len(b) > 0 {
		w.texts = append(w.texts, string(b))
	}
}

// json adds a value as compact JSON; null adds nothing.
func (w *walk) json(v *fastjson.Value) {
	if v != nil && v.Type() != fastjson.TypeNull {
		w.texts = append(w.texts, string(Compact(nil, v)))
	}
}

func (w *walk) item(it *fastjson.Value) {
	switch string(str(it.Get("type"))) {
	case "function_call":
		w.add(it.Get("name"))
		w.add(it.Get("arguments"))
		return
	case "function_call_output":
		w.content(it.Get("output"))
		return
	}
	w.content(it.Get("content"))
	for _, c := range it.GetArray("tool_calls") {
		w.add(c.Get("function", "name"))
		w.add(c.Get("function", "arguments"))
	}
}

// content adds a string or the text parts of a list.
func (w *walk) content(v *fastjson.Value) {
	if v == nil {
		return
	}
	w.add(v)
	for _, p := range list(v) {
		switch string(str(p.Get("type"))) {
		case "text", "input_text", "output_text":
			w.add(p.Get("text"))
		case "tool_use":
			w.add(p.Get("name"))
			w.json(p.Get("input"))
		case "tool_result":
			w.content(p.Get("content"))
		}
	}
}

func (w *walk) flat(v *fastjson.Value) {
	w.strings(v.Get("prompt"))
	w.strings(v.Get("input"))
	if q := str(v.Get("query")); q != nil && v.Get("passages") != nil {
		w.add(v.Get("query"))
		for _, p := range v.GetArray("passages") {
			w.add(p)
			w.add(p.Get("text"))
		}
	}
	w.strings(v.Get("inputs"))
}

// strings adds a string, a list of strings, or lists of token ids.
func (w *walk) strings(v *fastjson.Value) {
	if v == nil {
		return
	}
	w.add(v)
	for _, x := range list(v) {
		switch x.Type() {
		case fastjson.TypeString:
			w.add(x)
		case fastjson.TypeNumber:
			w.ids++
		case fastjson.TypeArray:
			w.strings(x)
		}
	}
}

func list(v *fastjson.Value) []*fastjson.Value {
	if v == nil || v.Type() != fastjson.TypeArray {
		return nil
	}
	return v.GetArray()
}

// Images counts the image parts of a request body.
func Images(v *fastjson.Value) (n int64) {
	for _, key := range []string{"messages", "input"} {
		for _, it := range v.GetArray(key) {
			for _, p := range it.GetArray("content") {
				switch string(str(p.Get("type"))) {
				case "image_url", "input_image", "image":
					n++
				}
			}
		}
	}
	return n
}
