package main

import (
	"cmp"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
)

// rank answers the three ranking APIs: NIM's, TEI's and Cohere's. Each passage gets a score drawn from
// the body, the best stands first; top_n cuts the list of Cohere's.
func (s *server) rank(path string, body []byte, sum uint32) ([]byte, error) {
	var q struct {
		Model     *string           `json:"model"`
		Query     json.RawMessage   `json:"query"`
		Passages  []json.RawMessage `json:"passages"`
		Texts     []json.RawMessage `json:"texts"`
		Documents []json.RawMessage `json:"documents"`
		TopN      *int              `json:"top_n"`
	}
	if err := json.Unmarshal(body, &q); err != nil {
		return nil, badJSON(err)
	}
	list, field, score := q.Passages, "passages", "logit"
	switch path {
	case teiPath:
		list, field, score = q.Texts, "texts", "score"
	case coherePath:
		list, field, score = q.Documents, "documents", "relevance_score"
	}
	switch {
	case q.Model != nil && len(s.modelNames) > 0 && !slices.Contains(s.modelNames, *q.Model):
		return nil, noSuchModel(*q.Model, strings.Join(s.modelNames, ", "))
	case absent(q.Query):
		return nil, missing("query")
	case len(list) == 0:
		return nil, missing(field)
	case q.TopN != nil && *q.TopN < 1:
		return nil, refuse("top_n", "top_n must be at least 1, got %d.", *q.TopN)
	}
	draw := rand.New(rand.NewPCG(uint64(sum), 0))
	ranked := make([]object, len(list))
	for i := range ranked {
		ranked[i] = object{"index": i, score: draw.Float64()}
	}
	slices.SortFunc(ranked, func(a, b object) int { return cmp.Compare(b[score].(float64), a[score].(float64)) })
	switch path {
	case teiPath:
		return json.Marshal(ranked)
	case nimPath:
		return json.Marshal(object{"rankings": ranked})
	}
	if q.TopN != nil {
		ranked = ranked[:min(*q.TopN, len(ranked))]
	}
	return json.Marshal(object{"id": "mock", "results": ranked, "meta": object{"billed_units": object{"search_units": 1}}})
}
