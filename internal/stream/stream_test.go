package stream

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/zstd"
	"pgregory.net/rapid"

	"aiperf/schema"
)

// got is all that reading gave: lines as "kind@num:data", errors and warnings as their texts.
type got struct {
	lines []string
	errs  []string
	warns []string
	codes []int
}

func read(t testing.TB, in io.Reader, files ...string) got {
	var g got
	for l, err := range Lines(t.Context(), in, func(w string) { g.warns = append(g.warns, w) }, files...) {
		if err != nil {
			g.errs = append(g.errs, err.Error())
			var coded interface{ ExitCode() int }
			if errors.As(err, &coded) {
				g.codes = append(g.codes, coded.ExitCode())
			}
			continue
		}
		g.lines = append(g.lines, fmt.Sprintf("%s@%d:%s", l.Kind, l.Num, l.Data))
	}
	return g
}

func gz(s string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.WriteString(w, s)
	w.Close()
	return b.String()
}

func zst(s string) string {
	e, _ := zstd.NewWriter(nil)
	return string(e.EncodeAll([]byte(s), nil))
}

const two = `{"kind":"run","a":1}` + "\n" + `{"kind":"new_kind","b":[1,{"c":"}"}]}` + "\n"

var twoLines = []string{`run@1:{"kind":"run","a":1}`, `new_kind@2:{"kind":"new_kind","b":[1,{"c":"}"}]}`}

func TestLines(t *testing.T) {
	long := `{"kind":"record","body":"` + strings.Repeat("x", 3<<20) + `"}`
	tests := []struct {
		name, in string
		lines    []string
		errs     string // a part of the only error
		warns    string // a part of the only warning
		code     int
	}{
		{name: "an empty input is no lines"},
		{name: "blank lines are no lines, and count", in: "\n \n{}\n", lines: []string{"@3:{}"}},
		{name: "plain", in: two, lines: twoLines},
		{name: "gzip", in: gz(two), lines: twoLines},
		{name: "zstd", in: zst(two), lines: twoLines},
		{name: "zstd in gzip", in: gz(zst(two)), lines: twoLines},
		{name: "gzip in zstd in zstd", in: zst(zst(gz(two))), lines: twoLines},
		{name: "gzip members one after the other", in: gz(two[:25]) + gz(two[25:]), lines: twoLines},
		{name: "zstd frames one after the other", in: zst(two[:25]) + zst(two[25:]), lines: twoLines},
		{name: "a skippable zstd frame first", in: "\x50\x2a\x4d\x18\x04\x00\x00\x00abcd" + zst(two), lines: twoLines},
		{name: "a byte order mark and CRLF", in: "\xef\xbb\xbf" + strings.ReplaceAll(two, "\n", "\r\n"), lines: twoLines},
		{name: "a last line without a newline is a line", in: strings.TrimSuffix(two, "\n"), lines: twoLines},
		{name: "an unfinished last line is left out with one warning", in: two + `{"kind":"record","body":"ab`, lines: twoLines, warns: "<stdin>:3: the last line is unfinished"},
		{name: "an unfinished last line that closes a brace is left out too", in: two + `{"kind":"record","metadata":{}`, lines: twoLines, warns: "<stdin>:3: "},
		{name: "a line of 3 MiB", in: two + long + "\n", lines: append(twoLines[:2:2], "record@3:"+long)},
		{name: "a line that is not JSON is named, and the next one is read", in: "nonsense\n{}\n", lines: []string{"@2:{}"}, errs: "<stdin>:1: not JSON", code: 65},
		{name: "a line that ends too early is named", in: `{"kind":"record","body":` + "\n{}\n", lines: []string{"@2:{}"}, errs: "<stdin>:1: not JSON", code: 65},
		{name: "a small line that is not JSON inside is named", in: `{"kind":"run",}` + "\n", errs: "<stdin>:1: not JSON", code: 65},
		{name: "an array is not an object", in: "{}\n[1]\n", lines: []string{"@1:{}"}, errs: "<stdin>:2: not a JSON object", code: 65},
		{name: "binary garbage is named", in: "\x7fELF\x02\x01\x01\x00garbage", errs: "<stdin>:1: not JSON", code: 65},
		{name: "Parquet is known", in: "PAR1\x15\x04", errs: "<stdin>:1: cannot be decoded: not a Parquet file", code: 65},
		{name: "what only begins like gzip is named", in: "\x1f\x8bno such thing at all", errs: "<stdin>:1: cannot be decoded", code: 65},
		{name: "a kind written with escapes", in: `{"kind":"\u0072un"}` + "\n", lines: []string{`run@1:{"kind":"\u0072un"}`}},
		{name: "a kind that stands last", in: `{"metrics":{"kind":"x"},"phase":"}","kind":"summary"}` + "\n", lines: []string{`summary@1:{"metrics":{"kind":"x"},"phase":"}","kind":"summary"}`}},
		{name: "an indented document is one line, and what follows is read", in: "{\n \"phases\": [\n  {\"a\": \"}\"}\n ]\n}\n{\"kind\":\"run\"}\n",
			lines: []string{"aiperf.phase_manifest@1:{\n \"phases\": [\n  {\"a\": \"}\"}\n ]\n}", `run@6:{"kind":"run"}`}},
		{name: "an indented document without a last newline", in: "{\n\"data\": []\n}", lines: []string{"aiperf.inputs@1:{\n\"data\": []\n}"}},
		{name: "an unfinished document is an error", in: "{\n\"data\": [\n{\n", errs: "<stdin>:1: the document is unfinished", code: 65},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, in := range []io.Reader{strings.NewReader(tt.in), iotest.OneByteReader(strings.NewReader(tt.in))} {
				if len(tt.in) > 1<<20 {
					in = strings.NewReader(tt.in)
				}
				g := read(t, in)
				if strings.Join(g.lines, "\n") != strings.Join(tt.lines, "\n") {
					t.Errorf("lines %.300q, want %.300q", g.lines, tt.lines)
				}
				one := func(what string, have []string, part string) {
					if part == "" && len(have) > 0 || part != "" && (len(have) != 1 || !strings.Contains(have[0], part)) {
						t.Errorf("%s %q, want one with %q", what, have, part)
					}
				}
				one("errors", g.errs, tt.errs)
				one("warnings", g.warns, tt.warns)
				if tt.code != 0 && (len(g.codes) != 1 || g.codes[0] != tt.code) {
					t.Errorf("exit codes %v, want %d", g.codes, tt.code)
				}
			}
		})
	}
}

