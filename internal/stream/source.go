package stream

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"syscall"

	"github.com/klauspost/compress/zstd"
)

const readSize = 256 << 10

// A source is one input, open and decoded. What the operating system refused and what the bytes
// themselves got wrong are told apart: raw keeps the former.
type source struct {
	decoded io.Reader
	raw     *raw
	depth   int // encodings found so far
	closer  []func()
}

// close is for the one who reads.
func (s *source) close() {
	for _, f := range s.closer {
		f()
	}
}

// raw is the input before decoding; it remembers how reading it failed.
type raw struct {
	r   io.Reader
	err error
}

func (r *raw) Read(p []byte) (int, error) {
	n, err := r.r.Read(p)
	if err != nil && err != io.EOF {
		r.err = err
	}
	return n, err
}

// openSource opens a file, or takes stdin for "-".
func openSource(stdin io.Reader, name string) (*source, error) {
	s := &source{}
	in := stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, &OpenError{err}
		}
		if st, err := f.Stat(); err == nil && st.IsDir() {
			f.Close()
			return nil, &OpenError{&os.PathError{Op: "open", Path: name, Err: syscall.EISDIR}}
		}
		s.closer = append(s.closer, func() { f.Close() })
		in = f
	}
	s.raw = &raw{r: in}
	return s, nil
}

// Read decodes; the first call finds out how.
func (s *source) Read(p []byte) (int, error) {
	if s.decoded == nil {
		r, err := s.decode(s.raw)
		if err != nil {
			return 0, err
		}
		s.decoded = r
	}
	return s.decoded.Read(p)
}

// decode names the encoding from the first bytes and undoes it, again if need be: files are packed
// twice by accident. Frames and members that follow each other are one stream (RFC 1952 2.2, RFC 8878 3).
func (s *source) decode(in io.Reader) (io.Reader, error) {
	s.depth++
	r := bufio.NewReaderSize(in, 64<<10)
	head, err := r.Peek(1)
	if err == nil && head[0] != '{' { // a live stream may have said no more yet
		head, err = r.Peek(4)
	}
	if err != nil && err != io.EOF {
		return nil, err
	}
	switch {
	case bytes.Equal(head, []byte("PAR1")): // Parquet format, "File format"
		return s.openParquet(r)
	case isZstd(head):
		z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1))
		if err != nil {
			return nil, err
		}
		s.closer = append(s.closer, z.Close)
		return s.decode(z)
	case len(head) >= 2 && head[0] == 0x1f && head[1] == 0x8b: // RFC 1952, 2.3.1
		z, err := gzip.NewReader(r)
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return nil, err
		}
		return s.decode(z)
	case bytes.HasPrefix(head, []byte{0xef, 0xbb, 0xbf}): // a byte order mark says nothing in UTF-8
		_, err := r.Discard(3)
		return r, err
	}
	return r, nil
}

// isZstd knows a frame (RFC 8878, 3.1.1) and a skippable frame (3.1.2), which some packers put first.
func isZstd(head []byte) bool {
	return bytes.Equal(head, []byte{0x28, 0xb5, 0x2f, 0xfd}) ||
		len(head) == 4 && head[0]&0xf0 == 0x50 && bytes.Equal(head[1:], []byte{0x2a, 0x4d, 0x18})
}

func shown(name string) string {
	if name == "-" {
		return "<stdin>"
	}
	return name
}
