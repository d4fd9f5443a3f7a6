package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// call runs a tool with one of each flag and returns what it said.
type result struct {
	code     int
	out, err string
	c        *Context
}

func flagsOfAllTypes() []Flag {
	return []Flag{
		{Name: "name", Aliases: []string{"n", "call-it"}, Type: String, Env: "TEST_NAME", Group: "Words", Usage: "what it is called"},
		{Name: "streaming", Negative: "no-streaming", Type: Bool, Default: "false", Env: "TEST_STREAMING", Usage: "stream"},
		{Name: "count", Type: Int, Default: "7", Limits: ">=1 <=100", Env: "TEST_COUNT", Usage: "how many"},
		{Name: "rate", Type: Float, Limits: ">0"},
		{Name: "mode", Type: Enum, Default: "nim_rankings", Choices: []string{"chat", "nim_rankings"}},
		{Name: "urls", Type: Strings, Default: "http://a"},
		{Name: "ints", Type: Ints},
		{Name: "header", Aliases: []string{"H"}, Type: Pairs},
		{Name: "wait", Type: Seconds},
		{Name: "slo", Type: Millis, InEffect: "none"},
		{Name: "api-key", Type: String},
		{Name: "num-sessions", Type: Int},
		{Name: "old", Type: String, Refuse: "gone; use --name"},
	}
}

func call(t *testing.T, env map[string]string, args ...string) result {
	t.Helper()
	var r result
	tool := &Tool{Name: "aiperf-test", Usage: "test", ArgsUsage: "[FILE...]", Flags: flagsOfAllTypes(),
		Commands: []*Tool{{Name: "sub", Usage: "another job", Flags: []Flag{{Name: "deep", Type: Int}},
			Run: func(_ context.Context, _ *Env, c *Context) error { r.c = c; return nil }}},
		Run: func(_ context.Context, _ *Env, c *Context) error { r.c = c; return nil }}
	var out, errs bytes.Buffer
	r.code = tool.Main(t.Context(), &Env{Args: args, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs,
		Getenv: func(k string) string { return env[k] }})
	r.out, r.err = out.String(), errs.String()
	return r
}

func TestFlagValues(t *testing.T) {
	for _, tt := range []struct {
		name string
		env  map[string]string
		args []string
		want string // of the expression in get
		get  func(*Context) any
	}{
		{"a default holds", nil, nil, "7", func(c *Context) any { return c.Int("count") }},
		{"a default is not typed", nil, nil, "false true", func(c *Context) any { return fmt.Sprint(c.IsSet("count"), " ", c.Has("count")) }},
		{"the last of repeated values wins", nil, []string{"--count", "3", "--count=5"}, "5", func(c *Context) any { return c.Int("count") }},
		{"an alias is the flag", nil, []string{"--call-it", "x"}, "x", func(c *Context) any { return c.String("name") }},
		{"a short flag is the flag", nil, []string{"-n", "x"}, "x", func(c *Context) any { return c.String("name") }},
		{"a flag may stand behind a file", nil, []string{"a", "--count", "3", "b"}, "3 [a b]", func(c *Context) any { return fmt.Sprint(c.Int("count"), " ", c.Args) }},
		{"what stands behind -- is a file", nil, []string{"--", "--count"}, "[--count]", func(c *Context) any { return c.Args }},
		{"- is a file", nil, []string{"-", "--count", "3"}, "[-]", func(c *Context) any { return c.Args }},
		{"a value may begin with a dash", nil, []string{"--name", "-x"}, "-x", func(c *Context) any { return c.String("name") }},
		{"a bool stands alone", nil, []string{"--streaming", "file"}, "true [file]", func(c *Context) any { return fmt.Sprint(c.Bool("streaming"), " ", c.Args) }},
		{"a bool takes a value", nil, []string{"--streaming=false"}, "false", func(c *Context) any { return c.Bool("streaming") }},
		{"the negative is false", nil, []string{"--streaming", "--no-streaming"}, "false", func(c *Context) any { return c.Bool("streaming") }},
		{"a list is split at commas and grows", nil, []string{"--urls", "b,c", "--urls", "d"}, "[b c d]", func(c *Context) any { return c.List("urls") }},
		{"numbers in a list", nil, []string{"--ints", "1, 2"}, "[1 2]", func(c *Context) any { return c.Ints("ints") }},
		{"a pair keeps its commas", nil, []string{"-H", "Accept: a,b", "-H", `{"x":"1,2"}`}, `["Accept: a,b" "{\"x\":\"1,2\"}"]`, func(c *Context) any { return fmt.Sprintf("%q", c.List("header")) }},
		{"an enum may have dashes", nil, []string{"--mode", "NIM-rankings"}, "nim_rankings", func(c *Context) any { return c.String("mode") }},
		{"a bare number is seconds", nil, []string{"--wait", "0.3"}, "300ms", func(c *Context) any { return c.Duration("wait") }},
		{"a bare number is milliseconds", nil, []string{"--slo", "250"}, "250ms", func(c *Context) any { return c.Duration("slo") }},
		{"a duration has its unit", nil, []string{"--slo", "2m"}, "2m0s", func(c *Context) any { return c.Duration("slo") }},
		{"the environment is read", map[string]string{"TEST_COUNT": "9"}, nil, "9 true", func(c *Context) any { return fmt.Sprint(c.Int("count"), " ", c.IsSet("count")) }},
		{"a typed flag wins over the environment", map[string]string{"TEST_COUNT": "9"}, []string{"--count", "4"}, "4", func(c *Context) any { return c.Int("count") }},
		{"a typed flag wins over a bad environment", map[string]string{"TEST_COUNT": "x"}, []string{"--count", "4"}, "4", func(c *Context) any { return c.Int("count") }},
		{"an empty variable is no value", map[string]string{"TEST_NAME": ""}, nil, "false", func(c *Context) any { return c.IsSet("name") }},
		{"a subcommand has flags of its own", nil, []string{"sub", "--deep", "2"}, "2", func(c *Context) any { return c.Int("deep") }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := call(t, tt.env, tt.args...)
			if r.code != 0 || r.c == nil {
				t.Fatalf("exit code %d, stderr %q", r.code, r.err)
			}
			if got := fmt.Sprint(tt.get(r.c)); got != tt.want {
				t.Errorf("%v: %s, want %s", tt.args, got, tt.want)
			}
		})
	}
}