func TestACutCompressedStreamGivesItsCompleteLines(t *testing.T) {
	var text strings.Builder
	for i := range 20000 {
		fmt.Fprintf(&text, `{"kind":"run","n":%d,"x":"%x"}`+"\n", i, i*i*2654435761)
	}
	for name, packed := range map[string]string{"gzip": gz(text.String()), "zstd": zst(text.String())} {
		for _, at := range []int{3, 5, len(packed) / 2, len(packed) - 1} {
			if at < 4 && name == "zstd" {
				continue // its magic is cut: there is nothing to know it by
			}
			g := read(t, strings.NewReader(packed[:at]))
			if len(g.errs) != 0 || len(g.warns) != 1 || !strings.Contains(g.warns[0], "cut") {
				t.Errorf("%s cut at %d of %d: errors %q, warnings %q, want one warning", name, at, len(packed), g.errs, g.warns)
			}
			if at == len(packed)/2 && (len(g.lines) < 100 || len(g.lines) > 19000) {
				t.Errorf("%s cut in the middle: %d lines of 20000", name, len(g.lines))
			}
		}
	}
}

func TestADamagedCompressedStreamIsBadData(t *testing.T) {
	packed := []byte(gz(strings.Repeat(two, 5000)))
	packed[len(packed)-6] ^= 0xff // the checksum
	g := read(t, bytes.NewReader(packed))
	if len(g.lines) != 10000 || len(g.codes) != 1 || g.codes[0] != 65 || !strings.Contains(g.errs[0], "<stdin>:10001: ") {
		t.Errorf("%d lines, errors %q, codes %v", len(g.lines), g.errs, g.codes)
	}
}

