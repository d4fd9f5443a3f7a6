// Mutate changes one thing at a time in the given Go files, runs the given tests on each change and
// lists the changes that no test noticed: `make mutate` does it to the metric table.
//
//	go run ./internal/mutate -tests ./internal/metric internal/metric/latency.go ...
//
// Operators, comparisons, numbers, booleans, words and flags of literals are changed. The tree is left
// alone (go test -overlay). Exit 1 when a change survives that is not in the -known list.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A mutant is one change: what stands at a place and what it becomes.
type mutant struct {
	file     string
	line     int
	from, to string
	source   []byte
}

func (m mutant) String() string { return fmt.Sprintf("%s:%d: %s -> %s", m.file, m.line, m.from, m.to) }

// key names a mutant without its line, so that a list of known survivors outlives edits above it.
func (m mutant) key() string { return fmt.Sprintf("%s: %s -> %s", m.file, m.from, m.to) }

func main() {
	tests := flag.String("tests", "./...", "packages whose tests must notice, space separated")
	known := flag.String("known", "", "`file` with survivors that are accepted, one \"file: from -> to\" a line, # comments")
	sample := flag.Int("every", 1, "run only every n-th mutant")
	list := flag.Bool("list", false, "print the mutants and stop")
	flag.Parse()
	var all []mutant
	for _, f := range flag.Args() {
		ms, err := mutants(f)
		if err != nil {
			fmt.Fprintln(os.Stderr, "mutate:", err)
			os.Exit(1)
		}
		all = append(all, ms...)
	}
	var run []mutant
	for i, m := range all {
		if i%*sample == 0 {
			run = append(run, m)
		}
	}
	if *list {
		for _, m := range run {
			fmt.Println(m)
		}
		return
	}
	accepted, err := readKnown(*known)
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
	killed, survivors := runAll(run, strings.Fields(*tests))
	bad := 0
	for _, m := range survivors {
		note := ""
		if accepted[m.key()] {
			note = " (known)"
		} else {
			bad++
		}
		fmt.Printf("survived: %s%s\n", m, note)
	}
	fmt.Printf("%d mutants: %d noticed, %d survived, %d of them not known\n", len(run), killed, len(survivors), bad)
	if bad > 0 {
		os.Exit(1)
	}
}

func readKnown(path string) (map[string]bool, error) {
	out := map[string]bool{}
	if path == "" {
		return out, nil
	}
	b, err := os.ReadFile(path)
	for _, l := range strings.Split(string(b), "\n") {
		if l = strings.TrimSpace(l); l != "" && l[0] != '#' {
			out[l] = true
		}
	}
	return out, err
}

func runAll(all []mutant, tests []string) (killed int, survivors []mutant) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	slots := make(chan struct{}, runtime.NumCPU())
	for _, m := range all {
		wg.Add(1)
		slots <- struct{}{}
		go func() {
			defer func() { <-slots; wg.Done() }()
			ok := survives(m, tests)
			mu.Lock()
			defer mu.Unlock()
			if ok {
				survivors = append(survivors, m)
				fmt.Fprintln(os.Stderr, "survived:", m)
			} else {
				killed++
			}
		}()
	}
	wg.Wait()
	return killed, survivors
}

// survives runs the tests on one mutant; a change that does not compile counts as noticed.
func survives(m mutant, tests []string) bool {
	dir, err := os.MkdirTemp("", "mutate-*")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	abs, _ := filepath.Abs(m.file)
	changed := filepath.Join(dir, "changed.go")
	overlay, _ := json.Marshal(map[string]any{"Replace": map[string]string{abs: changed}})
	if os.WriteFile(changed, m.source, 0o644) != nil || os.WriteFile(filepath.Join(dir, "overlay.json"), overlay, 0o644) != nil {
		panic("mutate: cannot write " + dir)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	args := append([]string{"test", "-count=1", "-failfast", "-overlay", filepath.Join(dir, "overlay.json")}, tests...)
	return exec.CommandContext(ctx, "go", args...).Run() == nil
}

var swaps = map[token.Token]token.Token{
	token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL,
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LAND: token.LOR, token.LOR: token.LAND,
}

// mutants lists every change of one file.
func mutants(file string) ([]mutant, error) {
	src, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, file, src, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	var out []mutant
	take := func(n ast.Node, from, to string) {
		var b bytes.Buffer
		if format.Node(&b, fset, tree) == nil {
			out = append(out, mutant{file, fset.Position(n.Pos()).Line, from, to, b.Bytes()})
		}
	}
	unread := map[ast.Node]bool{}
	ast.Inspect(tree, func(n ast.Node) bool {
		if unread[n] {
			return false
		}
		switch x := n.(type) {
		case *ast.ReturnStmt: // the number beside a false is not a value
			if len(x.Results) == 2 {
				if id, ok := x.Results[1].(*ast.Ident); ok && id.Name == "false" {
					unread[x.Results[0]] = true
				}
			}
		case *ast.ImportSpec, *ast.Comment, *ast.CommentGroup:
			return false
		case *ast.KeyValueExpr:
			if id, ok := x.Key.(*ast.Ident); ok && (id.Name == "Formula" || id.Name == "Doc") {
				return false // words for people
			}
		case *ast.CallExpr: // messages of errors and panics
			if sel, ok := x.Fun.(*ast.SelectorExpr); ok && (strings.HasSuffix(sel.Sel.Name, "rrorf") || sel.Sel.Name == "Sprintf") {
				return false
			}
			if id, ok := x.Fun.(*ast.Ident); ok && id.Name == "panic" {
				return false
			}
		case *ast.BinaryExpr:
			if x.Op == token.OR { // flags: drop the right-hand one
				before := render(fset, x)
				left := x.X
				op, right := x.Op, x.Y
				x.Op, x.Y = token.AND_NOT, right
				take(x, before, render(fset, x))
				x.Op, x.X = op, left
				return true
			}
			if to, ok := swaps[x.Op]; ok && !isString(x) {
				from := x.Op
				before := render(fset, x)
				x.Op = to
				take(x, before, render(fset, x))
				x.Op = from
			}
		case *ast.Ident:
			if x.Name == "true" || x.Name == "false" {
				from := x.Name
				x.Name = strconv.FormatBool(from == "false")
				take(x, from, x.Name)
				x.Name = from
			}
		case *ast.BasicLit:
			from := x.Value
			switch x.Kind {
			case token.INT, token.FLOAT:
				x.Value = "(" + from + "+1)"
			case token.STRING:
				s, err := strconv.Unquote(from)
				if err != nil || s == "" {
					return true
				}
				x.Value = strconv.Quote(s + "~")
			default:
				return true
			}
			take(x, from, x.Value)
			x.Value = from
		}
		return true
	})
	return out, nil
}

func isString(x *ast.BinaryExpr) bool {
	l, ok := x.X.(*ast.BasicLit)
	if ok && l.Kind == token.STRING {
		return true
	}
	r, ok := x.Y.(*ast.BasicLit)
	return ok && r.Kind == token.STRING
}

func render(fset *token.FileSet, n ast.Node) string {
	var b bytes.Buffer
	_ = format.Node(&b, fset, n)
	return strings.Join(strings.Fields(b.String()), " ")
}
