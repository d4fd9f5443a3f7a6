// Package cli is what every tool has in common: flags, streams, signals, exit codes.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"syscall"

	ucli "github.com/urfave/cli/v2"
)

// Exit codes (DESIGN, "Command line"; sysexits.h where it has one).
const (
	ExitOK          = 0
	ExitNo          = 1   // worked, and the answer is no
	ExitUsage       = 64  // EX_USAGE
	ExitData        = 65  // EX_DATAERR
	ExitNoInput     = 66  // EX_NOINPUT
	ExitUnavailable = 69  // EX_UNAVAILABLE
	ExitSoftware    = 70  // EX_SOFTWARE
	ExitIO          = 74  // EX_IOERR
	ExitInterrupted = 130 // 128 + SIGINT
)

// Version is the release; set by the linker.
var Version = "0.1.0-dev"

// A Tool is one command of the pipeline.
type Tool struct {
	Name        string
	Usage       string // one line
	ArgsUsage   string // "[FILE...]"; "" refuses arguments
	Description string
	Flags       []Flag
	Commands    []*Tool
	// Run does the work. ctx ends at the second interrupt (at the first when the tool is not
	// Downstream); the error's ExitCode() int, if it has one, is the exit code.
	Run func(ctx context.Context, env *Env, c *Context) error

	// Downstream tools ignore the first interrupt and finish at end of input.
	Downstream bool
	// Wraps, when set, says that the arguments are a command: flags end at the first one.
	Wraps bool
	// Signals, when set, leaves interrupts to Run, which gets them from Env.Interrupts.
	Signals bool
}

// An Env is everything a tool touches of the outside, so that a test can call it with buffers.
type Env struct {
	Args       []string // without the program's name
	Stdin      io.Reader
	Stdout     io.Writer
	Stderr     io.Writer
	Getenv     func(string) string
	Interrupts <-chan os.Signal
	name       string
}

// OSEnv is the process's own.
func OSEnv() *Env {
	return &Env{Args: os.Args[1:], Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv}
}

// Warnf writes one line of words, "tool: ...", to stderr.
func (e *Env) Warnf(format string, args ...any) {
	fmt.Fprintf(e.Stderr, "%s: %s\n", e.name, fmt.Sprintf(format, args...))
}

// An Error has an exit code and may have a hint that says what to do.
type Error struct {
	Code int
	Err  error
	Hint string
}

func (e *Error) Error() string { return e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

// ExitCode is the code the tool exits with.
func (e *Error) ExitCode() int { return e.Code }

// Errorf makes an Error with an exit code.
func Errorf(code int, format string, args ...any) *Error {
	return &Error{Code: code, Err: fmt.Errorf(format, args...)}
}

// Usagef is a bad flag or argument: exit 64.
func Usagef(format string, args ...any) *Error { return Errorf(ExitUsage, format, args...) }

// WithHint adds the line that says what to do.
func (e *Error) WithHint(format string, args ...any) *Error {
	e.Hint = fmt.Sprintf(format, args...)
	return e
}

// Silent ends the tool with a code and no message: the message was data.
func Silent(code int) error { return &Error{Code: code} }

// Main runs the tool in the process's environment and returns its exit code.
func Main(t *Tool) int { return t.Main(context.Background(), OSEnv()) }

// Main runs the tool in env.
func (t *Tool) Main(ctx context.Context, env *Env) (code int) {
	env.name = t.Name
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintf(env.Stderr, "%s: internal error: %v\n%s", t.Name, r, debug.Stack())
			code = ExitSoftware
		}
	}()
	signal.Ignore(syscall.SIGPIPE) // a write to a closed pipe is an error like any other
	sigs := make(chan os.Signal, 4)
	signal.Notify(sigs, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(sigs)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)

	var interrupted atomic.Bool // and went on to the end of the input
	app := t.app(env, func(tool *Tool, c *Context) error {
		if tool.Signals {
			env.Interrupts = sigs
		} else {
			go watch(ctx, sigs, tool.Downstream, &interrupted, cancel)
		}
		return tool.Run(ctx, env, c)
	})
	err := app.RunContext(ctx, append([]string{t.Name}, permute(t, env.Args)...))
	code = t.exit(env, err, context.Cause(ctx))
	if interrupted.Load() && (code == ExitOK || code == ExitNo) {
		return ExitInterrupted
	}
	return code
}

var errInterrupted = errors.New("interrupted")

