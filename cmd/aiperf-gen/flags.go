package main

import (
	"strings"

	"aiperf/internal/cli"
)

const (
	datasetTypes = `burst_gpt_trace bailian_trace baseten_trace mooncake_trace raw_payload inputs_json dag_jsonl sagemaker_data_capture
 multi_turn random_pool single_turn speed_bench_qualitative speed_bench_coding speed_bench_humanities speed_bench_math
 speed_bench_multilingual speed_bench_qa speed_bench_rag speed_bench_reasoning speed_bench_roleplay speed_bench_stem
 speed_bench_summarization speed_bench_writing speed_bench_throughput_1k speed_bench_throughput_2k speed_bench_throughput_8k
 speed_bench_throughput_16k speed_bench_throughput_32k speed_bench_throughput_1k_low_entropy speed_bench_throughput_1k_mixed
 speed_bench_throughput_1k_high_entropy speed_bench_throughput_2k_low_entropy speed_bench_throughput_2k_mixed
 speed_bench_throughput_2k_high_entropy speed_bench_throughput_8k_low_entropy speed_bench_throughput_8k_mixed
 speed_bench_throughput_8k_high_entropy speed_bench_throughput_16k_low_entropy speed_bench_throughput_16k_mixed
 speed_bench_throughput_16k_high_entropy speed_bench_throughput_32k_low_entropy speed_bench_throughput_32k_mixed
 speed_bench_throughput_32k_high_entropy tracelab weka_trace`
	endpointTypes = `audio_transcription chat cohere_rankings completions responses messages chat_embeddings embeddings hf_tei_rankings
 huggingface_generate image_generation image_edit video_generation image_retrieval nim_embeddings nim_rankings solido_rag raw template`
)

var patterns = []string{"concurrency_burst", "constant", "gamma", "poisson"}

