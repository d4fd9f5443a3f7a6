package stream

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"
	"testing/iotest"

	"aiperf/schema"
)

// Whatever comes, reading ends without a panic, every line handed out stands in the input, how the
// bytes come in pieces changes nothing, and the kind is what a full parse finds.
func FuzzLines(f *testing.F) {
	for _, s := range []string{two, gz(two), zst(two), "{\n\"data\": [\n]\n}\n", "nonsense\n{}", "PAR1", `{"metadata":{},"start_perf_ns":1}`,
		`{"a\"b":"\\","kind":"run"}`, "\x1f\x8b\x08", "{\n", "\xef\xbb\xbf{}"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		whole := read(t, bytes.NewReader(in))
		if len(in) < 4096 {
			pieces := read(t, iotest.OneByteReader(bytes.NewReader(in)))
			a, _ := json.Marshal([]any{whole.lines, whole.errs, whole.warns})
			b, _ := json.Marshal([]any{pieces.lines, pieces.errs, pieces.warns})
			if !bytes.Equal(a, b) {
				t.Errorf("at once %s, byte by byte %s", a, b)
			}
		}
		for l, err := range Lines(context.Background(), bytes.NewReader(in), func(string) {}) {
			if err != nil {
				continue
			}
			var v struct {
				Kind *string `json:"kind"`
			}
			var keys map[string]json.RawMessage
			if json.Unmarshal(l.Data, &keys) != nil || json.Unmarshal(l.Data, &v) != nil {
				if !bulky(l.Kind) && json.Valid(l.Data) == false {
					t.Errorf("%q was handed out as %q", l.Data, l.Kind)
				}
				continue
			}
			if raw, ok := keys["kind"]; ok && len(raw) > 0 && v.Kind != nil && bytes.Count(l.Data, []byte("kind")) == 1 &&
				*v.Kind != l.Kind && l.Kind != schema.KindRecord {
				t.Errorf("%q: kind %q, want %q", l.Data, l.Kind, *v.Kind)
			}
		}
	})
}
