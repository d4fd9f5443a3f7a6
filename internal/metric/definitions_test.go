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
population deviation and count; of the others the value alone. T is the window that rates divide by. A unit a -> b is held as a and shown as b; "needs" are the metrics
without which there is none; "table" is the one of the console, none where files alone have it. What "flags" refuse is let back in where
a metric that stays needs it.

`

const departures = `
## Where the release departs from its own documents, or surprises

What AIPerf 0.13.0 does, seen in the kept runs of testdata/peer/aiperf-0.13.0, is followed where this page does not list a rule:

| what its documents say, or a reader expects | what 0.13.0 does | seen in |
|---|---|---|
| throughputs divide by the benchmark duration, over all records | they divide by the phase window, and are absent where there is no benchmark duration, which is of valid requests only | rate-slices |
| warmup is told from profiling by time | by the tag of each record alone | every run with a warmup |
| a cancelled request is a kind of its own | it is a failure with code 499: in the error rate, infinitely late in adj_*, never good | cancellation |
| deviations are of a sample | those of request metrics and curves are of the population; those of GPU and server gauges and of several runs are of a sample | every run |
| a metric without data is 0 | request_count is absent where nothing succeeded, error_request_count on a clean run, output_token_count where it is 0; request_error_rate, reasoning_token_count and the sums may be 0 | faults, not-streamed |
| a request that lacks a goal's metric is not good | it has no good_request_count at all; the fraction still divides by every request, and is 0 where none is good | faults, rate-slices |
| an unknown or unfit goal is refused | the run ends with exit 1 or hangs, as the moment falls; here it is a usage error | |
| prompt tokens are the vendor's | those of Anthropic and Bedrock are totalled with cache reads and writes | usage-vendors, messages-api |
| endpoints without tokens have no token metrics | what an allowed metric needs is let back in: embeddings, rankings and images report an output_sequence_length of 0 | not-streamed |
| usage is not displayed | it has a table of its own, before the main one | usage-vendors |
| the timestamps of first request and last answer are exported | they are internal: in no output without --dev | every run |
| slices begin on the clock | they begin with the first profiling request, and the last is cut at the last end of any request | rate-slices, fixed-schedule |
| error-adjusted values are infinite | they exist only where requests failed, and infinite statistics are left out | faults, cancellation |
| a round trip is one number | network_rtt has every percentile, all the same; the network_* metrics have a sum and no count | network-probe |
| an HTTP request's phases add up | on a new connection sending includes the handshake, so http_req_total counts it twice | every run |
| a chunk with a tool call and prose counts both | the prose is lost (rule tool-prose); [DONE] of a raw stream is text (rule raw-done) | stream-shapes |
| an error line fails its stream | only an event named error does (rule error-object) | faults |
| wall-clock times are integers | they pass through float64, in steps of 256 ns (rule exact-epochs) | every run |
| every request leaves a record | those still open when the grace period ends leave none | |
| inter_chunk_latency does not depend on how gaps are kept | it is exact, and with the t-digest backend it is gone altogether | |
| there are 17 flags and 10 console groups | there are three more flags, and the groups effective and active besides | |
| good_request_fraction has a header of words | it is headed GoodRequestFraction | faults, rate-slices |
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
		fmt.Fprintf(&b, "## %s\n\n| tag | name | unit | definition | needs | flags | table |\n|---|---|---|---|---|---|---|\n", kind.title)
		for _, m := range All {
			if m.Kind == kind.kind {
				fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s | %s | %s |\n", m.Tag, m.Header, units(m), strings.ReplaceAll(m.Formula, "|", "\\|"),
					strings.Join(m.Needs, ", "), condition(m.Flags), m.Group)
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

// units are the one that a stream holds and the one that a report shows.
func units(m Metric) string {
	if m.Unit == m.Show {
		return m.Unit
	}
	return m.Unit + " -> " + m.Show
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
		{UsageDiff, "client token counts"}, {FixedSchedule, "fixed schedule"}, {DisableOnAccuracy, "not in accuracy mode"}, {Experimental, "--dev"}, {Internal, "shown by --dev"}, {HTTPTrace, "console with --show-trace-timing"}, {LargerIsBetter, "the larger the better"},
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
