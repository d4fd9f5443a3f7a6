package main

import (
	"encoding/json"
	"math/rand/v2"
)

// dimensions is the length of an embedding when the request has none, mostDimensions that of the longest.
const (
	dimensions     = 16
	mostDimensions = 1 << 14
)

// embed answers the embeddings API: one vector for each input, or one for a conversation. The same
// body always gets the same vectors.
func (s *server) embed(body []byte, sum uint32) ([]byte, error) {
	var q struct {
		ask
		Input      json.RawMessage `json:"input"`
		Dimensions *int            `json:"dimensions"`
		Format     *string         `json:"encoding_format"`
	}
	if err := json.Unmarshal(body, &q); err != nil {
		return nil, badJSON(err)
	}
	if err := q.check(s.modelNames); err != nil {
		return nil, err
	}
	size := dimensions
	if n := q.Dimensions; n != nil {
		if size = *n; size < 1 || size > mostDimensions {
			return nil, refuse("dimensions", "dimensions must be from 1 to %d, got %d.", mostDimensions, size)
		}
	}
	if q.Format != nil && *q.Format != "float" {
		return nil, refuse("encoding_format", "encoding_format must be float here, got %q.", *q.Format)
	}
	inputs, err := embeddingInputs(q.Input, q.Messages)
	if err != nil {
		return nil, err
	}
	draw := rand.New(rand.NewPCG(uint64(sum), 0))
	data, tokens := []object{}, 0
	for i, in := range inputs {
		tokens += s.tally.of(in)
		v := make([]float64, size)
		for j := range v {
			v[j] = draw.Float64()*2 - 1
		}
		data = append(data, object{"object": "embedding", "index": i, "embedding": v})
	}
	return json.Marshal(object{"object": "list", "model": *q.Model, "data": data, "usage": object{"prompt_tokens": tokens, "total_tokens": tokens}})
}

// embeddingInputs takes a text, token ids, a list of either, or messages instead.
func embeddingInputs(input, messages json.RawMessage) (out []prompt, err error) {
	if absent(input) && absent(messages) {
		return nil, missing("input")
	}
	if absent(input) {
		p, err := chatPrompt(messages, "messages")
		return []prompt{p}, err
	}
	var text string
	var ids []int
	var list []json.RawMessage
	switch {
	case json.Unmarshal(input, &text) == nil:
		return []prompt{{texts: []string{text}}}, nil
	case json.Unmarshal(input, &ids) == nil && len(ids) > 0:
		return []prompt{{ids: len(ids)}}, nil
	case json.Unmarshal(input, &list) != nil || len(list) == 0:
		return nil, refuse("input", "input must be texts or token ids. (parameter=input)")
	}
	for i, item := range list {
		text, ids = "", nil
		if json.Unmarshal(item, &text) == nil {
			out = append(out, prompt{texts: []string{text}})
		} else if json.Unmarshal(item, &ids) == nil && len(ids) > 0 {
			out = append(out, prompt{ids: len(ids)})
		} else {
			return nil, refuse("input", "input[%d] must be a text or token ids. (parameter=input)", i)
		}
	}
	return out, nil
}
