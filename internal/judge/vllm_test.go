package judge

import (
	"bytes"
	"fmt"
	"io"
	"net/http/httputil"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"aiperf/schema"
)

const vllm = "../../testdata/vllm-cpu/"

// capture makes a record of what came from the socket and when: the head taken off, the chunks joined,
// each read with the offset that it reached in the body.
func capture(t *testing.T, name, typ string) *schema.Record {
	t.Helper()
	wire, err := os.ReadFile(vllm + name + ".http")
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := bytes.Cut(wire, []byte("\r\n\r\n"))
	if !ok {
		t.Fatal("no head")
	}
	lines := strings.Split(string(head), "\r\n")
	status, err := strconv.Atoi(strings.Fields(lines[0])[1])
	if err != nil {
		t.Fatal(err)
	}
	r := &schema.Record{EndpointType: typ, Status: &status, StartPerfNS: 1e9, ResponseHeaders: map[string]string{},
		Metadata: schema.Metadata{RequestStartNS: 5e9, BenchmarkPhase: schema.PhaseProfiling}}
	chunked := false
	for _, l := range lines[1:] {
		k, v, _ := strings.Cut(l, ": ")
		r.ResponseHeaders[k] = v
		chunked = chunked || k == "transfer-encoding" && v == "chunked"
	}
	// body is what a prefix of the wire holds of it; a cut chunk counts as far as it came
	body := func(n int) []byte {
		if n <= len(head)+4 {
			return nil
		}
		b := rest[:n-len(head)-4]
		if chunked {
			b, _ = io.ReadAll(httputil.NewChunkedReader(bytes.NewReader(b)))
		}
		return b
	}
	r.Body = string(body(len(wire)))
	tsv, err := os.ReadFile(vllm + name + ".reads.tsv")
	if err != nil {
		t.Fatal(err)
	}
	n, last := 0, int64(0)
	for l := range strings.Lines(string(tsv)) {
		var at int64
		var size int
		if _, err := fmt.Sscan(l, &at, &size); err != nil {
			t.Fatal(err)
		}
		if size <= 0 {
			break
		}
		n += size
		if end := int64(len(body(n))); end > last {
			r.Reads, last = append(r.Reads, schema.Read{End: end, PerfNS: r.StartPerfNS + at, ReadNS: r.StartPerfNS + at}), end
		}
	}
	if n != len(wire) {
		t.Fatalf("the reads hold %d bytes of %d", n, len(wire))
	}
	return r
}

// A real engine's answers: when content came, what was counted. Times are those of reads.tsv.
func TestRealEngine(t *testing.T) {
	for _, c := range []struct {
		name, typ          string
		contents           int
		first, last        int64 // ns after the start
		shared             int   // contents that came in the read of the one before
		prompt, completion int64
		stream             bool
	}{
		{"chat-usage", "chat", 24, 8285169, 81155757, 0, 13, 24, true},
		{"chat-continuous-usage", "chat", 16, 8645937, 57156326, 0, 13, 16, true},
		{"chat-no-usage", "chat", 8, 11850966, 32150252, 0, -1, -1, true},
		{"chat-whole", "chat", 1, 59969681, 59969681, 0, 13, 16, false},
		{"chat-n2-logprobs", "chat", 5, 2249347447, 2259192077, 2, 13, 8, true},
		{"chat-token-ids", "chat", 6, 13862293, 32543766, 0, 13, 6, true},
		{"chat-random-bytes", "chat", 32, 31872382, 261603528, 0, 13, 32, true},
		{"completions-usage", "completions", 8, 14715306, 50502648, 0, 3, 8, true},
		{"responses", "responses", 9, 63066150, 123701970, 0, 6, 8, true}, // eight deltas and their done
		{"messages", "messages", 8, 20139715, 46871624, 0, 13, 8, true},
		{"burst-00", "chat", 32, 58613513, 308770243, 0, 13, 32, true},
		{"burst-15", "chat", 32, 63072172, 300684280, 0, 13, 32, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := capture(t, c.name, c.typ)
			for _, d := range []string{"", Definitions013} {
				s := New(Options{Definitions: d}).Judge(r)
				if !s.Valid || s.Streaming != c.stream || len(s.Rules) > 0 || s.Malformed > 0 {
					t.Errorf("valid %v (%+v), streaming %v, rules %v, %d malformed", s.Valid, s.Error, s.Streaming, s.Rules, s.Malformed)
				}
				if len(s.Contents) != c.contents {
					t.Fatalf("%d contents, want %d", len(s.Contents), c.contents)
				}
				if got := s.Contents[0].PerfNS - s.StartPerfNS; got != c.first {
					t.Errorf("first at %d, want %d", got, c.first)
				}
				if got := s.Contents[c.contents-1].PerfNS - s.StartPerfNS; got != c.last {
					t.Errorf("last at %d, want %d", got, c.last)
				}
				if !slices.IsSortedFunc(s.Contents, func(a, b Content) int { return a.Read - b.Read }) {
					t.Errorf("out of order: %v", s.Contents)
				}
				if s.SharedReads != c.shared {
					t.Errorf("%d shared reads, want %d", s.SharedReads, c.shared)
				}
				var p, o int64 = -1, -1
				if s.Usage != nil {
					p, o = val(s.Usage.PromptTokens), val(s.Usage.CompletionTokens)
				}
				if p != c.prompt || o != c.completion {
					t.Errorf("usage %d/%d, want %d/%d", p, o, c.prompt, c.completion)
				}
			}
		})
	}
}

