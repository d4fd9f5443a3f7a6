package main

import (
	"compress/gzip"
	"io"
	"os"
	"strings"

	"github.com/klauspost/compress/zstd"

	"aiperf/internal/cli"
)

// openOutput opens --output, encoded by its suffix; "" and "-" are stdout.
func openOutput(stdout io.Writer, name string) (io.Writer, func() error, error) {
	if name == "" || name == "-" {
		return stdout, nop, nil
	}
	if strings.HasSuffix(name, ".parquet") {
		return nil, nil, cli.Usagef("--output: %s: a stream of several kinds does not fit one Parquet table; use .jsonl.zst", name)
	}
	f, err := os.Create(name)
	if err != nil {
		return nil, nil, cli.Errorf(cli.ExitIO, "%w", err)
	}
	switch {
	case strings.HasSuffix(name, ".gz"):
		z := gzip.NewWriter(f)
		return z, both(z, f), nil
	case strings.HasSuffix(name, ".zst"):
		z, err := zstd.NewWriter(f)
		if err != nil {
			return nil, nil, err
		}
		return z, both(z, f), nil
	}
	return f, f.Close, nil
}

func both(z, f io.Closer) func() error {
	return func() error {
		err := z.Close()
		if ferr := f.Close(); err == nil {
			err = ferr
		}
		return err
	}
}
