package aiperf

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Every example of the README does what it says: it is run in a directory of its own, one after the
// other, with the tools on the PATH and a stand-in where the server would be.
func TestReadmeExamples(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	n := 0
	for line := range strings.Lines(string(text)) {
		example, ok := strings.CutPrefix(line, "    $ ")
		if !ok {
			continue
		}
		n++
		example = strings.TrimSpace(example)
		t.Run(example, func(t *testing.T) {
			need := example
			if example == "make demo" {
				b, err := os.ReadFile("demo.sh")
				if err != nil {
					t.Fatal(err)
				}
				need = string(b)
			}
			if tool := missing(t, need); tool != "" {
				t.Skipf("%s is not built yet", tool)
			}
			cmd := exec.Command("aiperf-mock", "--fast", "sh", "-c", strings.ReplaceAll(example, "http://localhost:8000", `"$AIPERF_URL"`))
			if target, ok := strings.CutPrefix(example, "make "); ok {
				cmd = exec.Command("make", "-C", root, "BIN="+filepath.Join(dir, "bin"), "DEMO="+filepath.Join(dir, "demo"), target)
			}
			cmd.Dir = dir
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if strings.Contains(need, "aiperf-report") && !strings.Contains(string(out), "Time to First Token") && !strings.Contains(string(out), "Confidence over") {
				t.Errorf("no table:\n%s", out)
			}
			t.Logf("%s", out)
		})
	}
	if n < 4 {
		t.Errorf("%d examples found", n)
	}
}