func watch(ctx context.Context, sigs <-chan os.Signal, downstream bool, interrupted *atomic.Bool, cancel context.CancelCauseFunc) {
	for n := 1; ; n++ {
		select {
		case <-ctx.Done():
			return
		case s := <-sigs:
			if s == os.Interrupt && downstream && n == 1 {
				interrupted.Store(true)
				continue
			}
			cancel(errInterrupted)
			<-sigs // one more ends it at once, whatever it is doing
			os.Exit(ExitInterrupted)
		}
	}
}

// exit turns an error into words and a code: the one place that does.
func (t *Tool) exit(env *Env, err, cause error) int {
	if errors.Is(err, syscall.EPIPE) {
		return ExitOK // the reader has what it wanted
	}
	if errors.Is(cause, errInterrupted) && (err == nil || errors.Is(err, context.Canceled)) {
		return ExitInterrupted // whatever was measured has been written
	}
	if err == nil {
		return ExitOK
	}
	var coded interface{ ExitCode() int }
	code := ExitSoftware
	if errors.As(err, &coded) {
		code = coded.ExitCode()
	}
	var e *Error
	if errors.As(err, &e) && e.Err == nil {
		return code
	}
	fmt.Fprintf(env.Stderr, "%s: %v\n", t.Name, err)
	var advice interface{ Hint() string } // of a library
	switch {
	case e != nil && e.Hint != "":
		fmt.Fprintf(env.Stderr, "hint: %s\n", e.Hint)
	case errors.As(err, &advice) && advice.Hint() != "":
		fmt.Fprintf(env.Stderr, "hint: %s\n", advice.Hint())
	case code == ExitUsage:
		fmt.Fprintf(env.Stderr, "hint: %s --help lists the flags\n", t.Name)
	}
	return code
}

func versionText(name string) string {
	commit := "unknown"
	if bi, ok := debug.ReadBuildInfo(); ok {
		for _, s := range bi.Settings {
			if s.Key == "vcs.revision" {
				commit = s.Value
			}
		}
	}
	if Commit != "" {
		commit = Commit
	}
	return fmt.Sprintf("%s %s (commit %s, %s)", name, Version, commit, runtime.Version())
}

// Commit is the revision the binary was built from; set by the linker.
var Commit string

func (t *Tool) app(env *Env, run func(*Tool, *Context) error) *ucli.App {
	app := &ucli.App{
		Name: t.Name, Usage: t.Usage, ArgsUsage: t.ArgsUsage, Description: strings.TrimSpace(t.Description),
		Version: Version, HideVersion: true, HideHelp: true,
		Reader: env.Stdin, Writer: env.Stdout, ErrWriter: env.Stderr,
		ExitErrHandler:  func(*ucli.Context, error) {},
		OnUsageError:    func(_ *ucli.Context, err error, _ bool) error { return usageError(t, err) },
		CommandNotFound: nil,
	}
	app.Flags, app.Action = t.wire(env, t.Name, run)
	for _, sub := range t.Commands {
		cmd := &ucli.Command{
			Name: sub.Name, Usage: sub.Usage, ArgsUsage: sub.ArgsUsage, Description: strings.TrimSpace(sub.Description),
			HideHelp:     true,
			OnUsageError: func(_ *ucli.Context, err error, _ bool) error { return usageError(sub, err) },
		}
		cmd.Flags, cmd.Action = sub.wire(env, t.Name+" "+sub.Name, run)
		app.Commands = append(app.Commands, cmd)
	}
	return app
}

// wire makes the library's flags and action of a tool's own; prog is what a user types to run it.
func (t *Tool) wire(env *Env, prog string, run func(*Tool, *Context) error) ([]ucli.Flag, ucli.ActionFunc) {
	vals := newValues(t.Flags)
	flags := vals.ucli(env.Getenv)
	flags = append(flags, &ucli.BoolFlag{Name: showHelp},
		&ucli.BoolFlag{Name: "version"}, &ucli.BoolFlag{Name: "describe-flags"})
	return flags, func(c *ucli.Context) error {
		if c.Bool(showHelp) {
			_, err := io.WriteString(env.Stdout, t.help(prog))
			return err
		}
		if c.Bool("version") {
			fmt.Fprintln(env.Stdout, versionText(t.Name))
			return nil
		}
		if c.Bool("describe-flags") {
			return Describe(env.Stdout, t)
		}
		if t.ArgsUsage == "" && c.NArg() > 0 {
			return Usagef("takes no arguments, got %q", c.Args().First())
		}
		if err := vals.check(); err != nil {
			return err
		}
		return run(t, &Context{values: vals, Args: c.Args().Slice()})
	}
}
