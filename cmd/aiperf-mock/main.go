// Aiperf-mock is a stand-in inference server whose timing is known: for the demo, the tests and the
// benchmarks. It speaks the OpenAI chat and completions APIs, streamed and not.
//
//	aiperf-mock --ttft 50 --itl 10 --port 8000
//	aiperf-mock --ttft 50 --itl 10 sh -c 'aiperf-gen -m mock --streaming | aiperf-send | aiperf-metrics | aiperf-report'
//
// With a command it listens on a free port, sets AIPERF_URL for it, and returns its exit code.
//
// --script FILE plays answers instead, one JSON object a line, again and again:
//
//	{"status": 200, "headers": {"Content-Type": "text/event-stream"}, "chunks": [[0, "data: a\n\n"], [20, "data: [DONE]\n\n"]], "end": "clean"}
//
// A chunk is [milliseconds from the request, text] and one write; "end" is clean (the default), close
// (cut without an end), reset or hang; "raw": true writes the chunks as they are, without a head.
package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"

	"aiperf/internal/cli"
)

func main() { os.Exit(cli.Main(app())) }

func app() *cli.Tool {
	return &cli.Tool{
		Name: "aiperf-mock", Usage: "serve the OpenAI API with known timing", ArgsUsage: "[COMMAND [ARG...]]", Wraps: true, Signals: true,
		Description: "Without a command it serves until a signal. With one it listens on a free port, sets AIPERF_URL,\n" +
			"runs the command and exits with its code.\n\n" +
			"The first token comes --ttft after the request was read, the next ones --itl apart, by absolute deadlines.\n" +
			"An answer has as many tokens as its cap (max_tokens, max_completion_tokens) says, else 128; --stop-after\n" +
			"ends it earlier unless ignore_eos or min_tokens forbid. GET /mock/stats counts what was served.",
		Flags: []cli.Flag{
			{Name: "host", Type: cli.String, Default: "127.0.0.1", Usage: "address to listen on"},
			{Name: "port", Aliases: []string{"p"}, Type: cli.Int, Limits: ">=0 <=65535", Default: "8000", Usage: "port to listen on; 0 takes a free one"},
			{Name: "ttft", Aliases: []string{"t"}, Type: cli.Millis, Limits: ">=0", Default: "20", Usage: "time to first token, ms"},
			{Name: "itl", Type: cli.Millis, Limits: ">=0", Default: "5", Usage: "time between tokens, ms"},
			{Name: "ttft-jitter-cv", Type: cli.Float, Limits: ">=0", Default: "0", Usage: "coefficient of variation of the first, lognormal with the same mean"},
			{Name: "itl-jitter-cv", Type: cli.Float, Limits: ">=0", Default: "0", Usage: "coefficient of variation of the second, likewise"},
			{Name: "tokens-per-chunk", Type: cli.Int, Limits: ">=1", Default: "1", Usage: "tokens in one event; events stay --itl × this apart"},
			{Name: "fast", Aliases: []string{"f"}, Type: cli.Bool, Usage: "do not wait at all"},
			{Name: "events-per-write", Type: cli.Int, Limits: ">=1", InEffect: "1, with --fast 16", Usage: "events written at once"},
			{Name: "stop-after", Type: cli.Int, Limits: ">=1", Usage: "tokens after which an answer ends by itself", InEffect: "never"},
			{Name: "reasoning-tokens", Type: cli.Int, Limits: ">=0", Default: "0", Usage: "chat: the first tokens are reasoning_content"},
			{Name: "error-rate", Type: cli.Float, Limits: ">=0 <=100", Default: "0", Usage: "percent of requests answered with HTTP 500"},
			{Name: "random-seed", Type: cli.Int, Limits: ">=0", Default: "0", Usage: "seed of jitter and errors"},
			{Name: "model", Type: cli.String, Default: "mock", Usage: "the model that /v1/models lists; any model is served"},
			{Name: "tokenizer", Type: cli.String, Default: "builtin", Usage: "tokenizer of the usage counts"},
			{Name: "no-tokenizer", Type: cli.Bool, Usage: "count a prompt as a quarter of its characters"},
			{Name: "stamp", Type: cli.Bool, Usage: "put the server's wall-clock ns of the write into each event (server_ns)"},
			{Name: "script", Type: cli.Path, Usage: "play the answers of this file instead"},
			{Name: "record-requests", Type: cli.Path, Usage: "write each request as a JSON line to this file"},
		},
		Run: run,
	}
}

func run(ctx context.Context, env *cli.Env, c *cli.Context) error {
	srv, err := newServer(c)
	if err != nil {
		return err
	}
	port := c.Int("port")
	if len(c.Args) > 0 && !c.IsSet("port") {
		port = 0
	}
	ln, err := net.Listen("tcp", net.JoinHostPort(c.String("host"), fmt.Sprint(port)))
	if err != nil {
		return cli.Errorf(cli.ExitUnavailable, "listening: %v", err)
	}
	defer srv.close()
	go srv.serve(ln)
	url := "http://" + ln.Addr().String()
	if len(c.Args) == 0 {
		env.Warnf("serving on %s", url)
		<-env.Interrupts
		env.Warnf("%s", srv.stats.words())
		return nil
	}
	return wrap(ctx, env, url, c.Args)
}

// wrap runs the command with AIPERF_URL set; interrupts are the command's to handle.
func wrap(ctx context.Context, env *cli.Env, url string, args []string) error {
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = env.Stdin, env.Stdout, env.Stderr
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "AIPERF_URL=") {
			cmd.Env = append(cmd.Env, kv)
		}
	}
	cmd.Env = append(cmd.Env, "AIPERF_URL="+url)
	signal.Reset(syscall.SIGPIPE)
	if err := cmd.Start(); err != nil {
		return cli.Errorf(cli.ExitNoInput, "%v", err)
	}
	ended := make(chan struct{})
	go func() {
		for {
			select {
			case sig := <-env.Interrupts:
				if sig != os.Interrupt { // a terminal's Ctrl-C reaches the command by itself
					_ = cmd.Process.Signal(sig)
				}
			case <-ended:
				return
			}
		}
	}()
	err := cmd.Wait()
	close(ended)
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit) && exit.ExitCode() >= 0:
		return cli.Silent(exit.ExitCode())
	case errors.As(err, &exit):
		if ws, ok := exit.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
			return cli.Silent(128 + int(ws.Signal()))
		}
		return cli.Silent(cli.ExitSoftware)
	}
	return err
}
