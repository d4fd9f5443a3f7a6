package metric

import (
	"testing"

	"aiperf/internal/judge"
	"aiperf/schema"
)

func withTrace(t schema.TraceData) []*judge.Sample {
	return of(with(at(1, 9), func(s *judge.Sample) { s.Trace = &t }))
}

// fresh is the trace of a new connection; every interval has another length.
func fresh() schema.TraceData {
	return schema.TraceData{ConnectionPoolWaitStartNS: p(100), ConnectionPoolWaitEndNS: p(102), DNSLookupStartNS: p(110), DNSLookupEndNS: p(114), TCPConnectStartNS: p(120), TCPConnectEndNS: p(128),
		RequestSendStartNS: p(200), RequestSendEndNS: p(216), ResponseReceiveStartNS: p(248), ResponseReceiveEndNS: p(312),
		RequestChunksCount: p(1), RequestBytesTotal: p(500), ResponseChunksCount: p(3), ResponseBytesTotal: p(700)}
}

func kept() schema.TraceData {
	t := fresh()
	t.ConnectionReusedNS = p(150)
	return t
}

func changed(f func(t *schema.TraceData)) []*judge.Sample { t := fresh(); f(&t); return withTrace(t) }

func httpRows() []rowCase {
	none := of(at(1, 9))
	one := func(name, tag, want string, in []*judge.Sample) rowCase {
		c := rowCase{name: name, tag: tag, in: in, each: []string{want}}
		if want != "" {
			c.over = stats{"count": 1}
		}
		return c
	}
	rows := []rowCase{
		one("is the wait for the pool", "http_req_blocked", "2", withTrace(fresh())),
		one("is 0 without a wait", "http_req_blocked", "0", withTrace(schema.TraceData{})),
		one("is absent where the wait did not end", "http_req_blocked", "", changed(func(t *schema.TraceData) { t.ConnectionPoolWaitEndNS = nil })),
		one("is absent when negative", "http_req_blocked", "", changed(func(t *schema.TraceData) { t.ConnectionPoolWaitEndNS = p(99) })),

		one("is the name resolution", "http_req_dns_lookup", "4", withTrace(fresh())),
		one("is 0 on a kept connection", "http_req_dns_lookup", "0", withTrace(kept())),
		one("is 0 for a cached name", "http_req_dns_lookup", "0", changed(func(t *schema.TraceData) { t.DNSCacheHitNS = p(1) })),
		one("is 0 without a name", "http_req_dns_lookup", "0", changed(func(t *schema.TraceData) { t.DNSLookupStartNS = nil })),
		one("is absent where it did not end", "http_req_dns_lookup", "", changed(func(t *schema.TraceData) { t.DNSLookupEndNS = nil })),

		one("is TCP and TLS", "http_req_connecting", "8", withTrace(fresh())),
		one("is 0 on a kept connection", "http_req_connecting", "0", withTrace(kept())),
		one("is absent where it did not start", "http_req_connecting", "", changed(func(t *schema.TraceData) { t.TCPConnectStartNS = nil })),
		one("is absent where it did not end", "http_req_connecting", "", changed(func(t *schema.TraceData) { t.TCPConnectEndNS = nil })),

		one("is the body going out", "http_req_sending", "16", withTrace(fresh())),
		one("may be 0", "http_req_sending", "0", changed(func(t *schema.TraceData) { t.RequestSendEndNS = p(200) })),
		one("is absent where it did not end", "http_req_sending", "", changed(func(t *schema.TraceData) { t.RequestSendEndNS = nil })),
		one("is the server's time to the first byte", "http_req_waiting", "32", withTrace(fresh())),
		one("is absent without an answer", "http_req_waiting", "", changed(func(t *schema.TraceData) { t.ResponseReceiveStartNS = nil })),
		one("is the body coming in", "http_req_receiving", "64", withTrace(fresh())),
		one("is 0 for one read", "http_req_receiving", "0", changed(func(t *schema.TraceData) { t.ResponseChunksCount = p(1) })),
		one("is absent without a read", "http_req_receiving", "", changed(func(t *schema.TraceData) { t.ResponseChunksCount = p(0) })),
		one("is absent where reads were not counted", "http_req_receiving", "", changed(func(t *schema.TraceData) { t.ResponseChunksCount = nil })),

		one("is 0 on a new connection", "http_req_connection_reused", "0", withTrace(fresh())),
		one("is 1 on a kept one", "http_req_connection_reused", "1", withTrace(kept())),
		one("is the body in bytes", "http_req_data_sent", "500", withTrace(fresh())),
		one("is 0 where nothing was counted", "http_req_data_sent", "0", withTrace(schema.TraceData{})),
		one("is the number of writes", "http_req_chunks_sent", "1", withTrace(fresh())),
		one("is 0 where nothing was counted", "http_req_chunks_sent", "0", withTrace(schema.TraceData{})),
		one("is the body in bytes", "http_req_data_received", "700", withTrace(fresh())),
		one("is 0 where nothing was counted", "http_req_data_received", "0", withTrace(schema.TraceData{})),
		one("is the number of reads", "http_req_chunks_received", "3", withTrace(fresh())),
		one("is 0 where nothing was counted", "http_req_chunks_received", "0", withTrace(schema.TraceData{})),

		one("is blocked, lookup and connecting", "http_req_connection_overhead", "14", withTrace(fresh())),
		one("is 0 on a kept connection without a wait", "http_req_connection_overhead", "0", withTrace(schema.TraceData{ConnectionReusedNS: p(1)})),
		one("is absent where one of them is", "http_req_connection_overhead", "", changed(func(t *schema.TraceData) { t.TCPConnectEndNS = nil })),
		one("is from the first byte out to the last byte in", "http_req_duration", "112", withTrace(fresh())),
		one("is absent without an answer", "http_req_duration", "", changed(func(t *schema.TraceData) { t.ResponseReceiveEndNS = nil })),
		one("is the six phases", "http_req_total", "126", withTrace(fresh())),
		one("is absent where one of them is", "http_req_total", "", changed(func(t *schema.TraceData) { t.ResponseChunksCount = nil })),
	}
	for _, m := range httpMetrics {
		rows = append(rows, one("is absent without a trace", m.Tag, "", none))
	}
	return rows
}

func TestHTTPRows(t *testing.T) { checkRows(t, httpRows()) }

func TestMetricsOfATraceThatWasNotKept(t *testing.T) {
	s := at(1, 9)
	s.HTTP = map[string]float64{"http_req_blocked": 5, "http_req_connecting": 7, "http_req_dns_lookup": 11}
	records, _ := runOf(t, chat, of(s))
	for tag, want := range map[string]string{"http_req_blocked": "5", "http_req_connection_overhead": "23", "http_req_sending": ""} {
		if got := string(records[0].Metrics[tag].Value); got != want {
			t.Errorf("%s = %q, want %q", tag, got, want)
		}
	}
	trace := fresh()
	s.Trace = &trace
	records, _ = runOf(t, chat, of(s))
	if got := string(records[0].Metrics["http_req_blocked"].Value); got != "2" {
		t.Errorf("http_req_blocked = %s, want the trace's own 2", got)
	}
}
