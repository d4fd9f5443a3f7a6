package rest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"

	"aiperf/schema"
)

// metricTable spools metric records until every tag is known, then writes one column a metric:
// int64 where all values are whole numbers, double else, a list where the metric is one.
type metricTable struct {
	spool *os.File
	buf   *bufio.Writer
	tags  map[string]*metricColumn
}

type metricColumn struct {
	unit  string
	float bool
	list  bool
}

func newMetricTable() (*metricTable, error) {
	f, err := os.CreateTemp("", "aiperf-rest-*")
	if err != nil {
		return nil, err
	}
	os.Remove(f.Name())
	return &metricTable{spool: f, buf: bufio.NewWriterSize(f, 256<<10), tags: map[string]*metricColumn{}}, nil
}

func (m *metricTable) add(line []byte) error {
	var r schema.MetricRecord
	if err := json.Unmarshal(line, &r); err != nil {
		return err
	}
	for tag, v := range r.Metrics {
		c := m.tags[tag]
		if c == nil {
			c = &metricColumn{unit: v.Unit}
			m.tags[tag] = c
		}
		if v.Unit != c.unit {
			return fmt.Errorf("metric %s is in %q here and in %q before", tag, v.Unit, c.unit)
		}
		raw := bytes.TrimSpace(v.Value)
		c.list = c.list || len(raw) > 0 && raw[0] == '['
		c.float = c.float || bytes.ContainsAny(raw, ".eE")
	}
	m.buf.Write(bytes.TrimSpace(line))
	return m.buf.WriteByte('\n')
}

func (m *metricTable) node() parquet.Node {
	metrics := parquet.Group{}
	for tag, c := range m.tags {
		n := parquet.Leaf(parquet.Int64Type)
		if c.float {
			n = parquet.Leaf(parquet.DoubleType)
		}
		if c.list {
			n = parquet.List(n)
		}
		metrics[tag] = parquet.Optional(n)
	}
	text := func() parquet.Node { return parquet.Optional(parquet.String()) }
	fixed := parquet.SchemaOf(schema.Record{})
	group := parquet.Group{
		"run_id": text(), "spec_decode_acceptance": parquet.Optional(parquet.JSON()), "rules": parquet.List(parquet.String()),
	}
	for _, f := range fixed.Fields() {
		switch f.Name() {
		case "metadata", "error", "trace_data":
			group[f.Name()] = f
		}
	}
	for tag, n := range metrics { // columns of their own beside the fixed ones, found under their tag
		group[tag] = n
	}
	return group
}

func (m *metricTable) write(w io.Writer, lines string) error {
	if err := m.buf.Flush(); err != nil {
		return err
	}
	defer m.spool.Close()
	if _, err := m.spool.Seek(0, io.SeekStart); err != nil {
		return err
	}
	sch := parquet.NewSchema("metric_record", m.node())
	opts := append(options(), sch, parquet.KeyValueMetadata(LinesKey, lines))
	for tag, c := range m.tags {
		opts = append(opts, parquet.KeyValueMetadata(UnitPrefix+tag, c.unit))
	}
	pw := parquet.NewGenericWriter[map[string]any](w, opts...)
	rd := bufio.NewReaderSize(m.spool, 256<<10)
	for {
		line, err := rd.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			row, rerr := m.row(sch, line)
			if rerr != nil {
				return rerr
			}
			if _, werr := pw.WriteRows([]parquet.Row{row}); werr != nil {
				return werr
			}
		}
		if errors.Is(err, io.EOF) {
			return pw.Close()
		}
		if err != nil {
			return err
		}
	}
}

// row flattens one line into the columns of sch.
func (m *metricTable) row(sch *parquet.Schema, line []byte) (parquet.Row, error) {
	var r schema.MetricRecord
	if err := json.Unmarshal(line, &r); err != nil {
		return nil, err
	}
	fixed := flatten(schema.Record{Metadata: r.Metadata, Error: r.Error, TraceData: r.TraceData})
	var row parquet.Row
	for i, path := range sch.Columns() {
		switch {
		case path[0] == "run_id":
			row = append(row, optional(r.RunID != "", parquet.ValueOf(r.RunID), i))
		case path[0] == "spec_decode_acceptance":
			row = append(row, optional(len(r.SpecDecodeAcceptance) > 0, parquet.ValueOf([]byte(r.SpecDecodeAcceptance)), i))
		case path[0] == "rules":
			row = append(row, listOf(len(r.Rules), 0, i, func(k int) parquet.Value { return parquet.ValueOf(r.Rules[k]) })...)
		case fixed[strings.Join(path, ".")] != nil:
			for _, v := range fixed[strings.Join(path, ".")] {
				row = append(row, v.Level(v.RepetitionLevel(), v.DefinitionLevel(), i))
			}
		default:
			vals, err := m.values(path[0], r.Metrics, i)
			if err != nil {
				return nil, err
			}
			row = append(row, vals...)
		}
	}
	return row, nil
}

// values is one metric of one record.
func (m *metricTable) values(tag string, metrics map[string]schema.MetricValue, column int) ([]parquet.Value, error) {
	c := m.tags[tag]
	v, ok := metrics[tag]
	if !ok {
		return []parquet.Value{parquet.NullValue().Level(0, 0, column)}, nil
	}
	number := func(n json.Number) (parquet.Value, error) {
		if c.float {
			f, err := n.Float64()
			return parquet.ValueOf(f), err
		}
		i, err := n.Int64()
		return parquet.ValueOf(i), err
	}
	var list []json.Number
	if !c.list {
		var n json.Number
		if err := json.Unmarshal(v.Value, &n); err != nil {
			return nil, fmt.Errorf("metric %s: %w", tag, err)
		}
		x, err := number(n)
		return []parquet.Value{x.Level(0, 1, column)}, err
	}
	if err := json.Unmarshal(v.Value, &list); err != nil {
		return nil, fmt.Errorf("metric %s: %w", tag, err)
	}
	var failed error
	out := listOf(len(list), 1, column, func(k int) parquet.Value {
		x, err := number(list[k])
		failed = errors.Join(failed, err)
		return x
	})
	return out, failed
}

