package main

import (
	"bytes"
	"encoding/json"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/valyala/fastjson"

	"aiperf/internal/endpoint"
	"aiperf/internal/tokenizer"
)

const peer = "../../testdata/peer/requests/"

// Flags of AIPerf's command line that other tools own, and how many values they take.
var others = map[string]int{"--concurrency": 1, "--workers-max": 1, "--no-server-metrics": 0, "--no-gpu-telemetry": 0, "--ui": 1, "--url": 1, "--artifact-dir": 1}

// peerArgs makes our command line of AIPerf's.
func peerArgs(t *testing.T, dir string) []string {
	data, err := os.ReadFile(peer + dir + "/command.txt")
	if err != nil {
		t.Fatal(err)
	}
	line, _, _ := strings.Cut(string(data), "\n")
	var words []string
	for _, m := range regexp.MustCompile(`'([^']*)'|(\S+)`).FindAllStringSubmatch(line, -1) {
		words = append(words, m[1]+m[2])
	}
	var args []string
	for i := 2; i < len(words); i++ {
		if n, ok := others[words[i]]; ok {
			i += n
			continue
		}
		if words[i] == "in.jsonl" {
			words[i] = peer + dir + "/in.jsonl"
		}
		args = append(args, words[i])
	}
	return args
}

func peerRequests(t *testing.T, dir string) (bodies [][]byte, offsets []float64) {
	data, err := os.ReadFile(peer + dir + "/requests.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range bytes.Split(bytes.TrimSpace(data), []byte("\n")) {
		var r struct {
			Body     json.RawMessage
			OffsetMS float64 `json:"offset_ms"`
		}
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		bodies, offsets = append(bodies, endpoint.Compact(nil, fastjson.MustParseBytes(r.Body))), append(offsets, r.OffsetMS)
	}
	return bodies, offsets
}

var textValue = regexp.MustCompile(`("content":|"prompt":|"text":|\[|,)"((?:[^"\\]|\\.)*)"([,}\]])`)

func tokens(t testing.TB) *tokenizer.Tokenizer {
	tok, err := tokenizer.Open("builtin")
	if err != nil {
		t.Fatal(err)
	}
	return tok
}

// counted puts the token count of each text in its place.
func counted(t *testing.T, body []byte) string {
	tok := tokens(t)
	return string(textValue.ReplaceAllFunc(body, func(m []byte) []byte {
		p := textValue.FindSubmatch(m)
		if !bytes.HasSuffix(p[1], []byte(":")) {
			return m
		}
		text, err := strconv.Unquote(`"` + string(p[2]) + `"`)
		if err != nil {
			t.Fatalf("%v: %s", err, p[2])
		}
		return append(append(append([]byte{}, p[1]...), "<"+strconv.Itoa(tok.Count(text))+" tokens>"...), p[3]...)
	}))
}

// text1 is the only text of a body.
func text1(t testing.TB, body []byte) string {
	t.Helper()
	var p struct {
		Prompt   string
		Messages []struct{ Content string }
	}
	if err := json.Unmarshal(body, &p); err != nil {
		t.Fatal(err)
	}
	if len(p.Messages) == 1 {
		return p.Messages[0].Content
	}
	return p.Prompt
}

// Our command line gives AIPerf's own bodies: byte for byte where the text is authored, and with
// the same token counts where it is made.
func TestBodiesAreThoseOfAIPerf(t *testing.T) {
	for _, dir := range []string{"chat-basic", "chat-stream", "chat-legacy-max-tokens", "chat-no-osl", "chat-extra-json", "chat-extra-pairs",
		"chat-extra-stream-options-null", "chat-models-round-robin", "chat-text-batch", "chat-system-context", "chat-prefix-pool", "per-chunk-usage",
		"completions-basic", "completions-stream", "seq-dist-json", "seq-dist-semicolon", "entries-wrap", "sampling-shuffle", "warmup-count",
		"rate-constant", "rate-poisson", "rate-burst-pattern-becomes-poisson",
		"single-turn-text", "single-turn-sessions-delay", "single-turn-completions", "mooncake-messages-tools", "mooncake-payload",
		"mooncake-hash-ids", "mooncake-offsets", "mooncake-late-first-no-flags", "mooncake-no-fixed-schedule", "mooncake-synthesis-speedup"} {
		t.Run(dir, func(t *testing.T) {
			want, _ := peerRequests(t, dir)
			r := good(t, "", peerArgs(t, dir)...)
			if len(r.requests) != len(want) {
				t.Fatalf("%d requests, want %d", len(r.requests), len(want))
			}
			for i, q := range r.requests {
				got, want := string(q.Payload), string(want[i])
				if q.ISL != nil {
					got, want = counted(t, q.Payload), counted(t, []byte(want))
				}
				if got != want {
					t.Errorf("request %d:\n got %s\nwant %s", i, got, want)
				}
			}
		})
	}
}

// Schedules are AIPerf's, within what its two busy cores allow (15 ms, 30 for the first request).
func TestSchedulesAreThoseOfAIPerf(t *testing.T) {
	for _, dir := range []string{"rate-constant", "rate-poisson", "rate-burst-pattern-becomes-poisson", "mooncake-hash-ids", "mooncake-offsets",
		"mooncake-late-first-no-flags", "mooncake-messages-tools", "mooncake-synthesis-speedup", "mooncake-no-fixed-schedule"} {
		_, want := peerRequests(t, dir)
		r := good(t, "", peerArgs(t, dir)...)
		at, first := 0.0, 0.0
		for i, q := range r.requests {
			switch {
			case q.TickNS != nil:
				at += float64(*q.TickNS) / 1e6
			case q.AtNS != nil:
				at = float64(*q.AtNS) / 1e6
			default:
				t.Fatalf("%s: request %d has no time", dir, i)
			}
			if i == 0 {
				first = at
			}
			if d := at - first - want[i]; d > 30 || d < -30 {
				t.Errorf("%s: request %d at %.1f ms after the first, want %.1f", dir, i, at-first, want[i])
			}
		}
	}
}

func TestAPoolThatWrapsAsksTheSameAgain(t *testing.T) {
	r := good(t, "", peerArgs(t, "entries-wrap")...)
	if !bytes.Equal(r.requests[0].Payload, r.requests[2].Payload) || bytes.Equal(r.requests[0].Payload, r.requests[1].Payload) {
		t.Error("the third request is not the first again")
	}
	r = good(t, "", peerArgs(t, "sampling-shuffle")...)
	for pass := range 2 {
		seen := map[string]bool{}
		for _, q := range r.requests[4*pass : 4*pass+4] {
			seen[q.ConversationID] = true
		}
		if len(seen) != 4 {
			t.Errorf("pass %d of the shuffle has %d conversations, want 4", pass, len(seen))
		}
	}
}
