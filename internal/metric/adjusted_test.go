package metric

import (
	"testing"

	"aiperf/internal/judge"
	"aiperf/schema"
)

// issued is when the scheduler decided to send.
func issued(credit int64) func(*judge.Sample) {
	return func(s *judge.Sample) { x := credit * ms; s.Metadata.CreditIssuedNS = &x }
}

var (
	mixed = of(with(at(1, 10, 40), tokens(1, 4)), with(at(2, 20, 80), tokens(1, 4)), with(at(3, 30, 60), tokens(1, 4)), broken(4, "x")) // latencies 40 60 80 +inf
	clean = mixed[:3]
	lost  = of(broken(1, "x"))
)

var adjustedRows = []rowCase{
	// four values: rank = round(q*3); p50 -> 1.5 -> 2, p75 -> 2.25 -> 2, p90 -> 2.7 -> 3 = infinite
	{"counts a failure as infinitely late", chat, mixed, "adj_request_latency", nil,
		stats{"min": 40, "p1": 40, "p5": 40, "p10": 40, "p25": 60, "p50": 80, "p75": 80, "p90": none, "p95": none, "p99": none, "count": 4, "avg": none, "sum": none, "max": none, "std": none}},
	{"is absent on a clean run", chat, clean, "adj_request_latency", nil, nil},
	{"is absent where nothing succeeded", chat, lost, "adj_request_latency", nil, nil},
	{"is the first content's", chat, mixed, "adj_time_to_first_token", nil, stats{"min": 10, "p25": 20, "p50": 30, "p90": none, "count": 4}},
	{"is absent on a clean run", chat, clean, "adj_time_to_first_token", nil, nil},
	{"is the decode time's", chat, mixed, "adj_decode_duration", nil, stats{"min": 30, "p25": 30, "p50": 60, "p90": none, "count": 4}},
	{"is absent on a clean run", chat, clean, "adj_decode_duration", nil, nil},
	{"is that between tokens", chat, mixed, "adj_inter_token_latency", nil, stats{"min": 10, "p25": 10, "p50": 20, "p90": none, "count": 4}},
	{"is absent without streaming", unstream, mixed, "adj_inter_token_latency", nil, nil},

	{"is the time a request waited in the sender, failures too", chat, of(with(at(13, 10), issued(10)), with(broken(25, "x"), issued(20)), at(1, 9)), "credit_to_start_latency", nil,
		stats{"avg": 4, "min": 3, "max": 5, "sum": 8, "std": 1, "p50": 4, "p99": 4.98, "count": 2}},
	{"is 0 for a credit after the start", chat, of(with(at(13, 10), issued(14))), "credit_to_start_latency", nil, stats{"avg": 0}},
	{"is absent without credits", chat, of(at(13, 10)), "credit_to_start_latency", nil, nil},
	{"is from the credit to the last message, failures too", chat, of(with(at(13, 10), issued(10)), with(broken(25, "x"), issued(20))), "effective_latency", nil,
		stats{"avg": 9, "min": 5, "max": 13, "std": 4, "count": 2}},
	{"is 0 for a credit after the end", chat, of(with(at(13, 10), issued(24))), "effective_latency", nil, stats{"avg": 0}},
	{"is absent without credits", chat, of(at(13, 10)), "effective_latency", nil, nil},
}

func TestAdjustedRows(t *testing.T) { checkRows(t, adjustedRows) }

func prefix(hit, total int64) func(*judge.Sample) {
	return func(s *judge.Sample) { s.PrefixBlocks = &schema.PrefixBlocks{Hit: hit, Total: total} }
}

var prefixRows = []rowCase{
	{"is of all blocks of valid requests", chat, of(with(at(1, 9), prefix(1, 4)), with(at(2, 9), prefix(4, 6)), at(3, 9), with(broken(4, "x"), prefix(9, 9))), "theoretical_prefix_cache_hit", nil,
		stats{"avg": 50, "sum": 5, "count": 10, "min": none, "std": none}},
	{"is never more than the blocks of a request, nor less than none", chat, of(with(at(1, 9), prefix(9, 4)), with(at(2, 9), prefix(-2, 4))), "theoretical_prefix_cache_hit", nil, stats{"avg": 50, "sum": 4, "count": 8}},
	{"is 0 where nothing could hit", chat, of(with(at(1, 9), prefix(0, 4))), "theoretical_prefix_cache_hit", nil, stats{"avg": 0, "sum": 0, "count": 4}},
	{"is absent without blocks", chat, of(with(at(1, 9), prefix(0, 0)), at(2, 9)), "theoretical_prefix_cache_hit", nil, nil},
}

func TestPrefixRows(t *testing.T) { checkRows(t, prefixRows) }
