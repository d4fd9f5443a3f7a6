package stream

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

const (
	runText    = `{"kind":"run","schema":"aiperf.stream/1","tool":"t"}`
	recordText = `{"kind":"record","metadata":{"session_num":%d,"benchmark_phase":"profiling","request_start_ns":1},"start_perf_ns":%d}`
)

// parquetFile writes a run line and n records.
func parquetFile(t *testing.T, n int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "r.parquet")
	f, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := []string{runText}
	for i := range n {
		lines = append(lines, fmt.Sprintf(recordText, i, i+5))
	}
	for _, l := range lines {
		if err := f.WriteLine([]byte(l)); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// kinds reads to the end.
func kinds(t *testing.T, in io.Reader, files ...string) (out []string, failed error) {
	t.Helper()
	for l, err := range Lines(context.Background(), in, func(w string) { t.Errorf("warned: %s", w) }, files...) {
		if err != nil {
			return out, err
		}
		var v struct {
			StartPerfNS int64 `json:"start_perf_ns"`
		}
		if err := l.Decode(&v); err != nil {
			return out, err
		}
		out = append(out, fmt.Sprint(l.Kind, v.StartPerfNS))
	}
	return out, nil
}

func TestParquetComesBackAsTheLinesThatWent(t *testing.T) {
	path := parquetFile(t, 3)
	const want = "[run0 record5 record6 record7]"
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	z, _ := zstd.NewWriter(&packed)
	z.Write(data)
	z.Close()
	odd := filepath.Join(t.TempDir(), "no-suffix")
	if err := os.WriteFile(odd, packed.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, read := range map[string]func() ([]string, error){
		"a file":                  func() ([]string, error) { return kinds(t, nil, path) },
		"a pipe":                  func() ([]string, error) { return kinds(t, bytes.NewReader(data)) },
		"packed by zstd, no name": func() ([]string, error) { return kinds(t, nil, odd) },
	} {
		if got, err := read(); err != nil || fmt.Sprint(got) != want {
			t.Errorf("%s: %v, %v, want %s", name, got, err, want)
		}
	}
	for l, err := range Lines(context.Background(), nil, nil, path) { // leaving early is fine
		if err != nil || l.Kind != "run" {
			t.Errorf("%v, %v", l, err)
		}
		break
	}
}

func TestACutParquetFileIsBadData(t *testing.T) {
	data, err := os.ReadFile(parquetFile(t, 200))
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{4, 100, len(data) / 2, len(data) - 1} {
		_, err := kinds(t, bytes.NewReader(data[:n]))
		var bad *LineError
		if !errors.As(err, &bad) {
			t.Errorf("%d of %d bytes: %v, want a line error", n, len(data), err)
		}
	}
}

func TestOneParquetFileIsOneTable(t *testing.T) {
	for second, want := range map[string]string{`{"kind":"metric_record"}`: "one table", `{"kind":"request"}`: "not request lines"} {
		f, err := Create(filepath.Join(t.TempDir(), "x.parquet"))
		if err != nil {
			t.Fatal(err)
		}
		if err := f.WriteLine(fmt.Appendf(nil, recordText, 1, 1)); err != nil {
			t.Fatal(err)
		}
		err = f.WriteLine([]byte(second))
		var usage *UsageError
		if !errors.As(err, &usage) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", second, err, want)
		}
		f.Close()
	}
}
