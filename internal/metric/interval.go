package metric

import (
	"cmp"
	"encoding/binary"
	"errors"
	"math"
	"slices"

	"aiperf/internal/column"
)

// intervals are those of a phase: where each lies is in memory, what it holds in a spool.
type intervals struct {
	spool  *column.Spool
	places []place
	sorted bool
	buf    []byte
}

// A place is where an interval lies in the spool.
type place struct {
	start, end int64
	off        int64
	n          int32
}

// spoolBytes of intervals are held in memory.
const spoolBytes = 16 << 20

func (l *intervals) add(iv *interval) error {
	if l.spool == nil {
		l.spool = column.NewSpool(spoolBytes, "")
	}
	flags := byte(0)
	for i, yes := range []bool{iv.First != nil, iv.ISL != nil, iv.OSL != nil} {
		if yes {
			flags |= 1 << i
		}
	}
	b := append(l.buf[:0], flags)
	if iv.First != nil {
		b = binary.AppendVarint(b, *iv.First-iv.Start)
	}
	for _, x := range []*float64{iv.ISL, iv.OSL} {
		if x != nil {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(*x))
		}
	}
	b = binary.AppendUvarint(b, uint64(len(iv.Gaps)))
	for _, g := range iv.Gaps {
		b = binary.AppendVarint(b, g)
	}
	l.buf = b
	off, err := l.spool.Append(b)
	l.places, l.sorted = append(l.places, place{iv.Start, iv.End, off, int32(len(b))}), false
	return err
}

// sort orders the places as compareIntervals orders what lies there.
func (l *intervals) sort() error {
	if l.sorted {
		return nil
	}
	var failed error
	slices.SortFunc(l.places, func(a, b place) int {
		if c := cmp.Compare(a.start, b.start); c != 0 {
			return c
		}
		if c := cmp.Compare(a.end, b.end); c != 0 || a.off == b.off {
			return c
		}
		x, err1 := l.read(a)
		y, err2 := l.read(b)
		if err := errors.Join(err1, err2); err != nil {
			failed = err
			return 0
		}
		return compareIntervals(*x, *y)
	})
	l.sorted = failed == nil
	return failed
}

var errDamaged = errors.New("reading stored requests: damaged")

// read returns the interval at a place.
func (l *intervals) read(p place) (*interval, error) {
	b, err := l.spool.Read(p.off, int(p.n))
	if err != nil {
		return nil, err
	}
	varint := func() int64 {
		x, n := binary.Varint(b)
		if n <= 0 {
			err, n = errDamaged, 0
		}
		b = b[n:]
		return x
	}
	iv := &interval{Start: p.start, End: p.end}
	flags := b[0]
	b = b[1:]
	if flags&1 != 0 {
		first := iv.Start + varint()
		iv.First = &first
	}
	for i, x := range []**float64{&iv.ISL, &iv.OSL} {
		if flags&(2<<i) == 0 {
			continue
		}
		if len(b) < 8 {
			return nil, errDamaged
		}
		f := math.Float64frombits(binary.LittleEndian.Uint64(b))
		*x, b = &f, b[8:]
	}
	n, size := binary.Uvarint(b)
	if size <= 0 || n > uint64(len(b)) {
		return nil, errDamaged
	}
	b = b[size:]
	iv.Gaps = make([]int64, n)
	for i := range iv.Gaps {
		iv.Gaps[i] = varint()
	}
	return iv, err
}

func (l *intervals) close() error {
	if l.spool == nil {
		return nil
	}
	return l.spool.Close()
}
