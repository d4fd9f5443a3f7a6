package metric

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"aiperf/internal/judge"
)

var update = flag.Bool("update", false, "write docs/definitions.md anew")

const definitionsPage = "../../docs/definitions.md"

const introduction = `# What the numbers mean

Written by ` + "`go test ./internal/metric -run Definitions -update`" + ` from the metric table; do not edit.

Times are measured on a monotonic clock in nanoseconds. "Content" is an answer chunk with text, reasoning or a tool call; "start" is the
call, "end" the last message of the answer. A request is valid when it has content and no error; failed requests have only the error
metrics and the two latencies that begin with the decision to send. A metric whose parts are missing is absent, never 0.

Of request metrics a summary holds mean, least, greatest, sum, percentiles (exact, linear between ranks: Hyndman and Fan type 7),
population deviation and count; of the others the value alone. T is the window that rates divide by.

`

const departures = `
## Where the release departs from its own documents

What AIPerf 0.13.0 does, seen in the kept runs of testdata/peer/aiperf-0.13.0, is followed where this page does not list a rule:

| what its documents say | what 0.13.0 does | seen in |
|---|---|---|
| throughputs divide by the benchmark duration, over all records | they divide by the phase window; the duration is of valid requests only | rate-slices |
| deviations are of a sample | those of request metrics are of the population | every run |
| prompt tokens are the vendor's | those of Anthropic and Bedrock are totalled with cache reads and writes | usage-vendors, messages-api |
| slices begin on the clock | they begin with the first profiling request | rate-slices, fixed-schedule |
| error-adjusted values are infinite | infinite statistics are left out | faults, cancellation |
| usage is not displayed | it has a table of its own | usage-vendors |
`

func definitions() string {
	var b strings.Builder
	b.WriteString(introduction)
	for _, kind := range []struct {
		kind  Kind
		title string
	}{
		{KindRecord, "Of each request"}, {KindAggregate, "Counted over a phase"}, {KindDerived, "Derived from the others"},
		{KindInjected, "Joined with other measurements"}, {KindSweep, "Curves over time, each instant weighing the same"},
	} {
		fmt.Fprintf(&b, "## %s\n\n| tag | name | unit | definition | only |\n|---|---|---|---|---|\n", kind.title)
		for _, m := range All {
			if m.Kind == kind.kind {
				fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", m.Tag, m.Header, m.Show, strings.ReplaceAll(m.Formula, "|", "\\|"), condition(m.Flags))
			}
		}
		b.WriteString("\n")
	}
	b.WriteString("## Rules of ours\n\nBy default each of these departs from 0.13.0; under `--definitions aiperf-0.13` none does. A summary counts the requests on which a\nrule made a difference (`rules`); where it counts none, the two agree to the last digit.\n\n| rule | ours | evidence |\n|---|---|---|\n")
	for _, r := range judge.Rules {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", r.Name, r.Says, r.Evidence)
	}
	for _, r := range Rules {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", r.Name, r.Says, r.Evidence)
	}
	b.WriteString(departures)
	return b.String()
}

// condition says when a metric is computed at all.
func condition(f Flags) string {
	var out []string
	for _, w := range []struct {
		flag Flags
		word string
	}{
		{Streaming, "streamed"}, {Tokens, "endpoints that produce tokens"}, {TokenizesInput, "endpoints that take text"}, {Audio, "endpoints that take audio"},
		{Image, "endpoints that take images"}, {ProducesVideo, "endpoints that make video"}, {ErrorOnly, "failed requests"}, {Goodput, "--goodput"},
		{UsageDiff, "client token counts"}, {FixedSchedule, "fixed schedule"}, {DisableOnAccuracy, "not in accuracy mode"}, {Experimental, "--dev"}, {Internal, "shown by --dev"},
	} {
		if f&w.flag != 0 {
			out = append(out, w.word)
		}
	}
	return strings.Join(out, ", ")
}

func TestDefinitionsPageIsTheTable(t *testing.T) {
	for _, m := range All {
		if m.Formula == "" {
			t.Errorf("%s has no definition", m.Tag)
		}
	}
	page := definitions()
	if *update {
		if err := os.WriteFile(definitionsPage, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(definitionsPage)
	if err != nil {
		t.Fatal(err)
	}
	if string(kept) != page {
		t.Error("docs/definitions.md is not what the table says; run the test with -update")
	}
}
