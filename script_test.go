package aiperf

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the goldens")

// bin is where TestMain leaves the tools, in front of the PATH.
var bin string

func TestMain(m *testing.M) {
	flag.Parse()
	code, err := withTools(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func withTools(m *testing.M) (int, error) {
	dir, err := os.MkdirTemp("", "aiperf-bin-*")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	bin = dir
	if out, err := exec.Command("go", "build", "-o", bin+"/", "./cmd/...").CombinedOutput(); err != nil {
		return 0, fmt.Errorf("go build: %w\n%s", err, out)
	}
	if err := os.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH")); err != nil {
		return 0, err
	}
	if err := os.Setenv("HF_HUB_OFFLINE", "1"); err != nil {
		return 0, err
	}
	for _, name := range []string{"AIPERF_URL", "OPENAI_API_KEY"} { // the tests' own, not the user's
		os.Unsetenv(name)
	}
	return m.Run(), nil
}

func TestScripts(t *testing.T) {
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("HF_HUB_OFFLINE", "1")
			e.Setenv("TESTDATA", filepath.Join(root, "testdata"))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
	})
}

// exits CODE COMMAND... wants exactly that exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND [ARG...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("%s exits %d, want %d", args[1], got, want)
	}
}
