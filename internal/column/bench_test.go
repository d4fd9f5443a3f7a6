package column

import (
	"math/rand/v2"
	"testing"
)

func BenchmarkSorted(b *testing.B) {
	for _, c := range []struct {
		name   string
		budget int64
	}{{"in memory", 64 << 20}, {"on disk", 1 << 20}} {
		b.Run(c.name, func(b *testing.B) {
			const n = 1 << 20
			b.SetBytes(8 * n)
			b.ReportAllocs()
			for b.Loop() {
				s := NewStore(c.budget, b.TempDir())
				col := s.New()
				rng := rand.New(rand.NewPCG(1, 2))
				for range n {
					if err := col.Append(rng.Float64()); err != nil {
						b.Fatal(err)
					}
				}
				if err := col.Sorted(func(float64) bool { return true }); err != nil {
					b.Fatal(err)
				}
				s.Close()
			}
		})
	}
}
