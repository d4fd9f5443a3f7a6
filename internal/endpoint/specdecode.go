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
	steps, acc, draft := integer(v.Get("num_spec_steps")), integer(v.Get("num_accepted_draft_tokens")), integer(v.Get("num_draft_tokens"))
	mean, rate := v.Get("mean_acceptance_length"), v.Get("draft_acceptance_rate")
	h := v.Get("acceptance_histogram")
	if steps == nil || acc == nil || draft == nil || !isNumber(mean) || !isNumber(rate) || h == nil || h.Type() != fastjson.TypeArray {
		return nil
	}
	buckets := h.GetArray()
	spec := integer(v.Get("num_spec_tokens"))
	if spec != nil && int64(len(buckets)) != *spec+1 {
		return nil
	}
	s := &SpecDecode{mean.GetFloat64(), rate.GetFloat64(), map[int]int64{}, *acc, *draft, *steps, nil}
	var sum, weighted int64
	var hist []byte
	for j, b := range buckets {
		n := integer(b)
		if n == nil || *n < 0 {
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
	b = mean.MarshalTo(b)
	b = rate.MarshalTo(append(b, `,"draft_acceptance_rate":`...))
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

func isNumber(v *fastjson.Value) bool { return v != nil && v.Type() == fastjson.TypeNumber }

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
		i := integer(x)
		if i == nil {
			return false
		}
		sum += *i
	}
	return int64(len(a)) == n && sum == total
}
