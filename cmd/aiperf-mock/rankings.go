package main

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
)

// rankings serves the three ranking APIs: NIM (/v1/ranking), TEI (/rerank), Cohere (/v2/rerank). Each
// passage gets a drawn score; the best stands first.
func (s *server) rankings(x *exchange) error {
	var q struct {
		Query     json.RawMessage   `json:"query"`
		Passages  []json.RawMessage `json:"passages"`
		Texts     []json.RawMessage `json:"texts"`
		Documents []json.RawMessage `json:"documents"`
	}
	if err := json.Unmarshal(x.body, &q); err != nil {
		return x.fail(400, "the body is not the JSON that is expected: "+err.Error(), "BadRequestError")
	}
	list, score := q.Passages, "logit"
	switch x.req.URL.Path {
	case "/rerank":
		list, score = q.Texts, "score"
	case "/v2/rerank":
		list, score = q.Documents, "relevance_score"
	}
	if q.Query == nil || len(list) == 0 {
		return x.fail(400, "a query and something to rank are required", "BadRequestError")
	}
	rng, ok, err := s.prompted(x)
	if !ok {
		return err
	}
	ranked := rank(rng, len(list), score)
	switch score {
	case "logit":
		return x.json(200, object{"rankings": ranked})
	case "score":
		return x.json(200, ranked)
	}
	return x.json(200, object{"id": "mock", "results": ranked, "meta": object{"billed_units": object{"search_units": 1}}})
}

func rank(rng *rand.Rand, n int, score string) []object {
	out := make([]object, n)
	for i := range out {
		out[i] = object{"index": i, score: rng.Float64()}
	}
	slices.SortFunc(out, func(a, b object) int {
		if a[score].(float64) > b[score].(float64) {
			return -1
		}
		return 1
	})
	return out
}
