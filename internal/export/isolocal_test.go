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
		{"less than half is cut, however close", 1_796_030_919_007_091_401, "2026-11-30T09:28:39.007091"},
		{"more than half may be cut where the float64 below is nearer", 1_796_030_950_752_841_551, "2026-11-30T09:29:10.752841"},
		{"and more than half may be rounded up", 1_796_030_982_852_650_565, "2026-11-30T09:29:42.852651"},
		{"less than half may become a whole one", 1_796_014_606_657_602_474, "2026-11-30T04:56:46.657603"},
		{"the last half microsecond of a second is the next second", 1_796_030_636_999_999_800, "2026-11-30T09:23:57.000000"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := (&Report{Location: time.UTC}).isoLocal(c.ns); got != c.want {
				t.Errorf("isoLocal(%d) = %s, want %s", c.ns, got, c.want)
			}
		})
	}
}
