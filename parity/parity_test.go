//go:build parity

package parity

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

func sortedCopy(s []string) []string { return slices.Sorted(slices.Values(s)) }

// without are the shapes but for those.
func without[V any](shapes map[string]V, not ...string) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(shapes)), func(k string) bool { return slices.Contains(not, k) })
}

// matrix is every trial; figures in it are drawn from the seed.
func matrix() []trial {
	r := random("matrix")
	between := func(lo, hi int) string { return fmt.Sprint(lo + r.IntN(hi-lo+1)) }
	words := func(s string) []string { return strings.Fields(s) }
	// the speed of the mock and the shape of a load, drawn anew for each trial
	mock := func(more string) []string {
		return append([]string{"--ttft", between(3, 15), "--itl", between(1, 4)}, words(more)...)
	}
	load := func(more string) []string {
		return append([]string{"--request-count", between(20, 40), "--concurrency", between(2, 7), "--osl", between(2, 14),
			"--warmup-request-count", between(2, 4)}, words(more)...)
	}
	noUsage := func(a []string) []string {
		return append(a, "--extra-inputs", `{"stream_options":{"include_usage":false}}`)
	}
	server := words("--use-server-token-count")
	trace := func(n int) (lines []string) {
		at := 0
		for range n {
			lines = append(lines, fmt.Sprintf(`{"timestamp": %d, "input_length": %d, "output_length": %d}`, at, 5+r.IntN(40), 2+r.IntN(10)))
			at += r.IntN(70)
		}
		return lines
	}
	flat := func(more string) []string { // no output tokens
		return append([]string{"--request-count", between(20, 40), "--concurrency", between(2, 7), "--warmup-request-count", between(2, 4)}, words(more)...)
	}
	half := words("--goodput request_latency:" + between(20, 60))
	all := []trial{
		{name: "chat-streaming", mock: mock(""), profile: load("--streaming --export-http-trace")},
		{name: "chat-whole", mock: mock(""), profile: load("--export-http-trace")},
		{name: "chat-server-counts", mock: mock("--tokens-per-chunk 2"), profile: load("--streaming --use-server-token-count"), metrics: server},
		{name: "chat-no-usage", mock: mock(""), profile: noUsage(load("--streaming"))},
		{name: "chat-no-usage-server", mock: mock(""), profile: noUsage(load("--streaming --use-server-token-count")), metrics: server},
		{name: "chat-reasoning", mock: mock("--reasoning-tokens 4"), profile: load("--streaming")},
		{name: "chat-reasoning-server", mock: mock("--reasoning-tokens 3 --tokens-per-chunk 2"), profile: load("--streaming --use-server-token-count"), metrics: server},
		{name: "chat-reasoning-whole", mock: mock("--reasoning-tokens 3"), profile: load("")},
		{name: "chat-per-chunk-usage", mock: mock("--tokens-per-chunk 3"), profile: load("--streaming --use-server-token-count --per-chunk-usage"),
			metrics: words("--use-server-token-count --per-chunk-usage")},
		{name: "chat-errors", mock: mock("--error-rate 30"), profile: load("--streaming --export-http-trace")},
		{name: "chat-stop-early", mock: mock("--stop-after 3"), profile: load("--streaming --use-server-token-count"), metrics: server},
		{name: "completions-streaming", mock: mock(""), profile: load("--endpoint-type completions --streaming"), metrics: words("--endpoint-type completions")},
		{name: "completions-whole", mock: mock(""), profile: load("--endpoint-type completions --use-server-token-count"),
			metrics: words("--endpoint-type completions --use-server-token-count")},
		{name: "goodput", mock: mock(""), profile: append(load("--streaming"), "--goodput", "time_to_first_token:12 inter_token_latency:3"),
			metrics: []string{"--goodput", "time_to_first_token:12 inter_token_latency:3"}},
		{name: "cancellation", mock: words("--ttft 10 --itl 4"), // an answer takes longer than the delay, its first token less
			profile: words("--streaming --export-http-trace --request-count 30 --concurrency 4 --osl 12 --warmup-request-count 2 --request-cancellation-rate 40 --request-cancellation-delay 0.03")},
		{name: "rate-poisson-slices", mock: mock("--error-rate 10"), profile: append(load("--streaming --request-rate 40 --slice-duration 0.2"), half...),
			metrics: append(words("--slice-duration 0.2"), half...)},
		{name: "rate-constant", mock: mock(""), profile: load("--streaming --request-rate 50 --arrival-pattern constant")},
		{name: "duration", mock: mock(""), profile: words("--streaming --benchmark-duration 2 --concurrency 3 --osl 6 --warmup-request-count 2 --slice-duration 0.7"), metrics: words("--slice-duration 0.7")},
		{name: "no-warmup", mock: mock(""), profile: words("--streaming --request-count 20 --concurrency 4 --osl 5")},
		{name: "one-request", mock: mock(""), profile: words("--streaming --request-count 1 --osl 5 --warmup-request-count 1")},
		{name: "multi-turn", mock: mock(""), profile: words("--streaming --conversation-num 6 --conversation-turn-mean 3 --concurrency 3 --osl 5 --warmup-request-count 2")},
		{name: "fixed-schedule", mock: mock(""), trace: trace(25), metrics: words("--slice-duration 0.4"),
			profile: words("--streaming --custom-dataset-type mooncake_trace --fixed-schedule --fixed-schedule-auto-offset --slice-duration 0.4")},
		{name: "network-latency", mock: mock(""), profile: load("--streaming --network-latency-mean 1.5"), metrics: words("--network-latency-mean 1.5")},
		{name: "stream-shapes", plays: script("stream-shapes", streams, 50, without(streams, "hang", "hang-at-once")...), profile: shaped("--streaming --export-http-trace")},
		{name: "stream-shapes-server", plays: script("stream-shapes-server", streams, 50, without(streams, "hang", "hang-at-once")...),
			profile: shaped("--streaming --use-server-token-count"), metrics: server},
		{name: "timeouts", plays: script("timeouts", streams, 12, "text", "hang", "hang-at-once", "one"),
			profile: words("--streaming --request-count 20 --concurrency 5 --osl 5 --warmup-request-count 1 --request-timeout-seconds 0.5 --export-http-trace")},
		{name: "whole-shapes", plays: script("whole-shapes", wholes, 34), profile: shaped("--export-http-trace")},
		{name: "whole-shapes-server", plays: script("whole-shapes-server", wholes, 34), profile: shaped("--use-server-token-count"), metrics: server},
		{name: "responses-streaming", mock: mock("--reasoning-tokens 2"), profile: load("--endpoint-type responses --streaming"), metrics: words("--endpoint-type responses")},
		{name: "responses-whole", mock: mock("--reasoning-tokens 3"), profile: load("--endpoint-type responses --use-server-token-count"),
			metrics: words("--endpoint-type responses --use-server-token-count")},
		{name: "responses-server", mock: mock("--stop-after 4"), profile: load("--endpoint-type responses --streaming --use-server-token-count"),
			metrics: words("--endpoint-type responses --use-server-token-count")},
		{name: "messages-streaming", mock: mock("--reasoning-tokens 2"), profile: load("--endpoint-type messages --streaming"), metrics: words("--endpoint-type messages")},
		{name: "messages-server", mock: mock("--stop-after 5 --tokens-per-chunk 2"), profile: load("--endpoint-type messages --streaming --use-server-token-count"),
			metrics: words("--endpoint-type messages --use-server-token-count")},
		{name: "messages-whole", mock: mock("--reasoning-tokens 3"), profile: load("--endpoint-type messages"), metrics: words("--endpoint-type messages")},
		{name: "embeddings", mock: mock("--error-rate 10"), profile: flat("--endpoint-type embeddings"), metrics: words("--endpoint-type embeddings")},
		{name: "rankings-nim", mock: mock(""), profile: flat("--endpoint-type nim_rankings"), metrics: words("--endpoint-type nim_rankings"), noISL: true},
		{name: "rankings-tei", mock: mock(""), profile: flat("--endpoint-type hf_tei_rankings"), metrics: words("--endpoint-type hf_tei_rankings"), noISL: true},
		{name: "rankings-cohere", mock: mock(""), profile: flat("--endpoint-type cohere_rankings"), metrics: words("--endpoint-type cohere_rankings"), noISL: true},
		{name: "three-runs", mock: mock(""), runs: 3, profile: load("--streaming --num-profile-runs 3")},
	}
	return all
}

// shaped is the load of a script.
func shaped(more string) []string {
	return strings.Fields("--request-count 50 --concurrency 4 --osl 6 --warmup-request-count 3 " + more)
}

func TestParity(t *testing.T) {
	for _, k := range matrix() {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			k.run(t)
		})
	}
}
