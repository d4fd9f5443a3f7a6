package export

import (
	"testing"
	"time"
)

func TestISOLocal(t *testing.T) {
	for _, c := range []struct {
		name string
		ns   int64
		want string
	}{
		{"microseconds are rounded, not cut", 1_796_030_636_894_763_700, "2026-11-30T09:23:56.894764"},
		{"a little above stays", 1_796_030_637_709_393_004, "2026-11-30T09:23:57.709393"},
		{"less than half is cut, however close", 1_796_030_919_007_091_401, "2026-11-30T09:28:39.007091"},
		{"the last half microsecond of a second is the next second", 1_796_030_636_999_999_800, "2026-11-30T09:23:57.000000"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := (&Report{Location: time.UTC}).isoLocal(c.ns); got != c.want {
				t.Errorf("isoLocal(%d) = %s, want %s", c.ns, got, c.want)
			}
		})
	}
}
