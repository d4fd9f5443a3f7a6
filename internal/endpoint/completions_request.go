package endpoint

import "strconv"

// CompletionsRequest is the body of /v1/completions: one text is a bare string, several are an array.
func CompletionsRequest(m *Message, o *Options) []byte {
	var texts []string
	for _, t := range m.Texts {
		if t != "" {
			texts = append(texts, t)
		}
	}
	b := &Body{}
	if len(texts) == 1 {
		b.Set("prompt", quoted(texts[0]))
	} else {
		list := []byte{'['}
		for i, t := range texts {
			if i > 0 {
				list = append(list, ',')
			}
			list = AppendString(list, t)
		}
		b.Set("prompt", append(list, ']'))
	}
	b.Set("model", quoted(m.Model))
	b.Set("stream", boolean(o.Streaming))
	if m.MaxTokens != nil && *m.MaxTokens != 0 {
		b.Set("max_tokens", strconv.AppendInt(nil, *m.MaxTokens, 10))
	}
	b.Merge(o.Extra)
	b.Merge(m.Extra)
	usageOption(b, o.PerChunkUsage)
	return b.JSON()
}
