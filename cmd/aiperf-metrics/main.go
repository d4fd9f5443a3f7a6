// Aiperf-metrics reads records and writes metric records and summaries.
package main

import (
	"os"

	"aiperf/internal/cli"
	"aiperf/schema"
)

func main() { os.Exit(cli.Main(app())) }

const about = `Reads the lines of aiperf-send and the other stages, or AIPerf's own files, in any mix and order:
records are judged and counted, samples and timing are passed on. Writes a metric_record for each
request and at the end of the input a summary for each phase, warmup first.

record and request lines are used up, summary lines are replaced by new ones; --pass keeps either.
Endpoint type and streaming are those the records name. AIPerf's raw lines name neither: what they
sent as Accept header or "stream" says whether they streamed, their headers and payload say the
endpoint type; a typed flag overrules both. Lines of AIPerf's raw and record files with one
x_request_id are one request. Planned times of a replay come from the records, from request lines, or
from the trace that was replayed when it is among the files (its n-th line is session_n).

Of a stream on stdin that is still being written, records are judged by one thread at the lowest
priority, so as not to disturb the sender beside it; otherwise all cores work.

Exit 1 when no request succeeded: every line is written all the same. An input without any record has
no summary, and exits 1 too.`

func app() *cli.Tool {
	return &cli.Tool{
		Name: "aiperf-metrics", Usage: "compute metrics from recorded requests", ArgsUsage: "[FILE...]",
		Description: about, Downstream: true, Flags: flags(), Run: run, Commands: []*cli.Tool{aggregateTool()},
	}
}

var endpointTypes = []string{"audio_transcription", "chat", "cohere_rankings", "completions", "responses", "messages",
	"chat_embeddings", "embeddings", "hf_tei_rankings", "huggingface_generate", "image_generation", "image_edit",
	"video_generation", "image_retrieval", "nim_embeddings", "nim_rankings", "solido_rag", "raw", "template"}

const definitions013 = "aiperf-0.13"

func flags() []cli.Flag {
	return []cli.Flag{
		{Name: "endpoint-type", Type: cli.Enum, Default: "chat", Choices: endpointTypes, Group: "Endpoint",
			Usage: "API of the recorded requests; typed, it overrules what the records say"},
		{Name: "streaming", Type: cli.Bool, Default: "false", Group: "Endpoint",
			Usage: "compute the metrics of streamed answers; typed, it overrules what the records say"},
		{Name: "use-server-token-count", Type: cli.Bool, Default: "false", Group: "Endpoint",
			Usage: "take token counts from the answers' usage instead of a tokenizer"},
		{Name: "per-chunk-usage", Type: cli.Bool, Default: "false", Group: "Endpoint",
			Usage: "divide by the tokens after the first chunk, from its own usage (needs --use-server-token-count)"},
		{Name: "tokenizer", Type: cli.String, InEffect: "the model name", Group: "Tokenizer",
			Usage: "count with this `tokenizer`: builtin, a tiktoken encoding, a path or a model of the hub; where the model's own is not found, builtin"},
		{Name: "tokenizer-revision", Type: cli.String, Default: "main", Group: "Tokenizer", Usage: "`branch`, tag or commit of the tokenizer's repository"},
		{Name: "goodput", Type: cli.Pairs, Group: "Goodput",
			Usage: "goals a good request meets, \"tag:value ...\" in display units"},
		{Name: "slice-duration", Type: cli.Seconds, Limits: ">0", Group: "Output", Usage: "summarize every `interval` too"},
		{Name: "network-latency-mean", Type: cli.Float, Limits: ">=0", Group: "Network Latency",
			Usage: "round trip to the server in `ms`, subtracted in the network-adjusted latencies; overrules probes"},
		{Name: "definitions", Type: cli.Enum, Default: "default", Choices: []string{"default", definitions013}, Group: "Metrics",
			Usage: "whose definitions: the reference's, or those of AIPerf 0.13.0 to the letter"},
		{Name: "window", Type: cli.String, Group: "Metrics", Usage: "phase window `START,END` in epoch ns, when no line holds it"},
		{Name: "accept-incomplete", Type: cli.Bool, Default: "false", Group: "Metrics", Usage: "count a stream without its end signal as valid"},
		{Name: "dev", Type: cli.Bool, Default: "false", Env: "AIPERF_DEV_MODE", Group: "Metrics", Usage: "compute experimental metrics too"},
		{Name: "skip-bad", Type: cli.Bool, Default: "false", Group: "Input", Usage: "count bad lines and go on"},
		{Name: "pass", Type: cli.Strings, Choices: []string{schema.KindRecord, schema.KindRequest, schema.KindSummary}, Group: "Output",
			Usage: "`kinds` to pass on although they are used up"},
		{Name: "output", Aliases: []string{"o"}, Type: cli.Path, InEffect: "stdout", Group: "Output", Usage: "write the stream to a file; .gz and .zst compress"},
		{Name: "quiet", Type: cli.Bool, Default: "false", Group: "Output", Usage: "no progress on stderr"},
	}
}
