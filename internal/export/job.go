package export

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"

	"github.com/valyala/fastjson"

	"aiperf/internal/stream"
	"aiperf/schema"
)

// The export levels: what is written for each request.
const (
	LevelSummary = "summary"
	LevelRecords = "records"
	LevelRaw     = "raw"
)

// A Job reads a stream and writes its files. Lines are written as they come: memory does not grow
// with their number.
type Job struct {
	Report Report
	Dir    *Dir // nil writes no files
	Level  string
	Trace  bool // with trace_data in profile_export.jsonl

	parser   fastjson.Parser
	claimed  bool
	partial  map[string]*schema.Summary // the last running estimate of a phase
	spool    *os.File                   // metric records, until the summary says what they are shown in
	spooled  *stream.Writer
	spoolBuf *bufio.Writer
	raw      *File
	probes   *File
	samples  *File
	inputs   *inputs
}

// ErrNoSummary says that the stream had no summary line.
var ErrNoSummary = errors.New("no summary in the input")

// Add takes one line. Kinds that are nothing to a report are let by.
func (j *Job) Add(l stream.Line) error {
	switch l.Kind {
	case schema.KindRun:
		var r schema.Run
		if err := decode(l, &r); err != nil {
			return err
		}
		j.Report.Runs = append(j.Report.Runs, r)
		if j.Report.RunID == "" {
			j.Report.RunID = r.RunID
		}
		return j.claim()
	case schema.KindSummary:
		var s schema.Summary
		if err := decode(l, &s); err != nil {
			return err
		}
		return j.summary(l, &s)
	case schema.KindAggregate:
		var a schema.Aggregate
		if err := decode(l, &a); err != nil {
			return err
		}
		if j.Report.Aggregate != nil {
			return l.Errorf("a second aggregate: give each to a report of its own")
		}
		j.Report.Aggregate = &a
		return nil
	}
	if j.Dir == nil {
		return nil
	}
	if !j.claimed {
		var id struct {
			RunID string `json:"run_id"`
		}
		if json.Unmarshal(l.Data, &id) == nil && j.Report.RunID == "" {
			j.Report.RunID = id.RunID
		}
		if err := j.claim(); err != nil {
			return err
		}
	}
	switch l.Kind {
	case schema.KindMetricRecord:
		if j.Level == LevelSummary {
			return nil
		}
		if v, err := j.parser.ParseBytes(l.Data); err != nil || v.GetObject("metadata") == nil || v.GetObject("metrics") == nil {
			var m schema.MetricRecord
			if err := decode(l, &m); err != nil {
				return err
			}
		}
		return j.keep(l.Data)
	case schema.KindRecord:
		if j.Level != LevelRaw {
			return nil
		}
		return j.rawRecord(l)
	case schema.KindRequest:
		return j.request(l)
	case schema.KindNetworkProbe:
		var p schema.NetworkProbe
		if err := decode(l, &p); err != nil {
			return err
		}
		return j.sample(&j.probes, "profile_export_network_latency.jsonl", "_network_latency.jsonl", p)
	case schema.KindGPUSample:
		var p schema.GPUSample
		if err := decode(l, &p); err != nil {
			return err
		}
		return j.sample(&j.samples, "gpu_telemetry_export.jsonl", "_gpu_telemetry.jsonl", p)
	}
	return nil
}

func decode(l stream.Line, v any) error {
	if err := json.Unmarshal(l.Data, v); err != nil {
		return l.Errorf("%s: %v", l.Kind, err)
	}
	return nil
}

// summary keeps the final summaries; one stream is one run.
func (j *Job) summary(l stream.Line, s *schema.Summary) error {
	if s.Partial {
		if j.partial == nil {
			j.partial = map[string]*schema.Summary{}
		}
		j.partial[s.Phase] = s
		return nil
	}
	slot := &j.Report.Profiling
	if s.Phase == schema.PhaseWarmup {
		slot = &j.Report.Warmup
	}
	if *slot != nil && (*slot).RunID != s.RunID {
		return l.Errorf("a second run (%s after %s): give each run to a report of its own", s.RunID, (*slot).RunID)
	}
	*slot = s
	return nil
}

func (j *Job) claim() error {
	if j.Dir == nil || j.claimed {
		return nil
	}
	j.claimed = true
	return j.Dir.Claim(j.Report.RunID)
}

// keep spools one metric record.
func (j *Job) keep(line []byte) error {
	if j.spool == nil {
		f, err := spool(j.Dir.Path)
		if err != nil {
			return err
		}
		j.spool, j.spoolBuf = f, bufio.NewWriterSize(f, 256<<10)
		j.spooled = stream.NewWriter(j.spoolBuf)
	}
	if err := j.spooled.WriteLine(line); err != nil {
		return ioError{err}
	}
	return nil
}

// sample writes v without its kind, which AIPerf's files do not have.
func (j *Job) sample(f **File, plain, suffix string, v any) error {
	if *f == nil {
		var err error
		if *f, err = j.Dir.Create("", plain, suffix); err != nil {
			return err
		}
	}
	return (*f).line(kindless(compact(v)))
}

