package judge

import (
	"strings"

	"github.com/valyala/fastjson"

	"aiperf/internal/endpoint"
	"aiperf/schema"
)

// payload takes from the request what the record does not say: model, streaming, the asked length,
// images, and the text that the input length counts.
func (j *Judge) payload(r *schema.Record, s *Sample, stream bool) {
	s.Streaming = stream
	if r.Streaming != nil {
		s.Streaming = *r.Streaming
	}
	v := j.dec.payload
	if len(r.Payload) > 0 {
		v, _ = j.p.ParseBytes(r.Payload)
	}
	if v == nil || v.Type() == fastjson.TypeNull {
		return
	}
	if s.Model == "" {
		s.Model = string(v.GetStringBytes("model"))
	}
	if b := boolean(v.Get("stream")); b != nil && r.Streaming == nil {
		s.Streaming = *b
	}
	if s.RequestedOSL == nil {
		for _, k := range [][]string{{"max_completion_tokens"}, {"max_tokens"}, {"max_output_tokens"}, {"parameters", "max_new_tokens"}} {
			if n := integer(v.Get(k...)); n != nil {
				s.RequestedOSL = n
				break
			}
		}
	}
	if s.NumImages == nil {
		if n := endpoint.Images(v); n > 0 {
			s.NumImages = &n
		}
	}
	if j.opt.UseServerTokenCount {
		return
	}
	if texts, ids := endpoint.InputTexts(v); len(texts) > 0 || ids > 0 {
		t := strings.Join(texts, " ")
		s.input, s.inputIDs = &t, ids
	}
}
