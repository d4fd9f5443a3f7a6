// Package column keeps the values of one metric, however many there are, and hands them back sorted:
// exact order statistics in bounded memory.
//
// Columns of one Store share a budget of memory. When it is spent, the largest column is sorted and
// moved to a temporary file as one run; reading a column merges its runs with what is in memory.
package column

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
)

// A Store owns the budget and the temporary file of a set of columns. It is not safe for concurrent use.
type Store struct {
	budget  int // values held in memory at most
	held    int
	dir     string
	file    *os.File // unlinked at once; nil until the first spill
	end     int64
	columns []*Column
}

// NewStore returns a Store that holds about budget bytes in memory and spills to dir ("" is the
// system's temporary folder).
func NewStore(budget int64, dir string) *Store {
	return &Store{budget: max(int(budget/8), 1024), dir: dir}
}

// Close gives the temporary file back.
func (s *Store) Close() error {
	if s.file == nil {
		return nil
	}
	return s.file.Close()
}

// Spilled returns how many bytes went to disk.
func (s *Store) Spilled() int64 { return s.end }

// A Column is a bag of values; NaN is not a value.
type Column struct {
	store *Store
	mem   []float64
	runs  []run
	n     int
}

type run struct {
	off int64
	n   int
}

// New returns an empty column of the store.
func (s *Store) New() *Column {
	c := &Column{store: s}
	s.columns = append(s.columns, c)
	return c
}

// Len is the number of values.
func (c *Column) Len() int { return c.n }

// Append adds a value. The error is that of the temporary file.
func (c *Column) Append(x float64) error {
	if math.IsNaN(x) {
		return fmt.Errorf("column: NaN is not a value")
	}
	c.mem = append(c.mem, x)
	c.n++
	c.store.held++
	if c.store.held > c.store.budget {
		return c.store.spill()
	}
	return nil
}

// spill moves the largest columns to disk until half of the budget is free.
func (s *Store) spill() error {
	for s.held > s.budget/2 {
		big := s.columns[0]
		for _, c := range s.columns {
			if len(c.mem) > len(big.mem) {
				big = c
			}
		}
		if err := big.toDisk(); err != nil {
			return err
		}
	}
	return nil
}

func (c *Column) toDisk() error {
	s := c.store
	if s.file == nil {
		f, err := os.CreateTemp(s.dir, "aiperf-columns-*")
		if err != nil {
			return fmt.Errorf("making room for metric values: %w", err)
		}
		os.Remove(f.Name()) // the file lives as long as the process
		s.file = f
	}
	slices.Sort(c.mem)
	buf := make([]byte, 0, 64<<10)
	r := run{s.end, len(c.mem)}
	for _, x := range c.mem {
		buf = binary.LittleEndian.AppendUint64(buf, math.Float64bits(x))
		if len(buf) == cap(buf) {
			if err := s.write(buf); err != nil {
				return err
			}
			buf = buf[:0]
		}
	}
	if err := s.write(buf); err != nil {
		return err
	}
	c.runs = append(c.runs, r)
	s.held -= len(c.mem)
	c.mem = nil
	return nil
}

func (s *Store) write(b []byte) error {
	if _, err := s.file.WriteAt(b, s.end); err != nil {
		return fmt.Errorf("storing metric values in %s: %w", s.file.Name(), err)
	}
	s.end += int64(len(b))
	return nil
}

// Sorted calls yield with every value in ascending order until it returns false.
func (c *Column) Sorted(yield func(float64) bool) error {
	slices.Sort(c.mem)
	if len(c.runs) == 0 {
		for _, x := range c.mem {
			if !yield(x) {
				return nil
			}
		}
		return nil
	}
	heads := make([]head, 0, len(c.runs)+1)
	for _, r := range c.runs {
		h := head{r: bufio.NewReaderSize(io.NewSectionReader(c.store.file, r.off, int64(r.n)*8), 64<<10), left: r.n}
		if err := h.next(); err != nil {
			return err
		}
		heads = append(heads, h)
	}
	if len(c.mem) > 0 {
		heads = append(heads, head{mem: c.mem[1:], x: c.mem[0]})
	}
	for i := len(heads)/2 - 1; i >= 0; i-- {
		sink(heads, i)
	}
	for len(heads) > 0 {
		if !yield(heads[0].x) {
			return nil
		}
		if heads[0].done() {
			heads[0] = heads[len(heads)-1]
			heads = heads[:len(heads)-1]
		} else if err := heads[0].next(); err != nil {
			return err
		}
		sink(heads, 0)
	}
	return nil
}

// head is the smallest value that one run has not handed out yet.
type head struct {
	x    float64
	mem  []float64
	r    *bufio.Reader
	left int
}

func (h *head) done() bool { return h.left == 0 && len(h.mem) == 0 }

func (h *head) next() error {
	if h.r == nil {
		h.x, h.mem = h.mem[0], h.mem[1:]
		return nil
	}
	var b [8]byte
	if _, err := io.ReadFull(h.r, b[:]); err != nil {
		return fmt.Errorf("reading stored metric values: %w", err)
	}
	h.x = math.Float64frombits(binary.LittleEndian.Uint64(b[:]))
	h.left--
	return nil
}

func sink(h []head, i int) {
	for {
		c := 2*i + 1
		if c >= len(h) {
			return
		}
		if c+1 < len(h) && h[c+1].x < h[c].x {
			c++
		}
		if h[i].x <= h[c].x {
			return
		}
		h[i], h[c] = h[c], h[i]
		i = c
	}
}
