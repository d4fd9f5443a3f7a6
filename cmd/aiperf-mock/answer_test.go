package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"aiperf/internal/tokenizer"
)

func TestStreams(t *testing.T) {
	const messages = `"model":"m","stream":true,"messages":[{"role":"user","content":"one two"}],`
	const prompt = `"model":"m","stream":true,"prompt":"one two",`
	for _, tt := range []struct {
		name   string
		b      behaviour
		path   string
		body   string
		want   string
		finish string
		tokens int // of text and thought together, by the tokenizer
	}{
		{"chat names the role first and ends with a reason", behaviour{}, chatPath, messages + `"max_tokens":4`, "rccce", "length", 4},
		{"completions have no role", behaviour{}, textPath, prompt + `"max_tokens":4`, "ccce", "length", 4},
		{"one token is the first and the last", behaviour{}, textPath, prompt + `"max_tokens":1`, "e", "length", 1},
		{"usage comes when it is asked for", behaviour{}, chatPath, messages + `"max_tokens":2,"stream_options":{"include_usage":true}`, "rceu", "length", 2},
		{"continuous usage is in every event", behaviour{}, chatPath, messages + `"max_tokens":2,"stream_options":{"include_usage":true,"continuous_usage_stats":true}`, "r+c+e+u", "length", 2},
		{"continuous usage needs include_usage", behaviour{}, chatPath, messages + `"max_tokens":2,"stream_options":{"continuous_usage_stats":true}`, "rce", "length", 2},
		{"several tokens share an event and the rest is the last", behaviour{tokensPerChunk: 3}, textPath, prompt + `"max_tokens":7`, "cce", "length", 7},
		{"events that share a write stay events", behaviour{eventsPerWrite: 3}, chatPath, messages + `"max_tokens":7`, "rcccccce", "length", 7},
		{"without a cap the answer stops at its default", behaviour{}, textPath, prompt + `"n":1`, strings.Repeat("c", 127) + "e", "stop", 128},
		{"thoughts come first and count", behaviour{reasoning: 2}, chatPath, messages + `"max_tokens":4,"stream_options":{"include_usage":true}`, "rttceu", "length", 4},
		{"thoughts and text do not share an event", behaviour{reasoning: 3, tokensPerChunk: 2}, chatPath, messages + `"max_tokens":6`, "rttce", "length", 6},
		{"a cap may come amid the thoughts", behaviour{reasoning: 9}, chatPath, messages + `"max_tokens":3`, "rtte", "length", 3},
		{"completions do not think", behaviour{reasoning: 2}, textPath, prompt + `"max_tokens":3`, "cce", "length", 3},
		{"the stamp changes no shape", behaviour{stamp: true, eventsPerWrite: 2}, chatPath, messages + `"max_tokens":3,"stream_options":{"include_usage":true}`, "rcceu", "length", 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.b.fast = true
			d := start(t, tt.b, nil)
			status, body := d.post(t, tt.path, "{"+tt.body+"}")
			if status != 200 {
				t.Fatalf("status %d: %s", status, body)
			}
			list := events(t, body)
			if got := sketch(list); got != tt.want {
				t.Fatalf("events = %s, want %s", got, tt.want)
			}
			content, thought := said(list)
			text, _ := tokenizer.Open("o200k_base")
			if got := text.Count(content) + text.Count(thought); got != tt.tokens {
				t.Errorf("tokens = %d, want %d", got, tt.tokens)
			}
			thoughts := 0
			if tt.path == chatPath {
				thoughts = min(tt.b.reasoning, tt.tokens)
			}
			if got := text.Count(thought); got != thoughts {
				t.Errorf("reasoning tokens = %d, want %d", got, thoughts)
			}
			object := map[string]string{chatPath: "chat.completion.chunk", textPath: "text_completion"}[tt.path]
			for i, h := range list {
				if h.Object != object || h.Model != "m" || h.ID != list[0].ID || h.ID == "" {
					t.Errorf("event %d: object %q, model %q, id %q", i, h.Object, h.Model, h.ID)
				}
				if (h.ServerNS != nil) != tt.b.stamp || tt.b.stamp && *h.ServerNS < 1.7e18 {
					t.Errorf("event %d: stamp %v", i, h.ServerNS)
				}
				if len(h.Choices) > 0 && h.Choices[0].Finish != nil && *h.Choices[0].Finish != tt.finish {
					t.Errorf("finish_reason = %s, want %s", *h.Choices[0].Finish, tt.finish)
				}
			}
			if u := list[len(list)-1].Usage; u != nil {
				if u.Prompt != 2 || u.Completion != tt.tokens || u.Total != tt.tokens+2 {
					t.Errorf("usage = %+v, want 2 and %d", *u, tt.tokens)
				}
				if (u.Details != nil) != (thoughts > 0) || u.Details != nil && u.Details.Reasoning != thoughts {
					t.Errorf("details = %+v, want %d thoughts", u.Details, thoughts)
				}
			}
		})
	}
}

