package column

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func collect(t testing.TB, c *Column) []float64 {
	t.Helper()
	var out []float64
	if err := c.Sorted(func(x float64) bool { out = append(out, x); return true }); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestValuesComeBackSortedWhetherSpilledOrNot(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := NewStore(8*int64(rapid.IntRange(1, 3000).Draw(t, "budget")), "")
		defer s.Close()
		n := rapid.IntRange(1, 3).Draw(t, "columns")
		cols, want := make([]*Column, n), make([][]float64, n)
		for i := range cols {
			cols[i] = s.New()
		}
		seed := rapid.Uint64().Draw(t, "seed")
		rng := rand.New(rand.NewPCG(seed, 1))
		for range rapid.IntRange(0, 8000).Draw(t, "values") {
			i := rng.IntN(n)
			x := math.Round(rng.NormFloat64() * 100)
			if err := cols[i].Append(x); err != nil {
				t.Fatal(err)
			}
			want[i] = append(want[i], x)
		}
		for i, c := range cols {
			slices.Sort(want[i])
			var got []float64
			if err := c.Sorted(func(x float64) bool { got = append(got, x); return true }); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got, want[i]) || c.Len() != len(want[i]) {
				t.Fatalf("column %d: %d values, want %d, or out of order", i, len(got), len(want[i]))
			}
		}
	})
}

func TestMemoryStaysWithinTheBudget(t *testing.T) {
	s := NewStore(8*4096, t.TempDir())
	defer s.Close()
	c := s.New()
	for i := range 100_000 {
		if err := c.Append(float64(i % 1000)); err != nil {
			t.Fatal(err)
		}
		if s.held > 4097 {
			t.Fatalf("%d values in memory after %d, want at most 4097", s.held, i+1)
		}
	}
	if s.Spilled() < 8*90_000 {
		t.Errorf("spilled %d bytes, want nearly all of 800000", s.Spilled())
	}
	if got := collect(t, c); len(got) != 100_000 || !slices.IsSorted(got) {
		t.Errorf("%d values, sorted %v", len(got), slices.IsSorted(got))
	}
}

func TestReadingMayStopEarly(t *testing.T) {
	s := NewStore(8*1024, t.TempDir())
	defer s.Close()
	c := s.New()
	for i := range 5000 {
		if err := c.Append(float64(5000 - i)); err != nil {
			t.Fatal(err)
		}
	}
	n := 0
	if err := c.Sorted(func(x float64) bool { n++; return x < 10 }); err != nil || n != 10 {
		t.Errorf("read %d values (%v), want 10", n, err)
	}
}

func TestNaNIsNotAValue(t *testing.T) {
	if err := NewStore(0, "").New().Append(math.NaN()); err == nil {
		t.Error("NaN was taken")
	}
}

func TestAFolderThatCannotBeWrittenIsSaid(t *testing.T) {
	s := NewStore(0, "/nonexistent/folder")
	c := s.New()
	var err error
	for i := 0; i < 5000 && err == nil; i++ {
		err = c.Append(float64(i))
	}
	if err == nil {
		t.Error("no error")
	}
}
