package sse

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

type event struct {
	name, data, comment string
	end                 int64
}

func scan(body string) (out []event) {
	var s Scanner
	for s.Reset([]byte(body)); s.Next(); {
		out = append(out, event{string(s.Name), string(s.Data), string(s.Comment), s.End})
	}
	return out
}

func TestFraming(t *testing.T) {
	long := strings.Repeat("x", 200<<10)
	for _, c := range []struct {
		name, body string
		want       []event
	}{
		{"an empty body has no events", "", nil},
		{"a byte order mark is no part of the first name", "\ufeffdata: a\n\n", []event{{"", "a", "", 10}}},
		{"LF, CRLF and CR all end a line", "data: a\n\ndata: b\r\n\r\ndata: c\r\r", []event{{"", "a", "", 7}, {"", "b", "", 16}, {"", "c", "", 27}}},
		{"several data lines are joined with LF", "data: a\ndata:b\ndata: c\n\n", []event{{"", "a\nb\nc", "", 22}}},
		{"B20: at most one space after the colon goes, the rest stays", "data:  two \n\n", []event{{"", " two ", "", 11}}},
		{"B18: two events in one write are two", "data: a\n\ndata: b\n\n", []event{{"", "a", "", 7}, {"", "b", "", 16}}},
		{"B21: comments alone carry no data", ": keep-alive\n\n:\n\ndata: a\n\n", []event{{"", "", "keep-alive", 12}, {"", "", "", 15}, {"", "a", "", 24}}},
		{"B23: U+2028, U+2029 and U+0085 end no line", "data: a\u2028b\u2029c\u0085d\n\n", []event{{"", "a\u2028b\u2029c\u0085d", "", 18}}},
		{"B24: a line may be 200 KiB long", "data: " + long + "\n\n", []event{{"", long, "", 6 + 200<<10}}},
		{"a last event without a line end counts", "data: a", []event{{"", "a", "", 7}}},
		{"event names the block, and a line without colon is a field without value", "event: e\ndata\n\n", []event{{"e", "", "", 13}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := scan(c.body)
			if len(got) != len(c.want) {
				t.Fatalf("%d events, want %d", len(got), len(c.want))
			}
			for i := range got {
				if got[i] != c.want[i] {
					t.Errorf("event %d = %.80v, want %.80v", i, got[i], c.want[i])
				}
			}
		})
	}
}

// Written and read back, any data survives, whatever ends the lines.
func TestAnyDataSurvives(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		eol := rapid.SampledFrom([]string{"\n", "\r", "\r\n"}).Draw(t, "eol")
		data := rapid.SliceOfN(rapid.StringMatching(`[^\r\n]{1,20}`), 1, 8).Draw(t, "data")
		body := ""
		for _, d := range data {
			body += "data: " + d + eol + eol
		}
		got := scan(body)
		if len(got) != len(data) {
			t.Fatalf("%d events, want %d", len(got), len(data))
		}
		for i, d := range data {
			if got[i].data != d || body[got[i].end-int64(len(d)):got[i].end] != d {
				t.Fatalf("event %d: %+v, want %q", i, got[i], d)
			}
		}
	})
}

func FuzzScanner(f *testing.F) {
	files, _ := filepath.Glob("../../testdata/sse/*.sse")
	for _, n := range files {
		if b, err := os.ReadFile(n); err == nil {
			f.Add(string(b))
		}
	}
	f.Fuzz(func(t *testing.T, body string) {
		last := int64(0)
		for _, e := range scan(body) {
			if e.end <= last || e.end > int64(len(body)) {
				t.Fatalf("end %d after %d in %d bytes", e.end, last, len(body))
			}
			last = e.end
		}
	})
}
