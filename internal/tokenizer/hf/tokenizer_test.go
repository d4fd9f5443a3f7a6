package hf

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

const testdata = "../../../testdata/tokenizer/"

func lines[T any](t testing.TB, path string) []T {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []T
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<24)
	for sc.Scan() {
		var v T
		if err := json.Unmarshal(sc.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	return out
}

// compare wants the reference's ids on every case, and the text back where the normalizer keeps it.
func compare(t *testing.T, tok *Tokenizer, ids string) {
	t.Helper()
	cases := lines[string](t, testdata+"cases.jsonl")
	want := lines[[]int](t, ids)
	if len(cases) != 325 || len(want) != len(cases) {
		t.Fatalf("%d cases, %d lists of ids, want 325", len(cases), len(want))
	}
	bad := 0
	for i, text := range cases {
		got := tok.Encode(text)
		if !slices.Equal(got, want[i]) {
			bad++
			if bad <= 5 {
				t.Errorf("case %d %q:\n got %v\nwant %v", i+1, text, got, want[i])
			}
		}
		back := tok.Decode(got)
		for _, n := range tok.normal {
			text = n(text)
		}
		if back != text {
			t.Errorf("case %d: Decode(Encode(%q)) = %q", i+1, text, back)
		}
	}
	if bad > 0 {
		t.Errorf("%d of %d cases differ", bad, len(cases))
	}
}

func TestSmallTokenizersEncodeAsTheReferenceLibrary(t *testing.T) {
	for _, name := range []string{"small-llama3", "small-qwen3", "small-gpt2"} {
		t.Run(name, func(t *testing.T) {
			tok, err := Load(testdata + name)
			if err != nil {
				t.Fatal(err)
			}
			compare(t, tok, testdata+"ids."+name+".jsonl")
		})
	}
}

// The real files are 9 and 11 MB: `make tokenizers` fetches them and names their folder.
func TestRealTokenizersEncodeAsTheReferenceLibrary(t *testing.T) {
	dir := os.Getenv("AIPERF_TEST_TOKENIZERS")
	if dir == "" {
		t.Skip("AIPERF_TEST_TOKENIZERS is not set: run `make tokenizers`")
	}
	for _, name := range []string{"llama3", "qwen3"} {
		t.Run(name, func(t *testing.T) {
			tok, err := Load(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			compare(t, tok, testdata+"ids."+name+".jsonl")
		})
	}
}

func TestSpecialTokensOfATemplateAreCounted(t *testing.T) {
	for name, want := range map[string][3]int{ // specials, BOS known, EOS known
		"small-llama3": {1, 1, 1}, "small-qwen3": {0, 0, 1}, "small-gpt2": {0, 0, 0},
	} {
		tok, err := Load(testdata + name)
		if err != nil {
			t.Fatal(err)
		}
		got := [3]int{tok.SpecialTokens(), 0, 0}
		if tok.BOS() >= 0 {
			got[1] = 1
		}
		if tok.EOS() >= 0 {
			got[2] = 1
		}
		if got != want {
			t.Errorf("%s: specials, BOS, EOS = %v, want %v", name, got, want)
		}
	}
}

func TestWhatIsNotKnownIsRefusedByName(t *testing.T) {
	const ok = `{"model":{"type":"BPE","vocab":{"a":0},"merges":[]},"pre_tokenizer":{"type":"ByteLevel"},"decoder":{"type":"ByteLevel"}}`
	for name, c := range map[string]struct{ from, to, want string }{
		"a WordPiece model":                {`"BPE"`, `"WordPiece"`, "WordPiece"},
		"byte fallback":                    {`"type":"BPE"`, `"type":"BPE","byte_fallback":true`, "byte_fallback"},
		"a Metaspace pre-tokenizer":        {`{"type":"ByteLevel"},"decoder"`, `{"type":"Metaspace"},"decoder"`, "Metaspace"},
		"a normalizer":                     {`"model"`, `"normalizer":{"type":"BertNormalizer"},"model"`, "BertNormalizer"},
		"a pattern that does not parse":    {`{"type":"ByteLevel"},"decoder"`, `{"type":"Split","pattern":{"Regex":"("},"behavior":"Isolated"},"decoder"`, "pattern"},
		"an unknown behaviour of a Split":  {`{"type":"ByteLevel"},"decoder"`, `{"type":"Split","pattern":{"Regex":"a"},"behavior":"Contiguous"},"decoder"`, "Contiguous"},
		"a suffix":                         {`"type":"BPE"`, `"type":"BPE","end_of_word_suffix":"</w>"`, "end_of_word_suffix"},
		"another decoder":                  {`"decoder":{"type":"ByteLevel"}`, `"decoder":{"type":"WordPiece"}`, "decoder"},
		"an added token that stands alone": {`"model"`, `"added_tokens":[{"id":1,"content":"x","single_word":true}],"model"`, "single_word"},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(ok, c.from, c.to, 1)
			if text == ok {
				t.Fatal("the case changes nothing")
			}
			var f file
			if err := json.Unmarshal([]byte(text), &f); err != nil {
				t.Fatal(err)
			}
			_, err := build(&f)
			var refused *RefusedError
			if !errors.As(err, &refused) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("build = %v, want a refusal that names %q", err, c.want)
			}
		})
	}
	var f file
	if err := json.Unmarshal([]byte(ok), &f); err != nil {
		t.Fatal(err)
	}
	if _, err := build(&f); err != nil {
		t.Errorf("the plain file: %v", err)
	}
}

func FuzzEncodeDecodesToTheSameText(f *testing.F) {
	tok, err := Load(testdata + "small-llama3")
	if err != nil {
		f.Fatal(err)
	}
	for _, s := range lines[string](f, testdata+"cases.jsonl") {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := tok.Decode(tok.Encode(s))
		if utf8.ValidString(s) && got != s {
			t.Errorf("Decode(Encode(%q)) = %q", s, got)
		}
	})
}

func FuzzBuildNeverPanics(f *testing.F) {
	for _, name := range []string{"small-gpt2"} {
		b, err := os.ReadFile(testdata + name + "/tokenizer.json")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var x file
		if json.Unmarshal(b, &x) != nil {
			return
		}
		if tok, err := build(&x); err == nil {
			tok.Encode("hello  world\n")
		}
	})
}

func BenchmarkEncode(b *testing.B) {
	dir := os.Getenv("AIPERF_TEST_TOKENIZERS")
	path := testdata + "small-llama3"
	if dir != "" {
		path = filepath.Join(dir, "llama3")
	}
	tok, err := Load(path)
	if err != nil {
		b.Fatal(err)
	}
	text := strings.Join(lines[string](b, testdata+"cases.jsonl"), "\n")
	n := 0
	b.ReportAllocs()
	for b.Loop() {
		n += tok.Count(text)
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "tokens/s")
}
