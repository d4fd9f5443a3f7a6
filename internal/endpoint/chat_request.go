package endpoint

import "strconv"

// ChatRequest is the body of /v1/chat/completions: messages, model, stream, tools, the output cap;
// then extras, then stream_options where the merged body streams.
func ChatRequest(m *Message, o *Options) []byte {
	b := &Body{}
	b.Set("messages", chatMessages(m))
	b.Set("model", quoted(m.Model))
	b.Set("stream", boolean(o.Streaming))
	if m.Tools != nil {
		b.Set("tools", m.Tools)
	}
	if m.MaxTokens != nil {
		key := "max_completion_tokens"
		if o.LegacyMaxTokens {
			key = "max_tokens"
		}
		b.Set(key, strconv.AppendInt(nil, *m.MaxTokens, 10))
	}
	b.Merge(o.Extra)
	b.Merge(m.Extra)
	usageOption(b, o.PerChunkUsage)
	return b.JSON()
}

func chatMessages(m *Message) []byte {
	n := len(m.System) + len(m.Context) + len(m.Messages) + 128
	for _, t := range m.Texts {
		n += len(t) + 64
	}
	out := append(make([]byte, 0, n), '[')
	add := func(role string, texts []string) {
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(out, `{"role":`...)
		out = AppendString(out, role)
		out = append(out, `,"content":`...)
		switch len(texts) {
		case 0:
			out = append(out, `""`...)
		case 1:
			out = AppendString(out, texts[0])
		default:
			out = append(out, '[')
			for i, t := range texts {
				if t == "" {
					continue
				}
				if i > 0 && out[len(out)-1] != '[' {
					out = append(out, ',')
				}
				out = append(out, `{"type":"text","text":`...)
				out = append(AppendString(out, t), '}')
			}
			out = append(out, ']')
		}
		out = append(out, '}')
	}
	if m.System != "" {
		add("system", []string{m.System})
	}
	if m.Context != "" {
		add("user", []string{m.Context})
	}
	if m.Messages != nil {
		inner := m.Messages[1 : len(m.Messages)-1] // authored: spliced in as they are
		if len(out) > 1 && len(inner) > 0 {
			out = append(out, ',')
		}
		return append(append(out, inner...), ']')
	}
	role := m.Role
	if role == "" {
		role = "user"
	}
	add(role, m.Texts)
	return append(out, ']')
}
