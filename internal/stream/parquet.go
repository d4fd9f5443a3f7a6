package stream

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"aiperf/internal/stream/rest"
)

// table is the Parquet file behind an output: it takes the bytes of lines, however they are cut.
type table struct {
	rest *rest.Writer
	part []byte // of a line that is not whole yet
}

func newTable(w io.Writer) *table { return &table{rest: rest.NewWriter(w)} }

// Write implements io.Writer.
func (t *table) Write(b []byte) (int, error) {
	n := len(b)
	for {
		end := bytes.IndexByte(b, '\n')
		if end < 0 {
			t.part = append(t.part, b...)
			return n, nil
		}
		line := b[:end]
		if len(t.part) > 0 {
			line = append(t.part, line...)
			t.part = t.part[:0]
		}
		if err := t.line(line); err != nil {
			return 0, err
		}
		b = b[end+1:]
	}
}

func (t *table) line(line []byte) error {
	if line = bytes.TrimSpace(line); len(line) == 0 {
		return nil
	}
	err := t.rest.WriteLine(kindOf(line), line)
	var kind *rest.KindError
	if errors.As(err, &kind) {
		return &UsageError{err}
	}
	return err
}

// Flush does nothing: a Parquet file is readable when it is closed.
func (t *table) Flush() error { return nil }

// Close writes the footer.
func (t *table) Close() error {
	if len(t.part) > 0 {
		if err := t.line(t.part); err != nil {
			return err
		}
	}
	return t.rest.Close()
}

// openParquet reads a Parquet file as the lines it holds. Its index is at the end: what is not a file
// of its own is spooled to an unlinked temporary file first.
func (s *source) openParquet(r io.Reader) (io.Reader, error) {
	file, own := s.raw.r.(*os.File)
	var size int64
	if own {
		st, err := file.Stat()
		own = err == nil && st.Mode().IsRegular() && s.depth == 1
		if own {
			size = st.Size()
		}
	}
	if !own {
		var err error
		if file, err = os.CreateTemp("", "aiperf-parquet-*"); err != nil {
			return nil, err
		}
		os.Remove(file.Name())
		if size, err = io.Copy(file, r); err != nil {
			file.Close()
			return nil, err
		}
	}
	pr, pw := io.Pipe()
	s.closer = append(s.closer, func() { pr.Close() })
	go func() {
		w := bufio.NewWriterSize(pw, readSize)
		err := rest.Lines(file, size, func(line []byte) error {
			_, _ = w.Write(line) // Flush and WriteByte return the same error
			return w.WriteByte('\n')
		})
		if err == nil {
			err = w.Flush()
		} else {
			_ = w.Flush()
			err = fmt.Errorf("%v", err) // an unexpected end in here is damage, not a writer that was killed
		}
		if !own {
			file.Close()
		}
		pw.CloseWithError(err)
	}()
	return pr, nil
}
