package column

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// What was appended is read back, in any order, from memory and from the file.
func TestASpoolGivesBackWhatItTook(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, limit := range []int{1, 1000, 1 << 20, 64 << 20} {
		s := NewSpool(limit, t.TempDir())
		var want [][]byte
		var offs []int64
		for range 3000 {
			b := make([]byte, rng.IntN(2000))
			for i := range b {
				b[i] = byte(rng.Uint32())
			}
			off, err := s.Append(b)
			if err != nil {
				t.Fatal(err)
			}
			want, offs = append(want, b), append(offs, off)
		}
		for name, next := range map[string]func(i int) int{
			"in order":         func(i int) int { return i },
			"nearly in order":  func(i int) int { return min(max(i+rng.IntN(400)-200, 0), len(want)-1) },
			"from the back":    func(i int) int { return len(want) - 1 - i },
			"in no order":      func(int) int { return rng.IntN(len(want)) },
			"the same, always": func(int) int { return 7 },
		} {
			for i := range want {
				k := next(i)
				got, err := s.Read(offs[k], len(want[k]))
				if err != nil || !bytes.Equal(got, want[k]) {
					t.Fatalf("limit %d, %s: entry %d is %d bytes (%v), want %d", limit, name, k, len(got), err, len(want[k]))
				}
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
