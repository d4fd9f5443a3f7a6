package judge

import (
	"encoding/base64"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"
	"unsafe"

	"github.com/valyala/fastjson"

	"aiperf/internal/endpoint"
	"aiperf/internal/sse"
	"aiperf/schema"
)

// Options say how records are judged.
type Options struct {
	Definitions         string // Definitions013, or "" for ours
	EndpointType        string // for records that do not say; "" is chat
	ResponseField       string // JMESPath query of raw and template
	UseServerTokenCount bool
	PerChunkUsage       bool
	AcceptIncomplete    bool // a stream without its end signal is valid
	KeepText            bool // Sample.Text
}

// A Counter counts the tokens of a text, special tokens not added.
type Counter interface{ Count(text string) int }

// A Judge turns records into Samples. It reuses its buffers: one for each goroutine.
type Judge struct {
	opt    Options
	dec    decoder
	rec    schema.Record
	p      fastjson.Parser
	last   repeat
	sc     sse.Scanner
	ans    endpoint.Answer
	out    []byte
	reas   []byte
	usages [][]byte
	spec   []byte
	specs  int
	end    bool
	bad    string
}

// New makes a Judge.
func New(opt Options) *Judge { return &Judge{opt: opt, dec: decoder{brief: true}} }

// Line decodes and judges one record line; nothing in the Sample points into line.
func (j *Judge) Line(line []byte) (*Sample, error) {
	if err := j.read(line); err != nil {
		return nil, err
	}
	s := j.Judge(&j.rec)
	j.dec.payload = nil
	return s, nil
}

// Head decodes a record line and refuses what Line refuses, without judging the answer: the Sample has
// the metadata alone.
func (j *Judge) Head(line []byte) (*Sample, error) {
	if err := j.read(line); err != nil {
		return nil, err
	}
	j.dec.payload = nil
	return &Sample{Metadata: j.rec.Metadata}, nil
}

func (j *Judge) read(line []byte) error {
	if err := j.dec.decode(line, &j.rec); err != nil {
		return err
	}
	return plausible(&j.rec)
}

// A message is one SSE block, or a whole body.
type message struct {
	name, data, comment []byte
	hasData, whole      bool
	lines, read         int
	perf                int64
}

// Judge judges one record. Token counts that need a tokenizer wait for Sample.CountTokens.
func (j *Judge) Judge(r *schema.Record) *Sample {
	strict := j.opt.Definitions == Definitions013
	s := &Sample{
		Metadata: r.Metadata, StartPerfNS: r.StartPerfNS, ScheduledNS: r.ScheduledNS, Trace: r.TraceData, PrefixBlocks: r.PrefixBlocks,
		EndpointType: strings.Clone(r.EndpointType), Model: strings.Clone(r.Model), RequestedOSL: r.RequestedOSL,
		NumImages: r.NumImages, AudioSeconds: r.AudioDurationSeconds, Error: r.Error,
	}
	if s.EndpointType == "" {
		s.EndpointType = j.opt.EndpointType
	}
	if s.EndpointType == "" {
		s.EndpointType = "chat"
	}
	if a := r.Metadata.RequestAckNS; a != nil {
		n := *a - r.Metadata.RequestStartNS + r.StartPerfNS
		s.AckPerfNS = &n
	}
	stream := isStream(r)
	j.payload(r, s, stream)
	j.last.reset()
	j.ans = endpoint.Answer{Type: s.EndpointType, Query: j.opt.ResponseField, Stream: stream}
	j.out, j.reas, j.usages, j.spec = j.out[:0], j.reas[:0], j.usages[:0], nil
	j.specs, j.end, j.bad = 0, false, ""

	if s.Error == nil && r.Status != nil && (*r.Status < 200 || *r.Status > 299) {
		s.Error = &schema.Error{Code: r.Status, Type: http.StatusText(*r.Status), Message: strings.Clone(whole(r))}
	}
	var last int64
	var text, reasoning bool
	answered := r.Status == nil || *r.Status >= 200 && *r.Status <= 299
	if answered {
		j.each(r, stream, func(m *message) bool {
			if strict && r.Metadata.WasCancelled {
				return false
			}
			last = max(last, m.perf)
			t, rt, on := j.take(m, s, strict)
			text, reasoning = text || t, reasoning || rt
			return on
		})
		if r.Metadata.WasCancelled && (len(s.Contents) > 0 || s.Usage != nil) {
			s.fired(ruleCancelled)
		}
	}
	j.finish(r, s, last, stream, strict, text, reasoning)
	return s
}

