package main

import (
	"compress/gzip"
	"io"
	"os"
	"strings"

	"github.com/klauspost/compress/zstd"

	"aiperf/internal/cli"
	"aiperf/internal/stream"
)

// openOutput opens where the stream goes: stdout, or a file encoded by its suffix.
func openOutput(env *cli.Env, name string) (*spool, error) {
	if name == "" || name == "-" {
		return newSpool(env.Stdout, nil, "stdout"), nil
	}
	if strings.HasSuffix(name, ".parquet") {
		return nil, cli.Usagef("--output %s: a live stream is not written as Parquet; use .jsonl, .jsonl.gz or .jsonl.zst", name)
	}
	f, err := os.Create(name)
	if err != nil {
		return nil, &stream.IOError{Name: name, Err: err}
	}
	var z encoder
	switch {
	case strings.HasSuffix(name, ".gz"):
		z = gzip.NewWriter(f)
	case strings.HasSuffix(name, ".zst"):
		if z, err = zstd.NewWriter(f, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1)); err != nil {
			return nil, err
		}
	default:
		return newSpool(f, f.Close, name), nil
	}
	return newSpool(flushed{z}, func() error {
		err := z.Close()
		if e := f.Close(); err == nil {
			err = e
		}
		return err
	}, name), nil
}

type encoder interface {
	io.WriteCloser
	Flush() error
}

// flushed ends a block with every line, so that a sender that is killed leaves each line it wrote.
type flushed struct{ encoder }

func (w flushed) Write(line []byte) (int, error) {
	n, err := w.encoder.Write(line)
	if err == nil {
		err = w.Flush()
	}
	return n, err
}
