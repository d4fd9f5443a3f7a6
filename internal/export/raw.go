package export

import (
	"aiperf/internal/redact"
	"aiperf/internal/stream"
	"aiperf/schema"
)

// rawRecord writes one line of profile_export_raw.jsonl. The answer of a record of ours is cut
// into messages on the way (messages).
func (j *Job) rawRecord(l stream.Line) error {
	var r schema.Record
	if err := decode(l, &r); err != nil {
		return err
	}
	if j.raw == nil {
		var err error
		if j.raw, err = j.Dir.Create("Raw Records", "profile_export_raw.jsonl", "_raw.jsonl"); err != nil {
			return err
		}
	}
	for name := range r.RequestHeaders {
		if redact.Secret(name) {
			r.RequestHeaders[name] = redact.Mark
		}
	}
	var o object
	o.add("metadata", r.Metadata)
	o.add("start_perf_ns", r.StartPerfNS)
	if r.RequestHeaders != nil {
		o.add("request_headers", r.RequestHeaders)
	}
	if r.Status != nil {
		o.add("status", *r.Status)
	}
	o.raw("responses", compact(messages(&r)))
	if r.Error != nil {
		o.raw("error", errorObject(r.Error))
	}
	if r.CacheBustMarker != "" {
		o.add("cache_bust_marker", r.CacheBustMarker)
	}
	if r.CacheBustTarget != "" {
		o.add("cache_bust_target", r.CacheBustTarget)
	}
	if len(r.Payload) > 0 {
		o.raw("payload", r.Payload)
	}
	return j.raw.line(o.bytes())
}

// inputs gathers the bodies of each session for inputs.json, in a spool: one session stays together
// only as long as its turns come in a row, which is how aiperf-gen writes them.
type inputs struct {
	file    *File
	session string
	open    bool
	list    []byte
	any     bool
}

func (j *Job) request(l stream.Line) error {
	var r schema.Request
	if err := decode(l, &r); err != nil {
		return err
	}
	if len(r.Payload) == 0 {
		return nil
	}
	if j.inputs == nil {
		f, err := j.Dir.Create("", "inputs.json", "")
		if err != nil {
			return err
		}
		j.inputs = &inputs{file: f}
		if _, err := f.WriteString("{\n  \"data\": ["); err != nil {
			return ioError{err}
		}
	}
	in := j.inputs
	if in.open && in.session != r.ConversationID {
		if err := in.end(); err != nil {
			return err
		}
	}
	if !in.open {
		in.open, in.session, in.list = true, r.ConversationID, in.list[:0]
	} else {
		in.list = append(in.list, ',')
	}
	in.list = append(in.list, r.Payload...)
	return nil
}

// end writes the session that is open.
func (in *inputs) end() error {
	var o object
	o.add("session_id", in.session)
	o.raw("payloads", append(append([]byte{'['}, in.list...), ']'))
	b, err := indented(o.bytes())
	if err != nil {
		return err
	}
	sep := ","
	if !in.any {
		sep = ""
	}
	in.open, in.any = false, true
	if _, err := in.file.WriteString(sep + "\n" + string(b[:len(b)-1])); err != nil {
		return ioError{err}
	}
	return nil
}

func (in *inputs) finish(*Job) error {
	if in == nil {
		return nil
	}
	if in.open {
		if err := in.end(); err != nil {
			return err
		}
	}
	if _, err := in.file.WriteString("\n  ]\n}\n"); err != nil {
		return ioError{err}
	}
	return nil
}
