package export

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"aiperf/internal/redact"
)

// configs are the resolved flags of every stage, redacted, in the order of the chain.
func (r *Report) configs() []map[string]any {
	out := make([]map[string]any, len(r.Runs))
	for i, run := range r.Runs {
		d := json.NewDecoder(bytes.NewReader(run.Config))
		d.UseNumber()
		var m map[string]any
		if len(run.Config) == 0 || d.Decode(&m) != nil {
			m = map[string]any{}
		}
		redact.Value("", m)
		out[i] = m
	}
	return out
}

// InputConfig is AIPerf's input_config, put together from the flags of the stages; what a run line
// does not say is left out. "stages" has every stage's own flags as they were in effect.
func (r *Report) InputConfig() []byte {
	cfgs := r.configs()
	find := func(names ...string) any {
		for _, n := range names {
			for _, c := range slices.Backward(cfgs) {
				if v, ok := c[n]; ok && v != nil {
					return v
				}
			}
		}
		return nil
	}
	put := func(o *object, key string, names ...string) {
		if v := find(names...); v != nil {
			o.add(key, v)
		}
	}
	var o object
	if models := r.models(find("model-names")); len(models) > 0 {
		type item struct {
			Name string `json:"name"`
		}
		var items []item
		for _, m := range models {
			items = append(items, item{m})
		}
		o.add("models", map[string]any{"items": items})
	}
	var e object
	put(&e, "urls", "url")
	if t := r.Profiling.EndpointType; t != "" {
		e.add("type", t)
	} else {
		put(&e, "type", "endpoint-type")
	}
	e.add("streaming", r.Profiling.Streaming)
	put(&e, "headers", "header")
	put(&e, "extra", "extra-inputs")
	put(&e, "use_server_token_count", "use-server-token-count")
	o.raw("endpoint", e.bytes())
	var d, isl, osl, prompts object
	put(&d, "entries", "num-dataset-entries", "request-count")
	put(&d, "random_seed", "random-seed")
	put(&d, "path", "input-file")
	put(&d, "format", "custom-dataset-type")
	put(&isl, "mean", "prompt-input-tokens-mean", "isl")
	put(&isl, "stddev", "prompt-input-tokens-stddev", "isl-stddev")
	put(&osl, "mean", "prompt-output-tokens-mean", "osl")
	put(&osl, "stddev", "prompt-output-tokens-stddev", "osl-stddev")
	if !isl.empty() {
		prompts.raw("isl", isl.bytes())
	}
	if !osl.empty() {
		prompts.raw("osl", osl.bytes())
	}
	if !prompts.empty() {
		d.raw("prompts", prompts.bytes())
	}
	if !d.empty() {
		o.raw("datasets", slices.Concat([]byte("["), d.bytes(), []byte("]")))
	}
	var p object
	p.add("name", "profiling")
	p.add("kind", "profiling")
	put(&p, "requests", "request-count")
	put(&p, "duration", "benchmark-duration")
	put(&p, "concurrency", "concurrency")
	put(&p, "rate", "request-rate")
	o.raw("phases", slices.Concat([]byte("["), p.bytes(), []byte("]")))
	var a object
	put(&a, "dir", "output-artifact-dir")
	put(&a, "slice_duration", "slice-duration")
	if !a.empty() {
		o.raw("artifacts", a.bytes())
	}
	put(&o, "slos", "goodput")
	var t object
	put(&t, "name", "tokenizer")
	if !t.empty() {
		o.raw("tokenizer", t.bytes())
	}
	type stage struct {
		Tool    string         `json:"tool"`
		Version string         `json:"version"`
		Flags   map[string]any `json:"flags"`
	}
	stages := []stage{}
	for i, run := range r.Runs {
		stages = append(stages, stage{run.Tool, run.Version, cfgs[i]})
	}
	o.add("stages", stages)
	return o.bytes()
}

func (r *Report) models(typed any) []string {
	if len(r.Profiling.Models) > 0 {
		return r.Profiling.Models
	}
	var out []string
	if list, ok := typed.([]any); ok {
		for _, m := range list {
			if s, ok := m.(string); ok {
				out = append(out, s)
			}
		}
	}
	return out
}

// Command is the pipeline as it was typed.
func (r *Report) Command() string {
	var parts []string
	for _, run := range r.Runs {
		if run.CLICommand != "" {
			parts = append(parts, run.CLICommand)
		}
	}
	return strings.Join(parts, " | ")
}

func (r *Report) runInfo() []byte {
	var o object
	o.add("benchmark_id", r.RunID)
	for _, c := range r.configs() {
		if seed, ok := c["random-seed"]; ok {
			o.add("random_seed", seed)
			break
		}
	}
	o.add("trial", 0)
	o.add("cli_command", r.Command())
	return o.bytes()
}
