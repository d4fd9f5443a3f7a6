package endpoint

import (
	"encoding/json"
	"strconv"

	"github.com/valyala/fastjson"
)

// SpecDecode is the speculative-decoding record of one answer, checked (vLLM's metrics.speculative_decoding).
type SpecDecode struct {
	MeanAcceptanceLength float64
	DraftAcceptanceRate  float64
	Histogram            map[int]int64 // accepted count: steps; zero buckets dropped
	Accepted             int64
	Draft                int64
	Steps                int64
	JSON                 json.RawMessage
}

// ParseSpecDecode checks v; nil when anything is missing or disagrees. completion is the answer's
// completion_tokens, nil when unknown.
func ParseSpecDecode(v *fastjson.Value, completion *int64) *SpecDecode {
	steps, acc, draft := count(v.Get("num_spec_steps")), count(v.Get("num_accepted_draft_tokens")), count(v.Get("num_draft_tokens"))
	mean, rate := number(v.Get("mean_acceptance_length")), number(v.Get("draft_acceptance_rate"))
	h := v.Get("acceptance_histogram")
	if steps == nil || acc == nil || draft == nil || mean == nil || rate == nil || h == nil || h.Type() != fastjson.TypeArray {
		return nil
	}
	buckets := h.GetArray()
	spec := count(v.Get("num_spec_tokens"))
	if spec != nil && int64(len(buckets)) != *spec+1 {
		return nil
	}
	s := &SpecDecode{*mean, *rate, map[int]int64{}, *acc, *draft, *steps, nil}
	var sum, weighted int64
	var hist []byte
	for j, b := range buckets {
		n := count(b)
		if n == nil {
			return nil
		}
		sum += *n
		weighted += int64(j) * *n
		if *n > 0 {
			s.Histogram[j] = *n
			if hist != nil {
				hist = append(hist, ',')
			}
			hist = strconv.AppendInt(append(strconv.AppendInt(append(hist, '"'), int64(j), 10), `":`...), *n, 10)
		}
	}
	if sum != *steps || weighted != *acc || *acc > *draft {
		return nil
	}
	perAcc, perDraft := v.Get("per_step_accepted"), v.Get("per_step_drafted")
	if !agrees(perAcc, *steps, *acc) || !agrees(perDraft, *steps, *draft) {
		return nil
	}
	b := append([]byte(nil), `{"engine":"vllm","mean_acceptance_length":`...)
	b = v.Get("mean_acceptance_length").MarshalTo(b)
	b = v.Get("draft_acceptance_rate").MarshalTo(append(b, `,"draft_acceptance_rate":`...))
	b = append(append(append(b, `,"acceptance_histogram":{`...), hist...), '}')
	for _, f := range []struct {
		key string
		n   *int64
	}{{"num_accepted_draft_tokens", acc}, {"num_draft_tokens", draft}, {"num_spec_steps", steps}, {"num_spec_tokens", spec}, {"completion_tokens", completion}} {
		if f.n != nil {
			b = strconv.AppendInt(append(append(append(b, `,"`...), f.key...), `":`...), *f.n, 10)
		}
	}
	if perAcc != nil && perAcc.Type() == fastjson.TypeArray {
		b = perAcc.MarshalTo(append(b, `,"per_step_accepted":`...))
	}
	if perDraft != nil && perDraft.Type() == fastjson.TypeArray {
		b = perDraft.MarshalTo(append(b, `,"per_step_drafted":`...))
	}
	s.JSON = append(b, '}')
	return s
}

// count is an integer that is written as one (5, not 5.0) and is not negative.
func count(v *fastjson.Value) *int64 {
	if v == nil || v.Type() != fastjson.TypeNumber {
		return nil
	}
	n, err := v.Int64()
	if err != nil || n < 0 {
		return nil
	}
	return &n
}

// agrees says whether a per-step array, if sent, has n entries that sum to total.
func agrees(v *fastjson.Value, n, total int64) bool {
	if v == nil || v.Type() == fastjson.TypeNull {
		return true
	}
	if v.Type() != fastjson.TypeArray {
		return false
	}
	a := v.GetArray()
	var sum int64
	for _, x := range a {
		i := count(x)
		if i == nil {
			return false
		}
		sum += *i
	}
	return int64(len(a)) == n && sum == total
}