func TestContinuousUsageRunsUpToTheEnd(t *testing.T) {
	d := start(t, behaviour{fast: true, reasoning: 2, tokensPerChunk: 2}, nil)
	_, body := d.post(t, chatPath, `{"model":"m","stream":true,"max_tokens":5,"stream_options":{"include_usage":true,"continuous_usage_stats":true},"messages":[{"role":"user","content":"one two"}]}`)
	want := []int{0, 2, 4, 5, 5} // role, thoughts, two words, the last, the usage event
	for i, h := range events(t, body) {
		if h.Usage == nil || h.Usage.Completion != want[i] || h.Usage.Total != want[i]+2 || h.Usage.Details.Reasoning != min(want[i], 2) {
			t.Errorf("event %d: usage %+v, want %d", i, h.Usage, want[i])
		}
	}
}

func TestWholeAnswers(t *testing.T) {
	for _, tt := range []struct {
		name, path, body  string
		reasoning         int
		contents, thought int
	}{
		{"chat", chatPath, `"max_tokens":9,"messages":[{"role":"user","content":"one two"}]`, 0, 9, 0},
		{"chat with thoughts", chatPath, `"max_tokens":9,"messages":[{"role":"user","content":"one two"}]`, 4, 5, 4},
		{"chat that only thought", chatPath, `"max_tokens":3,"messages":[{"role":"user","content":"one two"}]`, 4, 0, 3},
		{"completions", textPath, `"max_tokens":9,"prompt":["one two"]`, 0, 9, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := start(t, behaviour{fast: true, reasoning: tt.reasoning, stamp: true}, nil)
			status, body := d.post(t, tt.path, `{"model":"a\"b",`+tt.body+`}`)
			var h heard
			if err := json.Unmarshal([]byte(body), &h); err != nil || status != 200 {
				t.Fatalf("%d %v: %s", status, err, body)
			}
			content, thought := said([]heard{h})
			text, _ := tokenizer.Open("builtin")
			if text.Count(content) != tt.contents || text.Count(thought) != tt.thought {
				t.Errorf("content %q, thought %q", content, thought)
			}
			if u := h.Usage; u == nil || u.Prompt != 2 || u.Completion != tt.contents+tt.thought {
				t.Errorf("usage = %+v", u)
			}
			if h.Model != `a"b` || h.ServerNS == nil || *h.Choices[0].Finish != "length" {
				t.Errorf("answer = %s", body)
			}
		})
	}
}

// The capture is vLLM 0.32's (testdata/ORIGINS.md): ours consists of the same events.
func TestStreamsLookLikeTheRealThing(t *testing.T) {
	raw, err := os.ReadFile("testdata/chat-usage.http")
	if err != nil {
		t.Fatal(err)
	}
	var real strings.Builder
	for _, line := range strings.Split(string(raw), "\n") {
		if strings.HasPrefix(line, "data: ") {
			real.WriteString(strings.TrimSpace(line) + "\n\n")
		}
	}
	d := start(t, behaviour{fast: true}, nil)
	_, ours := d.post(t, chatPath, `{"model":"tiny","stream":true,"stream_options":{"include_usage":true},"max_tokens":24,"messages":[{"role":"user","content":"x"}]}`)
	want := events(t, real.String())
	got := events(t, ours)
	if sketch(got) != sketch(want) {
		t.Errorf("events = %s, want %s", sketch(got), sketch(want))
	}
	if got[0].Object != want[0].Object || *got[24].Choices[0].Finish != *want[24].Choices[0].Finish {
		t.Errorf("object %q, finish %q", got[0].Object, *got[24].Choices[0].Finish)
	}
}

