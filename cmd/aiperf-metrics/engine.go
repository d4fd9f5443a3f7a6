package main

import (
	"encoding/json"
	"strconv"
	"strings"

	"aiperf/internal/cli"
	"aiperf/internal/metric"
	"aiperf/schema"
)

// newRun starts the metric table for the run that the first record showed.
func (j *job) newRun(line []byte) error {
	o := metric.Options{Definitions: j.c.String("definitions"), EndpointType: j.nature.endpoint, Streaming: j.nature.streaming,
		UseServerTokenCount: j.judging.UseServerTokenCount, Dev: j.c.Bool("dev"), Goodput: j.goals,
		FixedSchedule: j.phases.fixedSchedule || fixedSchedule(line), SliceDuration: j.c.Duration("slice-duration")}
	if j.c.IsSet("network-latency-mean") {
		ns := j.c.Float("network-latency-mean") * 1e6
		o.NetworkLatencyNS = &ns
	}
	if err := thresholds(j.env.Getenv, &o); err != nil {
		return err
	}
	switch {
	case o.UseServerTokenCount:
		o.TokenCounts = "server"
	case j.counts:
		k, err := j.counters.of(j.nature.model)
		if err != nil {
			return err
		}
		o.TokenCounts = "client:" + k.tok.Name()
	}
	run, err := metric.NewRun(o)
	if err != nil {
		return cli.Usagef("%v", err)
	}
	j.run, j.late = run, run.Worker()
	return nil
}

// thresholds reads AIPerf's environment variables.
func thresholds(getenv func(string) string, o *metric.Options) error {
	const prefix = "AIPERF_METRICS_"
	for name, set := range map[string]func(x float64) bool{
		prefix + "USAGE_PCT_DIFF_THRESHOLD":         func(x float64) bool { o.UsageDiffPct = x; return x >= 0 && x <= 100 },
		prefix + "OSL_MISMATCH_PCT_THRESHOLD":       func(x float64) bool { o.OSLMismatchPct = x; return x >= 0 },
		prefix + "OSL_MISMATCH_MAX_TOKEN_THRESHOLD": func(x float64) bool { o.OSLMismatchTokens = int64(x); return x >= 1 && x == float64(int64(x)) },
	} {
		text := getenv(name)
		if text == "" {
			continue
		}
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || !set(x) {
			return cli.Usagef("$%s: %q is no threshold", name, text)
		}
	}
	if text := getenv("AIPERF_AGENTX_CONTEXT_OVERFLOW_SUBSTRINGS"); text != "" {
		o.ContextOverflow = nil
		if json.Unmarshal([]byte(text), &o.ContextOverflow) != nil {
			o.ContextOverflow = strings.Split(text, ",")
		}
	}
	return nil
}

// summarize hands over what was gathered beside the records and writes the summaries.
func (j *job) summarize() error {
	if j.run == nil {
		return nil
	}
	defer j.run.Close()
	for name, w := range j.phases.by {
		j.run.SetPhase(name, metric.PhaseWindow{StartNS: w.start, EndNS: w.end, Source: w.source})
	}
	if j.window != nil {
		j.run.SetPhase(schema.PhaseProfiling, metric.PhaseWindow{StartNS: j.window[0], EndNS: j.window[1], Source: "flag"})
	}
	for _, ns := range j.probes {
		j.run.AddProbe(schema.NetworkProbe{Success: true, RTTNS: &ns})
	}
	list, err := j.run.Summaries()
	if err != nil {
		return err
	}
	for _, s := range list {
		s.RunID = j.runID
		s.Cancelled = j.phases.cancelled
		if s.Phase == schema.PhaseProfiling || len(list) == 1 {
			for reason, n := range j.skipped {
				s.Skipped[reason] += n
			}
		}
		if err := j.out.Write(s); err != nil {
			return err
		}
	}
	return nil
}

// fixedSchedule says whether a record is of a fixed schedule: AIPerf names its correlation ids so.
func fixedSchedule(line []byte) bool {
	var r struct {
		Metadata schema.Metadata `json:"metadata"`
	}
	return json.Unmarshal(line, &r) == nil && strings.HasPrefix(r.Metadata.XCorrelationID, "fixed-schedule-")
}