func TestRealEngineCountsTheFirstChunk(t *testing.T) {
	s := New(Options{UseServerTokenCount: true, PerChunkUsage: true}).Judge(capture(t, "chat-continuous-usage", "chat"))
	if val(s.FirstChunkTokens) != 1 || val(s.OutputTokens) != 16 {
		t.Errorf("first %d of %d, want 1 of 16: the role-only event's 0 is not content", val(s.FirstChunkTokens), val(s.OutputTokens))
	}
}

func TestRealEngineErrors(t *testing.T) {
	for _, c := range []struct {
		name, typ, message string
		code               int
	}{
		{"error-model", "Not Found", "does not exist", 404},
		{"error-path", "Not Found", `{"detail":"Not Found"}`, 404},
		{"error-json", "Bad Request", "JSON decode error", 400},
		{"error-field", "Bad Request", "max_tokens", 400},
		{"error-temperature", "Bad Request", "temperature", 400},
		{"error-too-long", "Bad Request", "context length", 400},
		{"error-too-long-output", "Bad Request", "max_tokens", 400},
	} {
		r := capture(t, c.name, "chat")
		for _, d := range []string{"", Definitions013} {
			s := New(Options{Definitions: d}).Judge(r)
			if s.Valid || len(s.Contents) > 0 || s.Error.Type != c.typ || *s.Error.Code != c.code || !strings.Contains(s.Error.Message, c.message) || s.Error.Message != r.Body {
				t.Errorf("%s: %+v", c.name, s.Error)
			}
		}
	}
}

func TestRealEngineCancelled(t *testing.T) {
	r := capture(t, "cancelled", "chat")
	code, end := 499, r.Metadata.RequestStartNS+111052930
	r.Error = &schema.Error{Code: &code, Type: "RequestCancellationError"}
	r.Metadata.WasCancelled, r.Metadata.RequestEndNS, r.Metadata.CancellationTimeNS = true, &end, &end
	s := New(Options{}).Judge(r)
	if n := len(s.Contents); n != 19 || s.Valid || !slices.Equal(s.Rules, []string{ruleCancelled}) || s.EndNS != end {
		t.Errorf("%d contents, valid %v, rules %v, end %d", n, s.Valid, s.Rules, s.EndNS)
	}
	if got := s.Contents[len(s.Contents)-1].PerfNS - s.StartPerfNS; got != 111041947 {
		t.Errorf("last at %d", got)
	}
	if s := New(Options{Definitions: Definitions013}).Judge(r); len(s.Contents) > 0 || s.Valid || len(s.Rules) > 0 {
		t.Errorf("0.13.0: %d contents", len(s.Contents))
	}
	// the same bytes without anyone's cancellation: a stream that lost its end
	r.Error, r.Metadata.WasCancelled = nil, false
	if s := New(Options{}).Judge(r); s.Error == nil || s.Error.Type != "IncompleteStreamError" {
		t.Errorf("cut: %+v", s.Error)
	}
}
