package metric

import (
	"testing"

	"aiperf/internal/judge"
	"aiperf/schema"
)

func firstOutput(after int64) func(*judge.Sample) {
	return func(s *judge.Sample) { x := s.StartPerfNS + after*ms; s.FirstOutputPerfNS = &x }
}

func ack(after int64) func(*judge.Sample) {
	return func(s *judge.Sample) { x := s.StartPerfNS + after*ms; s.AckPerfNS = &x }
}

func firstChunk(n int64) func(*judge.Sample) {
	return func(s *judge.Sample) { s.FirstChunkTokens = &n }
}

var (
	dev       = Options{EndpointType: "chat", Streaming: true, Dev: true}
	unstream  = Options{EndpointType: "chat"}
	rankings  = Options{EndpointType: "nim_rankings", Streaming: true}
	retrieval = Options{EndpointType: "image_retrieval", Streaming: true}
)

var latencyRows = []rowCase{
	{"is from the start to the last content, whatever comes after", chat, of(at(1, 100, 140, 190)), "request_latency", []string{"190000000"}, stats{"avg": 190e6, "count": 1}},
	{"is 0 for an answer in the nanosecond of its request", chat, of(at(1, 0)), "request_latency", []string{"0"}, stats{"avg": 0}},
	{"is absent without content", chat, of(at(1)), "request_latency", []string{""}, nil},
	{"is absent when it would be negative", chat, of(at(10, -3)), "request_latency", []string{""}, nil},
	{"is absent for a failed request with content", chat, of(with(at(1, 5), fail)), "request_latency", []string{""}, nil},
	{"needs no streaming", unstream, of(at(1, 190)), "request_latency", []string{"190000000"}, stats{"max": 190e6}},

	{"is from the start to the first content", chat, of(at(1, 100, 140)), "time_to_first_token", []string{"100000000"}, stats{"min": 100e6}},
	{"is absent without content, and not 0 in the mean", chat, of(at(1, 100), at(2)), "time_to_first_token", []string{"100000000", ""}, stats{"avg": 100e6, "count": 1}},
	{"is absent when negative though the latency is not", chat, of(at(10, -3, 4)), "time_to_first_token", []string{""}, nil},
	{"is absent without streaming", unstream, of(at(1, 100)), "time_to_first_token", []string{""}, nil},
	{"is absent where no tokens are produced", rankings, of(at(1, 100)), "time_to_first_token", []string{""}, nil},

	{"is from the first to the second content", chat, of(at(1, 100, 140, 190)), "time_to_second_token", []string{"40000000"}, stats{"avg": 40e6}},
	{"is 0 for two events of one read", chat, of(at(1, 100, 100)), "time_to_second_token", []string{"0"}, stats{"avg": 0}},
	{"is absent with one content", chat, of(at(1, 100)), "time_to_second_token", []string{""}, nil},
	{"is absent when negative", chat, of(at(1, 100, 90, 200)), "time_to_second_token", []string{""}, nil},

	{"is from the start to the first text that is no reasoning", chat, of(with(at(1, 100, 140), firstOutput(140))), "time_to_first_output_token", []string{"140000000"}, stats{"avg": 140e6}},
	{"is absent when all is reasoning", chat, of(at(1, 100)), "time_to_first_output_token", []string{""}, nil},
	{"may be negative to 0.13.0's letter", Options{EndpointType: "chat", Streaming: true, Definitions: Definitions013}, of(with(at(10, -3, 4), firstOutput(-3))), "time_to_first_output_token", []string{"-3000000"}, stats{"avg": -3e6}},
	{"is absent when it would be negative", chat, of(with(at(10, -3, 4), firstOutput(-3))), "time_to_first_output_token", []string{""}, nil},

	{"spreads the rest of the latency over all tokens but the first", chat, of(with(at(1, 100, 190), tokens(1, 10))), "inter_token_latency", []string{"10000000"}, stats{"avg": 10e6}},
	{"counts reasoning into the tokens", chat, of(with(at(1, 100, 190), tokens(1, 4), reason(6))), "inter_token_latency", []string{"10000000"}, stats{"avg": 10e6}},
	{"leaves out the tokens of the first chunk where they are known", chat, of(with(at(1, 100, 190), tokens(1, 10), firstChunk(4))), "inter_token_latency", []string{"15000000"}, stats{"avg": 15e6}},
	{"falls back where the first chunk claims every token", chat, of(with(at(1, 100, 190), tokens(1, 10), firstChunk(10))), "inter_token_latency", []string{"10000000"}, stats{"avg": 10e6}},
	{"divides by one where the first chunk holds all but one", chat, of(with(at(1, 100, 190), tokens(1, 10), firstChunk(9))), "inter_token_latency", []string{"90000000"}, stats{"avg": 90e6}},
	{"falls back where the first chunk claims none", chat, of(with(at(1, 100, 190), tokens(1, 10), firstChunk(0))), "inter_token_latency", []string{"10000000"}, stats{"avg": 10e6}},
	{"is defined for two tokens, and 0 where both came at once", chat, of(with(at(1, 100), tokens(1, 2))), "inter_token_latency", []string{"0"}, stats{"avg": 0}},
	{"is absent for one token", chat, of(with(at(1, 100, 190), tokens(1, 1))), "inter_token_latency", []string{""}, nil},
	{"is absent without a count", chat, of(at(1, 100, 190)), "inter_token_latency", []string{""}, nil},

	{"are the gaps between contents, pooled over the requests", chat, of(at(1, 100, 110, 130), at(2, 5, 45)), "inter_chunk_latency", []string{"[10000000,20000000]", "[40000000]"}, stats{"avg": 70e6 / 3, "min": 10e6, "p50": 20e6, "max": 40e6, "sum": 70e6, "count": 3}},
	{"are absent with one content", chat, of(at(1, 100)), "inter_chunk_latency", []string{""}, nil},
	{"are absent altogether where one is negative", chat, of(at(1, 100, 90, 200)), "inter_chunk_latency", []string{""}, nil},
	{"are absent for a failed request", chat, of(with(at(1, 5, 9), fail)), "inter_chunk_latency", []string{""}, nil},
	{"are absent without streaming", unstream, of(at(1, 5, 9)), "inter_chunk_latency", []string{""}, nil},
	{"are absent where no tokens are produced", rankings, of(at(1, 5, 9)), "inter_chunk_latency", []string{""}, nil},

	{"is the latency after the first token", chat, of(at(1, 100, 190)), "decode_duration", []string{"90000000"}, stats{"avg": 90e6}},
	{"is 0 for an answer in one piece", chat, of(at(1, 100)), "decode_duration", []string{"0"}, stats{"avg": 0}},
	{"is absent without content", chat, of(at(1)), "decode_duration", []string{""}, nil},
	{"is absent when negative", chat, of(at(1, 100, 90)), "decode_duration", []string{""}, nil},

	{"is one over the inter-token latency, in seconds", chat, of(with(at(1, 100, 190), tokens(1, 10))), "output_token_throughput_per_user", []string{"100"}, stats{"avg": 100}},
	{"is absent where the latency between tokens is 0", chat, of(with(at(1, 100), tokens(1, 2))), "output_token_throughput_per_user", []string{""}, nil},
	{"is absent for one token", chat, of(with(at(1, 100, 190), tokens(1, 1))), "output_token_throughput_per_user", []string{""}, nil},

	{"is the input over the time to the first token", chat, of(with(at(1, 100, 190), tokens(30, 1))), "prefill_throughput_per_user", []string{"300"}, stats{"avg": 300}},
	{"is absent where the first token took no time", chat, of(with(at(1, 0), tokens(30, 1))), "prefill_throughput_per_user", []string{""}, nil},
	{"is absent without an input length", chat, of(at(1, 100)), "prefill_throughput_per_user", []string{""}, nil},

	{"is all output over the latency", chat, of(with(at(1, 100, 200), tokens(30, 10))), "e2e_output_token_throughput", []string{"50"}, stats{"avg": 50}},
	{"is there without streaming too", unstream, of(with(at(1, 200), tokens(30, 10))), "e2e_output_token_throughput", []string{"50"}, stats{"avg": 50}},
	{"is absent where the latency is 0", chat, of(with(at(1, 0), tokens(30, 10))), "e2e_output_token_throughput", []string{""}, nil},
	{"is absent where no tokens are produced", rankings, of(with(at(1, 200), tokens(30, 10))), "e2e_output_token_throughput", []string{""}, nil},

	{"is in no file", chat, of(at(1, 5)), "credit_drop_latency", []string{""}, nil},

	{"is the arrival of the response head", dev, of(with(at(1, 100), ack(8))), "stream_setup_latency", []string{"8000000"}, stats{"avg": 8e6}},
	{"is absent where no head was stamped", dev, of(at(1, 100)), "stream_setup_latency", []string{""}, nil},
	{"is for developers alone", chat, of(with(at(1, 100), ack(8))), "stream_setup_latency", []string{""}, nil},
	{"is the first token after the response head", dev, of(with(at(1, 100), ack(8))), "stream_prefill_latency", []string{"92000000"}, stats{"avg": 92e6}},
	{"is absent where no head was stamped", dev, of(at(1, 100)), "stream_prefill_latency", []string{""}, nil},
}

func fail(s *judge.Sample) { s.Valid, s.Error = false, &schema.Error{Type: "Oops", Message: "oops"} }

func TestLatencyRows(t *testing.T) { checkRows(t, latencyRows) }
