// Aiperf-report prints the tables of a run and writes its export files.
package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"

	"golang.org/x/term"

	"aiperf/internal/cli"
	"aiperf/internal/export"
	"aiperf/internal/stream"
)

func main() { os.Exit(cli.Main(app())) }

func app() *cli.Tool {
	return &cli.Tool{
		Name: "aiperf-report", Usage: "print the tables of a run and write its export files", ArgsUsage: "[FILE...]",
		Description: `Reads what aiperf-metrics writes. The tables go to stdout; files are written only when
--artifact-dir is given (or implied by --profile-export-prefix or --export-level).

Exit 1 when no request succeeded; the tables and files are written all the same.`,
		Downstream: true,
		Flags: []cli.Flag{
			{Name: "output-artifact-dir", Aliases: []string{"artifact-dir"}, Type: cli.Path, Default: "artifacts", Group: "Output",
				Usage: "directory for the export files; without it none are written"},
			{Name: "profile-export-prefix", Aliases: []string{"profile-export-file"}, Type: cli.Path, Group: "Output",
				Usage: "begin the export files' names with this"},
			{Name: "export-level", Aliases: []string{"profile-export-level"}, Type: cli.Enum, Default: export.LevelRecords,
				Choices: []string{export.LevelSummary, export.LevelRecords, export.LevelRaw}, Group: "Output",
				Usage: "what is written for each request"},
			{Name: "export-http-trace", Type: cli.Bool, Default: "false", Group: "HTTP Trace", Usage: "HTTP trace in profile_export.jsonl"},
			{Name: "show-trace-timing", Type: cli.Bool, Default: "false", Group: "HTTP Trace", Usage: "print the HTTP trace table"},
			{Name: "width", Type: cli.Int, Limits: ">=60", InEffect: "the terminal's, else 140", Group: "Console", Usage: "columns of the tables"},
			{Name: "force", Type: cli.Bool, Default: "false", Group: "Output", Usage: "write over the files of another run"},
			{Name: "skip-bad", Type: cli.Bool, Default: "false", Group: "Input", Usage: "count bad lines and go on"},
		},
		Run: run,
	}
}

func run(ctx context.Context, env *cli.Env, c *cli.Context) error {
	job := &export.Job{Level: c.String("export-level"), Trace: c.Bool("export-http-trace")}
	job.Report.Version = cli.Version
	if c.IsSet("output-artifact-dir") || c.IsSet("profile-export-prefix") || c.IsSet("export-level") {
		job.Dir = &export.Dir{Path: c.String("output-artifact-dir"), Force: c.Bool("force"),
			Prefix: export.CleanPrefix(c.String("profile-export-prefix"))}
	}
	defer job.Close()
	bad := 0
	for l, err := range stream.Lines(ctx, env.Stdin, func(w string) { env.Warnf("%s", w) }, c.Args...) {
		if err == nil {
			err = job.Add(l)
		}
		var lineErr *stream.LineError
		if errors.As(err, &lineErr) && c.Bool("skip-bad") {
			bad++
			continue
		}
		if err != nil {
			return hinted(err)
		}
	}
	if bad > 0 {
		env.Warnf("%d bad lines were left out", bad)
	}
	job.Report.Runs = append(job.Report.Runs, cli.RunLine(env, c, job.Report.RunID))
	if err := job.Finish(); err != nil {
		return hinted(err)
	}
	var text bytes.Buffer
	if err := job.Report.Console(&text, look(env, c)); err != nil {
		return err
	}
	if err := job.Report.Footer(&text, job.Dir.Files()); err != nil {
		return err
	}
	if _, err := env.Stdout.Write(text.Bytes()); err != nil {
		return &stream.IOError{Name: "stdout", Err: err}
	}
	if job.Report.Failed() {
		return cli.Silent(cli.ExitNo)
	}
	return nil
}

// hinted adds what the user can do.
func hinted(err error) error {
	var other *export.OtherRunError
	switch {
	case errors.As(err, &other):
		return cli.Errorf(cli.ExitUsage, "%w", err).WithHint("give another --artifact-dir, or --force to write over it")
	case errors.Is(err, export.ErrNoSummary):
		return cli.Errorf(cli.ExitData, "%w", err).WithHint("pipe the records through aiperf-metrics first")
	}
	return err
}

// look is how to draw: by the flag, the terminal and the locale.
func look(env *cli.Env, c *cli.Context) export.Look {
	l := export.Look{Width: export.FileWidth, ASCII: !utf8Locale(env.Getenv), Trace: c.Bool("show-trace-timing")}
	if f, ok := env.Stdout.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 0 {
			l.Width = max(w, 40)
		}
		l.Color = env.Getenv("NO_COLOR") == "" && env.Getenv("TERM") != "dumb"
	}
	if c.IsSet("width") {
		l.Width = int(c.Int("width"))
	}
	return l
}

// utf8Locale reads the locale as POSIX has it: the first of the three that is set decides.
func utf8Locale(getenv func(string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToUpper(getenv(name)); v != "" {
			return strings.Contains(v, "UTF-8") || strings.Contains(v, "UTF8")
		}
	}
	return false
}