func TestUsageErrors(t *testing.T) {
	for _, tt := range []struct {
		name string
		env  map[string]string
		args []string
		want string
	}{
		{"an unknown flag has a neighbour", nil, []string{"--coutn", "3"}, "unknown flag --coutn; did you mean --count?"},
		{"a flag without its value", nil, []string{"--count"}, "--count needs a value"},
		{"a value that is no number", nil, []string{"--count", "x"}, `--count "x": want a whole number`},
		{"a value below its limit", nil, []string{"--count", "0"}, `--count "0": must be >=1 <=100`},
		{"a value above its limit", nil, []string{"--count", "101"}, `must be >=1 <=100`},
		{"a limit that is not reached", nil, []string{"--rate", "0"}, `must be >0`},
		{"no NaN", nil, []string{"--rate", "NaN"}, `want a number`},
		{"an infinite wait", nil, []string{"--wait", "inf"}, `out of range`},
		{"an unknown choice has a neighbour", nil, []string{"--mode", "chatt"}, `did you mean "chat"? known: chat, nim_rankings`},
		{"a bool that is neither", nil, []string{"--streaming=perhaps"}, "want true or false"},
		{"a refused flag says why", nil, []string{"--old", "x"}, "--old: gone; use --name"},
		{"a bad variable is named", map[string]string{"TEST_COUNT": "x"}, nil, "$TEST_COUNT: want a whole number"},
		{"an argument where there is none", nil, []string{"sub", "x"}, `takes no arguments, got "x"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := call(t, tt.env, tt.args...)
			if r.code != ExitUsage || !strings.HasPrefix(r.err, "aiperf-test: ") || !strings.Contains(r.err, tt.want) ||
				!strings.Contains(r.err, "\nhint: ") || r.out != "" || r.c != nil {
				t.Errorf("exit code %d, stdout %q, stderr %q, want %q", r.code, r.out, r.err, tt.want)
			}
		})
	}
}

func TestHelp(t *testing.T) {
	for _, args := range [][]string{{"--help"}, {"-h"}, {"file", "-h"}} {
		r := call(t, nil, args...)
		for _, want := range []string{"aiperf-test - test\n", "\nWords:\n  -n, --name, --call-it TEXT\n        what it is called ($TEST_NAME)\n",
			"  --streaming, --no-streaming\n        stream ($TEST_STREAMING)\n", "how many (>=1 <=100; default 7; $TEST_COUNT)", "default: none", "  sub "} {
			if !strings.Contains(r.out, want) {
				t.Errorf("%v: no %q in\n%s", args, want, r.out)
			}
		}
		if r.code != 0 || r.c != nil || strings.Contains(r.out, "--old") {
			t.Errorf("%v: exit code %d, %s", args, r.code, r.out)
		}
	}
	if r := call(t, nil, "sub", "-h"); !strings.Contains(r.out, "Usage: aiperf-test sub [FLAG...]\n") || !strings.Contains(r.out, "--deep N") {
		t.Errorf("help of a subcommand:\n%s", r.out)
	}
	if r := call(t, nil, "--version"); !strings.HasPrefix(r.out, "aiperf-test "+Version+" (commit ") || r.c != nil {
		t.Errorf("version %q", r.out)
	}
}

func TestDescribeFlags(t *testing.T) {
	r := call(t, nil, "--describe-flags")
	var list []map[string]any
	if err := json.Unmarshal([]byte(r.out), &list); err != nil || len(list) != len(flagsOfAllTypes()) {
		t.Fatalf("%d flags, %v", len(list), err)
	}
	if got := fmt.Sprint(list[0]["flag"], list[0]["aliases"], list[1]["negative"], list[2]["limits"]); got != "--name[-n --call-it]--no-streaming>=1 <=100" {
		t.Errorf("described as %s", got)
	}
}

// run calls a tool that does f.
func run(t *testing.T, tool Tool, f func(context.Context, *Env) error) (int, string) {
	t.Helper()
	var errs bytes.Buffer
	tool.Name = "aiperf-test"
	tool.Run = func(ctx context.Context, env *Env, _ *Context) error { return f(ctx, env) }
	code := tool.Main(t.Context(), &Env{Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: &errs, Getenv: func(string) string { return "" }})
	return code, errs.String()
}

func TestExitCodes(t *testing.T) {
	for _, tt := range []struct {
		name   string
		err    error
		code   int
		stderr string
	}{
		{"nothing is wrong", nil, 0, ""},
		{"the answer is no, without words", Silent(ExitNo), 1, ""},
		{"an error knows its code", fmt.Errorf("reading: %w", Errorf(ExitData, "bad")), 65, "aiperf-test: reading: bad\n"},
		{"a hint follows", Errorf(ExitUnavailable, "no server").WithHint("start one"), 69, "aiperf-test: no server\nhint: start one\n"},
		{"an error without a code is our bug", errors.New("odd"), 70, "aiperf-test: odd\n"},
		{"a closed pipe is a quiet end", fmt.Errorf("stdout: %w", syscall.EPIPE), 0, ""},
	} {
		code, stderr := run(t, Tool{}, func(context.Context, *Env) error { return tt.err })
		if code != tt.code || stderr != tt.stderr {
			t.Errorf("%s: exit code %d, stderr %q, want %d, %q", tt.name, code, stderr, tt.code, tt.stderr)
		}
	}
	code, stderr := run(t, Tool{}, func(context.Context, *Env) error { panic("oh") })
	if code != ExitSoftware || !strings.Contains(stderr, "internal error: oh") {
		t.Errorf("a panic: exit code %d, stderr %q", code, stderr)
	}
}

func interrupt(t *testing.T) {
	if err := syscall.Kill(syscall.Getpid(), syscall.SIGINT); err != nil {
		t.Error(err)
	}
}

func ended(ctx context.Context, wait time.Duration) bool {
	select {
	case <-ctx.Done():
		return true
	case <-time.After(wait):
		return false
	}
}

func TestInterrupts(t *testing.T) {
	const soon, long = 50 * time.Millisecond, 10 * time.Second
	code, _ := run(t, Tool{}, func(ctx context.Context, _ *Env) error {
		interrupt(t)
		if !ended(ctx, long) {
			t.Error("a source goes on after the first interrupt")
		}
		return ctx.Err()
	})
	if code != ExitInterrupted {
		t.Errorf("an interrupted source exits %d", code)
	}
	code, _ = run(t, Tool{}, func(ctx context.Context, _ *Env) error { interrupt(t); ended(ctx, long); return nil })
	if code != ExitInterrupted {
		t.Errorf("an interrupted source that has written everything exits %d", code)
	}
	code, _ = run(t, Tool{Downstream: true}, func(ctx context.Context, _ *Env) error {
		interrupt(t)
		if ended(ctx, soon) {
			t.Error("the first interrupt ends a downstream stage")
		}
		return nil
	})
	if code != ExitInterrupted {
		t.Errorf("a downstream stage that was interrupted and came to its end exits %d", code)
	}
	code, _ = run(t, Tool{Downstream: true}, func(ctx context.Context, _ *Env) error {
		interrupt(t)
		ended(ctx, soon)
		return Errorf(ExitData, "a bad record")
	})
	if code != ExitData {
		t.Errorf("a downstream stage that failed exits %d after an interrupt", code)
	}
	code, _ = run(t, Tool{Downstream: true}, func(ctx context.Context, _ *Env) error {
		interrupt(t)
		ended(ctx, soon)
		interrupt(t)
		if !ended(ctx, long) {
			t.Error("a downstream stage goes on after the second interrupt")
		}
		return ctx.Err()
	})
	if code != ExitInterrupted {
		t.Errorf("a downstream stage, interrupted twice, exits %d", code)
	}
	run(t, Tool{Signals: true}, func(ctx context.Context, env *Env) error {
		interrupt(t)
		select {
		case <-env.Interrupts:
		case <-time.After(long):
			t.Error("the tool gets no interrupt")
		}
		if ctx.Err() != nil {
			t.Error("its context ended")
		}
		return nil
	})
}

func TestRunLine(t *testing.T) {
	var before, after unix.Timespec
	for _, upstream := range []string{"", "abc123"} {
		r := call(t, nil, "--api-key", "sk-1", "--count=3", "-H", "Authorization: Bearer sk-2", "--urls", "http://u:pw@h/v1?api_key=k", "--name", "two words", "--num-sessions", "4")
		env := &Env{name: "aiperf-test", Args: []string{"--api-key", "sk-1", "--count=3", "-H", "Authorization: Bearer sk-2",
			"--urls=http://u:pw@h/v1?api_key=k", "--name", "two words", "--num-sessions", "4"}}
		_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &before)
		line := RunLine(env, r.c, upstream)
		_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &after)
		if line.StartPerfNS < before.Nano() || line.StartPerfNS > after.Nano() {
			t.Errorf("start_perf_ns %d is not on CLOCK_MONOTONIC", line.StartPerfNS)
		}
		if d := time.Since(time.Unix(0, line.StartNS)); d < 0 || d > time.Minute {
			t.Errorf("start_ns is %v ago", d)
		}
		if upstream != "" && line.RunID != upstream || len(line.RunID) < 6 {
			t.Errorf("run_id %q, upstream %q", line.RunID, upstream)
		}
		text := line.CLICommand + string(line.Config)
		for _, secret := range []string{"sk-1", "sk-2", "pw", "=k"} {
			if strings.Contains(text, secret) {
				t.Errorf("%q is in %s", secret, text)
			}
		}
		for _, word := range []string{"'two words'", "--count=3", "--num-sessions 4", `"count":3`, `"num-sessions":4`} {
			if !strings.Contains(text, word) {
				t.Errorf("no %s in %s", word, text)
			}
		}
	}
	a, b := RunLine(&Env{}, call(t, nil).c, ""), RunLine(&Env{}, call(t, nil).c, "")
	if a.RunID == b.RunID {
		t.Errorf("two runs have one id, %s", a.RunID)
	}
}

func TestProgress(t *testing.T) {
	var b bytes.Buffer
	say := func(s string) func() string { return func() string { return s } }
	p := NewProgress(&Env{Stderr: &b, name: "aiperf-test"}, false)
	p.Show(say("too early"))
	p.last = time.Now().Add(-time.Hour)
	p.Show(say("1 of 2"))
	p.Show(say("too soon"))
	p.Done("2 of 2")
	if want := "aiperf-test: 1 of 2\naiperf-test: 2 of 2\n"; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
	b.Reset()
	p = &Progress{w: &b, name: "t", tty: true}
	p.Show(say("1"))
	p.Show(say("2"))
	p.Done("")
	if want := "\r\x1b[Kt: 1\r\x1b[Kt: 2\r\x1b[K"; b.String() != want {
		t.Errorf("on a terminal %q, want %q", b.String(), want)
	}
	b.Reset()
	p = NewProgress(&Env{Stderr: &b}, true)
	p.last = time.Time{}
	p.Show(say("1"))
	p.Done("2")
	if b.Len() != 0 {
		t.Errorf("--quiet says %q", b.String())
	}
}

func TestNearest(t *testing.T) {
	known := []string{"chat", "completions", "embeddings"}
	for s, want := range map[string]string{"chta": "chat", "Completion": "completions", "": "chat"} {
		if got := Nearest(s, known); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", s, got, want)
		}
	}
	if !slices.Equal(known, []string{"chat", "completions", "embeddings"}) {
		t.Error("the list changed")
	}
}
