package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"aiperf/internal/cli"
	"aiperf/internal/judge"
	"aiperf/internal/metric"
	"aiperf/internal/stream"
	"aiperf/internal/tokenizer"
	"aiperf/schema"
)

// A job is one run of the tool. Its fields are settled by the main loop before the first record, and
// then used by the one goroutine that takes items in order.
type job struct {
	env      *cli.Env
	c        *cli.Context
	started  time.Time
	buf      *bufio.Writer
	out      *stream.Writer
	live     bool
	judging  judge.Options
	goals    []metric.SLO
	counters counters
	counts   bool // the endpoint type has texts to count
	passes   map[string]bool
	window   *[2]int64

	nature  *nature
	run     *metric.Run
	late    *metric.Worker // of what no worker could compute
	record  []byte         // a metric record
	crew    *crew
	failed  atomic.Pointer[error] // what stopped the taking of items
	runID   string
	waiting [][]byte // lines passed on before our own run line
	headed  bool

	phases    phases
	plan      plan
	requests  requests
	holdAll   bool
	probes    []int64
	skipped   map[string]int64
	records   int64
	succeeded int64
	progress  *cli.Progress
}

func run(ctx context.Context, env *cli.Env, c *cli.Context) (err error) {
	j := &job{env: env, c: c, started: time.Now(), skipped: map[string]int64{}, passes: map[string]bool{}}
	if err := j.options(); err != nil {
		return err
	}
	w, closeOut, err := stream.Output(env.Stdout, c.String("output"))
	if err != nil {
		return err
	}
	j.buf = bufio.NewWriterSize(w, 256<<10)
	j.out = stream.NewWriter(j.buf)
	j.progress = cli.NewProgress(env, c.Bool("quiet"))
	files := c.Args
	j.holdAll = len(files) != 1 || files[0] == "-"
	for _, f := range files {
		j.live = j.live || f == "-"
	}
	j.live = (j.live || len(files) == 0) && isPipe(env.Stdin)

	err = j.read(ctx, files)
	if j.crew != nil {
		j.crew.end()
	}
	if p := j.failed.Load(); p != nil {
		err = *p
	}
	if err == nil {
		err = j.finish()
	}
	if ferr := j.buf.Flush(); ferr != nil && err == nil {
		err = stream.WriteError("stdout", ferr)
	}
	if cerr := closeOut(); cerr != nil && err == nil {
		err = stream.WriteError(c.String("output"), cerr)
	}
	j.progress.Done("")
	if err != nil {
		return err
	}
	if j.succeeded == 0 {
		if j.records == 0 {
			return cli.Errorf(cli.ExitNo, "no record in the input")
		}
		return cli.Errorf(cli.ExitNo, "none of %d requests succeeded", j.records)
	}
	return nil
}

// options reads the flags that need no record.
func (j *job) options() error {
	c := j.c
	j.judging = judge.Options{UseServerTokenCount: c.Bool("use-server-token-count"), PerChunkUsage: c.Bool("per-chunk-usage"),
		AcceptIncomplete: c.Bool("accept-incomplete")}
	if c.String("definitions") == definitions013 {
		j.judging.Definitions = judge.Definitions013
	}
	if j.judging.PerChunkUsage && !j.judging.UseServerTokenCount {
		return cli.Usagef("--per-chunk-usage needs --use-server-token-count")
	}
	if c.IsSet("goodput") {
		goals, err := metric.ParseGoodput(strings.Join(c.List("goodput"), " "))
		if err != nil {
			return cli.Usagef("%v", err)
		}
		j.goals = goals
	}
	if c.IsSet("window") {
		a, b, ok := strings.Cut(c.String("window"), ",")
		start, err1 := strconv.ParseInt(strings.TrimSpace(a), 10, 64)
		end, err2 := strconv.ParseInt(strings.TrimSpace(b), 10, 64)
		if !ok || err1 != nil || err2 != nil || start <= 0 || end <= start {
			return cli.Usagef("--window: %q: want START,END in epoch ns, START before END", c.String("window"))
		}
		j.window = &[2]int64{start, end}
	}
	for _, k := range c.List("pass") {
		j.passes[k] = true
	}
	j.counters.name = c.String("tokenizer")
	j.counters.note = func(s string) { j.env.Warnf("%s", s) }
	j.counters.find = tokenizer.Finder{Revision: c.String("tokenizer-revision"), Getenv: j.env.Getenv, Say: j.counters.note}
	return nil
}

