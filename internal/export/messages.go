package export

import (
	"strings"

	"aiperf/schema"
)

// messages are an answer in AIPerf's shape, never nil: one item an event of an event stream, with
// its field lines as packets, or one item for a whole body. An item is stamped with the read that
// brought the last byte of its last line.
func messages(r *schema.Record) []schema.RawResponse {
	out := []schema.RawResponse{}
	if r.Responses != nil {
		return append(out, r.Responses...)
	}
	stamp := func(end int) int64 {
		for _, rd := range r.Reads {
			if rd.End >= int64(end) {
				return rd.PerfNS
			}
		}
		if n := len(r.Reads); n > 0 {
			return r.Reads[n-1].PerfNS
		}
		return 0
	}
	kind := header(r.ResponseHeaders, "Content-Type")
	switch {
	case len(r.BodyB64) > 0:
		return append(out, schema.RawResponse{PerfNS: stamp(len(r.BodyB64)), ContentType: kind, RawBytes: string(compactBytes(r.BodyB64))})
	case r.Body == "":
		return out
	case !strings.HasPrefix(strings.ToLower(kind), "text/event-stream"):
		return append(out, schema.RawResponse{PerfNS: stamp(len(r.Body)), Text: &r.Body, ContentType: kind})
	}
	var packets []schema.Packet
	last := 0
	flush := func() {
		if packets != nil {
			out = append(out, schema.RawResponse{PerfNS: stamp(last), Packets: packets})
			packets = nil
		}
	}
	pos := 0
	if strings.HasPrefix(r.Body, "\ufeff") {
		pos = len("\ufeff")
	}
	for pos < len(r.Body) {
		end, next := lineEnd(r.Body, pos)
		if line := r.Body[pos:end]; line == "" {
			flush()
		} else {
			packets, last = append(packets, packet(line)), end
		}
		pos = next
	}
	flush()
	return out
}

// lineEnd returns where the line at pos ends and where the next one begins: CR, LF or CRLF.
func lineEnd(s string, pos int) (end, next int) {
	i := strings.IndexAny(s[pos:], "\r\n")
	if i < 0 {
		return len(s), len(s)
	}
	end = pos + i
	if strings.HasPrefix(s[end:], "\r\n") {
		return end, end + 2
	}
	return end, end + 1
}

// packet is one field line; a comment's name is "comment", a line without a colon has no value.
func packet(line string) schema.Packet {
	name, value, ok := strings.Cut(line, ":")
	if !ok {
		return schema.Packet{Name: name}
	}
	value = strings.TrimPrefix(value, " ")
	if name == "" {
		name = "comment"
	}
	return schema.Packet{Name: name, Value: &value}
}

func header(h map[string]string, name string) string {
	for k, v := range h {
		if strings.EqualFold(k, name) {
			return v
		}
	}
	return ""
}

// compactBytes is b in base64.
func compactBytes(b []byte) []byte { return []byte(strings.Trim(string(compact(b)), `"`)) }
