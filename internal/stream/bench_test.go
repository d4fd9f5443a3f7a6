package stream

import (
	"os"
	"testing"
)

// Reading AIPerf's raw lines and ours without decoding them.
func BenchmarkLines(b *testing.B) {
	raw, err := os.ReadFile("../../testdata/peer/aiperf-0.13.0/rate-slices/profile_export_raw.jsonl")
	if err != nil {
		b.Fatal(err)
	}
	ours := append([]byte(`{"kind":"record","body":"`), make([]byte, 4000)...)
	for i := 25; i < len(ours); i++ {
		ours[i] = 'x'
	}
	ours = append(ours, "\"}\n"...)
	for name, line := range map[string][]byte{"aiperf-raw": raw, "ours": ours} {
		path := b.TempDir() + "/x.jsonl"
		f, err := os.Create(path)
		if err != nil {
			b.Fatal(err)
		}
		size := 0
		for size < 64<<20 {
			n, _ := f.Write(line)
			size += n
		}
		f.Close()
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				for _, err := range Lines(b.Context(), nil, nil, path) {
					if err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
