package main

import (
	"github.com/valyala/fastjson"
)

// nature is what the first record of a stream says of the run.
type nature struct {
	endpoint  string
	streaming bool
	model     string
	startNS   int64 // wall
}

// sniff reads a record line's nature: named by our records, inferred from AIPerf's.
func sniff(line []byte) nature {
	v, err := fastjson.ParseBytes(line)
	if err != nil {
		return nature{}
	}
	text := func(keys ...string) string { return string(v.GetStringBytes(keys...)) }
	n := nature{endpoint: text("endpoint_type"), model: text("model"), startNS: v.GetInt64("metadata", "request_start_ns")}
	if n.model == "" {
		n.model = text("payload", "model")
	}
	if s := v.Get("streaming"); s != nil {
		n.streaming = s.GetBool()
	} else {
		n.streaming = text("request_headers", "Accept") == "text/event-stream" || v.GetBool("payload", "stream") ||
			v.Exists("metrics", "time_to_first_token")
	}
	if n.endpoint == "" {
		n.endpoint = byPayload(v)
	}
	return n
}

// byPayload tells an endpoint type from headers and payload; "chat" where they do not.
func byPayload(v *fastjson.Value) string {
	p := v.Get("payload")
	switch {
	case v.Exists("request_headers", "anthropic-version"):
		return "messages"
	case p == nil || p.Exists("messages"):
		return "chat"
	case p.Exists("max_output_tokens"), p.Exists("instructions"), p.Exists("input") && p.Exists("stream"):
		return "responses"
	case p.Exists("prompt") && (p.Exists("size") || p.Exists("n") && p.Exists("response_format")):
		return "image_generation"
	case p.Exists("prompt"):
		return "completions"
	case p.Exists("input"):
		return "embeddings"
	case p.Exists("inputs"):
		return "huggingface_generate"
	case p.Exists("documents"):
		return "cohere_rankings"
	case p.Exists("texts"):
		return "hf_tei_rankings"
	case p.Exists("passages"):
		return "nim_rankings"
	}
	return "chat"
}
