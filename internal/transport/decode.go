package transport

import (
	"compress/gzip"
	"compress/zlib"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/zstd"

	"aiperf/schema"
)

// decode undoes a content encoding that the server used unasked and moves the reads to the offsets
// that the decoded text had reached when their bytes were in.
func decode(r *Result) error {
	enc := strings.ToLower(strings.TrimSpace(r.Header("Content-Encoding")))
	if enc == "" || enc == "identity" || len(r.Body) == 0 {
		return nil
	}
	s := &stepper{body: r.Body, reads: r.Reads}
	var z io.Reader
	var err error
	switch enc {
	case "gzip", "x-gzip":
		z, err = gzip.NewReader(s)
	case "deflate":
		z, err = zlib.NewReader(s)
	case "zstd":
		var d *zstd.Decoder
		if d, err = zstd.NewReader(s, zstd.WithDecoderConcurrency(1)); err == nil {
			defer d.Close()
			z = d
		}
	default:
		return fmt.Errorf("%w: content-encoding %q", errMalformed, enc)
	}
	if err == nil {
		buf := make([]byte, 32<<10)
		for {
			n, rerr := z.Read(buf)
			s.out = append(s.out, buf[:n]...)
			if rerr == io.EOF {
				break
			}
			if rerr != nil {
				err = rerr
				break
			}
		}
	}
	for s.i < len(s.reads) {
		s.step()
	}
	r.Body, r.Reads = s.out, s.done
	if err != nil {
		return fmt.Errorf("%w: content-encoding %s: %v", errMalformed, enc, err)
	}
	return nil
}

// stepper hands out the bytes of one read at a time and notes how much text there was when the next
// read was asked for.
type stepper struct {
	body  []byte
	reads []schema.Read
	i     int
	at    int64
	out   []byte
	done  []schema.Read
}

func (s *stepper) step() {
	rd := s.reads[s.i]
	rd.End = int64(len(s.out))
	s.done = append(s.done, rd)
	s.i++
}

// Read hands out at most the rest of the current read.
func (s *stepper) Read(p []byte) (int, error) {
	for s.i < len(s.reads) && s.at == s.reads[s.i].End {
		s.step()
	}
	if s.i == len(s.reads) {
		return 0, io.EOF
	}
	n := copy(p, s.body[s.at:s.reads[s.i].End])
	s.at += int64(n)
	return n, nil
}

// ReadByte keeps the decoders from reading ahead.
func (s *stepper) ReadByte() (byte, error) {
	var b [1]byte
	_, err := s.Read(b[:])
	return b[0], err
}
