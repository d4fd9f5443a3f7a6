// Package rest keeps streams in Parquet: JSONL travels, Parquet rests.
//
// A file is one table, of records or of metric records. The other lines of the stream (run, timing,
// probes, samples, summaries) are few and stand as they are in the file's metadata under LinesKey, so
// that reading the file gives the whole stream back.
package rest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/parquet-go/parquet-go"

	"aiperf/schema"
)

// LinesKey is the metadata key of the lines that are not rows, one JSON object a line.
const LinesKey = "aiperf.lines"

// UnitPrefix is in front of a metric's tag in the metadata: its value is the unit of that column.
const UnitPrefix = "aiperf.unit."

// rowsPerGroup bounds the memory of a writer: a group is encoded and written when it is full.
const rowsPerGroup = 20_000

// A Writer collects a stream into one Parquet table. Nothing is readable before Close.
type Writer struct {
	w       io.Writer
	lines   bytes.Buffer
	kind    string
	records *parquet.GenericWriter[schema.Record]
	metrics *metricTable
	closed  bool
}

// NewWriter returns a Writer on w.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

// A KindError is a line that the table has no place for.
type KindError struct{ why string }

func (e *KindError) Error() string { return e.why }

// WriteLine takes one line of the stream of the kind given.
func (t *Writer) WriteLine(kind string, line []byte) error {
	switch kind {
	case schema.KindRecord, schema.KindMetricRecord:
	case schema.KindRequest:
		return &KindError{"a Parquet file keeps records or metric records, not request lines (write .jsonl.zst)"}
	default:
		t.lines.Write(bytes.TrimSpace(line))
		t.lines.WriteByte('\n')
		return nil
	}
	if t.kind == "" {
		t.kind = kind
	}
	if t.kind != kind {
		return &KindError{fmt.Sprintf("a Parquet file is one table: it has %s lines and cannot take a %s line too (write .jsonl.zst, or one file a kind)", t.kind, kind)}
	}
	if kind == schema.KindMetricRecord {
		if t.metrics == nil {
			m, err := newMetricTable()
			if err != nil {
				return err
			}
			t.metrics = m
		}
		return t.metrics.add(line)
	}
	var r schema.Record
	if err := json.Unmarshal(line, &r); err != nil {
		return err
	}
	r.Kind = schema.KindRecord
	if t.records == nil {
		t.records = parquet.NewGenericWriter[schema.Record](t.w, options()...)
	}
	_, err := t.records.Write([]schema.Record{r})
	return err
}

func options() []parquet.WriterOption {
	return []parquet.WriterOption{
		parquet.Compression(&parquet.Zstd), parquet.MaxRowsPerRowGroup(rowsPerGroup),
		parquet.CreatedBy("aiperf", "1", ""),
	}
}

// Close writes the footer.
func (t *Writer) Close() error {
	if t.closed {
		return nil
	}
	t.closed = true
	if t.metrics != nil {
		return t.metrics.write(t.w, t.lines.String())
	}
	if t.records == nil {
		t.records = parquet.NewGenericWriter[schema.Record](t.w, options()...)
	}
	t.records.SetKeyValueMetadata(LinesKey, t.lines.String())
	return t.records.Close()
}

// Lines reads a Parquet file back as the lines of a stream: first those that were not rows, then the
// rows. A file of another writer is read as records or metric records by its columns.
func Lines(r io.ReaderAt, size int64, yield func(line []byte) error) (err error) {
	defer func() { // the library panics on some damaged pages
		if p := recover(); p != nil {
			err = fmt.Errorf("a damaged Parquet file: %v", p)
		}
	}()
	if size < 12 { // two marks and the length of the footer
		return fmt.Errorf("not a Parquet file: it has %d bytes", size)
	}
	f, err := parquet.OpenFile(r, size)
	if err != nil {
		return fmt.Errorf("not a Parquet file: %w", err)
	}
	text, _ := f.Lookup(LinesKey)
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			if err := yield([]byte(line)); err != nil {
				return err
			}
		}
	}
	switch {
	case hasColumn(f, "start_perf_ns"):
		return recordRows(f, yield)
	case hasColumn(f, "metadata"):
		return metricRows(f, yield)
	}
	return errors.New("the columns are neither those of records (start_perf_ns) nor of metric records (metadata)")
}

func hasColumn(f *parquet.File, name string) bool {
	for _, c := range f.Root().Columns() {
		if c.Name() == name {
			return true
		}
	}
	return false
}

// errStuck is a damaged page that the library reads again and again.
var errStuck = errors.New("a damaged Parquet file: a page gives no rows")

func recordRows(f *parquet.File, yield func([]byte) error) error {
	rd := parquet.NewGenericReader[schema.Record](f)
	defer rd.Close()
	rows := make([]schema.Record, 64)
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	for {
		clear(rows)
		n, err := rd.Read(rows)
		if n == 0 && err == nil {
			return errStuck
		}
		for i := range rows[:n] {
			rows[i].Kind = schema.KindRecord
			rows[i].TraceData = chunkLists(rows[i].TraceData)
			buf.Reset()
			if err := enc.Encode(&rows[i]); err != nil {
				return err
			}
			if err := yield(bytes.TrimSuffix(buf.Bytes(), []byte("\n"))); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
