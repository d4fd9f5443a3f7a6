package main

import (
	"bytes"
	"fmt"
	"maps"
	"mime/multipart"
	"net/textproto"
	"slices"
	"strings"

	"github.com/google/uuid"

	"aiperf/internal/cli"
	"aiperf/internal/endpoint"
	"aiperf/internal/transport"
	"aiperf/schema"
)

// check refuses a request that cannot be sent.
func check(q *schema.Request, custom string) error {
	bodies := 0
	for _, has := range []bool{len(q.Payload) > 0, len(q.Parts) > 0, len(q.BodyB64) > 0} {
		if has {
			bodies++
		}
	}
	switch {
	case bodies != 1:
		return fmt.Errorf("want exactly one of payload, parts and body_b64, got %d", bodies)
	case q.TurnIndex < 0:
		return fmt.Errorf("turn_index %d", q.TurnIndex)
	case q.Phase != "" && q.Phase != schema.PhaseWarmup && q.Phase != schema.PhaseProfiling:
		return fmt.Errorf("phase %q: want warmup or profiling", q.Phase)
	case q.ContextMode != "" && q.ContextMode != "message_array_with_responses" && q.TurnIndex > 0:
		return fmt.Errorf("context_mode %q: later turns that carry live answers are not sent yet", q.ContextMode)
	}
	for _, ns := range []*int64{q.AtNS, q.DelayNS, q.TickNS, q.CancelAfterNS} {
		if ns != nil && *ns < 0 {
			return fmt.Errorf("a negative time: %d ns", *ns)
		}
	}
	if _, ok := endpoint.Path(q.EndpointType, q.Streaming); !ok && q.Path == "" && custom == "" {
		return fmt.Errorf("endpoint_type %q is unknown and there is no path", q.EndpointType)
	}
	return nil
}

// path is what is called: the user's own, the line's, the endpoint type's.
func (c *config) path(q *schema.Request) string {
	if c.endpoint != "" {
		return c.endpoint
	}
	if q.Path != "" {
		return q.Path
	}
	p, _ := endpoint.Path(q.EndpointType, q.Streaming)
	return p
}

// headers are the request's, in the order that AIPerf sends them; a later one of the same name
// replaces the value of the earlier one in its place.
func (c *config) requestHeaders(q *schema.Request, t *transport.Target, requestID, correlationID, contentType string) []transport.Header {
	var out []transport.Header
	set := func(name, value string) {
		for i := range out {
			if strings.EqualFold(out[i].Name, name) {
				out[i].Value = value
				return
			}
		}
		out = append(out, transport.Header{Name: name, Value: value})
	}
	messages := q.EndpointType == "messages"
	set("User-Agent", "aiperf-send/"+cli.Version)
	set("X-Request-ID", requestID)
	set(c.sessionHeader, correlationID)
	if messages {
		set("Content-Type", contentType)
	}
	if auth := basicAuth(t); auth != "" {
		set("Authorization", auth)
	}
	for _, h := range c.headers {
		set(h.Name, h.Value)
	}
	switch {
	case c.apiKey != "" && messages:
		set("x-api-key", c.apiKey)
	case c.apiKey != "":
		set("Authorization", "Bearer "+c.apiKey)
	}
	if messages && !slices.ContainsFunc(out, func(h transport.Header) bool { return strings.EqualFold(h.Name, "anthropic-version") }) {
		set("anthropic-version", "2023-06-01")
	}
	for _, name := range slices.Sorted(maps.Keys(q.Headers)) {
		set(name, q.Headers[name])
	}
	accept := "application/json"
	if q.Streaming {
		accept = "text/event-stream"
	}
	set("Accept", accept)
	set("Content-Type", contentType)
	for _, name := range c.affinity {
		set(name, correlationID)
	}
	return out
}

// body is what is written: the payload byte for byte, or the parts encoded.
func body(q *schema.Request) (data []byte, contentType string, err error) {
	switch {
	case len(q.Payload) > 0:
		return q.Payload, "application/json", nil
	case len(q.BodyB64) > 0:
		return q.BodyB64, "application/octet-stream", nil
	}
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for _, p := range q.Parts {
		h := textproto.MIMEHeader{}
		disposition := fmt.Sprintf("form-data; name=%q", p.Name)
		ct := p.ContentType
		if p.FileName != "" {
			disposition += fmt.Sprintf("; filename=%q", p.FileName)
		}
		if ct == "" {
			ct = "text/plain; charset=utf-8"
		}
		h.Set("Content-Type", ct)
		h.Set("Content-Disposition", disposition)
		pw, err := w.CreatePart(h)
		if err != nil {
			return nil, "", err
		}
		content := p.DataB64
		if p.Text != nil {
			content = []byte(*p.Text)
		}
		_, _ = pw.Write(content)
	}
	if err := w.Close(); err != nil {
		return nil, "", err
	}
	return b.Bytes(), w.FormDataContentType(), nil
}

func newID() string { return uuid.NewString() }

func init() { uuid.EnableRandPool() }
