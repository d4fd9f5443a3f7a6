package dataset

import (
	"math"
	"testing"

	"aiperf/internal/rng"
)

func TestTheThreeSpellingsOfASequenceDistribution(t *testing.T) {
	plain := []SeqPair{{256, 0, 128, 0, 40}, {512, 0, 256, 0, 60}}
	wide := []SeqPair{{256, 10, 128, 5, 40}, {512, 20, 256, 10, 60}}
	for _, c := range []struct {
		name, text string
		want       []SeqPair
	}{
		{"semicolons", "256,128:40;512,256:60", plain},
		{"semicolons with blanks and deviations", "256|10 , 128|5 : 40;512|20,256|10:60", wide},
		{"brackets", "[(256,128):40,(512,256):60]", plain},
		{"brackets with deviations", "[(256|10,128|5):40, (512|20,256|10):60]", wide},
		{"JSON", `{"pairs":[{"isl":256,"isl_stddev":10,"osl":128,"osl_stddev":5,"prob":40},{"isl":512,"isl_stddev":20,"osl":256,"osl_stddev":10,"prob":60}]}`, wide},
	} {
		d, err := ParseSeqDist(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		for i, p := range c.want {
			if len(d.Pairs) != len(c.want) || d.Pairs[i] != p {
				t.Errorf("%s: %v, want %v", c.name, d.Pairs, c.want)
			}
		}
	}
	for _, bad := range []string{"", "1,2", "1,2:50", "1:2:100", "0,1:100", "1,1:-5;1,1:105", "a,b:100", "[(1,2):100", "[(1,2):100,]", `{"pairs":[]}`, `{"pairs":[{"isl":1,"osl":1,"prob":100,"x":1}]}`, "1|NaN,1:100", "1,1:NaN"} {
		if _, err := ParseSeqDist(bad); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
}

func TestPairsComeByTheirShares(t *testing.T) {
	d, err := ParseSeqDist("1,10:25;2,20:75")
	if err != nil {
		t.Fatal(err)
	}
	r, n := rng.New(1), 0
	for range 20000 {
		isl, osl := d.Draw(r)
		if osl != 10*isl {
			t.Fatalf("%d with %d", isl, osl)
		}
		if isl == 1 {
			n++
		}
	}
	if math.Abs(float64(n)/20000-0.25) > 0.01 {
		t.Errorf("the first pair came %d times of 20000, want a quarter", n)
	}
}

func FuzzParseSeqDist(f *testing.F) {
	for _, s := range []string{"256,128:40;512,256:60", "[(256|10,128):40,(512,256):60]", `{"pairs":[{"isl":1,"osl":1,"prob":100}]}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if d, err := ParseSeqDist(s); err == nil {
			if isl, osl := d.Draw(rng.New(1)); isl < 1 || osl < 1 {
				t.Fatalf("%q draws %d, %d", s, isl, osl)
			}
		}
	})
}