func TestFilesAreOneStream(t *testing.T) {
	dir := t.TempDir()
	path := func(name, text string) string {
		p := filepath.Join(dir, name)
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return p
	}
	g := read(t, strings.NewReader(`{"kind":"in"}`), path("a.zst", gz(`{"kind":"a"}`)), "-", path("b", `{"kind":"b"}`))
	if want := `a@1:{"kind":"a"} in@1:{"kind":"in"} b@1:{"kind":"b"}`; strings.Join(g.lines, " ") != want || len(g.errs) > 0 {
		t.Errorf("lines %q, errors %q, want %q", g.lines, g.errs, want)
	}
	for _, missing := range []string{filepath.Join(dir, "none.jsonl"), dir} {
		g := read(t, nil, missing, path("c", "{}"))
		if len(g.lines) != 0 || len(g.codes) != 1 || g.codes[0] != 66 || !strings.Contains(g.errs[0], missing) {
			t.Errorf("%s: lines %q, errors %q, codes %v, want exit code 66", missing, g.lines, g.errs, g.codes)
		}
	}
}

func TestAReadErrorIsNotTheDataFault(t *testing.T) {
	for name, head := range map[string]string{"plain": two, "gzip": gz(two)[:30]} {
		g := read(t, io.MultiReader(strings.NewReader(head), iotest.ErrReader(errors.New("disk on fire"))))
		if len(g.codes) != 1 || g.codes[0] != 74 || !strings.Contains(g.errs[0], "disk on fire") {
			t.Errorf("%s: errors %q, codes %v, want exit code 74", name, g.errs, g.codes)
		}
	}
}

func TestCancellingEndsAWaitingRead(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, w := io.Pipe()
	defer w.Close()
	go io.WriteString(w, "{}\n")
	n := 0
	for _, err := range Lines(ctx, r, nil) {
		if n++; n == 1 {
			cancel()
		} else if !errors.Is(err, context.Canceled) {
			t.Errorf("error %v, want canceled", err)
		}
	}
	if n != 2 {
		t.Errorf("%d steps, want 2", n)
	}
}

// AIPerf's own files have no kind; the keys say which they are.
func TestKindsOfAIPerfsFiles(t *testing.T) {
	root := "../../testdata/peer/aiperf-0.13.0"
	want := map[string]string{
		"profile_export_raw.jsonl":             schema.KindRecord,
		"profile_export.jsonl":                 schema.KindMetricRecord,
		"gpu_telemetry_export.jsonl":           schema.KindGPUSample,
		"profile_export_network_latency.jsonl": schema.KindNetworkProbe,
		"server_metrics_export.jsonl":          schema.KindServerSample,
		"inputs.json":                          KindInputs,
		"phase_manifest.json":                  KindPhaseManifest,
		"server_metrics_export.json":           KindServerMetrics,
		"profile_export_aiperf.json":           "",
		"run.json":                             "",
		"trace.jsonl":                          "",
	}
	seen := map[string]int{}
	for _, pattern := range []string{"/*/*.json*", "/three-runs/profile_runs/*/profile_export_raw.jsonl"} {
		files, _ := filepath.Glob(root + pattern)
		for _, f := range files {
			kind, ok := want[filepath.Base(f)]
			if !ok {
				continue
			}
			for l, err := range Lines(t.Context(), nil, func(w string) { t.Error(w) }, f) {
				if err != nil {
					t.Fatal(err)
				}
				if l.Kind != kind {
					t.Fatalf("%s:%d: kind %q, want %q", l.File, l.Num, l.Kind, kind)
				}
				if strings.HasSuffix(f, ".json") && l.Num != 1 {
					t.Errorf("%s: a document in pieces", f)
				}
				seen[filepath.Base(f)]++
			}
		}
	}
	for name := range want {
		if seen[name] == 0 {
			t.Errorf("no %s was read", name)
		}
	}
}

