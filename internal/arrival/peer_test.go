package arrival

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"
)

func peerOffsets(t *testing.T) []float64 {
	t.Helper()
	f, err := os.Open("../../testdata/peer/requests/rate-poisson/requests.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []float64
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		var r struct {
			OffsetMS float64 `json:"offset_ms"`
		}
		if err := json.Unmarshal(s.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		out = append(out, r.OffsetMS)
	}
	if len(out) != 8 {
		t.Fatalf("%d requests, want 8", len(out))
	}
	return out
}