func flags() []cli.Flag {
	var all []cli.Flag
	group := func(name string, list ...cli.Flag) {
		for _, f := range list {
			f.Group = name
			all = append(all, f)
		}
	}
	group("Endpoint",
		cli.Flag{Name: "model-names", Aliases: []string{"model", "m"}, Type: cli.Strings, Usage: "model `names`: comma list or repeated; required"},
		cli.Flag{Name: "model-selection-strategy", Type: cli.Enum, Default: "round_robin", Choices: []string{"round_robin", "random", "weighted"}, Usage: "how turns get one of several models (weighted cannot be had from the command line)"},
		cli.Flag{Name: "endpoint-type", Type: cli.Enum, Default: "chat", Choices: strings.Fields(endpointTypes), Usage: "the `API` to call (built: chat, completions)"},
		cli.Flag{Name: "streaming", Type: cli.Bool, Default: "false", Usage: "ask for streamed answers"},
		cli.Flag{Name: "use-legacy-max-tokens", Type: cli.Bool, Default: "false", Usage: "chat: write max_tokens instead of max_completion_tokens"},
		cli.Flag{Name: "use-server-token-count", Type: cli.Bool, Default: "false", Usage: "token counts will be taken from the server's usage"},
		cli.Flag{Name: "per-chunk-usage", Type: cli.Bool, Default: "false", Usage: "chat: ask for usage in every chunk (needs --streaming and --use-server-token-count)"},
	)
	group("Tokenizer",
		cli.Flag{Name: "tokenizer", Type: cli.String, InEffect: "the model name", Usage: "`name` of the encoding that lengths are counted in: builtin (o200k_base), a tiktoken encoding, a path, a model of the hub"},
		cli.Flag{Name: "tokenizer-revision", Type: cli.String, Default: "main", Usage: "`branch`, tag or commit of the tokenizer's repository"},
	)
	group("Input",
		cli.Flag{Name: "extra-inputs", Type: cli.Pairs, Usage: "more body fields: `key:value` pairs or a JSON object; repeatable"},
		cli.Flag{Name: "input-file", Type: cli.Path, Usage: "requests from a `file` (- is stdin; gzip and zstd are recognised)"},
		cli.Flag{Name: "custom-dataset-type", Type: cli.Enum, Choices: strings.Fields(datasetTypes), Usage: "`format` of --input-file (built: single_turn, mooncake_trace); else found out from the first row"},
		cli.Flag{Name: "dataset-sampling-strategy", Type: cli.Enum, InEffect: "sequential, or the loader's own preference", Choices: []string{"random", "sequential", "shuffle"}, Usage: "order of conversations"},
		cli.Flag{Name: "random-seed", Type: cli.Int, Limits: ">=0", Usage: "same `seed`, same bytes; without one the system's entropy"},
		cli.Flag{Name: "corpus", Type: cli.Path, InEffect: "a text of our own", Usage: "cut synthetic prompts from this text `file`"},
	)
	group("Fixed Schedule",
		cli.Flag{Name: "fixed-schedule", Type: cli.Bool, Default: "false", Usage: "send each row at its own timestamp"},
		cli.Flag{Name: "no-fixed-schedule", Type: cli.Bool, Default: "false", Usage: "do not, though the rows of a typed trace have timestamps"},
		cli.Flag{Name: "fixed-schedule-auto-offset", Type: cli.Bool, Default: "false", InEffect: "true unless a start offset is typed", Usage: "the smallest timestamp is the start"},
		cli.Flag{Name: "fixed-schedule-start-offset", Type: cli.Int, Limits: ">=0", Usage: "leave out rows before this `millisecond`, which is the start"},
		cli.Flag{Name: "fixed-schedule-end-offset", Type: cli.Int, Limits: ">=0", Usage: "leave out rows after this `millisecond`"},
	)
	group("Conversation Input",
		cli.Flag{Name: "num-dataset-entries", Aliases: []string{"num-prompts"}, Type: cli.Int, Limits: ">=1", Default: "100", InEffect: "--num-conversations, else --request-count, else 100; a file: every row", Usage: "size of the pool of conversations"},
	)
	group("Prompt",
		cli.Flag{Name: "prompt-batch-size", Aliases: []string{"batch-size-text", "batch-size", "b"}, Type: cli.Int, Limits: ">=0", Default: "1", Usage: "texts in a request"},
	)
	group("Prefix Prompt",
		cli.Flag{Name: "prompt-prefix-pool-size", Aliases: []string{"prefix-prompt-pool-size", "num-prefix-prompts"}, Type: cli.Int, Limits: ">=0", Default: "0", Usage: "prefixes that prompts begin with"},
		cli.Flag{Name: "prompt-prefix-length", Aliases: []string{"prefix-prompt-length"}, Type: cli.Int, Limits: ">=0", Default: "0", Usage: "`tokens` of a prefix, on top of --isl"},
		cli.Flag{Name: "shared-system-prompt-length", Type: cli.Int, Limits: ">=1", Usage: "`tokens` of one system prompt for all"},
		cli.Flag{Name: "user-context-prompt-length", Type: cli.Int, Limits: ">=1", Usage: "`tokens` of one more user message for each conversation"},
	)
	group("Input Sequence Length (ISL)",
		cli.Flag{Name: "prompt-input-tokens-mean", Aliases: []string{"synthetic-input-tokens-mean", "isl"}, Type: cli.Int, Default: "550", Usage: "mean prompt `tokens`"},
		cli.Flag{Name: "prompt-input-tokens-stddev", Aliases: []string{"synthetic-input-tokens-stddev", "isl-stddev"}, Type: cli.Float, Default: "0.0", Usage: "their standard deviation (whole tokens)"},
		cli.Flag{Name: "prompt-input-tokens-block-size", Aliases: []string{"synthetic-input-tokens-block-size", "isl-block-size"}, Type: cli.Int, Limits: ">=1", InEffect: "the loader's block size, else 512", Usage: "`tokens` that a hash id of a trace stands for"},
		cli.Flag{Name: "seq-dist", Aliases: []string{"sequence-distribution"}, Type: cli.String, Usage: "pairs of lengths with shares in percent: `256,128:40;512,256:60`"},
	)
	group("Output Sequence Length (OSL)",
		cli.Flag{Name: "prompt-output-tokens-mean", Aliases: []string{"output-tokens-mean", "osl"}, Type: cli.Int, Usage: "mean answer `tokens` asked for; without it no cap is sent"},
		cli.Flag{Name: "prompt-output-tokens-stddev", Aliases: []string{"output-tokens-stddev", "osl-stddev"}, Type: cli.Float, Default: "0", Usage: "their standard deviation (whole tokens)"},
	)
	group("Synthesis",
		cli.Flag{Name: "synthesis-speedup-ratio", Type: cli.Float, Limits: ">=0", Default: "1.0", Usage: "divide a trace's timestamps by this"},
		cli.Flag{Name: "synthesis-output-len-multiplier", Type: cli.Float, Limits: ">=0", Default: "1.0", Usage: "multiply a trace's output lengths"},
		cli.Flag{Name: "synthesis-max-isl", Type: cli.Int, Limits: ">=1", Usage: "leave out rows of more input `tokens`"},
		cli.Flag{Name: "synthesis-max-osl", Type: cli.Int, Limits: ">=1", Usage: "cut output lengths to `tokens`"},
	)
	group("Load Generator",
		cli.Flag{Name: "benchmark-duration", Type: cli.Seconds, Usage: "go on until the pipe closes: aiperf-send keeps the time (`seconds`)"},
		cli.Flag{Name: "request-rate", Type: cli.Float, Usage: "requests a second"},
		cli.Flag{Name: "arrival-pattern", Aliases: []string{"request-rate-mode"}, Type: cli.Enum, Default: "poisson", InEffect: "poisson with a rate (concurrency_burst typed with a rate also means poisson); smoothness alone means gamma", Choices: patterns, Usage: "how arrivals are spread"},
		cli.Flag{Name: "arrival-smoothness", Aliases: []string{"vllm-burstiness"}, Type: cli.Float, Limits: ">0", InEffect: "1.0", Usage: "gamma's shape: above 1 smoother than poisson"},
		cli.Flag{Name: "request-count", Aliases: []string{"num-requests"}, Type: cli.Int, InEffect: "10 when nothing else bounds the run", Usage: "requests to make; 0: until the pipe closes"},
	)
	group("Warmup",
		cli.Flag{Name: "warmup-request-count", Aliases: []string{"num-warmup-requests"}, Type: cli.Int, Limits: ">0", Usage: "warmup requests, before the others"},
		cli.Flag{Name: "warmup-duration", Type: cli.Seconds, Limits: ">0", Usage: "warmup `seconds`: needs a rate here, or no other bound"},
		cli.Flag{Name: "warmup-request-rate", Type: cli.Float, Limits: ">0", InEffect: "--request-rate", Usage: "requests a second in warmup"},
		cli.Flag{Name: "warmup-arrival-pattern", Type: cli.Enum, InEffect: "--arrival-pattern", Choices: patterns, Usage: "how arrivals are spread in warmup"},
	)
	group("Output",
		cli.Flag{Name: "output", Aliases: []string{"o"}, Type: cli.Path, InEffect: "stdout", Usage: "write the stream to a `file`"},
		cli.Flag{Name: "quiet", Aliases: []string{"q"}, Type: cli.Bool, Default: "false", Usage: "no words on stderr but errors"},
	)
	return all
}
