package export

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"aiperf/schema"
)

// warnings come first: what a reader must know before the numbers.
func (r *Report) warnings(p *painter) {
	if why := r.incomplete(); why != "" {
		p.panel(Brand+" | INCOMPLETE RESULTS", why, "Do not compare these figures with those of a complete run.")
	}
	if v := r.Profiling.Validity; !v.OK && len(v.Reasons) > 0 {
		lines := []string{"Do not trust these figures before this is settled:"}
		for _, why := range v.Reasons {
			lines = append(lines, "- "+why)
		}
		p.panel(Brand+" | RUN NOT VALID", lines...)
	}
	if left := r.Profiling.Skipped; len(left) > 0 {
		var words []string
		for _, reason := range slices.Sorted(maps.Keys(left)) {
			words = append(words, fmt.Sprintf("%s × %s", commas(strconv.FormatInt(left[reason], 10)), reason))
		}
		p.say("Noticed in the input: " + strings.Join(words, ", ") + ".")
	}
	for _, e := range r.Profiling.ErrorSummary {
		m := e.ErrorDetails.Message
		if strings.Contains(m, "extra_forbidden") && strings.Contains(m, "max_completion_tokens") &&
			strings.Contains(m, "Extra inputs are not permitted") {
			p.panel("Unsupported Parameter: max_completion_tokens",
				"The server does not know max_completion_tokens, which sets the length of an answer.",
				"Ask for the older name: aiperf-gen --use-legacy-max-tokens.")
			break
		}
	}
	if c := r.Profiling.Records; c.Valid == 0 {
		p.panel(Brand+" | NO SUCCESSFUL REQUEST", fmt.Sprintf("%s of %s requests failed.",
			commas(strconv.FormatInt(c.Errors, 10)), commas(strconv.FormatInt(c.Total, 10))))
	}
}

// errors is the Error Summary.
func (r *Report) errors(p *painter) {
	if len(r.Profiling.ErrorSummary) == 0 {
		return
	}
	t := p.new(Brand + " | Error Summary")
	room := max(p.l.Width-13, 30) // the frame of four columns
	const code, count = 5, 9
	kind := min(28, (room-code-count)/3)
	t.SetColumnConfigs([]table.ColumnConfig{
		{Number: 1, Align: text.AlignRight, AlignHeader: text.AlignRight},
		{Number: 2, Align: text.AlignRight, AlignHeader: text.AlignRight, WidthMax: kind, WidthMaxEnforcer: wrap},
		{Number: 3, WidthMax: room - code - count - kind, WidthMaxEnforcer: text.WrapSoft},
		{Number: 4, Align: text.AlignRight, AlignHeader: text.AlignRight},
	})
	t.AppendHeader(table.Row{"Code", "Type", "Message", "Count"})
	for _, e := range r.Profiling.ErrorSummary {
		code, kind := "N/A", "N/A"
		if e.ErrorDetails.Code != nil {
			code = strconv.Itoa(*e.ErrorDetails.Code)
		}
		if e.ErrorDetails.Type != "" {
			kind = clean(e.ErrorDetails.Type)
		}
		t.AppendRow(table.Row{code, kind, clean(e.ErrorDetails.Message), commas(strconv.FormatInt(e.Count, 10))})
	}
	p.draw(t)
}

// specDecode is the table of speculative decoding and the shares of accepted drafts below it.
func (r *Report) specDecode(p *painter, base string, ms map[string]schema.MetricSummary) {
	p.metrics(base+": Spec Decode", pick(ms, func(m *schema.MetricSummary) bool {
		return m.Group == "spec_decode" && !has(m, "error_only")
	}))
	if line := acceptance(r.Profiling.PooledSpec); line != "" {
		p.say(line)
		p.line("")
	}
}

// acceptance says how often a step accepted 0, 1, ... drafts, in whole percents; 8 and more are one.
func acceptance(h map[string]int64) string {
	var total int64
	var by [9]int64
	for _, k := range buckets(h) {
		n, err := strconv.Atoi(k)
		if err != nil || n < 0 || h[k] < 0 {
			continue
		}
		by[min(n, 8)] += h[k]
		total += h[k]
	}
	if total == 0 {
		return ""
	}
	out := "Accepted drafts per step (% of steps):"
	for n, c := range by {
		if c == 0 {
			continue
		}
		name := strconv.Itoa(n)
		if n == 8 {
			name = ">=8"
		}
		out += fmt.Sprintf("  %s: %.0f%%", name, math.RoundToEven(100*float64(c)/float64(total)))
	}
	return out
}

