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

// output opens where the stream goes: stdout, or a file encoded by its suffix. done ends it.
func output(env *cli.Env, name string) (w io.Writer, done func() error, err error) {
	if name == "" || name == "-" {
		return env.Stdout, func() error { return nil }, nil
	}
	if strings.HasSuffix(name, ".parquet") {
		return nil, nil, cli.Usagef("--output %s: requests are not written as Parquet yet; use .jsonl, .jsonl.gz or .jsonl.zst", name)
	}
	f, err := os.Create(name)
	if err != nil {
		return nil, nil, &stream.IOError{Name: name, Err: err}
	}
	var z io.WriteCloser
	switch {
	case strings.HasSuffix(name, ".gz"):
		z = gzip.NewWriter(f)
	case strings.HasSuffix(name, ".zst"):
		if z, err = zstd.NewWriter(f, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1)); err != nil {
			return nil, nil, err
		}
	default:
		return f, f.Close, nil
	}
	return z, func() error {
		err := z.Close()
		if e := f.Close(); err == nil {
			err = e
		}
		if err != nil {
			return &stream.IOError{Name: name, Err: err}
		}
		return nil
	}, nil
}
