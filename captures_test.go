package aiperf

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"aiperf/schema"
)

// The real wire captures of testdata/sse, played by a scripted server through the whole pipeline, give
// the events and the usage that testdata/ORIGINS.md lists for them.
func TestCapturesThroughThePipeline(t *testing.T) {
	type want struct {
		file, endpoint               string
		content, reasoning, tool     int
		prompt, completion, reasoned float64 // -1: not reported
		failed                       bool
	}
	for _, w := range []want{
		{"vllm-chat-nousage", "chat", 20, 0, 0, -1, -1, -1, false},
		{"llamacpp-gptoss-text", "chat", 14, 0, 0, 196, 18, -1, false},
		{"llamacpp-gptoss-reasoning", "chat", 2, 45, 0, 84, 57, -1, false},
		{"litellm-proxy-chat", "chat", 21, 0, 0, 13, 22, -1, false},
		{"openai-chat-usage", "chat", 5, 0, 0, 12, 5, -1, false},
		{"openai-chat-nousage", "chat", 5, 0, 0, -1, -1, -1, false},
		{"openai-chat-tools-usage", "chat", 0, 0, 4, 364, 40, -1, false},
		{"openai-legacy-completions", "completions", 8, 0, 0, -1, -1, -1, false},
		{"azure-gpt52-contentfilter", "chat", 20, 0, 0, 12, 24, -1, false},
		{"azure-o4mini-usage", "chat", 2, 0, 0, 19, 149, 128, false},
		{"deepseek-chat-usage-every-chunk", "chat", 6, 0, 0, 12, 8, -1, false},
		{"mistral-text", "chat", 2, 0, 0, 24, 2, -1, false},
		{"groq-text-xgroq", "chat", 3, 0, 0, 20, 4, -1, false},
		{"groq-reasoning", "chat", 11, 37, 0, 339, 58, 38, false},
		{"xai-text", "chat", 2, 0, 0, 165, 2, 129, false},
		{"openrouter-comments", "chat", 1, 0, 0, 254, 5, -1, false},
		{"openrouter-error-comments", "chat", 0, 2, 0, -1, -1, -1, true}, // an error event: no metrics of valid requests
		{"together-text", "chat", 14, 0, 0, 41, 15, -1, false},
		{"crusoe-llama-usageonly", "chat", 13, 0, 0, 46, 14, -1, false},
	} {
		t.Run(w.file, func(t *testing.T) {
			dir := t.TempDir()
			body, err := os.ReadFile(filepath.Join("testdata", "sse", w.file+".sse"))
			if err != nil {
				t.Fatal(err)
			}
			// one write an event, a few ms apart, so that each has an arrival of its own
			var chunks []any
			for i, e := range bytes.SplitAfter(body, []byte("\n\n")) {
				if len(e) > 0 {
					chunks = append(chunks, []any{2 * i, string(e)})
				}
			}
			script, _ := json.Marshal(map[string]any{"headers": map[string]string{"Content-Type": "text/event-stream"}, "chunks": chunks})
			if err := os.WriteFile(filepath.Join(dir, "script.jsonl"), script, 0o644); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command("aiperf-mock", "--script", "script.jsonl", "sh", "-c",
				"aiperf-gen -m mock --tokenizer builtin --isl 8 --request-count 1 --streaming --endpoint-type "+w.endpoint+
					" | aiperf-send --quiet | aiperf-metrics --quiet --tokenizer builtin")
			cmd.Dir = dir
			var errs bytes.Buffer
			cmd.Stderr = &errs
			out, err := cmd.Output()
			if (err != nil) != w.failed {
				t.Fatalf("%v: %s", err, errs.String())
			}
			m := metricRecord(t, out)
			if (m.Error != nil) != w.failed {
				t.Fatalf("error %+v, want failed %v", m.Error, w.failed)
			}
			if w.failed {
				return
			}
			value := func(tag string) float64 {
				v, ok := m.Metrics[tag]
				if !ok {
					return -1
				}
				var x float64
				if err := json.Unmarshal(v.Value, &x); err != nil {
					t.Fatal(err)
				}
				return x
			}
			var gaps []int64
			if v, ok := m.Metrics["inter_chunk_latency"]; ok {
				if err := json.Unmarshal(v.Value, &gaps); err != nil {
					t.Fatal(err)
				}
			}
			if got, want := len(gaps)+1, w.content+w.reasoning+w.tool; got != want || value("time_to_first_token") < 0 {
				t.Errorf("%d content events, want %d", got, want)
			}
			if p, c := value("usage_prompt_tokens"), value("usage_completion_tokens"); p != w.prompt || c != w.completion {
				t.Errorf("usage %v/%v, want %v/%v", p, c, w.prompt, w.completion)
			}
			if r := value("usage_reasoning_tokens"); w.reasoned > 0 && r != w.reasoned {
				t.Errorf("%v reasoning tokens, want %v", r, w.reasoned)
			}
		})
	}
}

func metricRecord(t *testing.T, out []byte) (m schema.MetricRecord) {
	t.Helper()
	sc := bufio.NewScanner(bytes.NewReader(out))
	sc.Buffer(nil, 1<<24)
	n := 0
	for sc.Scan() {
		var k struct{ Kind string }
		if err := json.Unmarshal(sc.Bytes(), &k); err != nil {
			t.Fatal(err)
		}
		if k.Kind == schema.KindMetricRecord {
			n++
			if err := json.Unmarshal(sc.Bytes(), &m); err != nil {
				t.Fatal(err)
			}
		}
	}
	if n != 1 {
		t.Fatalf("%d metric records, want 1: %s", n, out)
	}
	return m
}
