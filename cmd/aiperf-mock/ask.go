package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
)

// An ask is what the mock looks at in a request body. Sampling parameters, tools, stop words and
// the like are taken and have no effect.
type ask struct {
	Model         *string         `json:"model"`
	Messages      json.RawMessage `json:"messages"`
	Prompt        json.RawMessage `json:"prompt"`
	Stream        bool            `json:"stream"`
	StreamOptions *struct {
		IncludeUsage         bool `json:"include_usage"`
		ContinuousUsageStats bool `json:"continuous_usage_stats"`
	} `json:"stream_options"`
	MaxTokens           *int `json:"max_tokens"`
	MaxCompletionTokens *int `json:"max_completion_tokens"`
	MinTokens           *int `json:"min_tokens"`
	IgnoreEOS           bool `json:"ignore_eos"`
	N                   *int `json:"n"`

	prompt prompt
}

// A prompt is its texts, or the length of a list of token ids.
type prompt struct {
	texts []string
	ids   int
}

// parseAsk reads and checks a body; every error is a *refusal.
func parseAsk(body []byte, chat bool, models []string) (*ask, error) {
	a := &ask{}
	if err := json.Unmarshal(body, a); err != nil {
		return nil, badJSON(err)
	}
	if err := a.check(models); err != nil {
		return nil, err
	}
	var err error
	if chat {
		a.prompt, err = chatPrompt(a.Messages, "messages")
	} else {
		a.prompt, err = textPrompt(a.Prompt)
	}
	return a, err
}

// check looks at all but the prompt; its error is a *refusal.
func (a *ask) check(models []string) error {
	switch {
	case a.Model == nil || *a.Model == "":
		return refuse("model", "you must provide a model parameter")
	case len(models) > 0 && !slices.Contains(models, *a.Model):
		return noSuchModel(*a.Model, strings.Join(models, ", "))
	case a.N != nil && *a.N != 1:
		return refuse("n", "n must be 1 here, got %d. (parameter=n, value=%d)", *a.N, *a.N)
	case a.StreamOptions != nil && !a.Stream:
		return refuse("stream_options", "Stream options can only be defined when `stream=True`.")
	}
	for _, p := range []struct {
		name  string
		value *int
		least int
	}{{"max_tokens", a.MaxTokens, 1}, {"max_completion_tokens", a.MaxCompletionTokens, 1}, {"min_tokens", a.MinTokens, 0}} {
		if p.value != nil && *p.value < p.least {
			return refuse(p.name, "%s must be at least %d, got %d. (parameter=%s, value=%d)", p.name, p.least, *p.value, p.name, *p.value)
		}
	}
	if limit := a.cap(); limit != nil && a.MinTokens != nil && *a.MinTokens > *limit {
		return refuse("min_tokens", "min_tokens must be less than or equal to max_tokens=%d, got %d.", *limit, *a.MinTokens)
	}
	return nil
}

// cap is the bound on generated tokens, nil without one; the newer name wins.
func (a *ask) cap() *int {
	if a.MaxCompletionTokens != nil {
		return a.MaxCompletionTokens
	}
	return a.MaxTokens
}

func badJSON(err error) *refusal {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return refuse("body", "1 validation error:\n  {'type': 'json_invalid', 'loc': 'body.%d', 'msg': 'JSON decode error', 'ctx': {'error': %q}}", syntax.Offset, syntax)
	case errors.As(err, &kind) && kind.Field != "":
		return refuse(kind.Field, "1 validation error:\n  {'type': '%s_type', 'loc': ('body', '%s'), 'msg': 'Input should be a valid %s, not %s'}", kind.Type, kind.Field, kind.Type, kind.Value)
	}
	return refuse("body", "1 validation error:\n  {'type': 'model_attributes_type', 'loc': ('body',), 'msg': 'Input should be an object'}")
}

func missing(field string) *refusal {
	return refuse(field, "1 validation error:\n  {'type': 'missing', 'loc': ('body', '%s'), 'msg': 'Field required'}", field)
}

func absent(raw json.RawMessage) bool { return len(raw) == 0 || bytes.Equal(raw, []byte("null")) }

// chatPrompt takes the texts of all messages: plain contents and text parts, in order.
// Field is where they stand in the body; only those in "messages" must have a role.
func chatPrompt(raw json.RawMessage, field string) (p prompt, err error) {
	if absent(raw) {
		return p, missing(field)
	}
	var messages []struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	}
	if json.Unmarshal(raw, &messages) != nil {
		return p, refuse(field, "%s must be a list of objects. (parameter=%s)", field, field)
	}
	if len(messages) == 0 {
		return p, refuse(field, "%s must not be empty. (parameter=%s)", field, field)
	}
	for i, m := range messages {
		if m.Role == "" && field == "messages" {
			return p, refuse(field, "%s[%d]: role is required. (parameter=%s)", field, i, field)
		}
		if absent(m.Content) {
			continue
		}
		var text string
		if json.Unmarshal(m.Content, &text) == nil {
			p.texts = append(p.texts, text)
			continue
		}
		var parts []struct{ Text *string }
		if json.Unmarshal(m.Content, &parts) != nil {
			return p, refuse(field, "%s[%d]: content must be a string or a list of parts. (parameter=%s)", field, i, field)
		}
		for _, part := range parts {
			if part.Text != nil {
				p.texts = append(p.texts, *part.Text)
			}
		}
	}
	return p, nil
}

// textPrompt takes a string, token ids, or a list of one of either.
func textPrompt(raw json.RawMessage) (p prompt, err error) {
	if absent(raw) {
		return p, missing("prompt")
	}
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return prompt{texts: []string{text}}, nil
	}
	var ids []int
	if json.Unmarshal(raw, &ids) == nil && len(ids) > 0 {
		return prompt{ids: len(ids)}, nil
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil || len(list) == 0 {
		return p, refuse("prompt", "prompt must be a string or a list of token ids. (parameter=prompt)")
	}
	if len(list) > 1 {
		return p, refuse("prompt", "one prompt a request here, got %d. (parameter=prompt)", len(list))
	}
	if json.Unmarshal(list[0], &text) == nil {
		return prompt{texts: []string{text}}, nil
	}
	if json.Unmarshal(list[0], &ids) == nil && len(ids) > 0 {
		return prompt{ids: len(ids)}, nil
	}
	return p, refuse("prompt", "prompt must be a string or a list of token ids. (parameter=prompt)")
}
