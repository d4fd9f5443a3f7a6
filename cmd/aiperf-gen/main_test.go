package main

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"aiperf/internal/cli"
	"aiperf/schema"
)

// result is what one run of the tool left.
type result struct {
	code     int
	out, err string
	run      schema.Run
	requests []schema.Request
}

// gen runs the tool with buffers.
func gen(t testing.TB, stdin string, args ...string) result {
	t.Helper()
	var out, errs bytes.Buffer
	env := &cli.Env{Args: args, Stdin: strings.NewReader(stdin), Stdout: &out, Stderr: &errs, Getenv: offline}
	r := result{code: app().Main(context.Background(), env)}
	r.out, r.err = out.String(), errs.String()
	for i, line := range strings.Split(strings.TrimSuffix(r.out, "\n"), "\n") {
		if line == "" {
			continue
		}
		if i == 0 {
			if err := json.Unmarshal([]byte(line), &r.run); err != nil {
				t.Fatalf("%v: %s", err, line)
			}
			continue
		}
		var q schema.Request
		if err := json.Unmarshal([]byte(line), &q); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		r.requests = append(r.requests, q)
	}
	return r
}

// good wants exit 0.
func good(t testing.TB, stdin string, args ...string) result {
	t.Helper()
	r := gen(t, stdin, args...)
	if r.code != 0 {
		t.Fatalf("exit %d: %s", r.code, r.err)
	}
	return r
}

// offline keeps the tests from the network.
func offline(name string) string { return map[string]string{"HF_HUB_OFFLINE": "1"}[name] }

func TestTheRunLineComesFirst(t *testing.T) {
	r := good(t, "", "-m", "m", "--isl", "3", "--tokenizer", "cl100k_base")
	if r.run.Kind != "run" || r.run.Tool != "aiperf-gen" || r.run.Tokenizer != "cl100k_base" || r.run.RunID == "" {
		t.Errorf("run line %+v", r.run)
	}
	if len(r.requests) != 10 {
		t.Errorf("%d requests without a bound, want 10", len(r.requests))
	}
}

func TestAModelsMissingTokenizerIsSaidOnce(t *testing.T) {
	r := good(t, "", "-m", "org/model", "--isl", "3")
	if strings.Count(r.err, "counting with builtin") != 1 || !strings.Contains(r.run.TokenizerNote, "no tokenizer found") {
		t.Errorf("stderr %q, note %q", r.err, r.run.TokenizerNote)
	}
	if r := good(t, "", "-m", "org/model", "--isl", "3", "--quiet"); r.err != "" {
		t.Errorf("--quiet says %q", r.err)
	}
}

func TestOneSeedGivesTheSameBytes(t *testing.T) {
	args := []string{"-m", "a,b", "--model-selection-strategy", "random", "--isl", "50", "--isl-stddev", "20", "--osl", "9", "--osl-stddev", "3",
		"--request-rate", "30", "--request-count", "40", "--dataset-sampling-strategy", "shuffle", "--num-dataset-entries", "7", "--tokenizer", "builtin", "--random-seed"}
	requests := func(seed string) string {
		_, rest, _ := strings.Cut(good(t, "", append(args, seed)...).out, "\n")
		return rest
	}
	first, again := requests("7"), requests("7")
	if first != again {
		t.Error("two runs of one seed differ")
	}
	if first == requests("8") {
		t.Error("two seeds agree")
	}
}

func TestWithoutASeedIdsAreUUIDsAndRunsDiffer(t *testing.T) {
	a, b := good(t, "", "-m", "m", "--tokenizer", "builtin"), good(t, "", "-m", "m", "--tokenizer", "builtin")
	if bytes.Equal(a.requests[0].Payload, b.requests[0].Payload) {
		t.Error("two runs without a seed agree")
	}
	if id := a.requests[0].ConversationID; len(id) != 36 || strings.Count(id, "-") != 4 {
		t.Errorf("session id %q", id)
	}
}

func TestB34ConstantTicksOnTheWire(t *testing.T) {
	r := good(t, "", "-m", "m", "--isl", "1", "--request-rate", "200", "--request-count", "1000", "--request-rate-mode", "constant", "--tokenizer", "builtin")
	at := int64(0)
	for k, q := range r.requests {
		if at += *q.TickNS; at != int64(k+1)*5_000_000 {
			t.Fatalf("request %d at %d ns", k+1, at)
		}
	}
	if len(r.requests) != 1000 {
		t.Errorf("%d requests", len(r.requests))
	}
}

func TestB39AHalfRequestASecond(t *testing.T) {
	r := good(t, "", "-m", "m", "--isl", "1", "--request-rate", "0.5", "--arrival-pattern", "constant", "--tokenizer", "builtin")
	if got := *r.requests[3].TickNS; got != 2_000_000_000 {
		t.Errorf("gap %d, want 2e9", got)
	}
}

