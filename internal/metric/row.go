package metric

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
)

// A row is what the sums and columns of a phase or slice take of one request; wall-clock ns.
type row struct {
	start, end int64
	valid      bool
	values     []value
	gaps       []int64
	hit, total int64 // prefix blocks
}

type value struct {
	slot int
	x    float64
}

// rowLog keeps rows until the slices they belong to are known: in memory, then in a temporary file.
type rowLog struct {
	dir  string
	mem  []byte
	file *os.File
	n    int64
}

const rowLogMemory = 32 << 20

func (l *rowLog) add(r *row) error {
	b := binary.AppendVarint(l.mem, r.start)
	b = binary.AppendVarint(b, r.end)
	b = binary.AppendVarint(b, int64(count(r.valid)))
	b = binary.AppendVarint(b, r.hit)
	b = binary.AppendVarint(b, r.total)
	b = binary.AppendVarint(b, int64(len(r.values)))
	for _, v := range r.values {
		b = binary.AppendVarint(b, int64(v.slot))
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v.x))
	}
	b = binary.AppendVarint(b, int64(len(r.gaps)))
	for _, g := range r.gaps {
		b = binary.AppendVarint(b, g)
	}
	l.mem = b
	l.n++
	if len(l.mem) < rowLogMemory {
		return nil
	}
	return l.spill()
}

func (l *rowLog) spill() error {
	if l.file == nil {
		f, err := os.CreateTemp(l.dir, "aiperf-rows-*")
		if err != nil {
			return fmt.Errorf("making room for slices: %w", err)
		}
		os.Remove(f.Name()) // the file lives as long as the process
		l.file = f
	}
	if _, err := l.file.Seek(0, io.SeekEnd); err != nil {
		return fmt.Errorf("storing rows of slices: %w", err)
	}
	if _, err := l.file.Write(l.mem); err != nil {
		return fmt.Errorf("storing rows of slices: %w", err)
	}
	l.mem = l.mem[:0]
	return nil
}

// each hands back the rows in the order they came.
func (l *rowLog) each(f func(*row) error) error {
	var in io.Reader = bytes.NewReader(l.mem)
	if l.file != nil {
		in = io.MultiReader(io.NewSectionReader(l.file, 0, math.MaxInt64), in)
	}
	b := bufio.NewReaderSize(in, 64<<10)
	var failed error
	next := func() int64 {
		x, err := binary.ReadVarint(b)
		failed = errors.Join(failed, err)
		return x
	}
	for range l.n {
		r := row{start: next(), end: next(), valid: next() == 1, hit: next(), total: next()}
		for n := next(); n > 0 && failed == nil; n-- {
			v := value{slot: int(next())}
			var bits [8]byte
			_, err := io.ReadFull(b, bits[:])
			failed = errors.Join(failed, err)
			v.x = math.Float64frombits(binary.LittleEndian.Uint64(bits[:]))
			r.values = append(r.values, v)
		}
		for n := next(); n > 0 && failed == nil; n-- {
			r.gaps = append(r.gaps, next())
		}
		if failed != nil {
			return fmt.Errorf("reading rows of slices: %w", failed)
		}
		if err := f(&r); err != nil {
			return err
		}
	}
	return nil
}

func (l *rowLog) close() error {
	if l.file == nil {
		return nil
	}
	return l.file.Close()
}