// each hands on the messages of an answer in order.
func (j *Judge) each(r *schema.Record, stream bool, f func(*message) bool) {
	var m message
	for i := range r.Responses {
		w := &r.Responses[i]
		m = message{perf: w.PerfNS, read: i, whole: w.Packets == nil, lines: len(w.Packets)}
		if m.whole {
			if w.Text != nil {
				m.data, m.hasData = raw(*w.Text), true
			} else if b, err := base64.StdEncoding.DecodeString(w.RawBytes); err == nil && len(b) > 0 {
				m.data, m.hasData = b, true
			}
		}
		for k := range w.Packets {
			p := &w.Packets[k]
			var v []byte
			if p.Value != nil {
				v = raw(*p.Value)
			}
			switch p.Name {
			case "data":
				if m.hasData {
					m.data = append(append(slices.Clone(m.data), '\n'), v...)
				} else {
					m.data, m.hasData = v, true
				}
			case "event":
				m.name = v
			case "comment":
				m.comment = v
			}
		}
		if !f(&m) {
			return
		}
	}
	if len(r.Reads) == 0 || len(r.Responses) > 0 {
		return
	}
	body := raw(r.Body)
	if len(r.BodyB64) > 0 {
		body = r.BodyB64
	}
	if !stream {
		n := len(r.Reads) - 1
		f(&message{data: body, hasData: len(body) > 0, whole: true, perf: r.Reads[n].PerfNS, read: n})
		return
	}
	read := 0
	for j.sc.Reset(body); j.sc.Next(); {
		for read < len(r.Reads)-1 && r.Reads[read].End < j.sc.End {
			read++
		}
		m = message{name: j.sc.Name, data: j.sc.Data, hasData: j.sc.HasData, comment: j.sc.Comment, lines: j.sc.Lines, perf: r.Reads[read].PerfNS, read: read}
		if !f(&m) {
			return
		}
	}
}

var done = []byte("[DONE]")

