// Package sse frames a server-sent event stream by the WHATWG rules (HTML standard, 9.2.6), with two
// additions for measuring: a last event without its blank line counts, and every event knows where in
// the body it ended, so that it can be joined to the read that brought it.
package sse

import "bytes"

// An Event is one block of field lines. Its slices are valid until the next call of Next.
type Event struct {
	Name    []byte // the last event: field
	Data    []byte // data: lines joined by LF
	HasData bool
	ID      []byte
	Retry   []byte
	Comment []byte // the first comment, without its one leading space
	Lines   int    // field and comment lines of the block
	End     int64  // offset just behind the last byte of the last field line, its line end not included
}

// A Scanner cuts a whole body into events.
type Scanner struct {
	Event
	body   []byte
	pos    int
	join   []byte // holds Data of several lines
	joined bool
}

// Reset starts on a body, which must stay unchanged while it is scanned.
func (s *Scanner) Reset(body []byte) {
	s.body, s.pos, s.Event = body, 0, Event{}
	if bytes.HasPrefix(body, []byte("\xef\xbb\xbf")) {
		s.pos = 3
	}
}

// Next goes to the next block with at least one field or comment; false at the end of the body.
func (s *Scanner) Next() bool {
	s.Event, s.joined = Event{}, false
	for s.pos < len(s.body) {
		start := s.pos
		line := s.line()
		if len(line) == 0 {
			if s.Lines > 0 {
				return true
			}
			continue
		}
		s.field(line, int64(start+len(line)))
	}
	return s.Lines > 0
}

// line takes one line; only LF, CR and CRLF end it.
func (s *Scanner) line() []byte {
	rest := s.body[s.pos:]
	n := bytes.IndexByte(rest, '\n')
	if n < 0 {
		n = len(rest)
	}
	if cr := bytes.IndexByte(rest[:n], '\r'); cr >= 0 {
		n = cr
	}
	s.pos += n
	if s.pos < len(s.body) {
		if s.body[s.pos] == '\r' && s.pos+1 < len(s.body) && s.body[s.pos+1] == '\n' {
			s.pos++
		}
		s.pos++
	}
	return rest[:n]
}

func (s *Scanner) field(line []byte, end int64) {
	s.Lines++
	name, value, _ := bytes.Cut(line, []byte(":"))
	if len(value) > 0 && value[0] == ' ' {
		value = value[1:]
	}
	switch string(name) {
	case "data":
		s.End = end
		if !s.HasData {
			s.Data, s.HasData = value, true
			return
		}
		if !s.joined {
			s.join, s.joined = append(s.join[:0], s.Data...), true
		}
		s.join = append(append(s.join, '\n'), value...)
		s.Data = s.join
	case "event":
		s.Name, s.End = value, end
	case "id":
		if bytes.IndexByte(value, 0) < 0 {
			s.ID = value
		}
		s.End = end
	case "retry":
		s.Retry, s.End = value, end
	case "":
		if s.Comment == nil {
			s.Comment = value
		}
		if s.End == 0 {
			s.End = end // a block of comments alone
		}
	default:
		s.End = end
	}
}
