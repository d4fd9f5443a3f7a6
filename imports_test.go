package aiperf

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

const importsGolden = "testdata/imports.golden"

// A new door between rooms shows up as a difference of the golden.
func TestImports(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}}:{{range .Imports}} {{.}}{{end}}`, "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	out = doors(out)
	if *update {
		if err := os.WriteFile(importsGolden, out, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(importsGolden)
	if err != nil {
		t.Fatal(err)
	}
	wanted := map[string]string{}
	for line := range strings.Lines(string(want)) {
		pkg, _, _ := strings.Cut(line, ":")
		wanted[pkg] = line
	}
	for line := range strings.Lines(string(out)) {
		pkg, imports, _ := strings.Cut(strings.TrimSpace(line), ":")
		for _, imp := range strings.Fields(imports) {
			if why := wrongWay(pkg, imp); why != "" {
				t.Errorf("%s imports %s: %s", pkg, imp, why)
			}
		}
		if line != wanted[pkg] {
			t.Errorf("imports changed (go test . -run Imports -update keeps them)\n got %swant %s", line, wanted[pkg])
		}
		delete(wanted, pkg)
	}
	for pkg := range wanted {
		t.Errorf("%s is gone (go test . -run Imports -update)", pkg)
	}
}

// doors leaves the standard library out: it is open to every room.
func doors(list []byte) []byte {
	var b strings.Builder
	for line := range strings.Lines(string(list)) {
		pkg, imports, _ := strings.Cut(strings.TrimSpace(line), ":")
		b.WriteString(pkg + ":")
		for _, imp := range strings.Fields(imports) {
			if first, _, _ := strings.Cut(imp, "/"); first == "aiperf" || strings.Contains(first, ".") {
				b.WriteString(" " + imp)
			}
		}
		b.WriteString("\n")
	}
	return []byte(b.String())
}

// wrongWay says why pkg may not import imp: imports point one way, cmd -> internal -> schema.
func wrongWay(pkg, imp string) string {
	room := func(p string) string {
		p = strings.TrimPrefix(p, "aiperf/")
		room, _, _ := strings.Cut(p, "/")
		return room
	}
	if !strings.HasPrefix(imp, "aiperf/") {
		return ""
	}
	switch {
	case room(imp) == "cmd" && strings.HasPrefix(imp, pkg+"/"):
		return "" // what only this tool needs may stand in rooms below it
	case room(imp) == "cmd":
		return "two tools share a stream, never a package of each other's"
	case room(pkg) == "schema":
		return "schema needs nothing of ours"
	}
	return ""
}

func TestWrongWay(t *testing.T) {
	for _, tt := range []struct {
		name, pkg, imp string
		wrong          bool
	}{
		{"a tool may use a room", "aiperf/cmd/aiperf-send", "aiperf/internal/cli", false},
		{"a room may use the schema", "aiperf/internal/metric", "aiperf/schema", false},
		{"the schema may use the library", "aiperf/schema", "encoding/json", false},
		{"the schema may not use a room", "aiperf/schema", "aiperf/internal/cli", true},
		{"a room may not use a tool", "aiperf/internal/cli", "aiperf/cmd/aiperf-send", true},
		{"a tool may not use another", "aiperf/cmd/aiperf-gen", "aiperf/cmd/aiperf-send/load", true},
		{"a tool may have rooms of its own", "aiperf/cmd/aiperf-gen", "aiperf/cmd/aiperf-gen/load", false},
	} {
		if got := wrongWay(tt.pkg, tt.imp); (got != "") != tt.wrong {
			t.Errorf("%s: %q", tt.name, got)
		}
	}
}
