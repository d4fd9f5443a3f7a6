package stream

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"

	"github.com/klauspost/compress/zstd"
	"github.com/valyala/fastjson"
)

// Lines reads every line of the named files in turn; none, or "-", is stdin. An error ends the
// sequence, but for a LineError, after which the caller may go on (--skip-bad).
//
// An unfinished last line that does not parse is not an error: warn is called with it once and the
// complete lines stand.
func Lines(ctx context.Context, stdin io.Reader, warn func(string), files ...string) iter.Seq2[Line, error] {
	if len(files) == 0 {
		files = []string{"-"}
	}
	return func(yield func(Line, error) bool) {
		for _, name := range files {
			if !readFile(ctx, stdin, warn, name, yield) {
				return
			}
		}
	}
}

func readFile(ctx context.Context, stdin io.Reader, warn func(string), name string, yield func(Line, error) bool) bool {
	var in io.Reader
	if name == "-" {
		name, in = "<stdin>", stdin
	} else {
		f, err := os.Open(name)
		if err != nil {
			yield(Line{File: name}, &OpenError{err})
			return false
		}
		defer f.Close()
		in = f
	}
	r, err := decode(bufio.NewReaderSize(in, 256<<10))
	if err != nil {
		yield(Line{File: name}, &IOError{name, err})
		return false
	}
	var p fastjson.Parser
	var buf []byte
	for num := 1; ; num++ {
		if ctx.Err() != nil {
			yield(Line{File: name, Num: num}, ctx.Err())
			return false
		}
		line, err := readLine(r, buf[:0])
		buf = line
		complete := err == nil
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			yield(Line{File: name, Num: num}, &IOError{name, err})
			return false
		}
		line = bytes.TrimSpace(line)
		if len(line) > 0 {
			l := Line{File: name, Num: num, Data: line}
			v, perr := p.ParseBytes(line)
			switch {
			case perr != nil && !complete:
				warn(fmt.Sprintf("%s:%d: the last line is unfinished and was left out", name, num))
			case perr != nil:
				if !yield(l, l.Errorf("not JSON: %v", perr)) {
					return false
				}
			case v.Type() != fastjson.TypeObject:
				if !yield(l, l.Errorf("not a JSON object")) {
					return false
				}
			default:
				l.Kind = kindOf(v)
				if !yield(l, nil) {
					return false
				}
			}
		}
		if !complete {
			if errors.Is(err, io.ErrUnexpectedEOF) {
				warn(fmt.Sprintf("%s: the compressed stream is cut after line %d", name, num))
			}
			return true
		}
	}
}

// readLine appends one line without its LF to buf; a line may have any length.
func readLine(r *bufio.Reader, buf []byte) ([]byte, error) {
	for {
		part, err := r.ReadSlice('\n')
		buf = append(buf, part...)
		if err == bufio.ErrBufferFull {
			continue
		}
		if err == nil {
			buf = buf[:len(buf)-1]
		}
		return buf, err
	}
}

// decode names the encoding from the first four bytes and undoes it, again if need be.
func decode(r *bufio.Reader) (*bufio.Reader, error) {
	head, err := r.Peek(4)
	if err != nil && err != io.EOF {
		return nil, err
	}
	switch {
	case bytes.Equal(head, []byte{0x28, 0xb5, 0x2f, 0xfd}): // RFC 8878, 3.1.1
		z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1))
		if err != nil {
			return nil, err
		}
		return decode(bufio.NewReaderSize(z, 256<<10))
	case len(head) >= 2 && head[0] == 0x1f && head[1] == 0x8b: // RFC 1952, 2.3.1
		z, err := gzip.NewReader(r)
		if err != nil {
			return nil, err
		}
		return decode(bufio.NewReaderSize(z, 256<<10))
	}
	return r, nil
}

// kindOf reads "kind", or recognises AIPerf's kind-less lines by their keys.
func kindOf(v *fastjson.Value) string {
	if k := v.GetStringBytes("kind"); k != nil {
		return string(k)
	}
	return ""
}
