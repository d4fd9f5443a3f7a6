package unit

import "testing"

func TestConvert(t *testing.T) {
	for _, c := range []struct {
		name     string
		v        float64
		from, to string
		want     float64
		ok       bool
	}{
		{"nanoseconds are shown as milliseconds", 2_500_000, NS, MS, 2.5, true},
		{"a kilobyte has 1024 bytes", 2048, B, KB, 2, true},
		{"the same unit needs nothing", 3, "tokens", "tokens", 3, true},
		{"tokens are no time", 3, "tokens", MS, 3, false},
	} {
		if got, ok := Convert(c.v, c.from, c.to); got != c.want || ok != c.ok {
			t.Errorf("%s: Convert(%v, %s, %s) = %v, %v, want %v, %v", c.name, c.v, c.from, c.to, got, ok, c.want, c.ok)
		}
	}
}
