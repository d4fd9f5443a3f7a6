package main

import (
	"math"
	"slices"

	"aiperf/internal/arrival"
	"aiperf/internal/cli"
	"aiperf/internal/dataset"
	"aiperf/internal/endpoint"
	"aiperf/internal/rng"
	"aiperf/internal/tokenizer"
	"aiperf/schema"
)

// A plan is a command line made ready: where requests come from, how many, and when.
type plan struct {
	env     *cli.Env
	c       *cli.Context
	root    rng.Root
	tok     *tokenizer.Tokenizer
	prompts *dataset.Prompts
	source  dataset.Source
	rows    *dataset.Rows // of a file; nil: synthetic
	sample  dataset.Sampler
	api     string
	options endpoint.Options
	phases  []phase
	fixed   bool
	zero    *float64 // start of a fixed schedule, ms; nil: the first timestamp
}

// A phase is a number of requests at a rate.
type phase struct {
	name  string // "": aiperf-send decides
	count int64  // requests; -1: no bound
	until int64  // ns: ends at the first arrival after it; 0: no bound
	gaps  arrival.Gaps
	fixed bool
}

func newPlan(env *cli.Env, c *cli.Context) (*plan, error) {
	p := &plan{env: env, c: c, api: c.String("endpoint-type")}
	if err := p.checkFlags(); err != nil {
		return nil, err
	}
	var seed *uint64
	if c.IsSet("random-seed") {
		s := uint64(c.Int("random-seed"))
		seed = &s
	}
	p.root = rng.NewRoot(seed)
	var err error
	find := tokenizer.Finder{Revision: c.String("tokenizer-revision"), Getenv: env.Getenv, Say: func(s string) { p.say("%s", s) }}
	if p.tok, err = find.For(c.String("tokenizer"), c.List("model-names")[0]); err != nil {
		return nil, err
	}
	if note := p.tok.Note(); note != "" {
		p.say("%s", note)
	}
	p.options = endpoint.Options{Streaming: c.Bool("streaming"), LegacyMaxTokens: c.Bool("use-legacy-max-tokens"), PerChunkUsage: c.Bool("per-chunk-usage")}
	if p.options.Extra, err = endpoint.ExtraInputs(c.List("extra-inputs")); err != nil {
		return nil, cli.Usagef("--extra-inputs: %v", err)
	}
	corpus := dataset.Corpus(nil)
	if name := c.String("corpus"); name != "" {
		if corpus, err = dataset.NewFile(name, p.tok); err != nil {
			return nil, err
		}
	} else {
		corpus = dataset.BuiltinFor(p.tok)
	}
	p.prompts = dataset.NewPrompts(corpus, p.tok, p.root)
	models := dataset.NewModels(c.List("model-names"), c.String("model-selection-strategy") == "random", p.root)
	if c.IsSet("input-file") {
		err = p.openRows(models)
	} else {
		err = p.openSynthetic(models)
	}
	if err == nil {
		p.sample = dataset.NewSampler(c.String("dataset-sampling-strategy"), p.source.Len(), p.root)
		err = p.makePhases()
	}
	if err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

func (p *plan) say(format string, args ...any) {
	if !p.c.Bool("quiet") {
		p.env.Warnf(format, args...)
	}
}

func (p *plan) close() {
	if p.rows != nil {
		p.rows.Close()
	}
}

func (p *plan) openSynthetic(models *dataset.Models) error {
	c := p.c
	s := dataset.Shape{Batch: int(c.Int("prompt-batch-size")), PrefixPool: int(c.Int("prompt-prefix-pool-size")),
		PrefixLength: int(c.Int("prompt-prefix-length")), SystemLength: int(c.Int("shared-system-prompt-length")),
		ContextLength: int(c.Int("user-context-prompt-length"))}
	s.ISL, s.ISLStddev = float64(c.Int("prompt-input-tokens-mean")), c.Float("prompt-input-tokens-stddev")
	if n := float64(p.tok.SpecialTokens()); n > 0 && s.ISL >= 1 { // what the server's tokenizer adds is part of what was asked for
		s.ISL = max(1, s.ISL-n)
	}
	s.OSL, s.OSLStddev = p.osl()
	if c.IsSet("seq-dist") {
		d, err := dataset.ParseSeqDist(c.String("seq-dist"))
		if err != nil {
			return cli.Usagef("--seq-dist: %v", err)
		}
		s.Dist = d
	}
	entries := int64(100)
	if c.IsSet("num-dataset-entries") {
		entries = c.Int("num-dataset-entries")
	} else if n := c.Int("request-count"); n > 0 {
		entries = n
	}
	if entries > math.MaxInt32 {
		return cli.Usagef("--num-dataset-entries: %d are too many", entries)
	}
	keep := entries
	if total := p.total(); total >= 0 && (!c.IsSet("dataset-sampling-strategy") || c.String("dataset-sampling-strategy") == "sequential") {
		keep = max(0, total-entries) // only what a second pass asks again
	}
	src, err := dataset.NewSynthetic(int(entries), int(min(keep, entries)), s, p.prompts, models, p.root)
	if err != nil {
		return cli.Usagef("--isl: %v", err)
	}
	p.source = src
	return nil
}

func (p *plan) osl() (*float64, float64) {
	if !p.c.IsSet("prompt-output-tokens-mean") {
		return nil, 0
	}
	f := float64(p.c.Int("prompt-output-tokens-mean"))
	return &f, p.c.Float("prompt-output-tokens-stddev")
}

// total is the number of requests of all phases, -1 without a bound.
func (p *plan) total() int64 {
	n := p.count()
	if n < 0 || p.c.IsSet("warmup-duration") {
		return -1
	}
	return n + p.c.Int("warmup-request-count")
}

// count is the number of requests to profile with, -1 without a bound.
func (p *plan) count() int64 {
	switch {
	case p.c.IsSet("request-count"):
		if n := p.c.Int("request-count"); n > 0 {
			return n
		}
		return -1
	case p.c.IsSet("benchmark-duration"):
		return -1
	}
	return 10
}

func (p *plan) openRows(models *dataset.Models) error {
	c := p.c
	o := dataset.Options{Type: c.String("custom-dataset-type"), BlockSize: 512, MaxISL: c.Int("synthesis-max-isl"), MaxOSL: c.Int("synthesis-max-osl"),
		OutputTimes: c.Float("synthesis-output-len-multiplier"), Speedup: c.Float("synthesis-speedup-ratio"), Warn: p.say}
	if c.IsSet("prompt-input-tokens-block-size") {
		o.BlockSize = int(c.Int("prompt-input-tokens-block-size"))
	}
	o.OSL, o.OSLStddev = p.osl()
	for name, to := range map[string]**int64{"fixed-schedule-start-offset": &o.Start, "fixed-schedule-end-offset": &o.End} {
		if c.IsSet(name) {
			n := c.Int(name)
			*to = &n
		}
	}
	var err error
	if p.rows, err = dataset.OpenRows(c.String("input-file"), p.env.Stdin, o, p.prompts, models, p.root); err != nil {
		return err
	}
	p.source = p.rows
	if p.rows.Type != "mooncake_trace" {
		for _, name := range traceFlags {
			if c.IsSet(name) {
				return cli.Usagef("--%s: only traces have it, and this file is %s", name, p.rows.Type)
			}
		}
	}
	if c.IsSet("num-dataset-entries") {
		return cli.Usagef("--num-dataset-entries: a file has as many entries as it has; use --request-count")
	}
	auto := c.String("custom-dataset-type") == "mooncake_trace" && p.rows.First.At
	p.fixed = !c.Bool("no-fixed-schedule") && (c.Bool("fixed-schedule") || auto)
	return p.checkSchedule(o)
}

func (p *plan) checkSchedule(o dataset.Options) error {
	c := p.c
	if !p.fixed {
		for _, name := range []string{"fixed-schedule-auto-offset", "fixed-schedule-start-offset", "fixed-schedule-end-offset"} {
			if c.IsSet(name) {
				return cli.Usagef("--%s: there is no fixed schedule", name)
			}
		}
		return nil
	}
	for _, name := range []string{"request-rate", "arrival-smoothness"} {
		if c.IsSet(name) {
			return cli.Usagef("--%s: the file's timestamps are the schedule", name).WithHint("--no-fixed-schedule leaves the timestamps aside")
		}
	}
	if s := c.String("dataset-sampling-strategy"); s != "" && s != "sequential" {
		return cli.Usagef("--dataset-sampling-strategy %s: a fixed schedule plays every row once, in its time", s)
	}
	if c.IsSet("request-count") {
		p.say("--request-count is not used: a fixed schedule plays every row of the file once")
	}
	if !p.rows.First.At && !p.rows.First.Delay {
		return cli.Errorf(cli.ExitData, "%s: the first row has no timestamp, so there is no fixed schedule", c.String("input-file"))
	}
	if o.Start != nil {
		if c.IsSet("fixed-schedule-auto-offset") && c.Bool("fixed-schedule-auto-offset") {
			return cli.Usagef("--fixed-schedule-auto-offset and --fixed-schedule-start-offset exclude each other")
		}
		z := math.Trunc(float64(*o.Start) / o.Speedup)
		p.zero = &z
	} else if c.IsSet("fixed-schedule-auto-offset") && !c.Bool("fixed-schedule-auto-offset") {
		p.zero = new(float64)
	}
	return nil
}

func (p *plan) makePhases() error {
	c := p.c
	pattern := c.String("arrival-pattern")
	if c.IsSet("arrival-smoothness") {
		if c.IsSet("arrival-pattern") && pattern != arrival.Gamma {
			return cli.Usagef("--arrival-smoothness: only gamma arrivals have it, not %s", pattern)
		}
		pattern = arrival.Gamma
	}
	smooth := 1.0
	if c.IsSet("arrival-smoothness") {
		smooth = c.Float("arrival-smoothness")
	}
	gaps := func(flag string, rate float64, pattern string) (arrival.Gaps, error) {
		if rate == 0 && !c.IsSet(flag) {
			return nil, nil
		}
		g, err := arrival.New(pattern, rate, smooth, p.root)
		if err != nil {
			return nil, cli.Usagef("--%s: %v", flag, err)
		}
		return g, nil
	}
	warmup := c.IsSet("warmup-request-count") || c.IsSet("warmup-duration")
	name := ""
	if warmup {
		rate, how := c.Float("request-rate"), pattern
		if c.IsSet("warmup-request-rate") {
			rate = c.Float("warmup-request-rate")
		}
		if c.IsSet("warmup-arrival-pattern") {
			how = c.String("warmup-arrival-pattern")
		}
		g, err := gaps("warmup-request-rate", rate, how)
		if err != nil {
			return err
		}
		w := phase{name: schema.PhaseWarmup, count: -1, gaps: g, until: c.Duration("warmup-duration").Nanoseconds()}
		if n := c.Int("warmup-request-count"); n > 0 {
			w.count = n
		}
		switch {
		case w.count < 0 && g == nil && p.count() >= 0 && (c.IsSet("request-count") || p.fixed):
			return cli.Usagef("--warmup-duration: how many requests that takes is not known here without a rate").WithHint("give --warmup-request-count, --warmup-request-rate, or --benchmark-duration instead of --request-count")
		case w.count < 0 && g == nil: // aiperf-send divides the stream
			p.phases = []phase{{count: -1}}
			return nil
		}
		p.phases = append(p.phases, w)
		name = schema.PhaseProfiling
	}
	g, err := gaps("request-rate", c.Float("request-rate"), pattern)
	if err != nil {
		return err
	}
	p.phases = append(p.phases, phase{name: name, count: p.count(), gaps: g, fixed: p.fixed})
	return nil
}

var (
	traceFlags     = []string{"synthesis-speedup-ratio", "synthesis-output-len-multiplier", "synthesis-max-isl", "synthesis-max-osl", "prompt-input-tokens-block-size"}
	syntheticFlags = []string{"prompt-batch-size", "prompt-prefix-pool-size", "prompt-prefix-length", "shared-system-prompt-length",
		"user-context-prompt-length", "prompt-input-tokens-mean", "prompt-input-tokens-stddev", "seq-dist"}
	fileFlags = append([]string{"custom-dataset-type", "fixed-schedule", "no-fixed-schedule", "fixed-schedule-auto-offset",
		"fixed-schedule-start-offset", "fixed-schedule-end-offset"}, traceFlags...)
)

// checkFlags refuses what cannot be honoured together.
func (p *plan) checkFlags() error {
	c := p.c
	if len(c.List("model-names")) == 0 {
		return cli.Usagef("--model: at least one model name is needed")
	}
	if p.api != "chat" && p.api != "completions" {
		return cli.Usagef("--endpoint-type %s is not built yet: chat and completions are", p.api)
	}
	if t := c.String("custom-dataset-type"); t != "" && t != "single_turn" && t != "mooncake_trace" {
		return cli.Usagef("--custom-dataset-type %s is not built yet: single_turn and mooncake_trace are", t)
	}
	if c.String("model-selection-strategy") == "weighted" {
		return cli.Usagef("--model-selection-strategy weighted: weights cannot be given on the command line; use round_robin or random")
	}
	if c.Bool("per-chunk-usage") && !(p.api == "chat" && c.Bool("streaming") && c.Bool("use-server-token-count")) {
		return cli.Usagef("--per-chunk-usage: needs --endpoint-type chat, --streaming and --use-server-token-count")
	}
	wrong, why := fileFlags, "needs --input-file"
	if c.IsSet("input-file") {
		wrong, why = syntheticFlags, "is for synthetic prompts, not for files"
	}
	for _, name := range wrong {
		if c.IsSet(name) {
			return cli.Usagef("--%s: %s", name, why)
		}
	}
	system := c.IsSet("shared-system-prompt-length") || c.IsSet("user-context-prompt-length")
	switch {
	case system && p.api != "chat":
		return cli.Usagef("--shared-system-prompt-length, --user-context-prompt-length: %s has no system role", p.api)
	case system && (c.IsSet("prompt-prefix-pool-size") || c.IsSet("prompt-prefix-length")):
		return cli.Usagef("a prefix pool excludes --shared-system-prompt-length and --user-context-prompt-length")
	case c.Int("prompt-prefix-length") > 0 && c.Int("prompt-prefix-pool-size") == 0:
		return cli.Usagef("--prompt-prefix-length: needs --prompt-prefix-pool-size")
	case c.Int("prompt-batch-size") == 0:
		return cli.Usagef("--prompt-batch-size 0: a request without text has nothing to ask")
	case c.IsSet("seq-dist") && slices.ContainsFunc([]string{"prompt-input-tokens-mean", "prompt-input-tokens-stddev", "prompt-output-tokens-mean", "prompt-output-tokens-stddev"}, c.IsSet):
		return cli.Usagef("--seq-dist: takes the place of --isl and --osl and their deviations")
	case c.Float("prompt-input-tokens-stddev") < 0 || c.Float("prompt-output-tokens-stddev") < 0:
		return cli.Usagef("a standard deviation must be at least 0")
	case c.IsSet("prompt-output-tokens-mean") && c.Int("prompt-output-tokens-mean") < 1:
		return cli.Usagef("--osl: must be at least 1")
	case c.IsSet("prompt-output-tokens-stddev") && !c.IsSet("prompt-output-tokens-mean"):
		return cli.Usagef("--osl-stddev: needs --osl")
	case c.IsSet("request-count") && c.Int("request-count") < 0:
		return cli.Usagef("--request-count: must be at least 0")
	case c.IsSet("benchmark-duration") && c.Duration("benchmark-duration") <= 0:
		return cli.Usagef("--benchmark-duration: must be above 0")
	case c.Bool("fixed-schedule") && c.Bool("no-fixed-schedule"):
		return cli.Usagef("--fixed-schedule and --no-fixed-schedule exclude each other")
	case c.IsSet("synthesis-speedup-ratio") && c.Float("synthesis-speedup-ratio") == 0:
		return cli.Usagef("--synthesis-speedup-ratio 0: time would never pass")
	case c.IsSet("arrival-pattern") && c.String("arrival-pattern") != arrival.Burst && !c.IsSet("request-rate") && !c.IsSet("warmup-request-rate"):
		return cli.Usagef("--arrival-pattern %s: needs --request-rate", c.String("arrival-pattern"))
	case c.IsSet("arrival-smoothness") && !c.IsSet("request-rate") && !c.IsSet("warmup-request-rate"):
		return cli.Usagef("--arrival-smoothness: needs --request-rate")
	case (c.IsSet("warmup-request-rate") || c.IsSet("warmup-arrival-pattern")) && !c.IsSet("warmup-request-count") && !c.IsSet("warmup-duration"):
		return cli.Usagef("--warmup-request-rate, --warmup-arrival-pattern: need --warmup-request-count or --warmup-duration")
	}
	return nil
}