func TestExtent(t *testing.T) {
	n := func(x int) *int { return &x }
	for _, tt := range []struct {
		name               string
		a                  ask
		natural, reasoning int
		tokens             int
		finish             string
	}{
		{"a cap is reached", ask{MaxTokens: n(7)}, 0, 0, 7, "length"},
		{"the newer cap wins", ask{MaxTokens: n(7), MaxCompletionTokens: n(5)}, 0, 0, 5, "length"},
		{"without a cap it stops at the default", ask{}, 0, 0, 128, "stop"},
		{"thoughts lengthen an answer that stops by itself", ask{}, 0, 200, 328, "stop"},
		{"thoughts stay below a cap", ask{MaxTokens: n(7)}, 0, 200, 7, "length"},
		{"a natural end comes before the cap", ask{MaxTokens: n(7)}, 3, 0, 3, "stop"},
		{"a cap comes before the natural end", ask{MaxTokens: n(7)}, 9, 0, 7, "length"},
		{"at the cap it is the cap", ask{MaxTokens: n(7)}, 7, 0, 7, "length"},
		{"min_tokens puts the end off", ask{MaxTokens: n(7), MinTokens: n(5)}, 3, 0, 5, "stop"},
		{"min_tokens up to the cap", ask{MaxTokens: n(7), MinTokens: n(7)}, 3, 0, 7, "length"},
		{"min_tokens without a cap", ask{MinTokens: n(300)}, 0, 0, 300, "stop"},
		{"ignore_eos goes on to the cap", ask{MaxTokens: n(7), IgnoreEOS: true}, 3, 0, 7, "length"},
		{"ignore_eos without a cap", ask{IgnoreEOS: true}, 3, 0, 3, "length"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tokens, finish := extent(&tt.a, tt.natural, tt.reasoning); tokens != tt.tokens || finish != tt.finish {
				t.Errorf("extent = %d %s, want %d %s", tokens, finish, tt.tokens, tt.finish)
			}
		})
	}
}

func TestEveryWordIsOneTokenEverywhere(t *testing.T) {
	for _, name := range tokenizer.Names() {
		c, note, err := openCounter(name)
		if err != nil || note != "" {
			t.Fatal(name, note, err)
		}
		words, err := vocabulary(c)
		if err != nil || len(words) != len(strings.Fields(wordList)) {
			t.Errorf("%s: %d of %d words, %v", name, len(words), len(strings.Fields(wordList)), err)
		}
	}
}

func TestAnswersHaveExactlyTheTokensTheyClaim(t *testing.T) {
	c, _, _ := openCounter("o200k_base")
	words, _ := vocabulary(c)
	rapid.Check(t, func(t *rapid.T) {
		a := &answer{words: words, step: rapid.IntRange(1, 9).Draw(t, "step"), first: rapid.IntRange(0, len(words)-1).Draw(t, "first"),
			content: rapid.IntRange(1, 600).Draw(t, "content"), finish: "length", chat: rapid.Bool().Draw(t, "chat")}
		if a.chat {
			a.reasoning = rapid.IntRange(0, 50).Draw(t, "reasoning")
		}
		var all []heard
		for k := range a.events() {
			var h heard
			if err := json.Unmarshal(a.event(nil, k)[len("data: "):], &h); err != nil {
				t.Fatal(err)
			}
			all = append(all, h)
		}
		content, thought := said(all)
		if got := c.Count(content); got != a.content {
			t.Errorf("content has %d tokens, want %d", got, a.content)
		}
		if got := c.Count(thought); got != a.reasoning {
			t.Errorf("thought has %d tokens, want %d", got, a.reasoning)
		}
	})
}

func TestATokenizerWithoutTheWordsIsRefused(t *testing.T) {
	if _, err := vocabulary(letters{}); err == nil {
		t.Error("a tokenizer of letters was taken")
	}
}

type letters struct{}

func (letters) Count(text string) int { return len(text) }
