package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"aiperf/internal/cli"
	"aiperf/internal/metric"
	"aiperf/internal/stream"
	"aiperf/schema"
)

const aboutAggregate = `Each RUN is one run of the same benchmark: a saved stream (its records are computed as aiperf-metrics
would, with the flags given here), what aiperf-metrics wrote of it (its summary is taken), AIPerf's
profile_export_aiperf.json, or a folder that holds one of these. Writes one aggregate line: mean,
deviation and confidence interval (Student t) of each statistic over the runs.

Exit 1 when fewer than two of several runs succeeded.`

func aggregateTool() *cli.Tool {
	own := append(flags(), cli.Flag{Name: "confidence-level", Type: cli.Float, Limits: ">0 <1", Default: "0.95", Group: "Metrics",
		Usage: "level of the confidence intervals"})
	return &cli.Tool{Name: "aggregate", Usage: "confidence over repeated runs", ArgsUsage: "RUN...", Description: aboutAggregate,
		Downstream: true, Flags: own, Run: aggregate}
}

func aggregate(ctx context.Context, env *cli.Env, c *cli.Context) error {
	if len(c.Args) == 0 {
		return cli.Usagef("aggregate: no run given").WithHint("aiperf-metrics aggregate run1.jsonl run2.jsonl run3.jsonl")
	}
	var runs []metric.NamedRun
	runID := ""
	for _, arg := range c.Args {
		run, id, err := runOf(ctx, env, c, arg)
		if err != nil {
			return err
		}
		run.Label = label(arg, c.Args)
		if runID == "" {
			runID = id
		}
		runs = append(runs, run)
	}
	a, err := metric.Aggregate(runs, c.Float("confidence-level"))
	if err != nil {
		return err
	}
	w, done, err := stream.Output(env.Stdout, c.String("output"))
	if err != nil {
		return err
	}
	out := stream.NewWriter(w)
	err = errors.Join(out.Write(cli.RunLine(env, c, runID)), out.Write(a))
	return errors.Join(err, done())
}

// runOf reads one run, whatever it was saved as.
func runOf(ctx context.Context, env *cli.Env, c *cli.Context, arg string) (metric.NamedRun, string, error) {
	if st, err := os.Stat(arg); err == nil && st.IsDir() {
		file := ""
		for _, name := range []string{"profile_export_aiperf.json", "stream.jsonl.zst", "records.jsonl", "profile_export_raw.jsonl"} {
			if _, err := os.Stat(filepath.Join(arg, name)); err == nil {
				file = filepath.Join(arg, name)
				break
			}
		}
		if file == "" {
			return metric.NamedRun{}, "", cli.Errorf(cli.ExitNoInput, "%s: no profile_export_aiperf.json and no saved records in it", arg)
		}
		arg = file
	}
	if strings.HasSuffix(arg, ".json") {
		b, err := os.ReadFile(arg)
		if err != nil {
			return metric.NamedRun{}, "", cli.Errorf(cli.ExitNoInput, "%v", err)
		}
		run, err := metric.FromAIPerfJSON("", b)
		if err != nil {
			return run, "", cli.Errorf(cli.ExitData, "%s: %v", arg, err)
		}
		if len(run.Metrics) == 0 {
			return run, "", cli.Errorf(cli.ExitData, "%s: no metrics in it", arg)
		}
		return run, "", nil
	}
	s, err := summaryIn(ctx, env, arg)
	if err != nil {
		return metric.NamedRun{}, "", err
	}
	if s == nil { // records: compute them
		catch := &catcher{}
		e, one := *env, *c
		e.Stdout, one.Args = catch, []string{arg}
		err := run(ctx, &e, &one)
		var no *cli.Error
		if err != nil && !(errors.As(err, &no) && no.ExitCode() == cli.ExitNo) {
			return metric.NamedRun{}, "", err
		}
		if err != nil {
			return metric.NamedRun{Error: err.Error()}, "", nil
		}
		if s = catch.summary; s == nil {
			return metric.NamedRun{}, "", cli.Errorf(cli.ExitData, "%s: no records of a profiling phase", arg)
		}
	}
	if s.Records.Valid == 0 {
		return metric.NamedRun{Error: fmt.Sprintf("none of %d requests succeeded", s.Records.Total)}, s.RunID, nil
	}
	return metric.NamedRun{Metrics: s.Metrics}, s.RunID, nil
}

// summaryIn returns the profiling summary that a stream holds already; nil when it has none.
func summaryIn(ctx context.Context, env *cli.Env, file string) (*schema.Summary, error) {
	var found *schema.Summary
	for l, err := range stream.Lines(ctx, env.Stdin, func(string) {}, file) {
		if err != nil {
			return nil, err
		}
		if l.Kind == schema.KindRecord { // computed anew
			return nil, nil
		}
		if l.Kind != schema.KindSummary {
			continue
		}
		var s schema.Summary
		if err := json.Unmarshal(l.Data, &s); err != nil {
			return nil, l.Errorf("summary: %v", err)
		}
		if s.Phase == schema.PhaseProfiling && !s.Partial {
			if found != nil {
				return nil, l.Errorf("a second summary: each RUN is one run")
			}
			found = &s
		}
	}
	return found, nil
}

// label names a run by its file, or by its path where two files have one name.
func label(arg string, all []string) string {
	name := func(p string) string {
		b := filepath.Base(p)
		for _, ext := range []string{".zst", ".gz", ".jsonl", ".json", ".parquet"} {
			b = strings.TrimSuffix(b, ext)
		}
		if b == "profile_export_aiperf" {
			b = filepath.Base(filepath.Dir(p))
		}
		return b
	}
	n := 0
	for _, a := range all {
		if name(a) == name(arg) {
			n++
		}
	}
	if n > 1 {
		return arg
	}
	return name(arg)
}

// A catcher keeps the profiling summary of what is written to it.
type catcher struct {
	part    []byte
	summary *schema.Summary
}

func (k *catcher) Write(p []byte) (int, error) {
	k.part = append(k.part, p...)
	for {
		i := bytes.IndexByte(k.part, '\n')
		if i < 0 {
			return len(p), nil
		}
		line := k.part[:i]
		if bytes.HasPrefix(line, []byte(`{"kind":"summary"`)) {
			var s schema.Summary
			if err := json.Unmarshal(line, &s); err != nil {
				return 0, err
			}
			if s.Phase == schema.PhaseProfiling {
				k.summary = &s
			}
		}
		k.part = k.part[i+1:]
	}
}
