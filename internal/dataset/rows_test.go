package dataset

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"aiperf/internal/rng"
)

func rows(t testing.TB, text string, opt Options) (*Rows, error) {
	root := rng.Root{Seed: 7, Typed: true}
	if opt.BlockSize == 0 {
		opt.BlockSize = 16
	}
	opt.Speedup, opt.OutputTimes = max(opt.Speedup, 1), max(opt.OutputTimes, 1)
	if opt.Warn == nil {
		opt.Warn = func(string, ...any) {}
	}
	return OpenRows("-", strings.NewReader(text), opt, NewPrompts(corpus, tokenizers(t)[0], root), NewModels([]string{"a", "b"}, false, root), root)
}

var corpus = NewBuiltin()

func TestAScheduleIsInOrderOfTimeAndFile(t *testing.T) {
	s, err := rows(t, `{"timestamp":300,"text_input":"c"}
{"timestamp":100,"text_input":"a"}
{"timestamp":300,"text_input":"d","session_id":"x"}
{"timestamp":100,"messages":[{"role":"user","content":"b"}],"session_id":"y"}
{"messages":[{"role":"user","content":"y2"}],"session_id":"y","delay":150}
{"timestamp":900,"messages":[{"role":"user","content":"y3"}],"session_id":"y"}
`, Options{Type: "mooncake_trace"})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var got []string
	err = s.Schedule(nil, func(p *Planned) error {
		text := string(p.Turn.Messages)
		if len(p.Turn.Texts) == 1 {
			text = p.Turn.Texts[0]
		}
		for _, name := range []string{"y2", "y3", "a", "b", "c", "d"} {
			if text == name || strings.Contains(text, `"`+name+`"`) {
				text = name
				break
			}
		}
		at := int64(-1)
		if p.AtMS != nil {
			at = int64(*p.AtMS)
		}
		got = append(got, strings.Join([]string{text, p.Conversation.ID, p.Turn.Model, itoa(at), itoa(int64(p.Index))}, " "))
		return nil
	})
	want := []string{"a session_000001 b 0 0", "b y b 0 0", "y2 y a -1 1", "c session_000000 a 200 0", "d x a 200 0", "y3 y b 800 2"}
	if err != nil || strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%v\n got %q\nwant %q", err, got, want)
	}
}

func itoa(n int64) string {
	if n < 0 {
		return "-" + itoa(-n)
	}
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + string(rune('0'+n%10))
}

func TestRowsAreFoundAgainBehindBlanksAndAByteOrderMark(t *testing.T) {
	s, err := rows(t, "\xef\xbb\xbf{\"text\":\"one\"}\r\n   \n\t {\"text\":\"two\"}  \n{\"text\":\"three\"}", Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var got []string
	for i := range s.Len() {
		c, err := s.Conversation(i)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, c.Turns[0].Texts[0])
	}
	if s.Type != "single_turn" || strings.Join(got, " ") != "one two three" {
		t.Errorf("%s: %q", s.Type, got)
	}
}

func TestRowsOutsideTheOffsetsAndAboveTheLengthAreLeftOut(t *testing.T) {
	lo, hi := int64(10), int64(20)
	s, err := rows(t, `{"timestamp":9,"input_length":5}
{"timestamp":10,"input_length":5,"output_length":9}
{"timestamp":15,"input_length":50}
{"timestamp":20,"input_length":7,"output_length":3}
{"timestamp":21,"input_length":5}
`, Options{Type: "mooncake_trace", Start: &lo, End: &hi, MaxISL: 49, MaxOSL: 8, OutputTimes: 1.5})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if s.Len() != 2 {
		t.Fatalf("%d rows, want 2", s.Len())
	}
	for i, want := range []int64{8, 4} { // 13.5 cut to 8; 4.5 to even
		c, err := s.Conversation(i)
		if err != nil || *c.Turns[0].MaxTokens != want {
			t.Errorf("row %d: cap %d, want %d (%v)", i, *c.Turns[0].MaxTokens, want, err)
		}
	}
}

func TestAnIdSetHoldsAnyId(t *testing.T) {
	s := idSet{}
	ids := []int64{0, 63, 64, 65535, 65536, -1, -65537, 1 << 62}
	for i, id := range ids {
		if s.has(id) {
			t.Errorf("%d is there before it was put", id)
		}
		s.put(id)
		for _, in := range ids[:i+1] {
			if !s.has(in) {
				t.Errorf("%d is gone", in)
			}
		}
	}
	if b := (idSet{}).add([]int64{1, 1, 2}); b.Hit != 0 || b.Total != 3 {
		t.Errorf("%+v", b)
	}
}

func FuzzRows(f *testing.F) {
	for _, s := range []string{`{"text":"a"}`, `{"timestamp":1,"input_length":20,"hash_ids":[1,2]}`, `{"messages":[{"role":"x"}],"session_id":"s","delay":1e9}`,
		`{"payload":{"a":1}}`, `{"texts":["a",{"name":"n","contents":["b"]}]}`, "{\"text\":\"a\"}\n{\"te", `{"extra":{"a":1e999},"text":"x"}`} {
		f.Add(s, false)
		f.Add(s, true)
	}
	f.Fuzz(func(t *testing.T, text string, typed bool) {
		o := Options{}
		if typed {
			o.Type = "mooncake_trace"
		}
		if len(text) > 4096 || bytes.Contains([]byte(text), []byte("input_length")) && len(text) > 200 {
			return
		}
		s, err := rows(t, text, o)
		if err != nil {
			return
		}
		defer s.Close()
		for i := range min(s.Len(), 3) {
			if _, err := s.Conversation(i); err != nil {
				t.Fatalf("a row that was good is not: %v", err)
			}
		}
	})
}

// many writes n rows of about 2 KiB each, without ever holding them.
type many struct {
	n, at int
	rest  []byte
}

func (m *many) Read(p []byte) (int, error) {
	if len(m.rest) == 0 {
		if m.at == m.n {
			return 0, io.EOF
		}
		m.rest = fmt.Appendf(nil, `{"timestamp":%d,"input_length":4480,"hash_ids":[%s]}`+"\n", m.at, manyIDs)
		m.at++
	}
	n := copy(p, m.rest)
	m.rest = m.rest[n:]
	return n, nil
}

var manyIDs = strings.Repeat("100001,", 279) + "100002"

func TestB45AnIndexedRowTakesLittleMemory(t *testing.T) {
	const n = 20_000
	heap := func() int64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	root := rng.Root{Seed: 7}
	o := Options{Type: "mooncake_trace", BlockSize: 16, Speedup: 1, OutputTimes: 1, Warn: t.Errorf}
	p, m := NewPrompts(corpus, tokenizers(t)[0], root), NewModels([]string{"a"}, false, root)
	before := heap()
	s, err := OpenRows("-", &many{n: n}, o, p, m, root)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if s.Turns() != n {
		t.Fatalf("%d rows", s.Turns())
	}
	// 48 bytes of rowRef, 16 of convRef, and what slices keep free; a row is 2,000 bytes.
	if got := (heap() - before) / n; got > 150 {
		t.Errorf("%d bytes a row stay in memory, want at most 150", got)
	}
}