// kindless removes a leading "kind" from an object that was encoded from one of schema's types.
func kindless(b []byte) []byte {
	rest, ok := bytes.CutPrefix(b, []byte(`{"kind":`))
	if !ok {
		return b
	}
	if i := bytes.IndexByte(rest, ','); i >= 0 {
		return append([]byte{'{'}, rest[i+1:]...)
	}
	return []byte("{}")
}

func (f *File) line(b []byte) error {
	_, err := f.Write(append(b, '\n'))
	if err != nil {
		return ioError{err}
	}
	return nil
}

// Finish takes the summaries, and writes and names the files. Without a final summary the last
// running estimate serves, marked incomplete.
func (j *Job) Finish() error {
	r := &j.Report
	if r.Profiling == nil {
		r.Profiling = j.partial[schema.PhaseProfiling]
	}
	if r.Profiling == nil && r.Warmup != nil {
		r.Profiling, r.Warmup = r.Warmup, nil // a run that ended in its warmup
	}
	if r.Profiling == nil && r.Aggregate != nil {
		return j.aggregate()
	}
	if r.Profiling == nil {
		return ErrNoSummary
	}
	if r.Profiling.RunID != "" {
		r.RunID = r.Profiling.RunID
	}
	if j.Dir == nil {
		return nil
	}
	if err := j.claim(); err != nil {
		return err
	}
	if err := j.write(); err != nil {
		return err
	}
	return j.Dir.Commit()
}

// aggregate writes the files of several runs.
func (j *Job) aggregate() error {
	if j.Dir == nil {
		return nil
	}
	if err := j.claim(); err != nil {
		return err
	}
	b, err := j.Report.AggregateJSON()
	if err != nil {
		return err
	}
	if err := j.Dir.Put("Aggregate JSON Export", aggregateName+".json", "", b); err != nil {
		return err
	}
	if err := j.Dir.Put("Aggregate CSV Export", aggregateName+".csv", "", j.Report.AggregateCSV()); err != nil {
		return err
	}
	return j.Dir.Commit()
}

// write writes the files that need the summary.
func (j *Job) write() error {
	r, d := &j.Report, j.Dir
	if err := d.Put("CSV Export", "profile_export_aiperf.csv", ".csv", r.CSV()); err != nil {
		return err
	}
	b, err := r.JSON()
	if err != nil {
		return err
	}
	if err := d.Put("JSON Export", "profile_export_aiperf.json", ".json", b); err != nil {
		return err
	}
	if len(r.Profiling.Timeslices) > 0 {
		if err := d.Put("Timeslice CSV Export", "profile_export_aiperf_timeslices.csv", "_timeslices.csv", r.TimeslicesCSV()); err != nil {
			return err
		}
		b, err := r.TimeslicesJSON()
		if err != nil {
			return err
		}
		if err := d.Put("Timeslice JSON Export", "profile_export_aiperf_timeslices.json", "_timeslices.json", b); err != nil {
			return err
		}
	}
	if j.Level != LevelSummary {
		if err := j.records(); err != nil {
			return err
		}
	}
	if err := j.inputs.finish(j); err != nil {
		return err
	}
	var text bytes.Buffer
	if err := r.Console(&text, Look{Width: FileWidth}); err != nil {
		return err
	}
	return d.Put("", "profile_export_console.txt", "_console.txt", text.Bytes())
}

// records writes profile_export.jsonl from the spooled lines.
func (j *Job) records() error {
	out, err := j.Dir.Create("Records", "profile_export.jsonl", ".jsonl")
	if err != nil || j.spool == nil {
		return err
	}
	if err := j.spoolBuf.Flush(); err != nil {
		return ioError{err}
	}
	if _, err := j.spool.Seek(0, io.SeekStart); err != nil {
		return ioError{err}
	}
	known := map[string]schema.MetricSummary{}
	if w := j.Report.Warmup; w != nil {
		maps.Copy(known, w.Metrics)
	}
	maps.Copy(known, j.Report.Profiling.Metrics)
	in := bufio.NewReaderSize(j.spool, 256<<10)
	rec := recorder{known: known, trace: j.Trace}
	var long []byte
	for {
		line, err := in.ReadSlice('\n')
		if err == bufio.ErrBufferFull {
			long = append(long, line...)
			continue
		}
		if err == io.EOF {
			return nil
		} else if err != nil {
			return ioError{err}
		}
		if len(long) > 0 {
			line, long = append(long, line...), long[:0]
		}
		b, err := rec.line(line)
		if err != nil {
			return ioError{err}
		}
		if b != nil {
			if err := out.line(b); err != nil {
				return err
			}
		}
	}
}

// Close removes what was not finished.
func (j *Job) Close() {
	if j.spool != nil {
		j.spool.Close()
	}
	if j.Dir != nil {
		j.Dir.Abandon()
	}
}
