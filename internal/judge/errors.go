package judge

import (
	"strings"

	"github.com/valyala/fastjson"

	"aiperf/schema"
)

const noContent = "Invalid inference result: No responses with actual content were received from the server (only usage/metadata, null/empty data, or [DONE] markers)"

// invalidType is the type of a 2xx answer with nothing usable in it.
const invalidType = "InvalidInferenceResultError"

// invalid is 0.13.0's error for a 2xx answer with nothing usable in it.
func invalid(why string) *schema.Error {
	return &schema.Error{Type: invalidType, Message: "InvalidInferenceResultError('" + why + "')", CauseChain: []string{invalidType}}
}

// sseError is a message of several fields with "event: error".
func sseError(m *message, p *fastjson.Parser) *schema.Error {
	code := 502
	e := &schema.Error{Code: &code, Type: "SSEResponseError", Message: string(m.comment), CauseChain: []string{"SSEResponseError"}}
	if e.Message != "" {
		return e
	}
	e.Message = strings.ToValidUTF8(string(m.data), "\ufffd")
	if v, err := p.ParseBytes(m.data); err == nil {
		if t := v.GetStringBytes("error", "message"); len(t) > 0 {
			e.Message = string(t)
		}
	}
	return e
}

// serverError is an error object inside a 200 answer.
func serverError(v *fastjson.Value, stream bool) *schema.Error {
	code := 502
	for _, k := range []string{"code", "status", "status_code"} {
		if n := small(v.Get(k)); n != nil && *n >= 400 && *n <= 599 {
			code = *n
			break
		}
	}
	e := &schema.Error{Code: &code, Type: "ServerError"}
	if stream {
		e.Type = "SSEResponseError"
	}
	switch {
	case v.Type() == fastjson.TypeString:
		e.Message = string(v.GetStringBytes())
	case len(v.GetStringBytes("message")) > 0:
		e.Message = string(v.GetStringBytes("message"))
	default:
		e.Message = v.String()
	}
	return e
}
