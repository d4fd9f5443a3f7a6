package main

import (
	"encoding/json"
	"strings"

	"aiperf/internal/cli"
	"aiperf/internal/metric"
	"aiperf/schema"
)

// newRun starts the metric table for the run that the first record showed.
func (j *job) newRun(line []byte) error {
	run, err := metric.NewRun(metric.Options{EndpointType: j.nature.endpoint, Streaming: j.nature.streaming,
		UseServerTokenCount: j.judging.UseServerTokenCount, Dev: j.c.Bool("dev"), Goodput: j.goals,
		FixedSchedule: j.phases.fixedSchedule || fixedSchedule(line)})
	if err != nil {
		return cli.Usagef("%v", err)
	}
	j.run = run
	return nil
}

// fixedSchedule says whether a record is of a fixed schedule: AIPerf names its correlation ids so.
func fixedSchedule(line []byte) bool {
	var r struct {
		Metadata schema.Metadata `json:"metadata"`
	}
	return json.Unmarshal(line, &r) == nil && strings.HasPrefix(r.Metadata.XCorrelationID, "fixed-schedule-")
}
