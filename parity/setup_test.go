//go:build parity

// Package parity runs AIPerf 0.13.0 itself against aiperf-mock and compares everything it writes with
// what our tools make of its raw records. It is started by "make parity", never by "make test".
//
//	SEED=7 make parity                 the same matrix again
//	make parity CASE='chat|cuts'       some cases
//	AIPERF_VENV=dir make parity        an AIPerf that is there already
//	PARITY_KEEP=dir make parity        keep every run's files
//	PARITY_AGAIN=1 PARITY_KEEP=dir     compare the kept runs again, without AIPerf
package parity

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// version is the judge's.
const version = "0.13.0"

// encoding is where AIPerf's built-in tokenizer looks for o200k_base: the SHA-1 of its public address.
const encoding = "fb374d419588a4632f3f557e76b4b70aebbca790"

var (
	seed   uint64
	work   string // all that this run leaves is below it
	bin    string // our tools
	aiperf string // AIPerf's command
	tokens string // the folder of the encoding
)

// A row is a line of the table at the end.
type row struct {
	name    string
	records int
	values  int
	worst   float64
	faults  int
	note    string
}

var table struct {
	sync.Mutex
	rows []row
}

// errSkip says why there is no judge here.
type errSkip struct{ why string }

func (e errSkip) Error() string { return e.why }

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(judge(m))
}

func judge(m *testing.M) int {
	fail := func(err error) int {
		if s, ok := err.(errSkip); ok {
			fmt.Println("parity: SKIPPED:", s.why)
			return 0
		}
		fmt.Fprintln(os.Stderr, "parity:", err)
		return 1
	}
	dir, err := os.MkdirTemp("", "aiperf-parity-*")
	if err != nil {
		return fail(err)
	}
	work = dir
	if k := os.Getenv("PARITY_KEEP"); k != "" {
		if work, err = filepath.Abs(k); err != nil {
			return fail(err)
		}
	}
	defer os.RemoveAll(dir)
	seed = rand.Uint64N(1_000_000)
	if s := os.Getenv("SEED"); s != "" {
		if seed, err = strconv.ParseUint(s, 10, 32); err != nil {
			return fail(fmt.Errorf("SEED: %w", err))
		}
	}
	for _, step := range []func(dir string) error{tools, judgeIn, tokenizerIn} {
		if err := step(dir); err != nil {
			return fail(err)
		}
	}
	fmt.Printf("parity: seed %d\n", seed)
	code := m.Run()
	printTable()
	if len(table.rows) == 0 && code == 0 {
		return fail(fmt.Errorf("no case was compared"))
	}
	return code
}

func tools(dir string) error {
	bin = filepath.Join(dir, "bin")
	if out, err := exec.Command("go", "build", "-o", bin+"/", "../cmd/...").CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, out)
	}
	return nil
}

// judgeIn finds AIPerf in $AIPERF_VENV, or installs it into a virtual environment that is thrown away.
func judgeIn(dir string) error {
	venv := os.Getenv("AIPERF_VENV")
	if venv == "" {
		python, err := exec.LookPath("python3")
		if err != nil {
			return errSkip{"no python3 on the PATH"}
		}
		venv = filepath.Join(dir, "venv")
		if out, err := exec.Command(python, "-m", "venv", venv).CombinedOutput(); err != nil {
			return errSkip{fmt.Sprintf("python3 -m venv: %v\n%s", err, tail(out))}
		}
		fmt.Println("parity: installing aiperf==" + version)
		if out, err := exec.Command(filepath.Join(venv, "bin", "pip"), "install", "-q", "aiperf=="+version).CombinedOutput(); err != nil {
			return errSkip{fmt.Sprintf("pip install aiperf==%s: %v\n%s", version, err, tail(out))}
		}
	}
	aiperf = filepath.Join(venv, "bin", "aiperf")
	out, err := exec.Command(aiperf, "--version").CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s --version: %w\n%s", aiperf, err, tail(out))
	}
	if !strings.Contains(string(out), version) {
		return fmt.Errorf("%s is %s, want %s", aiperf, strings.TrimSpace(string(out)), version)
	}
	return nil
}

// tokenizerIn lays the encoding where AIPerf's built-in tokenizer looks; a Go module carries it.
func tokenizerIn(dir string) error {
	tokens = os.Getenv("TIKTOKEN_CACHE_DIR")
	if _, err := os.Stat(filepath.Join(tokens, encoding)); tokens != "" && err == nil {
		return nil
	}
	mod := filepath.Join(dir, "mod")
	tokens = filepath.Join(dir, "tokens")
	if err := os.MkdirAll(mod, 0o777); err != nil {
		return err
	}
	if err := os.MkdirAll(tokens, 0o777); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(mod, "go.mod"), []byte("module none\n"), 0o666); err != nil {
		return err
	}
	cmd := exec.Command("go", "mod", "download", "-json", "github.com/pkoukk/tiktoken-go-loader@v0.0.2")
	cmd.Dir = mod
	out, err := cmd.Output()
	var m struct{ Dir, Error string }
	if jerr := json.Unmarshal(out, &m); err != nil || jerr != nil || m.Dir == "" {
		return errSkip{fmt.Sprintf("o200k_base cannot be had: go mod download: %v %s", err, m.Error)}
	}
	b, err := os.ReadFile(filepath.Join(m.Dir, "assets", "o200k_base.tiktoken"))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(tokens, encoding), b, 0o666)
}

func tail(out []byte) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return strings.Join(lines[max(0, len(lines)-5):], "\n")
}

func printTable() {
	table.Lock()
	defer table.Unlock()
	slices.SortFunc(table.rows, func(a, b row) int { return strings.Compare(a.name, b.name) })
	fmt.Printf("\nseed %d\n%-28s %8s %8s %9s %7s\n", seed, "case", "records", "values", "worst", "faults")
	var sum row
	for _, r := range table.rows {
		fmt.Printf("%-28s %8d %8d %9.1e %7d %s\n", r.name, r.records, r.values, r.worst, r.faults, r.note)
		sum.records, sum.values, sum.worst, sum.faults = sum.records+r.records, sum.values+r.values, max(sum.worst, r.worst), sum.faults+r.faults
	}
	fmt.Printf("%-28s %8d %8d %9.1e %7d\n", fmt.Sprintf("%d cases", len(table.rows)), sum.records, sum.values, sum.worst, sum.faults)
}