func TestB46ISLOne(t *testing.T) {
	for _, q := range good(t, "", "-m", "m", "--isl", "1", "--request-count", "50", "--tokenizer", "builtin").requests {
		if *q.ISL != 1 || bytes.Contains(q.Payload, []byte(`"content":""`)) {
			t.Fatalf("isl %d: %s", *q.ISL, q.Payload)
		}
	}
}

func TestWarmupComesFirstAndSharesThePool(t *testing.T) {
	r := good(t, "", "-m", "m", "--isl", "4", "--request-count", "3", "--warmup-request-count", "2", "--warmup-request-rate", "4", "--warmup-arrival-pattern", "constant", "--random-seed", "1", "--tokenizer", "builtin")
	var got []string
	for _, q := range r.requests {
		got = append(got, q.Phase+" "+q.ConversationID)
		if (q.TickNS != nil) != (q.Phase == "warmup") {
			t.Errorf("%s: tick %v", q.Phase, q.TickNS)
		}
	}
	want := "warmup session_000000,warmup session_000001,profiling session_000002,profiling session_000000,profiling session_000001"
	if strings.Join(got, ",") != want {
		t.Errorf("got %v\nwant %s", got, want)
	}
}

func TestAWarmupDurationWithARateEndsByItsTicks(t *testing.T) {
	r := good(t, "", "-m", "m", "--isl", "1", "--request-rate", "10", "--arrival-pattern", "constant", "--warmup-duration", "0.55", "--request-count", "2", "--tokenizer", "builtin")
	n := 0
	for _, q := range r.requests {
		if q.Phase == "warmup" {
			n++
		}
	}
	if n != 5 || len(r.requests) != 7 {
		t.Errorf("%d warmup of %d", n, len(r.requests))
	}
}

// closing is a reader that closes after n lines.
type closing struct{ n int }

func (c *closing) Write(p []byte) (int, error) {
	if c.n--; c.n < 0 {
		return 0, epipe
	}
	return len(p), nil
}

func TestB57WithoutABoundItGoesOnUntilThePipeCloses(t *testing.T) {
	for _, args := range [][]string{{"--request-count", "0"}, {"--benchmark-duration", "60"}, {"--warmup-duration", "1", "--benchmark-duration", "2"}} {
		var errs bytes.Buffer
		w := &closing{n: 500}
		env := &cli.Env{Args: append([]string{"-m", "m", "--isl", "2", "--tokenizer", "builtin"}, args...), Stdout: w, Stderr: &errs, Getenv: offline}
		if code := app().Main(context.Background(), env); code != 0 || errs.Len() > 0 || w.n >= 0 {
			t.Errorf("%v: exit %d after %d lines: %s", args, code, 500-w.n, errs.String())
		}
	}
}

func TestWhatCannotBeHonouredIsRefused(t *testing.T) {
	file := "../../testdata/peer/requests/mooncake-offsets/in.jsonl"
	for _, c := range []struct {
		name, say string
		args      []string
	}{
		{"no model", "--model", nil},
		{"an endpoint that is not built", "embeddings is not built", []string{"-m", "m", "--endpoint-type", "embeddings"}},
		{"a dataset type that is not built", "bailian_trace is not built", []string{"-m", "m", "--input-file", file, "--custom-dataset-type", "bailian_trace"}},
		{"weighted models", "weights", []string{"-m", "m", "--model-selection-strategy", "weighted"}},
		{"a pair without a colon", "key:value", []string{"-m", "m", "--extra-inputs", "flag"}},
		{"synthetic lengths with a file", "synthetic", []string{"-m", "m", "--input-file", file, "--isl", "10"}},
		{"a rate beside a schedule", "timestamps", []string{"-m", "m", "--input-file", file, "--custom-dataset-type", "mooncake_trace", "--isl-block-size", "16", "--request-rate", "5"}},
		{"per-chunk usage without streaming", "--streaming", []string{"-m", "m", "--per-chunk-usage"}},
		{"smoothness with poisson", "gamma", []string{"-m", "m", "--request-rate", "1", "--arrival-pattern", "poisson", "--arrival-smoothness", "2"}},
		{"a rate of 0", "above 0", []string{"-m", "m", "--request-rate", "0"}},
		{"shares that do not total 100", "100", []string{"-m", "m", "--seq-dist", "1,2:40"}},
		{"offsets without a schedule", "no fixed schedule", []string{"-m", "m", "--input-file", file, "--isl-block-size", "16", "--fixed-schedule-end-offset", "5"}},
		{"an unknown flag of a later part", "unknown flag", []string{"-m", "m", "--session-turns-mean", "2"}},
		{"a prefix length without a pool", "pool", []string{"-m", "m", "--prefix-prompt-length", "5"}},
		{"speed 0", "never", []string{"-m", "m", "--input-file", file, "--synthesis-speedup-ratio", "0"}},
	} {
		if r := gen(t, "", c.args...); r.code != 64 || !strings.Contains(r.err, c.say) || r.out != "" {
			t.Errorf("%s: exit %d, %q, out %q; want 64 and %q", c.name, r.code, r.err, r.out, c.say)
		}
	}
}
