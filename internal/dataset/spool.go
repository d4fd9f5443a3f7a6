package dataset

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"

	"github.com/klauspost/compress/zstd"

	"aiperf/internal/stream"
)

// A textFile is an input that can be read at any place: the file itself, or, for a pipe and for
// compressed text, a temporary copy on disk, removed when the tool ends.
type textFile struct {
	name string // as typed
	*os.File
	hash io.Writer // of the bytes as they came, when they went through a copy
	sum  func() string
}

func openText(name string, stdin io.Reader) (*textFile, error) {
	h := sha256.New()
	t := &textFile{name: name, sum: func() string { return hex.EncodeToString(h.Sum(nil)) }}
	var in io.Reader
	if name == "-" {
		t.name, in = "<stdin>", stdin
	} else {
		f, err := os.Open(name)
		if err != nil {
			return nil, &stream.OpenError{Err: err}
		}
		st, err := f.Stat()
		if err != nil {
			return nil, &stream.OpenError{Err: err}
		}
		if st.IsDir() {
			return nil, &stream.OpenError{Err: errors.New(name + ": is a directory; single_turn and mooncake_trace are files")}
		}
		var head [4]byte
		n, _ := f.ReadAt(head[:], 0)
		if st.Mode().IsRegular() && !compressed(head[:n]) {
			t.File, t.hash = f, h
			return t, nil
		}
		defer f.Close()
		in = f
	}
	raw := bufio.NewReaderSize(io.TeeReader(in, h), 256<<10)
	head, err := raw.Peek(4)
	if err != nil && err != io.EOF {
		return nil, &stream.IOError{Name: t.name, Err: err}
	}
	var src io.Reader = raw
	switch {
	case len(head) > 1 && head[0] == 0x1f && head[1] == 0x8b:
		z, err := gzip.NewReader(raw)
		if err != nil {
			return nil, &FileError{t.name, "not gzip: " + err.Error()}
		}
		src = z
	case compressed(head):
		z, err := zstd.NewReader(raw, zstd.WithDecoderConcurrency(1))
		if err != nil {
			return nil, &FileError{t.name, "not zstd: " + err.Error()}
		}
		defer z.Close()
		src = z
	}
	f, err := os.CreateTemp("", "aiperf-gen-*.jsonl")
	if err != nil {
		return nil, &stream.IOError{Name: t.name, Err: err}
	}
	os.Remove(f.Name())
	if _, err := io.Copy(f, src); err != nil {
		f.Close()
		return nil, &stream.IOError{Name: t.name, Err: err}
	}
	t.File = f
	return t, nil
}

func compressed(head []byte) bool {
	return len(head) > 1 && head[0] == 0x1f && head[1] == 0x8b || bytes.Equal(head, []byte{0x28, 0xb5, 0x2f, 0xfd})
}

// lines calls each for every line that is not blank. complete is false for a last line without its
// line end. data is valid until each returns.
func (t *textFile) lines(each func(off int64, line int, data []byte, complete bool) error) error {
	if _, err := t.Seek(0, io.SeekStart); err != nil {
		return &stream.IOError{Name: t.name, Err: err}
	}
	var in io.Reader = t.File
	if t.hash != nil {
		in = io.TeeReader(t.File, t.hash)
	}
	r := bufio.NewReaderSize(in, 256<<10)
	var buf []byte
	off := int64(0)
	for line := 1; ; line++ {
		buf = buf[:0]
		var err error
		for {
			var part []byte
			part, err = r.ReadSlice('\n')
			buf = append(buf, part...)
			if err != bufio.ErrBufferFull {
				break
			}
		}
		if err != nil && err != io.EOF {
			return &stream.IOError{Name: t.name, Err: err}
		}
		if data := bytes.TrimSpace(buf); len(data) > 0 {
			lead := bytes.Index(buf, data[:1])
			if line == 1 && bytes.HasPrefix(data, []byte("\xef\xbb\xbf")) {
				data, lead = data[3:], lead+3
			}
			if e := each(off+int64(lead), line, data, err == nil); e != nil {
				return e
			}
		}
		if err == io.EOF {
			return nil
		}
		off += int64(len(buf))
	}
}
