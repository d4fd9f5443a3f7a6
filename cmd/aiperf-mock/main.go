// Aiperf-mock is a stand-in inference server with known timing.
//
//	aiperf-mock --ttft 20 --itl 5                serve on 127.0.0.1:8000 until a signal
//	aiperf-mock --ttft 20 sh -c 'CLIENT ...'     serve on a free port while the command runs
//
// With a command, AIPERF_URL in its environment is the server's address, and its exit code is the
// mock's (128 + the signal's number if one ended it; 126 or 127 if it could not be started).
//
// It answers POST /v1/chat/completions, /v1/completions, /v1/responses and /v1/messages, streaming and
// not, /v1/embeddings and the rankings of NIM (/v1/ranking), TEI (/rerank) and Cohere (/v2/rerank), GET
// /v1/models, /health and /metrics (Prometheus text); other paths get 404. What is wrong with a request
// is said as vLLM says it, on /v1/messages as Anthropic does.
//
// # Timing
//
// Every moment is counted from the one when the request's last byte was read, and nothing is summed
// up from sleeps: the k-th event with tokens is due at ttft + k*itl (k*itl*N with --tokens-per-chunk N).
// The headers leave at once; the role-only event of chat is a write of its own right before the first
// token; a token event is one write (--events-per-write); usage, [DONE] and the end of the body follow
// the last token in one. An answer that is not streamed comes when the last event of a stream would
// have; embeddings and rankings come at ttft. With --fast nothing waits, and 16 events share a write.
//
// # Length
//
// An answer has exactly max_completion_tokens or max_tokens tokens (finish_reason length), and
// without a cap 128 (stop). With --stop-after N it stops by itself after N tokens, unless the
// cap comes first, min_tokens is more, or ignore_eos is set. --reasoning-tokens come first in chat, responses and messages,
// count towards the cap, and lengthen an answer that stops by itself. The text is made of words that
// are one token each, so that the usage is true for the tokenizer; prompt_tokens counts the texts of
// all messages joined with one space, without a chat template.
//
// # Scripts
//
// --script FILE answers every POST from a file instead: one JSON object a line, or an array of them,
// one for each request in order, and again from the first. All fields may be left out:
//
//	{"status": 200, "headers": {"Content-Type": "text/event-stream"},
//	 "chunks": [[20, "data: {}\n\n"], [30, {"file": "answer.sse", "per": "event", "every": 5}]], "end": "clean"}
//
// A chunk is [milliseconds from the request, what to write]; it is one write and one HTTP chunk.
// What to write is a text or an object:
//
//	text, base64 or file   the bytes; file is relative to the script
//	times                  repeats them: {"text": "x", "times": 204800}
//	per                    event, line or byte: one write each, "every" ms apart
//	reads                  a file of "ns<TAB>bytes" lines: writes of these sizes at these times
//
// An empty first text sends the headers alone. "length": true sends a Content-Length instead of HTTP
// chunks; with "raw": true the chunks hold the response from its status line on, and the connection
// closes after it. End is clean (the response is complete), close (the connection ends in the middle),
// reset (by RST) or hang (nothing more comes, the connection stays). A Content-Type is sent only if
// there is one in headers.
//
// # For tests
//
// --stamp puts "server_ns", the wall clock right before the write, into every event.
// --record-requests FILE has a line for each request: number, arrival_ns, client, method, path,
// headers, body (body_b64). GET /mock/stats has requests, in_flight, max_in_flight, events, errors,
// disconnects and connections.
package main

import (
	"os"

	"aiperf/internal/cli"
)

func main() { os.Exit(cli.Main(app())) }

func app() *cli.Tool {
	return &cli.Tool{
		Name: "aiperf-mock", Usage: "a stand-in inference server with known timing", ArgsUsage: "[COMMAND [ARG...]]",
		Description: "With a command, serves on a free port while it runs, with AIPERF_URL set, and exits with its code.\nWithout one, serves until a signal.",
		Flags:       flags(), Wraps: true, Signals: true, Run: run,
	}
}

func flags() []cli.Flag {
	return []cli.Flag{
		{Name: "host", Type: cli.String, Default: "127.0.0.1", Group: "server", Usage: "the `address` to listen on"},
		{Name: "port", Aliases: []string{"p"}, Type: cli.Int, Limits: ">=0 <=65535", InEffect: "8000, or a free one with a command", Group: "server", Usage: "the `port` to listen on; 0 is a free one"},
		{Name: "model", Aliases: []string{"m"}, Type: cli.Strings, InEffect: "any", Group: "server", Usage: "the model `names` to answer to; others get 404"},
		{Name: "fast", Aliases: []string{"f"}, Type: cli.Bool, Group: "timing", Usage: "do not wait for anything"},
		{Name: "ttft", Aliases: []string{"t"}, Type: cli.Millis, Limits: ">=0", Default: "20", Group: "timing", Usage: "from the request read to the first token"},
		{Name: "itl", Type: cli.Millis, Limits: ">=0", Default: "5", Group: "timing", Usage: "from token to token: events are itl x tokens-per-chunk apart"},
		{Name: "ttft-jitter-cv", Type: cli.Float, Limits: ">=0", Default: "0", Group: "timing", Usage: "coefficient of variation of ttft: lognormal, the mean is kept"},
		{Name: "itl-jitter-cv", Type: cli.Float, Limits: ">=0", Default: "0", Group: "timing", Usage: "coefficient of variation of each gap: lognormal, the mean is kept"},
		{Name: "random-seed", Type: cli.Int, Default: "0", Group: "timing", Usage: "of jitter and errors, which depend on it and on the number of the request"},
		{Name: "tokens-per-chunk", Type: cli.Int, Limits: ">=1", Default: "1", Group: "answers", Usage: "tokens in one event"},
		{Name: "events-per-write", Type: cli.Int, Limits: ">=1", InEffect: "1, with --fast 16", Group: "answers", Usage: "events that leave in one write, at the time of the first of them"},
		{Name: "stop-after", Type: cli.Int, Limits: ">=1", InEffect: "at max_tokens; without it after 128", Group: "answers", Usage: "tokens after which an answer stops by itself"},
		{Name: "reasoning-tokens", Type: cli.Int, Limits: ">=0", Default: "0", Group: "answers", Usage: "tokens of reasoning_content before a chat answer's text"},
		{Name: "error-rate", Type: cli.Float, Limits: ">=0 <=100", Default: "0", Group: "answers", Usage: "percent of the requests that get HTTP 500"},
		{Name: "tokenizer", Type: cli.String, Default: "builtin", Group: "answers", Usage: "what usage is counted with"},
		{Name: "no-tokenizer", Type: cli.Bool, Group: "answers", Usage: "count four characters of a prompt as a token"},
		{Name: "stamp", Type: cli.Bool, Group: "tests", Usage: "the server's clock in every event, as server_ns"},
		{Name: "script", Type: cli.Path, Group: "tests", Usage: "answer every POST from this `file` (go doc aiperf/cmd/aiperf-mock)"},
		{Name: "record-requests", Type: cli.Path, Group: "tests", Usage: "write each request to this `file`"},
	}
}