// read hands every line to the crew, or judges it at once when the stream is live.
func (j *job) read(ctx context.Context, files []string) error {
	var work func(*item)
	bad := func(err error) error {
		var le *stream.LineError
		if errors.As(err, &le) && j.c.Bool("skip-bad") {
			return nil
		}
		return err
	}
	skippedBad := int64(0)
	defer func() {
		if skippedBad > 0 {
			j.skipped["bad line"] += skippedBad
		}
	}()
	for l, err := range stream.Lines(ctx, j.env.Stdin, func(w string) { j.env.Warnf("%s", w) }, files...) {
		if err != nil {
			if err = bad(err); err != nil {
				return err
			}
			skippedBad++
			continue
		}
		if p := j.failed.Load(); p != nil {
			return *p
		}
		isRecord := l.Kind == schema.KindRecord || l.Kind == schema.KindMetricRecord
		if isRecord && j.nature == nil {
			if err := j.settle(l.Data); err != nil {
				return err
			}
			if j.crew == nil {
				work = j.worker()
			}
		}
		if j.crew != nil {
			j.crew.add(l)
			continue
		}
		it := item{line: l}
		if isRecord {
			work(&it)
		}
		j.take(&it)
		if j.live {
			if err := j.buf.Flush(); err != nil {
				return &stream.IOError{Name: "stdout", Err: err}
			}
		}
	}
	return nil
}

// settle decides, by the first record, what kind of run this is and how it is worked on.
func (j *job) settle(line []byte) error {
	n := sniff(line)
	if j.c.IsSet("endpoint-type") {
		n.endpoint = j.c.String("endpoint-type")
	}
	if j.c.IsSet("streaming") {
		n.streaming = j.c.Bool("streaming")
	}
	j.nature = &n
	j.judging.EndpointType = n.endpoint
	traits := metric.EndpointTraits[n.endpoint]
	j.counts = traits.ProducesTokens || traits.TokenizesInput
	// a record from before we started was not sent by a sender that runs beside us
	j.live = j.live && n.startNS > j.started.Add(-5*time.Second).UnixNano()
	if j.live {
		keepLow() // before a tokenizer is loaded
	}
	if err := j.newRun(line); err != nil || j.live {
		return err
	}
	j.crew = newCrew(j.worker, j.take)
	return nil
}

// take is called for each item in the order of the input.
func (j *job) take(it *item) {
	if j.failed.Load() != nil {
		return
	}
	err := it.err
	if err == nil {
		err = j.line(it)
	}
	var le *stream.LineError
	switch {
	case err == nil:
	case errors.As(err, &le) && j.c.Bool("skip-bad"):
		j.skipped["bad line"]++
	default:
		j.failed.Store(&err)
	}
}

func (j *job) line(it *item) error {
	l := it.line
	parse := func(err error) error {
		if err != nil {
			return l.Errorf("%s: %w", l.Kind, err)
		}
		return nil
	}
	switch l.Kind {
	case schema.KindRun:
		var r schema.Run
		if err := json.Unmarshal(l.Data, &r); err != nil {
			return parse(err)
		}
		if j.runID == "" {
			j.runID = r.RunID
		}
		return j.out.WriteLine(l.Data)
	case schema.KindRecord, schema.KindMetricRecord:
		if l.Kind == schema.KindRecord && j.passes[schema.KindRecord] {
			if err := j.pass(l); err != nil {
				return err
			}
		}
		return j.sample(it)
	case schema.KindRequest:
		if err := j.plan.request(l.Data); err != nil {
			return parse(err)
		}
		if j.passes[schema.KindRequest] {
			return j.pass(l)
		}
		return nil
	case stream.KindInputs:
		return nil
	case schema.KindTiming:
		if err := j.phases.timing(l.Data); err != nil {
			return parse(err)
		}
	case stream.KindPhaseManifest, stream.KindServerMetrics:
		read := j.phases.manifest
		if l.Kind == stream.KindServerMetrics {
			read = j.phases.serverMetrics
		}
		lines, err := read(l.Data)
		if err != nil {
			return parse(err)
		}
		for _, t := range lines {
			b, _ := json.Marshal(t)
			if err := j.passOn(b); err != nil {
				return err
			}
		}
		return nil
	case schema.KindNetworkProbe:
		var p schema.NetworkProbe
		if err := json.Unmarshal(l.Data, &p); err != nil {
			return parse(err)
		}
		if p.Success && p.RTTNS != nil {
			j.probes = append(j.probes, *p.RTTNS)
		}
	case schema.KindSummary:
		if !j.passes[schema.KindSummary] {
			return nil
		}
	case "":
		if j.plan.trace(l.File, l.Data) {
			return nil
		}
	}
	return j.pass(l)
}