// take reads one message. It says whether text and reasoning were seen, and whether to go on.
func (j *Judge) take(m *message, s *Sample, strict bool) (text, reasoning, on bool) {
	if !m.whole && m.lines > 1 && string(m.name) == "error" {
		if s.Error == nil {
			s.Error = sseError(m, &j.p)
		}
		return false, false, false
	}
	data := trim(m.data)
	if len(data) == 0 {
		return false, false, true
	}
	var c endpoint.Chunk
	if string(data) == string(done) && !m.whole {
		j.end = true
		if j.ans.Type != "raw" && j.ans.Type != "template" {
			return false, false, true
		}
		if !strict {
			s.fired(ruleRawDone)
			return false, false, true
		}
		c.Content, c.Output, c.Text = true, true, data
	} else if j.last.match(data, &c) {
	} else if v, err := j.p.ParseBytes(data); err == nil {
		j.ans.Read(v, &c)
		if j.ans.Type == "chat" && !m.whole {
			j.last.learn(data, &c)
		}
	} else if j.ans.PlainText() {
		c.Content, c.Output, c.Text = true, true, m.data
	} else {
		s.Malformed++
		return false, false, true
	}
	if c.Error != nil && !strict {
		if s.Error == nil {
			s.Error = serverError(c.Error, !m.whole)
			s.fired(ruleErrorObject)
		}
		c.Content = false
	}
	if c.Bad != "" {
		j.bad = c.Bad
	}
	if c.NoObject {
		if strict {
			c.Content = false
		} else {
			s.fired(ruleNoObject)
		}
	}
	j.end = j.end || c.End
	s.VideoInferenceTime, s.VideoPeakMemoryMB = orElse(c.VideoSecs, s.VideoInferenceTime), orElse(c.VideoMB, s.VideoPeakMemoryMB)
	if c.Spec != nil && c.Spec.Type() == fastjson.TypeObject && c.Spec.GetObject().Len() > 0 {
		j.specs++
		j.spec = c.Spec.MarshalTo(nil)
	}
	var u *endpoint.Usage
	if c.Usage != nil {
		if u = endpoint.ParseUsage(c.Usage); u != nil {
			s.Usage = u
			if j.ans.Type == "messages" {
				j.usages = append(j.usages, c.Usage.MarshalTo(nil))
			}
		}
	}
	if !c.Content {
		return false, false, true
	}
	if n := len(s.Contents); n > 0 && s.Contents[n-1].Read == m.read && !m.whole {
		s.SharedReads++
	}
	s.Contents = append(s.Contents, Content{PerfNS: m.perf, Read: m.read})
	if c.Output && s.FirstOutputPerfNS == nil {
		p := m.perf
		s.FirstOutputPerfNS = &p
	}
	if u != nil && u.CompletionTokens != nil && s.FirstChunkTokens == nil && j.opt.PerChunkUsage {
		s.FirstChunkTokens = u.CompletionTokens
	}
	if len(c.Prose) > 0 && !strict {
		j.out = append(j.out, c.Prose...)
		s.fired(ruleToolProse)
	}
	j.out, j.reas = append(j.out, c.Text...), append(j.reas, c.Reasoning...)
	return c.Output || len(c.Reasoning) == 0, len(c.Reasoning) > 0, true
}

// finish decides: valid or not, when it ended, what the server counted.
func (j *Judge) finish(r *schema.Record, s *Sample, last int64, stream, strict, text, reasoning bool) {
	s.EndNS = r.Metadata.RequestStartNS
	if last > 0 && !r.Metadata.WasCancelled {
		s.EndNS += last - r.StartPerfNS
	} else if r.Metadata.RequestEndNS != nil {
		s.EndNS = *r.Metadata.RequestEndNS
	}
	if len(j.usages) > 1 {
		s.Usage = fold(j.usages)
	}
	if j.specs == 1 {
		if v, err := j.p.ParseBytes(j.spec); err == nil {
			var n *int64
			if s.Usage != nil {
				n = s.Usage.CompletionTokens
			}
			s.SpecDecode = endpoint.ParseSpecDecode(v, n)
		}
	}
	if s.Error != nil && s.Error.Type == invalidType { // AIPerf's own verdict on the same answer: ours follows below
		if !strict {
			s.Error = nil
		}
	} else if s.Error != nil && !slices.Contains(s.Rules, ruleErrorObject) && !slices.Contains(s.Rules, ruleCancelled) {
		s.Usage = nil // failed on the way: the answer was never read to its end
	}
	switch {
	case s.Error != nil:
	case j.bad != "":
		s.Error = invalid("Invalid inference result: " + j.bad)
	case len(s.Contents) == 0:
		s.Error = invalid(noContent)
	case last < r.StartPerfNS:
		s.Error = invalid("Invalid inference result: the answer is older than its request")
	case last == r.StartPerfNS && strict:
		s.Error = invalid("Invalid inference result: the answer is as old as its request")
	case stream && !j.end && j.ans.HasEnd() && !strict && !j.opt.AcceptIncomplete:
		s.Error = &schema.Error{Type: "IncompleteStreamError", Message: "the stream ended without its end signal"}
		s.fired(ruleIncomplete)
	case last == r.StartPerfNS:
		s.fired(ruleZeroLatency)
	}
	s.Valid = s.Error == nil
	if len(r.BodyB64) > 0 {
		j.out, j.reas = replaceInvalid(j.out), replaceInvalid(j.reas)
	}
	if j.opt.KeepText {
		s.Text = string(j.out)
	}
	if j.opt.UseServerTokenCount {
		s.input = nil
		if u := s.Usage; u != nil {
			s.ISL, s.ReasoningTokens = u.PromptTokens, u.ReasoningTokens
			if u.CompletionTokens != nil {
				n := *u.CompletionTokens
				if u.ReasoningTokens != nil {
					n -= *u.ReasoningTokens
				}
				n = max(n, 0)
				s.OutputTokens = &n
			}
		}
		return
	}
	if text {
		t := string(j.out)
		s.output = &t
	}
	if reasoning {
		t := string(j.reas)
		s.reasoning = &t
	}
}

