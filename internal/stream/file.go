package stream

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/term"
)

// partial is added to the name of a file that is being written.
const partial = ".partial"

// A File is a stream on disk: a Writer whose lines are readable as soon as each is written, should the
// program be killed. It has the name asked for once it is closed, and ends in ".partial" until then.
type File struct {
	*Writer
	file  *os.File
	pack  packer
	final string // "" when it was written in place
	once  sync.Once
	err   error
}

type packer interface {
	io.WriteCloser
	Flush() error
}

// A UsageError is an output that cannot be as asked.
type UsageError struct{ Err error }

func (e *UsageError) Error() string { return e.Err.Error() }
func (e *UsageError) Unwrap() error { return e.Err }

// ExitCode is EX_USAGE.
func (e *UsageError) ExitCode() int { return 64 }

// Create opens a file for lines, encoded as its name says: .gz, .zst, .parquet, plain for any other. What is
// no regular file (a pipe, /dev/null) is written in place. A Parquet file is one table, of records or of
// metric records, and is readable once it is closed.
func Create(path string) (*File, error) {
	f := &File{}
	var err error
	if st, serr := os.Stat(path); serr == nil && !st.Mode().IsRegular() {
		f.file, err = os.OpenFile(path, os.O_WRONLY, 0)
	} else {
		f.final = path
		f.file, err = os.Create(path + partial)
	}
	if err != nil {
		return nil, &IOError{path, err}
	}
	packed := strings.HasSuffix(path, ".gz") || strings.HasSuffix(path, ".zst") || strings.HasSuffix(path, ".parquet")
	if packed && term.IsTerminal(int(f.file.Fd())) {
		f.file.Close()
		return nil, &UsageError{fmt.Errorf("%s: compressed data is not written to a terminal", path)}
	}
	var w io.Writer = f.file
	switch {
	case strings.HasSuffix(path, ".gz"):
		f.pack = gzip.NewWriter(f.file)
	case strings.HasSuffix(path, ".parquet"):
		f.pack = newTable(f.file)
	case strings.HasSuffix(path, ".zst"):
		if f.pack, err = zstd.NewWriter(f.file, zstd.WithEncoderConcurrency(1)); err != nil {
			f.file.Close()
			return nil, &IOError{path, err}
		}
	}
	if f.pack != nil {
		w = flushed{f.pack}
	}
	f.Writer = NewWriter(w)
	f.Writer.name = path
	return f, nil
}

// Output is where a stream goes: stdout for "" and "-", else the file that Create makes. Each write to w is
// kept at once (but for Parquet); done ends it.
func Output(stdout io.Writer, name string) (w io.Writer, done func() error, err error) {
	if name == "" || name == "-" {
		return stdout, func() error { return nil }, nil
	}
	f, err := Create(name)
	if err != nil {
		return nil, nil, err
	}
	return f.Writer.w, f.Close, nil
}

// WriteError is what a failed write to the output of that name is to a user: a line that the output has
// no place for stays a UsageError, any other is an IOError.
func WriteError(name string, err error) error {
	var usage *UsageError
	if errors.As(err, &usage) {
		return err
	}
	return &IOError{name, err}
}

// flushed makes each write readable at once.
type flushed struct{ p packer }

func (w flushed) Write(b []byte) (int, error) {
	n, err := w.p.Write(b)
	if err == nil {
		err = w.p.Flush()
	}
	return n, err
}

// Close ends the encoding and gives the file its name. Closing it again does nothing.
func (f *File) Close() error {
	f.once.Do(func() {
		err := error(nil)
		if f.pack != nil {
			err = f.pack.Close()
		}
		if e := f.file.Close(); err == nil {
			err = e
		}
		if err == nil && f.final != "" {
			err = os.Rename(f.final+partial, f.final)
		}
		if err != nil {
			f.err = &IOError{f.Writer.name, err}
		}
	})
	return f.err
}
