package main

import (
	"runtime"

	"aiperf/internal/judge"
	"aiperf/internal/metric"
	"aiperf/internal/stream"
	"aiperf/schema"
)

// An item is one line on its way through the workers, and what became of it.
type item struct {
	line   stream.Line
	twin   []byte         // the metric record of a raw line that waited for it
	last   bool           // it waits no longer
	sample *judge.Sample  // of record and metric_record lines
	values *metric.Values // nil: not computed yet
	err    error
}

// A batch of lines is judged by one worker; batches are taken up in the order of the input.
type batch struct {
	items []item
	bytes int
	done  chan struct{}
}

const (
	batchLines = 64
	batchBytes = 1 << 20
)

// A crew judges batches on all cores and hands them on in order.
type crew struct {
	todo  chan *batch
	order chan *batch
	open  *batch
	ended chan struct{}
}

// newCrew starts the workers; take is called for each item in the order they were added.
func newCrew(worker func() func(*item), take func(*item)) *crew {
	n := runtime.GOMAXPROCS(0)
	c := &crew{todo: make(chan *batch, n), order: make(chan *batch, 2*n), ended: make(chan struct{})}
	for range n {
		go func() {
			work := worker()
			for b := range c.todo {
				for i := range b.items {
					work(&b.items[i])
				}
				close(b.done)
			}
		}()
	}
	go func() {
		defer close(c.ended)
		for b := range c.order {
			<-b.done
			for i := range b.items {
				take(&b.items[i])
			}
		}
	}()
	return c
}

// add takes a line; it is copied.
func (c *crew) add(l stream.Line) { c.put(item{line: l.Clone()}) }

// put takes an item.
func (c *crew) put(it item) {
	if c.open == nil {
		c.open = &batch{done: make(chan struct{})}
	}
	c.open.items = append(c.open.items, it)
	c.open.bytes += len(it.line.Data)
	if len(c.open.items) >= batchLines || c.open.bytes >= batchBytes {
		c.flush()
	}
}

func (c *crew) flush() {
	if c.open != nil {
		c.order <- c.open
		c.todo <- c.open
		c.open = nil
	}
}

// end waits until everything was taken.
func (c *crew) end() {
	c.flush()
	close(c.todo)
	close(c.order)
	<-c.ended
}

// worker returns a function that judges items, with buffers of its own.
func (j *job) worker() func(*item) {
	jd, calc := judge.New(j.judging), j.run.Worker()
	var records judge.MetricsReader
	return func(it *item) {
		switch it.line.Kind {
		case schema.KindRecord:
			if !it.last && j.hold(&it.line) {
				it.sample, it.err = jd.Head(it.line.Data)
				if it.err != nil || it.sample.Metadata.XRequestID != "" {
					break // judged when its twin is known
				}
			}
			it.sample, it.err = jd.Line(it.line.Data)
		case schema.KindMetricRecord:
			it.sample, it.err = records.Line(it.line.Data)
		default:
			return
		}
		if it.err != nil {
			it.err = it.line.Errorf("%w", it.err)
			return
		}
		if it.twin != nil {
			m, err := records.Line(it.twin)
			if err != nil {
				it.err = err
				return
			}
			it.sample.Merge(m)
		}
		if !it.last && j.hold(&it.line) && it.sample.Metadata.XRequestID != "" {
			return // judged again when its twin is known
		}
		if it.sample.FromMetrics == nil && !j.judging.UseServerTokenCount && j.counts {
			k, err := j.counters.of(it.sample.Model)
			if err != nil {
				it.err = err
				return
			}
			it.sample.CountTokens(k)
		}
		it.values, it.err = calc.Compute(it.sample)
	}
}
