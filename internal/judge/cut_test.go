package judge

import (
	"encoding/json"
	"testing"

	"aiperf/internal/endpoint"
	"aiperf/schema"
)

func FuzzCut(f *testing.F) {
	f.Add([]byte(`{"body":"a\"b\\\/\b\f\n\r\t\u00e9\ud83d\ude00é😀 12345678","reads":[[1,2,3],[4,5,-6]],"x":{"y":["}\""]}}`))
	f.Add([]byte(` { "reads" : [ [ 1 , 2 , 3 ] ] , "body" : "" } `))
	f.Add([]byte(`{"body":"\ud800x","reads":[]}`))
	f.Add([]byte(`{"body":"a","body":"b"}`))
	f.Add([]byte(`{}`))
	f.Add([]byte(`{"body":"a"}x`))
	f.Fuzz(func(t *testing.T, line []byte) {
		var c cut
		err := c.split(line)
		var want struct {
			Body  *string
			Reads []schema.Read
		}
		var keys map[string]json.RawMessage
		if json.Unmarshal(line, &keys) != nil {
			if err == nil && json.Valid(c.line) {
				t.Fatalf("%q was cut although it is not JSON", line)
			}
			return
		}
		if json.Unmarshal(line, &want) != nil || err != nil || !json.Valid(line) {
			return
		}
		var rest map[string]json.RawMessage
		if e := json.Unmarshal(c.line, &rest); e != nil {
			t.Fatalf("%q left %q: %v", line, c.line, e)
		}
		for k := range rest {
			if _, ok := keys[k]; !ok {
				t.Fatalf("%q left %q", line, c.line)
			}
		}
	})
}

func TestCutReadsWhatEncodingJSONReads(t *testing.T) {
	for _, l := range []string{
		`{"body":"a\"b\\\/\b\f\n\r\t\u00e9\ud83d\ude00é😀 12345678","reads":[[1,2,3],[4,5,-6]],"x":{"y":["}\""]}}`,
		` { "reads" : [ [ 1 , 2 , 3 ] ] , "body" : "" } `,
		`{"body":"\ud800x\udc00\ud83dA","reads":[]}`,
		`{"a":1,"body":"a run of text without any escape in it, and then one\n"}`,
		`{"body":"a","reads":[[1,1796029846830239203,9223372036854775807]]}`,
		string(line(7)),
	} {
		var c cut
		if err := c.split([]byte(l)); err != nil {
			t.Errorf("%s: %v", l, err)
			continue
		}
		var want struct {
			Body  string        `json:"body"`
			Reads []schema.Read `json:"reads"`
		}
		if err := json.Unmarshal([]byte(l), &want); err != nil {
			t.Fatal(err)
		}
		if string(c.body) != want.Body || len(c.reads) != len(want.Reads) {
			t.Errorf("%s: body %q, reads %v, want %q, %v", l, c.body, c.reads, want.Body, want.Reads)
			continue
		}
		for i := range c.reads {
			if c.reads[i] != want.Reads[i] {
				t.Errorf("%s: reads[%d] = %v, want %v", l, i, c.reads[i], want.Reads[i])
			}
		}
	}
}

func TestWhatIsNoJSONIsRefused(t *testing.T) {
	for _, l := range []string{``, `{`, `{"a":1`, `{"a":1}x`, `{"a" 1}`, `{"body":"a}`, `{"body":"a\`, `{"body":"\x"}`, `{"body":"\u12g4"}`,
		"{\"body\":\"a\nb\"}", `{"reads":[[1,2]]}`, `{"reads":[[1,2,3],]}`, `{"reads":[[1,2,3.5]]}`, `{"reads":[[01,2,3]]}`, `{"reads":[[1,2,9223372036854775808]]}`, `{"reads":[[1,2,3]}`,
		`{"a":1,}`, `{,"a":1}`, `{"a":tru}`, `{"a":[1,2}`, `{"a":}`} {
		var c cut
		if err := c.split([]byte(l)); err == nil {
			if _, perr := (&decoder{}).p.ParseBytes(c.line); perr == nil {
				t.Errorf("%s was taken", l)
			}
		}
	}
}

// A chunk that repeats another but for its content is not parsed: it must mean the same.
func TestARepeatedChunkMeansWhatItsParsingMeans(t *testing.T) {
	l := line(9)
	j := New(Options{KeepText: true})
	s, err := j.Line(l)
	if err != nil {
		t.Fatal(err)
	}
	if want := " time time time time time time time time time"; s.Text != want || len(s.Contents) != 9 || !s.Valid || s.Usage == nil {
		t.Errorf("text %q, %d contents, valid %v, want %q, 9, true", s.Text, len(s.Contents), s.Valid, want)
	}
	if len(j.last.suf) == 0 {
		t.Error("no chunk was learnt")
	}
}

func TestAChunkWithHalfACharacterIsNoRepeat(t *testing.T) {
	var r repeat
	var c endpoint.Chunk
	chunk := func(text string) []byte { return []byte(`{"choices":[{"delta":{"content":"` + text + `"}}]}`) }
	r.learn(chunk("a"), &endpoint.Chunk{Content: true, Output: true, Text: []byte("a")})
	if !r.match(chunk("b"), &c) || string(c.Text) != "b" {
		t.Errorf("got %q, want b", c.Text)
	}
	if r.match(chunk(`\ud83d`), &c) {
		t.Error("a lone surrogate was read without the parser")
	}
}