func TestDecodeNamesTheLine(t *testing.T) {
	var v struct{ A int }
	l := Line{Kind: "record", File: "r.jsonl", Num: 17, Data: []byte(`{"A":"x"}`)}
	err := l.Decode(&v)
	var le *LineError
	if !errors.As(err, &le) || !strings.HasPrefix(err.Error(), "r.jsonl:17: record: ") || le.ExitCode() != 65 {
		t.Errorf("error %v", err)
	}
}

// What is written in any encoding, in any number of inputs, is read back the same.
func TestWrittenLinesAreReadBack(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		texts := rapid.SliceOfN(rapid.String(), 0, 20).Draw(rt, "texts")
		suffix := rapid.SampledFrom([]string{".jsonl", ".jsonl.gz", ".jsonl.zst"}).Draw(rt, "suffix")
		path := filepath.Join(dir, "x"+suffix)
		f, err := Create(path)
		if err != nil {
			rt.Fatal(err)
		}
		for _, s := range texts {
			if err := f.Write(struct {
				Kind string `json:"kind"`
				Text string `json:"text"`
			}{"t", s}); err != nil {
				rt.Fatal(err)
			}
		}
		if err := f.Close(); err != nil {
			rt.Fatal(err)
		}
		i := 0
		for l, err := range Lines(context.Background(), nil, func(w string) { rt.Error(w) }, path) {
			var v struct{ Text string }
			if err != nil || l.Decode(&v) != nil || v.Text != strings.ToValidUTF8(texts[i], "�") {
				rt.Fatalf("line %d: %q, %v; want %q", i, v.Text, err, texts[i])
			}
			i++
		}
		if i != len(texts) {
			rt.Fatalf("%d lines, want %d", i, len(texts))
		}
	})
}

func TestAFileIsReadableBeforeItIsClosed(t *testing.T) {
	for _, suffix := range []string{".jsonl", ".jsonl.gz", ".jsonl.zst"} {
		path := filepath.Join(t.TempDir(), "r"+suffix)
		f, err := Create(path)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 3 {
			if err := f.WriteLine(fmt.Appendf(nil, `{"n":%d}`, i)); err != nil {
				t.Fatal(err)
			}
		}
		g := read(t, nil, path+".partial")
		if len(g.lines) != 3 || len(g.errs) != 0 {
			t.Errorf("%s while it is written: lines %q, errors %q", suffix, g.lines, g.errs)
		}
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s has its name already", suffix)
		}
		if err := errors.Join(f.Close(), f.Close()); err != nil {
			t.Error(err)
		}
		if g := read(t, nil, path); len(g.lines) != 3 || len(g.warns) != 0 {
			t.Errorf("%s closed: lines %q, warnings %q", suffix, g.lines, g.warns)
		}
	}
}

func TestCreateRefuses(t *testing.T) {
	for path, code := range map[string]int{filepath.Join(t.TempDir(), "no", "dir.jsonl"): 74} {
		_, err := Create(path)
		var coded interface{ ExitCode() int }
		if !errors.As(err, &coded) || coded.ExitCode() != code || !strings.Contains(err.Error(), path) {
			t.Errorf("Create(%s): %v, want exit code %d", path, err, code)
		}
	}
	if f, err := Create(os.DevNull); err != nil || f.WriteLine([]byte("{}")) != nil || f.Close() != nil {
		t.Errorf("a device is written in place: %v", err)
	}
}

type countingWriter struct{ calls []string }

func (w *countingWriter) Write(b []byte) (int, error) {
	w.calls = append(w.calls, string(b))
	return len(b), nil
}

func TestEachLineIsOneWrite(t *testing.T) {
	var w countingWriter
	s := NewWriter(&w)
	if err := errors.Join(s.Write(map[string]string{"a": "<&>"}), s.WriteLine([]byte(`{"b":1}`))); err != nil {
		t.Fatal(err)
	}
	if want := "{\"a\":\"<&>\"}\n|{\"b\":1}\n"; strings.Join(w.calls, "|") != want {
		t.Errorf("writes %q, want %q", w.calls, want)
	}
}
