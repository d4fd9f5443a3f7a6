package export

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"aiperf/schema"
)

// FileWidth is the width of profile_export_console.txt, in columns.
const FileWidth = 140

// Look is how the console text is drawn.
type Look struct {
	Width int  // columns
	ASCII bool // no box characters beyond ASCII
	Color bool
	Trace bool // with the HTTP trace table
}

// titles are the console titles by endpoint type; others have DefaultTitle.
var titles = map[string]string{
	"chat_embeddings": "Embeddings Metrics", "embeddings": "Embeddings Metrics",
	"nim_embeddings": "NIM Embeddings Metrics", "cohere_rankings": "Ranking Metrics",
	"hf_tei_rankings": "Ranking Metrics", "nim_rankings": "Rankings Metrics",
	"image_generation": "Image Generation Metrics", "image_edit": "Image Edit Metrics",
	"image_retrieval": "Image Retrieval Metrics", "video_generation": "Video Generation Metrics",
	"audio_transcription": "Audio Transcription Metrics", "solido_rag": "SOLIDO RAG Metrics",
}

// DefaultTitle names the metric table of the endpoints that produce text.
const DefaultTitle = "LLM Metrics"

// groupOrder is the order of the metric tables; groups that are not here come before the default one.
var groupOrder = strings.Fields("effective active usage cache prediction audio reasoning")

// A painter draws blocks one below the other.
type painter struct {
	w   io.Writer
	l   Look
	err error
}

// Console writes the tables and panels of r. The footer is apart (Footer): the file has none.
func (r *Report) Console(w io.Writer, l Look) error {
	p := &painter{w: w, l: l}
	if r.Profiling == nil && r.Aggregate != nil {
		p.spread(r.Aggregate)
		return p.err
	}
	r.warnings(p)
	r.errors(p)
	ms := shown(r.Profiling.Metrics)
	base := Brand + " | " + cmp.Or(titles[r.Profiling.EndpointType], DefaultTitle)
	if l.Trace {
		p.metrics(Brand+" | HTTP Trace Timing", pick(ms, func(m *schema.MetricSummary) bool { return has(m, "http_trace") }))
	}
	for _, g := range groups(ms) {
		title := base
		if g != "default" {
			title += ": " + groupTitle(g)
		}
		p.metrics(title, pick(ms, func(m *schema.MetricSummary) bool { return m.Group == g && !has(m, "error_only") }))
	}
	if cacheUnreported(ms) {
		p.say("Hint: prompt tokens were reported, cached ones were not; the server may need its cache reporting switched on.")
	}
	r.specDecode(p, base, ms)
	r.devices(p, ms)
	r.notes(p, ms)
	return p.err
}

// groups returns the tables that ms has, the default one last. Spec decode and the devices' are
// blocks of their own.
func groups(ms map[string]schema.MetricSummary) []string {
	set := map[string]bool{}
	for _, m := range ms {
		if m.Group != "" && m.Group != "none" && m.Group != "spec_decode" && !strings.HasPrefix(m.Group, "gpu_power_efficiency") {
			set[m.Group] = true
		}
	}
	place := func(g string) int {
		if g == "default" {
			return math.MaxInt
		}
		if i := slices.Index(groupOrder, g); i >= 0 {
			return i
		}
		return len(groupOrder)
	}
	return slices.SortedFunc(maps.Keys(set), func(a, b string) int {
		return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a, b))
	})
}

func groupTitle(g string) string {
	words := strings.Fields(strings.ReplaceAll(g, "_", " "))
	for i, w := range words {
		words[i] = strings.ToUpper(w[:1]) + w[1:]
	}
	return strings.Join(words, " ")
}

// pick returns the metrics that keep holds for, by order, rank and tag; those without an order last.
func pick(ms map[string]schema.MetricSummary, keep func(*schema.MetricSummary) bool) []schema.MetricSummary {
	order := func(m schema.MetricSummary) int {
		if m.Order == nil || *m.Order == 0 {
			return math.MaxInt
		}
		return *m.Order
	}
	var out []schema.MetricSummary
	for _, tag := range sortedTags(ms) {
		if m := ms[tag]; keep(&m) {
			out = append(out, m)
		}
	}
	slices.SortStableFunc(out, func(a, b schema.MetricSummary) int {
		return cmp.Or(cmp.Compare(order(a), order(b)), cmp.Compare(a.Rank, b.Rank))
	})
	return out
}

// label is a row's name with its unit, on a second line when the header is long.
func label(m *schema.MetricSummary) string {
	if m.DisplayUnit == "" {
		return m.Header
	}
	sep := " "
	if len([]rune(m.Header)) > 30 {
		sep = "\n"
	}
	return m.Header + sep + "(" + m.DisplayUnit + ")"
}

// metrics draws one metric table; nothing when it has no rows.
func (p *painter) metrics(title string, ms []schema.MetricSummary) {
	if len(ms) == 0 {
		return
	}
	rows := make([][]string, len(ms))
	for i := range ms {
		rows[i] = []string{label(&ms[i])}
		for _, s := range consoleStats {
			rows[i] = append(rows[i], thousands(s.get(&ms[i])))
		}
	}
	p.fit(title, append([]string{"Metric"}, statNames(consoleStats)...), rows)
}