// devices are the GPU blocks: the platform, the efficiency tables, one table a device.
func (r *Report) devices(p *painter, ms map[string]schema.MetricSummary) {
	gpus := r.gpus()
	var platforms []string
	for _, g := range gpus {
		if g.Platform != "" && !slices.Contains(platforms, g.Platform) {
			platforms = append(platforms, g.Platform)
		}
	}
	slices.Sort(platforms)
	if len(gpus) > 0 {
		name := "unknown"
		if len(platforms) > 0 {
			name = strings.Join(platforms, ", ")
		}
		p.panel("GPU Telemetry Platform", "Platform: "+name,
			"Platforms measure power and energy at different places: compare figures of one platform only.")
	}
	for _, v := range []struct{ group, name string }{{"gpu_power_efficiency_nvidia", "NVIDIA"}, {"gpu_power_efficiency_amd", "AMD"}} {
		rows := [][]string{}
		for _, m := range pick(ms, func(m *schema.MetricSummary) bool { return m.Group == v.group }) {
			rows = append(rows, []string{label(&m), thousands(m.Avg)})
		}
		if len(rows) > 0 {
			p.fit("GPU Power Efficiency ("+v.name+")", []string{"Metric", "avg"}, rows)
		}
	}
	for _, g := range gpus {
		rows := [][]string{}
		for _, tag := range g.tags() {
			m := g.metric(tag)
			row := []string{label(&m)}
			for _, s := range consoleStats {
				row = append(row, deviceNumber(s.get(&m)))
			}
			rows = append(rows, row)
		}
		if len(rows) > 0 {
			p.fit(fmt.Sprintf("%s | GPU %d | %s", clean(g.endpoint), g.Index, clean(g.Name)),
				append([]string{"Metric"}, statNames(consoleStats)...), rows)
		}
	}
}

// deviceNumber has an exponent from a million on.
func deviceNumber(v *float64) string {
	if finite(v) && math.Abs(*v) >= 1e6 {
		return fmt.Sprintf("%.2e", *v)
	}
	return thousands(v)
}

// cacheUnreported says that usage was reported without its cached part.
func cacheUnreported(ms map[string]schema.MetricSummary) bool {
	_, prompt := ms["total_usage_prompt_tokens"]
	_, cache := ms["total_usage_prompt_cache_read_tokens"]
	return prompt && !cache
}

// notes are the panels on token counts that do not agree.
func (r *Report) notes(p *painter, ms map[string]schema.MetricSummary) {
	total := value(ms, "request_count")
	if n := value(ms, "usage_discrepancy_count"); n > 0 && total > 0 {
		p.panel("Token Count Discrepancy Warning",
			share(n, total)+" differ between the server's usage and our own token count by more than the threshold.",
			"Causes: the tokenizer is not the server's; or the server adds template or system tokens.",
			"To do: see usage_prompt_tokens_diff_pct and its like in profile_export.jsonl; give the model's own --tokenizer; or take the server's counts with aiperf-metrics --use-server-token-count.")
	}
	if n := value(ms, "osl_mismatch_count"); n > 0 && total > 0 {
		avg := "N/A"
		if m, ok := ms["osl_mismatch_diff_pct"]; ok && finite(m.Avg) {
			avg = fmt.Sprintf("%.1f%%", *m.Avg)
		}
		p.panel("Output Sequence Length Mismatch Warning",
			share(n, total)+" have an answer whose length is off by more than min(requested x 5%, 50) tokens; on average the mismatch is "+avg+".",
			"Cause: most often the model ended early with its end-of-sequence token.",
			"To do: aiperf-gen --extra-inputs ignore_eos:true, or min_tokens:<N>; or count as the server does: aiperf-metrics --use-server-token-count.",
			"Each request's own: osl_mismatch_diff_pct in profile_export.jsonl.")
	}
}

func value(ms map[string]schema.MetricSummary, tag string) float64 {
	if m, ok := ms[tag]; ok && finite(m.Avg) {
		return *m.Avg
	}
	return 0
}

func share(n, total float64) string {
	return fmt.Sprintf("%s of %s requests (%.1f%%)", commas(strconv.FormatFloat(n, 'f', 0, 64)),
		commas(strconv.FormatFloat(total, 'f', 0, 64)), 100*n/total)
}

// Footer says which command this was, how long it ran and where the files are.
func (r *Report) Footer(w io.Writer, files []*File) error {
	var b strings.Builder
	if c := r.Command(); c != "" {
		fmt.Fprintf(&b, "CLI Command: %s\n", clean(c))
	}
	if r.Profiling == nil {
		for _, f := range files {
			fmt.Fprintf(&b, "%s: %s\n", f.Type, f.Name)
		}
		_, err := io.WriteString(w, b.String())
		return err
	}
	ms := shown(r.Profiling.Metrics)
	if m, ok := ms["benchmark_duration"]; ok && finite(m.Avg) {
		early := ""
		if r.Profiling.Cancelled {
			early = " (cancelled early)"
		}
		fmt.Fprintf(&b, "Benchmark Duration: %.2f %s%s\n", *m.Avg, m.DisplayUnit, early)
	}
	if n := r.Profiling.Records; n.Cancelled > 0 {
		fmt.Fprintf(&b, "Cancelled Requests: %s were cut before their end; they are no part of the results\n", share(float64(n.Cancelled), float64(n.Total)))
	}
	for _, f := range files {
		fmt.Fprintf(&b, "%s: %s\n", f.Type, f.Name)
	}
	if r.Profiling.Cancelled {
		b.WriteString("The run was cancelled: results may be incomplete.\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}
