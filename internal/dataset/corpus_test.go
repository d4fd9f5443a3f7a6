package dataset

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"aiperf/internal/rng"
	"aiperf/internal/tokenizer"
)

func tokenizers(t testing.TB) []*tokenizer.Tokenizer {
	var out []*tokenizer.Tokenizer
	for _, name := range []string{"o200k_base", "cl100k_base", "r50k_base"} {
		tok, err := tokenizer.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, tok)
	}
	return out
}

func TestBuiltinPromptsHaveTheirLengthInEveryEncoding(t *testing.T) {
	toks, corpus := tokenizers(t), NewBuiltin()
	rapid.Check(t, func(rt *rapid.T) {
		p := NewPrompts(corpus, toks[0], rng.Root{Seed: rapid.Uint64().Draw(rt, "seed")})
		n := rapid.IntRange(1, 300).Draw(rt, "isl")
		prefix := p.Prefix(rapid.IntRange(0, 20).Draw(rt, "prefix"))
		text, got := p.After(prefix, n)
		if got != n+len(prefix) {
			rt.Fatalf("says %d, want %d", got, n+len(prefix))
		}
		for _, tok := range toks {
			if c := tok.Count(text); c != got {
				rt.Fatalf("%s: %q is %d tokens, want %d", tok.Name(), text, c, got)
			}
		}
	})
}

func TestB46AnInputLengthOfOneIsOneTokenNotNone(t *testing.T) {
	tok := tokenizers(t)[0]
	for _, c := range []Corpus{NewBuiltin(), file(t, tok, odd)} {
		p := NewPrompts(c, tok, rng.Root{Seed: 1})
		for range 200 {
			text, n := p.Text(1)
			if n != 1 || tok.Count(text) != 1 || strings.TrimSpace(text) == "" {
				t.Fatalf("%T: %q, %d", c, text, n)
			}
		}
	}
}

// odd is a text on which cut tokens join in other ways: emoji, accents, digits, runs of signs.
const odd = "antidisestablishmentarianism 1234567890123 ...!!!---=== 👩‍👩‍👧 e\u0301e\u0301 お誕生日おめでとう\n" +
	"\tif (x[i]==y->z) { return \"\\n\"; }   \n\n  Привет мир ก็นี่ครับ <|endoftext|> zzzzqqqqxxxx\n"

func file(t testing.TB, tok *tokenizer.Tokenizer, text string) *File {
	name := filepath.Join(t.TempDir(), "corpus.txt")
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := NewFile(name, tok)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestB47EveryPromptOfAnOddCorpusHasItsLength(t *testing.T) {
	for _, tok := range tokenizers(t) {
		p := NewPrompts(file(t, tok, strings.Repeat(odd, 5)), tok, rng.Root{Seed: 7})
		for i := range 300 {
			want := 89
			if i%3 == 0 {
				want = 1 + i/3
			}
			text, n := p.Text(want)
			if n != want || tok.Count(text) != want {
				t.Fatalf("%s: asked %d, says %d, is %d: %q", tok.Name(), want, n, tok.Count(text), text)
			}
		}
		if p.Missed != 0 {
			t.Errorf("%s: %d missed", tok.Name(), p.Missed)
		}
	}
}

func TestACorpusIsCutInChunksOfTenThousandCharacters(t *testing.T) {
	tok := tokenizers(t)[2]
	line := strings.Repeat("a b ", 2000) // 7,999 characters when stripped
	text := "  " + line + "\n\n" + line + "\nend\n"
	want := tok.Count(strings.TrimSpace(line)+" "+strings.TrimSpace(line)) + tok.Count("end")
	if got := file(t, tok, text).Len(); got != want {
		t.Errorf("%d tokens, want %d", got, want)
	}
}

func TestABlockDependsOnItsIdAlone(t *testing.T) {
	tok := tokenizers(t)[0]
	p := NewPrompts(NewBuiltin(), tok, rng.Root{Seed: 7})
	full, _ := p.Corpus.Raw(p.Block("0123456789abcdef", 5, 16))
	p.Text(20)
	again, _ := p.Corpus.Raw(p.Block("0123456789abcdef", 5, 16))
	part, _ := p.Corpus.Raw(p.Block("0123456789abcdef", 5, 8))
	other, _ := p.Corpus.Raw(p.Block("0123456789abcdef", 6, 16))
	if full != again || !strings.HasPrefix(full, part) || full == other {
		t.Errorf("%q, %q, %q, %q", full, again, part, other)
	}
	if n := tok.Count("<|endoftext|>" + full); n != 16 {
		t.Errorf("a block is %d tokens, want 16", n)
	}
}

func BenchmarkBuiltin(b *testing.B) {
	p := NewPrompts(NewBuiltin(), nil, rng.Root{Seed: 7})
	for b.Loop() {
		p.Text(550)
	}
	b.ReportMetric(550*float64(b.N)/b.Elapsed().Seconds(), "tokens/s")
}

func BenchmarkNewBuiltin(b *testing.B) {
	for b.Loop() {
		NewBuiltin()
	}
}
