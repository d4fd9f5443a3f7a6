package tokenizer

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"sync"
	"testing"
)

func lines[T any](t *testing.T, name string) []T {
	t.Helper()
	f, err := os.Open("../../testdata/tokenizer/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []T
	for s := bufio.NewScanner(f); s.Scan(); {
		var v T
		if err := json.Unmarshal(s.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	return out
}

func open(t testing.TB, name string) *Tokenizer {
	t.Helper()
	tok, err := Open(name)
	if err != nil {
		t.Fatal(err)
	}
	return tok
}

// The oracle encodes without special tokens; cases that spell one are compared in plain parts.
func TestIDsAreThoseOfTheReferenceImplementations(t *testing.T) {
	cases := lines[string](t, "cases.jsonl")
	if len(cases) != 325 {
		t.Fatalf("%d cases, want 325", len(cases))
	}
	for _, name := range []string{"o200k_base", "cl100k_base"} {
		tok := open(t, name)
		want := lines[[]int](t, "ids."+name+".jsonl")
		for i, text := range cases {
			special := false
			tok.coder.(*encoding).split(text, func(string) {}, func(int) { special = true })
			if special {
				got, _, _ := tok.coder.(*encoding).get().Encode(text)
				if len(got) != len(want[i]) {
					t.Errorf("%s: %q: %v, want %v", name, text, got, want[i])
				}
				continue
			}
			if got := tok.Encode(text); !slices.Equal(got, want[i]) {
				t.Errorf("%s: Encode(%q) = %v, want %v", name, text, got, want[i])
			}
			if got := tok.Count(text); got != len(want[i]) {
				t.Errorf("%s: Count(%q) = %d, want %d", name, text, got, len(want[i]))
			}
			if got := tok.Decode(want[i]); got != text {
				t.Errorf("%s: Decode(%v) = %q, want %q", name, want[i], got, text)
			}
		}
	}
}

func TestSpecialTokensAreOneID(t *testing.T) {
	for _, c := range []struct {
		name, tokenizer, text string
		want                  []int
	}{
		{"the end of text alone", "o200k_base", "<|endoftext|>", []int{199999}},
		{"between words", "o200k_base", "hello<|endoftext|>hello", []int{24912, 199999, 24912}},
		{"twice, and its own beginning before it", "o200k_base", "<|<|endoftext|><|endoftext|>", []int{27, 91, 199999, 199999}},
		{"builtin is o200k_base", "builtin", "<|endofprompt|>", []int{200018}},
		{"a chat token is special in harmony", "o200k_harmony", "<|start|>hello<|end|>", []int{200006, 24912, 200007}},
		{"the last reserved one", "o200k_harmony", "<|reserved_201087|>", []int{201087}},
		{"fill in the middle", "cl100k_base", "<|fim_prefix|>", []int{100258}},
		{"end of text of the oldest", "r50k_base", "<|endoftext|>", []int{50256}},
		{"p50k", "p50k_base", "<|endoftext|>", []int{50256}},
		{"edit has fill in the middle", "p50k_edit", "<|fim_suffix|>", []int{50283}},
		{"nothing", "o200k_base", "", nil},
	} {
		tok := open(t, c.tokenizer)
		if got := tok.Encode(c.text); !slices.Equal(got, c.want) {
			t.Errorf("%s: Encode(%q) = %v, want %v", c.name, c.text, got, c.want)
		}
		if got := tok.Count(c.text); got != len(c.want) {
			t.Errorf("%s: Count(%q) = %d, want %d", c.name, c.text, got, len(c.want))
		}
		if got := tok.Decode(c.want); got != c.text {
			t.Errorf("%s: Decode = %q, want %q", c.name, got, c.text)
		}
	}
}

func TestACutCharacterIsReplacedByMaximalParts(t *testing.T) {
	for in, want := range map[string]string{
		"a\xf0\x9f\x98":         "a\ufffd",
		"\xf0\x9f\x98\xf0\x9f":  "\ufffd\ufffd",
		"\x98\x80z":             "\ufffd\ufffdz",
		"\xed\xa0\x80":          "\ufffd\ufffd\ufffd",
		"\xe2\x82\xac\xe2\x82!": "€\ufffd!",
		"\xc0\xaf":              "\ufffd\ufffd",
	} {
		if got := valid(in); got != want {
			t.Errorf("valid(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestManyGoroutinesMayUseOne(t *testing.T) {
	tok := open(t, "r50k_base")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if got := tok.Decode(tok.Encode("one two <|endoftext|> three")); got != "one two <|endoftext|> three" {
				t.Errorf("round trip gave %q", got)
			}
		})
	}
	wg.Wait()
}

func FuzzEncodeDecode(f *testing.F) {
	for _, s := range []string{"", "a", "<|endoftext|>", "\xff\xfe", "\n\t\nquick", "日本語 text"} {
		f.Add(s)
	}
	tok, _ := Open("r50k_base")
	f.Fuzz(func(t *testing.T, s string) {
		ids := tok.Encode(s)
		if len(ids) != tok.Count(s) {
			t.Fatalf("Count %d, Encode %d", tok.Count(s), len(ids))
		}
		if s == valid(s) && tok.Decode(ids) != s {
			t.Fatalf("Decode(Encode(%q)) = %q", s, tok.Decode(ids))
		}
	})
}

func BenchmarkCount(b *testing.B) {
	tok := open(b, "o200k_base")
	text := "The quick brown fox jumps over the lazy dog while seven wizards look on.\n"
	n := tok.Count(text)
	for b.Loop() {
		tok.Count(text)
	}
	b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "tokens/s")
}
