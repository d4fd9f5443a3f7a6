module aiperf

go 1.26.0

require (
	github.com/HdrHistogram/hdrhistogram-go v1.4.0 // the sender's own delays, in fixed memory
	github.com/dlclark/regexp2/v2 v2.13.0 // patterns of tokenizer.json, which look ahead
	github.com/google/uuid v1.6.0 // request and session ids
	github.com/jedib0t/go-pretty/v6 v6.9.2 // console tables
	github.com/jmespath-community/go-jmespath v1.1.1 // response_field of raw and template endpoints
	github.com/klauspost/compress v1.20.4 // zstd
	github.com/parquet-go/parquet-go v0.32.0 // streams at rest
	github.com/tiktoken-go/tokenizer v0.7.0 // tiktoken encodings; later versions count wrong, keep v0.7.0
	github.com/urfave/cli/v2 v2.27.7 // command lines
	github.com/valyala/fastjson v1.6.10 // records and events, the hot path
	golang.org/x/sys v0.50.0 // kernel stamps, timers, priorities
	golang.org/x/term v0.48.0 // is it a terminal, how wide
	golang.org/x/text v0.44.0 // Unicode normal forms of tokenizers
	gonum.org/v1/gonum v0.17.0 // Student t
)

// for tests only
require (
	github.com/rogpeppe/go-internal v1.16.0 // testscript: the tools as a user runs them
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.3 // the JSON Schema files against the types
	go.uber.org/goleak v1.3.0 // no goroutine left behind
	pgregory.net/rapid v1.3.0 // property tests
)

require (
	github.com/andybalholm/brotli v1.1.1 // indirect
	github.com/cpuguy83/go-md2man/v2 v2.0.7 // indirect
	github.com/dlclark/regexp2 v1.11.5 // indirect
	github.com/mattn/go-runewidth v0.0.16 // indirect
	github.com/parquet-go/bitpack v1.0.0 // indirect
	github.com/parquet-go/jsonlite v1.0.0 // indirect
	github.com/pierrec/lz4/v4 v4.1.21 // indirect
	github.com/rivo/uniseg v0.4.7 // indirect
	github.com/russross/blackfriday/v2 v2.1.0 // indirect
	github.com/twpayne/go-geom v1.6.1 // indirect
	github.com/xrash/smetrics v0.0.0-20240521201337-686a1a2994c1 // indirect
	golang.org/x/exp v0.0.0-20230314191032-db074128a8ec // indirect
	golang.org/x/tools v0.52.0 // indirect
	google.golang.org/protobuf v1.34.2 // indirect
)