// own says whether a line names its kind: AIPerf's do not.
func own(data []byte) bool {
	head := data[:min(len(data), 64)]
	return strings.Contains(string(head), `"kind"`)
}

// pass passes a line on, with its kind when it had none.
func (j *job) pass(l stream.Line) error {
	if l.Kind == "" || own(l.Data) {
		return j.passOn(l.Data)
	}
	body := strings.TrimSpace(strings.TrimPrefix(string(l.Data), "{"))
	sep := ","
	if body == "}" {
		sep = ""
	}
	return j.passOn(fmt.Appendf(nil, `{"kind":%q%s%s`, l.Kind, sep, body))
}

// passOn writes a line, behind our run line.
func (j *job) passOn(b []byte) error {
	if !j.headed && j.nature == nil {
		j.waiting = append(j.waiting, append([]byte(nil), b...))
		return nil
	}
	if err := j.head(); err != nil {
		return err
	}
	return j.out.WriteLine(b)
}

// head writes our run line and what waited for it, once.
func (j *job) head() error {
	if j.headed {
		return nil
	}
	j.headed = true
	r := cli.RunLine(j.env, j.c, j.runID)
	if n := j.nature; n != nil && j.counts && !j.judging.UseServerTokenCount {
		k, err := j.counters.of(n.model)
		if err != nil {
			return err
		}
		r.Tokenizer, r.TokenizerNote = k.tok.Name(), k.tok.Note()
	}
	if err := j.out.Write(r); err != nil {
		return err
	}
	for _, b := range j.waiting {
		if err := j.out.WriteLine(b); err != nil {
			return err
		}
	}
	j.waiting = nil
	return nil
}

// sample counts a judged line now, or holds it for its twin.
func (j *job) sample(it *item) error {
	if err := j.head(); err != nil {
		return err
	}
	now, dup, err := j.requests.take(it.sample, j.hold(&it.line), it.line.Data)
	if err != nil {
		return err
	}
	if dup {
		j.skipped[duplicate]++
	}
	if now == nil {
		return nil
	}
	return j.add(now, it.values)
}

// hold says whether a line waits for its twin.
func (j *job) hold(l *stream.Line) bool {
	return !own(l.Data) && (j.holdAll || l.Kind == schema.KindRecord)
}

// add counts a sample; values are its metrics when a worker computed them, else nil.
func (j *job) add(s *judge.Sample, values *metric.Values) (err error) {
	planned := s.ScheduledNS
	j.plan.schedule(s)
	if values == nil || planned != s.ScheduledNS {
		if values, err = j.late.Compute(s); err != nil {
			return err
		}
	}
	if err := j.run.Take(s, values); err != nil {
		return err
	}
	j.records++
	if s.Valid {
		j.succeeded++
	}
	j.progress.Show(func() string { return fmt.Sprintf("%d records", j.records) })
	j.record = append(j.record[:0], `{"kind":"metric_record",`...)
	if j.runID != "" {
		id, _ := json.Marshal(j.runID)
		j.record = append(append(append(j.record, `"run_id":`...), id...), ',')
	}
	j.record = append(j.record, values.Tail...)
	return j.out.WriteLine(j.record)
}

func (j *job) finish() error {
	if err := j.head(); err != nil {
		return err
	}
	if err := j.rest(); err != nil {
		return err
	}
	return j.summarize()
}

// rest judges what waited to the end.
func (j *job) rest() error {
	if j.nature == nil {
		return nil
	}
	c := newCrew(j.worker, func(it *item) {
		if j.failed.Load() != nil {
			return
		}
		err := it.err
		if err == nil {
			err = j.add(it.sample, it.values)
		}
		if err != nil {
			j.failed.Store(&err)
		}
	})
	err := j.requests.rest(func(raw, metrics []byte) error {
		it := item{line: stream.Line{Kind: schema.KindRecord, Data: raw}, twin: metrics, last: true}
		if raw == nil {
			it.line, it.twin = stream.Line{Kind: schema.KindMetricRecord, Data: metrics}, nil
		}
		c.put(it)
		return nil
	})
	c.end()
	if p := j.failed.Load(); p != nil && err == nil {
		err = *p
	}
	return err
}