// flatten gives the column values of a record by dotted path.
func flatten(r schema.Record) map[string][]parquet.Value {
	sch := parquet.SchemaOf(r)
	row := sch.Deconstruct(nil, r)
	cols := sch.Columns()
	out := map[string][]parquet.Value{}
	for _, v := range row {
		p := strings.Join(cols[v.Column()], ".")
		out[p] = append(out[p], v.Clone())
	}
	return out
}

func optional(ok bool, v parquet.Value, column int) parquet.Value {
	if !ok {
		return parquet.NullValue().Level(0, 0, column)
	}
	return v.Level(0, 1, column)
}

// listOf is a LIST column of n required elements below def optional groups.
func listOf(n, def, column int, at func(int) parquet.Value) []parquet.Value {
	if n == 0 {
		return []parquet.Value{parquet.NullValue().Level(0, def, column)}
	}
	var out []parquet.Value
	for k := range n {
		out = append(out, at(k).Level(min(k, 1), def+1, column))
	}
	return out
}

// metricRows turns rows back into metric_record lines.
func metricRows(f *parquet.File, yield func([]byte) error) error {
	sch := f.Schema()
	cols := sch.Columns()
	units := map[string]string{}
	for _, kv := range f.Metadata().KeyValueMetadata {
		if tag, ok := strings.CutPrefix(kv.Key, UnitPrefix); ok {
			units[tag] = kv.Value
		}
	}
	recordSchema := parquet.SchemaOf(schema.Record{})
	recordCol := map[string]int{}
	for i, p := range recordSchema.Columns() {
		recordCol[strings.Join(p, ".")] = i
	}
	for _, g := range f.RowGroups() {
		rows := g.Rows()
		buf := make([]parquet.Row, 64)
		for {
			n, err := rows.ReadRows(buf)
			if n == 0 && err == nil {
				err = errStuck
			}
			for _, row := range buf[:n] {
				line, lerr := metricLine(row, cols, units, recordSchema, recordCol)
				if lerr == nil {
					lerr = yield(line)
				}
				if lerr != nil {
					rows.Close()
					return lerr
				}
			}
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				rows.Close()
				return err
			}
		}
		if err := rows.Close(); err != nil {
			return err
		}
	}
	return nil
}

func metricLine(row parquet.Row, cols [][]string, units map[string]string, rs *parquet.Schema, recordCol map[string]int) ([]byte, error) {
	out := schema.MetricRecord{Kind: schema.KindMetricRecord, Metrics: map[string]schema.MetricValue{}}
	have := map[int][]parquet.Value{}
	row.Range(func(c int, vals []parquet.Value) bool {
		path := cols[c]
		if rc, ok := recordCol[strings.Join(path, ".")]; ok && path[0] != "run_id" {
			for _, v := range vals {
				have[rc] = append(have[rc], v.Clone().Level(v.RepetitionLevel(), v.DefinitionLevel(), rc))
			}
			return true
		}
		if vals[0].IsNull() && (path[0] == "run_id" || len(path) == 1) {
			return true
		}
		switch path[0] {
		case "run_id":
			out.RunID = vals[0].String()
		case "spec_decode_acceptance":
			out.SpecDecodeAcceptance = slices.Clone(vals[0].ByteArray())
		case "rules":
			for _, v := range vals {
				if !v.IsNull() {
					out.Rules = append(out.Rules, v.String())
				}
			}
		default:
			if vals[0].IsNull() && vals[0].DefinitionLevel() == 0 {
				return true
			}
			out.Metrics[path[0]] = schema.MetricValue{Value: numbers(vals, len(path) > 1), Unit: units[path[0]]}
		}
		return true
	})
	var full parquet.Row
	for i := range rs.Columns() {
		if vals, ok := have[i]; ok {
			full = append(full, vals...)
			continue
		}
		full = append(full, parquet.NullValue().Level(0, 0, i))
	}
	var rec schema.Record
	if err := rs.Reconstruct(&rec, full); err != nil {
		return nil, err
	}
	out.Metadata, out.Error, out.TraceData = rec.Metadata, rec.Error, chunkLists(rec.TraceData)
	return json.Marshal(out)
}

func numbers(vals []parquet.Value, list bool) json.RawMessage {
	var b []byte
	for i, v := range vals {
		if v.IsNull() {
			continue
		}
		if i > 0 {
			b = append(b, ',')
		}
		if v.Kind() == parquet.Double {
			x, _ := json.Marshal(v.Double())
			b = append(b, x...)
		} else {
			b = fmt.Append(b, v.Int64())
		}
	}
	if list {
		b = append(append([]byte{'['}, b...), ']')
	}
	return b
}

// chunkLists gives an AIPerf trace its two chunk lists back, which it always writes and always empty.
func chunkLists(t *schema.TraceData) *schema.TraceData {
	if t != nil && t.TraceType == "aiohttp" {
		t.RequestChunks, t.ResponseChunks = [][2]int64{}, [][2]int64{}
	}
	return t
}