// spare are the columns a narrow table does without, the first one first.
var spare = []string{"std", "p90", "min"}

// fit draws a table of numbers no wider than the console: first the names wrap, then the padding
// goes, then columns are left out, which a line below the table says.
func (p *painter) fit(title string, head []string, rows [][]string) {
	if p.l.ASCII {
		for i := range rows {
			rows[i][0] = ascii(rows[i][0])
		}
	}
	var left []string
	for {
		for _, pad := range []bool{true, false} {
			free := p.l.Width - p.frame(len(head), pad)
			longest := columnWidths(head, rows)
			for _, w := range longest[1:] {
				free -= w
			}
			if free >= min(longest[0], 24) || (!pad && len(left) == len(spare)) {
				p.table(title, head, rows, pad, max(min(free, longest[0]), 8))
				if len(left) > 0 {
					p.say("Left out at this width: " + strings.Join(left, ", ") + ".")
				}
				p.line("")
				return
			}
		}
		if len(left) == len(spare) {
			return
		}
		name := spare[len(left)]
		left = append(left, name)
		i := slices.Index(head, name)
		if i < 0 {
			continue
		}
		head = slices.Delete(slices.Clone(head), i, i+1)
		for j := range rows {
			rows[j] = slices.Delete(slices.Clone(rows[j]), i, i+1)
		}
	}
}

// frame is what n columns take beside their text.
func (p *painter) frame(n int, pad bool) int {
	if pad {
		return 3*n + 1
	}
	return n + 1
}

func columnWidths(head []string, rows [][]string) []int {
	out := make([]int, len(head))
	for _, row := range append([][]string{head}, rows...) {
		for i, c := range row {
			out[i] = max(out[i], text.LongestLineLen(c))
		}
	}
	return out
}

// table draws a right-justified table whose first column is at most first wide.
func (p *painter) table(title string, head []string, rows [][]string, pad bool, first int) {
	t := p.new(title)
	if !pad {
		t.Style().Box.PaddingLeft, t.Style().Box.PaddingRight = "", ""
	}
	var cols []table.ColumnConfig
	for i := range head {
		c := table.ColumnConfig{Number: i + 1, Align: text.AlignRight, AlignHeader: text.AlignRight}
		if i == 0 {
			c.WidthMax, c.WidthMaxEnforcer = first, wrap
		}
		cols = append(cols, c)
	}
	t.SetColumnConfigs(cols)
	t.AppendHeader(cellsOf(head))
	for _, r := range rows {
		t.AppendRow(cellsOf(r))
	}
	p.line(t.Render())
}

// wrap breaks text at spaces; its lines have no padding, so that they can be justified.
func wrap(s string, width int) string {
	lines := strings.Split(text.WrapSoft(s, width), "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return strings.Join(lines, "\n")
}

func cellsOf(ss []string) table.Row {
	r := make(table.Row, len(ss))
	for i, s := range ss {
		r[i] = s
	}
	return r
}

func (p *painter) new(title string) table.Writer {
	t := table.NewWriter()
	style := table.StyleLight
	if p.l.ASCII {
		style = table.StyleDefault
	}
	style.Format.Header = text.FormatDefault
	style.Title.Align = text.AlignCenter
	if p.l.Color {
		style.Title.Colors = text.Colors{text.Bold, text.FgCyan}
		style.Color.Header = text.Colors{text.Bold}
	}
	t.SetStyle(style)
	t.SetTitle("%s", title)
	return t
}

func (p *painter) draw(t table.Writer) { p.line(t.Render() + "\n") }

// say writes a sentence, wrapped to the console.
func (p *painter) say(s string) { p.line(wrap(s, p.l.Width)) }

func (p *painter) line(s string) {
	if p.err != nil {
		return
	}
	if p.l.ASCII {
		s = ascii(s)
	}
	_, p.err = fmt.Fprintln(p.w, s)
}

// ascii spells the few signs of ours that are not ASCII; anything else becomes a question mark.
func ascii(s string) string {
	s = strings.NewReplacer("°", "deg ", "µ", "u", "≥", ">=", "…", "...", "•", "*").Replace(s)
	return strings.Map(func(r rune) rune {
		if r > 126 {
			return '?'
		}
		return r
	}, s)
}

// panel draws a titled box of sentences, wrapped to the console.
func (p *painter) panel(title string, lines ...string) {
	t := p.new(title)
	w := min(p.l.Width, 100) - 4
	t.SetColumnConfigs([]table.ColumnConfig{{Number: 1, WidthMax: w, WidthMaxEnforcer: text.WrapSoft}})
	for _, l := range lines {
		t.AppendRow(table.Row{clean(l)})
	}
	p.draw(t)
}

// clean makes text from outside safe to print: no control characters.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return ' '
		}
		if r < 32 || r == 127 || r >= 0x80 && r < 0xa0 {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
}
