package stream

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"syscall"

	"github.com/valyala/fastjson"
)

// Lines reads every line of the named files in turn; none, or "-", is stdin. An error ends the
// sequence, but for a LineError, after which the caller may go on (--skip-bad).
//
// A line of a bulky kind (record, request, metric_record) is not parsed here: it begins with { and ends
// with }, and whoever decodes it (Line.Decode, or a parser and Line.Errorf) finds what else is wrong.
// Every other line is known to be a JSON object.
//
// An unfinished last line that does not parse is not an error: warn is called with it once and the
// complete lines stand. A document over several lines, as AIPerf indents its own, is one Line.
func Lines(ctx context.Context, stdin io.Reader, warn func(string), files ...string) iter.Seq2[Line, error] {
	if len(files) == 0 {
		files = []string{"-"}
	}
	return func(yield func(Line, error) bool) {
		for _, name := range files {
			r := reader{name: shown(name), warn: warn, yield: yield}
			if !r.file(ctx, stdin, name) {
				return
			}
		}
	}
}

// A reader walks one input.
type reader struct {
	name  string
	warn  func(string)
	yield func(Line, error) bool
	num   int    // the line that is read
	doc   []byte // a document that goes over several lines, so far
	depth int    // how deep its last line ended
	from  int    // the line it began on
}

// file reads one input; false ends the sequence.
func (r *reader) file(ctx context.Context, stdin io.Reader, name string) bool {
	src, err := openSource(stdin, name)
	if err != nil {
		return r.failed(err)
	}
	a := readAhead(src)
	defer a.close()
	for {
		b, err := a.next(ctx)
		if err != nil {
			r.yield(Line{File: r.name, Num: r.num + 1}, err)
			return false
		}
		data := b.data
		for {
			end := bytes.IndexByte(data, '\n')
			if end < 0 {
				break
			}
			if ctx.Err() != nil {
				r.yield(Line{File: r.name, Num: r.num + 1}, ctx.Err())
				return false
			}
			r.num++
			if !r.line(data[:end]) {
				return false
			}
			data = data[end+1:]
		}
		if b.err != nil {
			r.num++
			return r.end(src, data, b.err)
		}
		a.recycle(b)
	}
}

// line hands out one complete line.
func (r *reader) line(data []byte) bool {
	if r.doc != nil {
		return r.more(data)
	}
	data = bytes.TrimSpace(data)
	if len(data) == 0 {
		return true
	}
	if len(data) == 1 && data[0] == '{' {
		r.doc, r.depth, r.from = []byte("{\n"), 1, r.num
		return true
	}
	return r.object(r.num, data)
}

// more adds a line to a document, and hands it out when its braces are closed.
func (r *reader) more(data []byte) bool {
	r.doc = append(append(r.doc, data...), '\n')
	r.depth += nesting(data)
	if r.depth > 0 {
		return true
	}
	doc := bytes.TrimSpace(r.doc)
	r.doc = nil
	return r.object(r.from, doc)
}

// nesting is how many more braces and brackets a line opens than it closes, those in strings apart.
func nesting(line []byte) int {
	depth := 0
	s := scanner{data: line}
	for s.pos < len(line) {
		switch line[s.pos] {
		case '"':
			s.str()
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		s.pos++
	}
	return depth
}

// object hands out what should be one JSON object.
func (r *reader) object(num int, data []byte) bool {
	l := Line{File: r.name, Num: num, Data: data}
	if data[0] != '{' {
		if fastjson.ValidateBytes(data) == nil {
			return r.yield(l, l.Errorf("not a JSON object"))
		}
		return r.yield(l, l.Errorf("not JSON: begins with %q", head(data)))
	}
	if data[len(data)-1] != '}' {
		return r.yield(l, l.Errorf("not JSON: ends without }: %q", tail(data)))
	}
	l.Kind = kindOf(data)
	if !bulky(l.Kind) {
		if err := fastjson.ValidateBytes(data); err != nil {
			return r.yield(l, l.Errorf("not JSON: %v", err))
		}
	}
	return r.yield(l, nil)
}

// end deals with what is left when an input ends; err is how it ended.
func (r *reader) end(src *source, rest []byte, err error) bool {
	cut := errors.Is(err, io.ErrUnexpectedEOF)
	if err != io.EOF && !cut {
		if errors.Is(src.raw.err, syscall.EISDIR) { // stdin can be one
			return r.failed(&OpenError{fmt.Errorf("%s: is a directory", r.name)})
		}
		if src.raw.err != nil {
			return r.failed(&IOError{r.name, err})
		}
		return r.failed(err)
	}
	lastLine := bytes.TrimSpace(rest)
	switch {
	case r.doc != nil && !cut && r.depth+nesting(lastLine) <= 0:
		if !r.more(rest) {
			return false
		}
	case r.doc != nil && r.num-r.from > 1:
		l := Line{File: r.name, Num: r.from}
		return r.yield(l, l.Errorf("the document is unfinished: the input ends at line %d", r.num))
	case cut:
		r.warn(fmt.Sprintf("%s:%d: the compressed stream is cut here; the lines before stand", r.name, r.num))
	case r.doc != nil:
		r.warn(fmt.Sprintf("%s:%d: the last line is unfinished and was left out", r.name, r.from))
	case len(lastLine) == 0:
	case lastLine[0] == '{' && fastjson.ValidateBytes(lastLine) != nil:
		r.warn(fmt.Sprintf("%s:%d: the last line is unfinished and was left out", r.name, r.num))
	default:
		return r.object(r.num, lastLine)
	}
	return true
}

// failed reports that the input cannot be read on. Bytes that are wrong (a damaged archive, Parquet) are
// bad data at a line; what the system refuses is its own error and ends everything.
func (r *reader) failed(err error) bool {
	l := Line{File: r.name, Num: r.num}
	var open *OpenError
	var midway *IOError
	if errors.As(err, &open) || errors.As(err, &midway) {
		r.yield(l, err)
		return false
	}
	return r.yield(l, l.Errorf("cannot be decoded: %w", err))
}

func head(b []byte) []byte { return b[:min(len(b), 24)] }
func tail(b []byte) []byte { return b[len(b)-min(len(b), 24):] }
