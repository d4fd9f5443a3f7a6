package judge

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/valyala/fastjson"

	"aiperf/internal/endpoint"
	"aiperf/internal/sse"
)

// TestCaptures judges real servers' streams. The counts are those of the captures' table, but for two
// things it does not list: an output_text.done after its deltas is a content event too (the done
// column), and an empty event is none (the first delta of anthropic-tooluse, the first event of
// replicate). The two APIs that are not ours (Gemini, Cohere) are read as raw, by a query.
func TestCaptures(t *testing.T) {
	const geminiText, cohereText = "candidates[0].content.parts[0].text", "delta.message.tool_plan || delta.message.tool_calls.function.arguments"
	rows := []struct {
		file, typ                    string
		content, reasoning, tool     int // events
		prompt, completion, thinking int64
		valid                        bool
		done                         int
		query                        string
	}{
		{"vllm-chat-nousage", "chat", 20, 0, 0, -1, -1, -1, true, 0, ""},
		{"llamacpp-gptoss-text", "chat", 14, 0, 0, 196, 18, -1, true, 0, ""},
		{"llamacpp-gptoss-reasoning", "chat", 2, 45, 0, 84, 57, -1, true, 0, ""},
		{"litellm-proxy-chat", "chat", 21, 0, 0, 13, 22, 0, true, 0, ""},
		{"openai-chat-usage", "chat", 5, 0, 0, 12, 5, 0, true, 0, ""},
		{"openai-chat-nousage", "chat", 5, 0, 0, -1, -1, -1, true, 0, ""},
		{"openai-chat-tools-usage", "chat", 0, 0, 4, 364, 40, 0, true, 0, ""},
		{"openai-legacy-completions", "completions", 8, 0, 0, -1, -1, -1, true, 0, ""},
		{"azure-gpt52-contentfilter", "chat", 20, 0, 0, 12, 24, 0, true, 0, ""},
		{"azure-o4mini-usage", "chat", 2, 0, 0, 19, 149, 128, true, 0, ""},
		{"deepseek-chat-usage-every-chunk", "chat", 6, 0, 0, 12, 8, -1, true, 0, ""},
		{"mistral-text", "chat", 2, 0, 0, 24, 2, -1, true, 0, ""},
		{"groq-text-xgroq", "chat", 3, 0, 0, 20, 4, -1, true, 0, ""},
		{"groq-reasoning", "chat", 11, 37, 0, 339, 58, 38, true, 0, ""},
		{"xai-text", "chat", 2, 0, 0, 165, 2, 129, true, 0, ""},
		{"openrouter-comments", "chat", 1, 0, 0, 254, 5, 0, true, 0, ""},
		{"openrouter-error-comments", "chat", 0, 2, 0, 43, 10, 11, false, 0, ""},
		{"together-text", "chat", 14, 0, 0, 41, 15, -1, true, 0, ""},
		{"crusoe-llama-usageonly", "chat", 13, 0, 0, 46, 14, -1, true, 0, ""},
		{"anthropic-text", "messages", 2, 0, 0, 11, 6, -1, true, 0, ""},
		{"anthropic-tooluse", "messages", 0, 0, 3, 1842, 52, -1, true, 0, ""},
		{"openai-responses-tool", "responses", 0, 0, 5, 255, 16, 0, true, 0, ""},
		{"anthropic-thinking", "messages", 4, 2, 0, 50, 200, -1, true, 0, ""},
		{"vertex-claude-text", "messages", 5, 0, 0, 16, 16, -1, true, 0, ""},
		{"deepseek-responses-reasoning", "responses", 7, 7, 0, 90, 15, 7, true, 1, ""},
		{"openrouter-responses", "responses", 1, 26, 0, 78, 37, 22, true, 1, ""},
		{"openai-responses-text", "responses", 1, 0, 0, 11, 5, 0, true, 1, ""},
		{"openai-multichoice", "chat", 0, 0, 23, 85, 43, 0, true, 0, ""},
		{"any-error-3", "chat", 0, 93, 0, -1, -1, -1, false, 0, ""},
		{"gemini-text-crlf", "raw", 2, 0, 0, -1, -1, -1, true, 0, geminiText},
		{"gemini-single-chunk-thoughts", "raw", 1, 0, 0, -1, -1, -1, true, 0, geminiText},
		{"replicate-raw-text", "raw", 23, 0, 0, -1, -1, -1, true, 0, ""},
		{"cohere-v2", "raw", 12, 0, 16, -1, -1, -1, true, 0, cohereText},
	}
	files, _ := filepath.Glob("../../testdata/sse/*.sse")
	if len(files) != 33 || len(rows) != len(files) {
		t.Fatalf("%d captures, %d rows", len(files), len(rows))
	}
	for _, c := range rows {
		t.Run(c.file, func(t *testing.T) {
			b, err := os.ReadFile("../../testdata/sse/" + c.file + ".sse")
			if err != nil {
				t.Fatal(err)
			}
			s := New(Options{ResponseField: c.query}).Judge(answer(c.typ, true, string(b)))
			if got, want := len(s.Contents), c.content+c.reasoning+c.tool+c.done; got != want {
				t.Errorf("%d content events, want %d", got, want)
			}
			if text, reasoning, empty := kinds(t, b, c.typ, c.query); text != c.content+c.tool || reasoning != c.reasoning || empty != c.done {
				t.Errorf("%d events of text, %d of reasoning, %d without text, want %d, %d, %d", text, reasoning, empty, c.content+c.tool, c.reasoning, c.done)
			}
			var p, o, r int64 = -1, -1, -1
			if s.Usage != nil {
				p, o, r = val(s.Usage.PromptTokens), val(s.Usage.CompletionTokens), val(s.Usage.ReasoningTokens)
			}
			if p != c.prompt || o != c.completion || r != c.thinking {
				t.Errorf("usage %d/%d r%d, want %d/%d r%d", p, o, r, c.prompt, c.completion, c.thinking)
			}
			if s.Valid != c.valid {
				t.Errorf("valid %v (%+v), want %v", s.Valid, s.Error, c.valid)
			}
			if s.Malformed != 0 {
				t.Errorf("%d malformed", s.Malformed)
			}
			var fired []string
			if c.typ == "raw" && slices.Contains(s.Rules, ruleRawDone) {
				fired = []string{ruleRawDone}
			}
			if c.file == "openrouter-error-comments" {
				fired = []string{ruleErrorObject}
			}
			if !slices.Equal(s.Rules, fired) {
				t.Errorf("rules %v, want %v", s.Rules, fired)
			}
		})
	}
}

// kinds counts the events that carry text, reasoning and neither, by the endpoint package alone.
func kinds(t *testing.T, body []byte, typ, query string) (text, reasoning, empty int) {
	t.Helper()
	a := endpoint.Answer{Type: typ, Stream: true, Query: query}
	var sc sse.Scanner
	for sc.Reset(body); sc.Next(); {
		var c endpoint.Chunk
		if v, err := fastjson.ParseBytes(sc.Data); err == nil {
			a.Read(v, &c)
		} else if len(trim(sc.Data)) > 0 && a.PlainText() && string(sc.Data) != "[DONE]" {
			text++
		}
		switch {
		case !c.Content:
		case c.Output:
			text++
		case len(c.Reasoning) > 0:
			reasoning++
		default:
			empty++
		}
	}
	return text, reasoning, empty
}
