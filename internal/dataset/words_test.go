package dataset

import (
	"testing"

	"aiperf/internal/tokenizer"
)

func TestEveryWordIsOneToken(t *testing.T) {
	l := newLexicon()
	for _, name := range tokenizer.Names() {
		tok, err := tokenizer.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		for i := range l.bare {
			for _, form := range []string{l.bare[i], l.spaced[i]} {
				if n := tok.Count(form); n != 1 {
					t.Errorf("%s: %q is %d tokens", name, form, n)
				}
			}
		}
	}
}
