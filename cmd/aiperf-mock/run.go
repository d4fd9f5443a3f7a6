package main

import (
	"context"
	"errors"
	"log"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"syscall"

	"aiperf/internal/cli"
)

func run(ctx context.Context, env *cli.Env, c *cli.Context) (err error) {
	counter, err := counterOf(env, c)
	if err != nil {
		return err
	}
	b := behaviour{
		ttft: c.Duration("ttft"), itl: c.Duration("itl"), ttftCV: c.Float("ttft-jitter-cv"), itlCV: c.Float("itl-jitter-cv"),
		fast: c.Bool("fast"), tokensPerChunk: int(c.Int("tokens-per-chunk")), eventsPerWrite: max(int(c.Int("events-per-write")), 1),
		stopAfter: int(c.Int("stop-after")), reasoning: int(c.Int("reasoning-tokens")), errorRate: c.Float("error-rate"),
		seed: uint64(c.Int("random-seed")), stamp: c.Bool("stamp"), modelNames: c.List("model"),
	}
	if b.fast && !c.IsSet("events-per-write") {
		b.eventsPerWrite = 16
	}
	if c.IsSet("script") {
		if b.script, err = readScript(c.String("script")); err != nil {
			return err
		}
	}
	var requests *recorder
	if c.IsSet("record-requests") {
		f, err := os.Create(c.String("record-requests"))
		if err != nil {
			return cli.Errorf(cli.ExitIO, "--record-requests: %w", err)
		}
		defer f.Close()
		requests = &recorder{w: f}
	}
	s, err := newServer(b, counter, requests, log.New(env.Stderr, "aiperf-mock: ", 0))
	if err != nil {
		return cli.Usagef("--tokenizer %s: %w", c.String("tokenizer"), err)
	}
	port := c.Int("port")
	if !c.IsSet("port") && len(c.Args) == 0 {
		port = 8000
	}
	ln, err := net.Listen("tcp", net.JoinHostPort(c.String("host"), strconv.FormatInt(port, 10)))
	if err != nil {
		return cli.Errorf(cli.ExitUnavailable, "listening: %w", err)
	}
	broken := make(chan error, 1)
	go func() { broken <- s.serve(ln) }()
	defer s.stop()
	if len(c.Args) > 0 {
		err = wrap(ctx, env, c.Args, url(ln.Addr()))
	} else {
		env.Warnf("listening on %s", url(ln.Addr()))
		select {
		case err = <-broken:
		case <-env.Interrupts:
		case <-ctx.Done():
		}
		env.Warnf("%s", s.stats.json())
	}
	if requests != nil && err == nil && requests.failed() != nil {
		return cli.Errorf(cli.ExitIO, "--record-requests: %w", requests.failed())
	}
	return err
}

func counterOf(env *cli.Env, c *cli.Context) (counter, error) {
	if c.Bool("no-tokenizer") {
		return byLength{}, nil
	}
	t, note, err := openCounter(c.String("tokenizer"))
	if err == nil && note != "" {
		env.Warnf("%s", note)
	}
	return t, err
}

// url is where a client on this machine finds the server.
func url(a net.Addr) string {
	tcp := a.(*net.TCPAddr)
	host := tcp.IP.String()
	if tcp.IP.IsUnspecified() {
		host = "127.0.0.1"
	}
	return "http://" + net.JoinHostPort(host, strconv.Itoa(tcp.Port))
}

// wrap runs the command and returns its exit code as an error. An interrupt reaches it from the
// terminal, as everything in the foreground; SIGTERM is handed on.
func wrap(ctx context.Context, env *cli.Env, args []string, url string) error {
	// The tools ignore SIGPIPE, and what is ignored stays so in a child; what is caught does not.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Env = append(os.Environ(), "AIPERF_URL="+url) // of two the last counts
	cmd.Stdin, cmd.Stdout, cmd.Stderr = env.Stdin, env.Stdout, env.Stderr
	if err := cmd.Start(); err != nil {
		code := 127 // not found, as a shell has it
		if errors.Is(err, os.ErrPermission) {
			code = 126
		}
		return cli.Errorf(code, "starting %s: %w", args[0], err)
	}
	done := make(chan struct{})
	defer close(done)
	go func() {
		for {
			select {
			case sig := <-env.Interrupts:
				if sig == syscall.SIGTERM {
					cmd.Process.Signal(sig)
				}
			case <-done:
				return
			}
		}
	}()
	err := cmd.Wait()
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return err
	}
	if ws, ok := exit.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return cli.Silent(128 + int(ws.Signal()))
	}
	return cli.Silent(exit.ExitCode())
}
