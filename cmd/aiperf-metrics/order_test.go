package main

import (
	"bytes"
	"compress/gzip"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// A record set that was shuffled, split over files and packed in different ways has the same summary, byte
// for byte, under both definitions.
func TestOrderAndPackingDoNotMatter(t *testing.T) {
	for _, name := range []string{"stream-shapes", "rate-slices", "faults", "cancellation"} {
		for _, definitions := range []string{"default", "aiperf-0.13"} {
			t.Run(name+" "+definitions, func(t *testing.T) {
				b, err := os.ReadFile(peer + "/" + name + "/profile_export_raw.jsonl")
				if err != nil {
					t.Fatal(err)
				}
				manifest := peer + "/" + name + "/phase_manifest.json"
				args := []string{"--quiet", "--use-server-token-count", "--slice-duration", "0.3", "--definitions", definitions}
				summaries := func(files ...string) string {
					t.Helper()
					code, out, errs := tool("", append(args, files...)...)
					if code != 0 {
						t.Fatalf("exit %d: %s", code, errs)
					}
					var s []string
					for l := range strings.Lines(out) {
						if strings.HasPrefix(l, `{"kind":"summary"`) {
							s = append(s, l)
						}
					}
					if len(s) == 0 {
						t.Fatal("no summary")
					}
					return strings.Join(s, "")
				}
				want := summaries(peer+"/"+name+"/profile_export_raw.jsonl", manifest)
				lines := strings.SplitAfter(strings.TrimSpace(string(b))+"\n", "\n")
				lines = lines[:len(lines)-1]
				rng := rand.New(rand.NewPCG(1, 2))
				for range 3 {
					rng.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
					dir := t.TempDir()
					third := len(lines) / 3
					var gz, zs bytes.Buffer
					g := gzip.NewWriter(&gz)
					g.Write([]byte(strings.Join(lines[:third], "")))
					g.Close()
					z, _ := zstd.NewWriter(&zs)
					z.Write([]byte(strings.Join(lines[third:2*third], "")))
					z.Close()
					files := []string{}
					for file, data := range map[string][]byte{"a": gz.Bytes(), "b": zs.Bytes(), "c": []byte(strings.Join(lines[2*third:], ""))} {
						path := filepath.Join(dir, file)
						if err := os.WriteFile(path, data, 0o644); err != nil {
							t.Fatal(err)
						}
						files = append(files, path) // in the map's order, which is any
					}
					if got := summaries(append([]string{manifest}, files...)...); got != want {
						t.Fatalf("got  %.2000s\nwant %.2000s", got, want)
					}
				}
			})
		}
	}
}