// CountTokens counts what the record's own texts hold: input, output and reasoning apart, each joined
// and encoded once. It does nothing where the server's counts are used.
func (s *Sample) CountTokens(c Counter) {
	count := func(t *string, ids int64) *int64 {
		if t == nil {
			return nil
		}
		n := ids
		if *t != "" {
			n += int64(c.Count(*t))
		}
		return &n
	}
	if s.input != nil {
		s.ISL = count(s.input, s.inputIDs)
	}
	if s.output != nil {
		s.OutputTokens = count(s.output, 0)
	}
	if s.reasoning != nil {
		s.ReasoningTokens = count(s.reasoning, 0)
	}
	s.input, s.output, s.reasoning = nil, nil, nil
}

func (s *Sample) fired(rule string) {
	if !slices.Contains(s.Rules, rule) {
		s.Rules = append(s.Rules, rule)
	}
}

func fold(usages [][]byte) *endpoint.Usage {
	ps := make([]fastjson.Parser, len(usages))
	last, err := ps[len(ps)-1].ParseBytes(usages[len(ps)-1])
	for i := len(usages) - 2; i >= 0 && err == nil; i-- {
		var v *fastjson.Value
		if v, err = ps[i].ParseBytes(usages[i]); err == nil {
			endpoint.FoldUsage(last, v)
		}
	}
	return endpoint.ParseUsage(last)
}

// isStream says whether the answer is an event stream: by its content type, else by its look.
func isStream(r *schema.Record) bool {
	if len(r.Responses) > 0 {
		return r.Responses[0].Packets != nil
	}
	for k, v := range r.ResponseHeaders {
		if strings.EqualFold(k, "content-type") {
			return strings.HasPrefix(strings.ToLower(v), "text/event-stream")
		}
	}
	b := r.Body
	if len(r.BodyB64) > 0 {
		b = view(r.BodyB64)
	}
	b = strings.TrimPrefix(b, "\ufeff")
	return strings.HasPrefix(b, "data:") || strings.HasPrefix(b, "event:") || strings.HasPrefix(b, ":") || strings.HasPrefix(b, "id:")
}

func whole(r *schema.Record) string {
	if len(r.Responses) > 0 && r.Responses[0].Text != nil {
		return *r.Responses[0].Text
	}
	if len(r.BodyB64) > 0 {
		return strings.ToValidUTF8(string(r.BodyB64), "\ufffd")
	}
	return r.Body
}

// replaceInvalid puts U+FFFD in place of each piece of b that begins no character (of the longest such
// pieces, as Unicode 3.9 and Python's "replace" have it).
func replaceInvalid(b []byte) []byte {
	if utf8.Valid(b) {
		return b
	}
	var out []byte
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r == utf8.RuneError && n == 1 {
			for n < len(b) && !utf8.FullRune(b[:n]) && !utf8.FullRune(b[:n+1]) {
				n++
			}
		}
		out, b = utf8.AppendRune(out, r), b[n:]
	}
	return out
}

func raw(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }

func trim(b []byte) []byte {
	for len(b) > 0 && (b[0] == ' ' || b[0] == '\n' || b[0] == '\t' || b[0] == '\r') {
		b = b[1:]
	}
	for n := len(b); n > 0 && (b[n-1] == ' ' || b[n-1] == '\n' || b[n-1] == '\t' || b[n-1] == '\r'); n = len(b) {
		b = b[:n-1]
	}
	return b
}

func orElse[T any](a, b *T) *T {
	if a != nil {
		return a
	}
	return b
}
