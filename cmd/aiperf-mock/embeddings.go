package main

import (
	"encoding/json"
	"math/rand/v2"
	"time"
)

// dimensions is the length of an embedding.
const dimensions = 16

// prompted waits --ttft and fails as --error-rate says; false: the request was answered.
func (s *server) prompted(x *exchange) (*rand.Rand, bool, error) {
	rng := s.rng(s.turn.Add(1) - 1)
	if rng.Float64()*100 < s.errorRate {
		s.stats.errors.Add(1)
		return nil, false, x.fail(500, "the mock failed this request on purpose (--error-rate)", "InternalServerError")
	}
	if d := s.schedule(rng, 1)[0] - time.Since(x.read); d > 0 {
		time.Sleep(d)
	}
	s.stats.events.Add(1)
	return rng, true, nil
}

// embeddings serves one vector for each input, or for a conversation.
func (s *server) embeddings(x *exchange) error {
	var q struct {
		wanted
		Input json.RawMessage `json:"input"`
	}
	if err := json.Unmarshal(x.body, &q); err != nil {
		return x.fail(400, "the body is not the JSON that is expected: "+err.Error(), "BadRequestError")
	}
	if q.Model == "" || q.Input == nil && len(q.Messages) == 0 {
		return x.fail(400, "model and input are required", "BadRequestError")
	}
	n := 1
	if q.Input != nil {
		q.Prompt = q.Input
		var list []json.RawMessage
		if json.Unmarshal(q.Input, &list) == nil {
			n = len(list)
		}
	}
	rng, ok, err := s.prompted(x)
	if !ok {
		return err
	}
	data := []any{}
	for i := range n {
		v := make([]float64, dimensions)
		for j := range v {
			v[j] = rng.Float64()*2 - 1
		}
		data = append(data, object{"object": "embedding", "index": i, "embedding": v})
	}
	tokens := s.words.count(q.text())
	return x.json(200, object{"object": "list", "model": q.Model, "data": data, "usage": object{"prompt_tokens": tokens, "total_tokens": tokens}})
}
