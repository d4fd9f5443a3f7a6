package metric

import (
	"aiperf/internal/judge"
	"aiperf/schema"
)

var httpMetrics = []Metric{
	{
		Tag: "http_req_blocked", Header: "HTTP Blocked", Short: "Blocked",
		Unit: "ns", Show: "ms", Group: "none", Order: 2000,
		Kind: KindRecord, Value: "int", Registered: KindRecord,
		Flags:   HTTPTrace,
		Formula: "wait for a pooled connection",
		Record:  func(s *judge.Sample, v []float64) (float64, bool) { return blocked(s.Trace) },
	},
	{
		Tag: "http_req_chunks_received", Header: "HTTP Chunks Received", Short: "Chunks Recv",
		Unit: "count", Show: "count", Group: "none", Order: 2100,
		Kind: KindRecord, Value: "int", Registered: KindRecord,
		Flags:   HTTPTrace,
		Formula: "reads",
		Record: func(s *judge.Sample, v []float64) (float64, bool) {
			return counted(s.Trace, func(t *schema.TraceData) *int64 { return t.ResponseChunksCount })
		},
	},
	{
		Tag: "http_req_chunks_sent", Header: "HTTP Chunks Sent", Short: "Chunks Sent",
		Unit: "count", Show: "count", Group: "none", Order: 2080,
		Kind: KindRecord, Value: "int", Registered: KindRecord,
		Flags:   HTTPTrace,
		Formula: "writes",
		Record: func(s *judge.Sample, v []float64) (float64, bool) {
			return counted(s.Trace, func(t *schema.TraceData) *int64 { return t.RequestChunksCount })
		},
	},
	{
		Tag: "http_req_connecting", Header: "HTTP Connecting", Short: "Connecting",
		Unit: "ns", Show: "ms", Group: "none", Order: 2020,
		Kind: KindRecord, Value: "int", Registered: KindRecord,
		Flags:   HTTPTrace,
		Formula: "TCP and TLS",
		Record:  func(s *judge.Sample, v []float64) (float64, bool) { return connectTime(s.Trace) },
	},
	{
		Tag: "http_req_connection_overhead", Header: "HTTP Connection Overhead", Short: "Conn Overhead",
		Unit: "ns", Show: "ms", Group: "none", Order: 2110,
		Kind: KindRecord, Value: "int", Registered: KindRecord,
		Flags:   HTTPTrace,
		Needs:   []string{"http_req_blocked", "http_req_connecting", "http_req_dns_lookup"},
		Formula: "blocked + connecting + dns_lookup",
		Record:  func(s *judge.Sample, v []float64) (float64, bool) { return v[0] + v[1] + v[2], true },
	},
	{
		Tag: "http_req_connection_reused", Header: "HTTP Connection Reused", Short: "Conn Reused",
		Unit: "ratio", Show: "ratio", Group: "none", Order: 2060,
		Kind: KindRecord, Value: "int", Registered: KindRecord,
		Flags:   HTTPTrace,
		Formula: "1 on a kept connection",
		Record:  func(s *judge.Sample, v []float64) (float64, bool) { return reused(s.Trace) },
	},
	{
		Tag: "http_req_data_received", Header: "HTTP Data Received", Short: "Received",
		Unit: "B", Show: "KB", Group: "none", Order: 2090,
		Kind: KindRecord, Value: "int", Registered: KindRecord,
		Flags:   HTTPTrace,
		Formula: "bytes of the answer body",
		Record: func(s *judge.Sample, v []float64) (float64, bool) {
			return counted(s.Trace, func(t *schema.TraceData) *int64 { return t.ResponseBytesTotal })
		},
	},
	{
		Tag: "http_req_data_sent", Header: "HTTP Data Sent", Short: "Sent",
		Unit: "B", Show: "KB", Group: "none", Order: 2070,
		Kind: KindRecord, Value: "int", Registered: KindRecord,
		Flags:   HTTPTrace,
		Formula: "bytes of the request body",
		Record: func(s *judge.Sample, v []float64) (float64, bool) {
			return counted(s.Trace, func(t *schema.TraceData) *int64 { return t.RequestBytesTotal })
		},
	},
	{
		Tag: "http_req_dns_lookup", Header: "HTTP DNS Lookup", Short: "DNS",
		Unit: "ns", Show: "ms", Group: "none", Order: 2010,
		Kind: KindRecord, Value: "int", Registered: KindRecord,
		Flags:   HTTPTrace,
		Formula: "name resolution",
		Record:  func(s *judge.Sample, v []float64) (float64, bool) { return lookup(s.Trace) },
	},
	{
		Tag: "http_req_duration", Header: "HTTP Duration (excl. conn)", Short: "Dur (excl)",
		Unit: "ns", Show: "ms", Group: "none", Order: 2120,
		Kind: KindRecord, Value: "int", Registered: KindRecord,
		Flags:   HTTPTrace,
		Formula: "response_receive_end - request_send_start",
		Record: func(s *judge.Sample, v []float64) (float64, bool) {
			return traced(s.Trace, func(t *schema.TraceData) (*int64, *int64) { return t.RequestSendStartNS, t.ResponseReceiveEndNS })
		},
	},
	{
		Tag: "http_req_receiving", Header: "HTTP Receiving", Short: "Receiving",
		Unit: "ns", Show: "ms", Group: "none", Order: 2050,
		Kind: KindRecord, Value: "int", Registered: KindRecord,
		Flags:   HTTPTrace,
		Formula: "response_receive_end - response_receive_start",
		Record:  func(s *judge.Sample, v []float64) (float64, bool) { return receiving(s.Trace) },
	},
	{
		Tag: "http_req_sending", Header: "HTTP Sending", Short: "Sending",
		Unit: "ns", Show: "ms", Group: "none", Order: 2030,
		Kind: KindRecord, Value: "int", Registered: KindRecord,
		Flags:   HTTPTrace,
		Formula: "request_send_end - request_send_start",
		Record: func(s *judge.Sample, v []float64) (float64, bool) {
			return traced(s.Trace, func(t *schema.TraceData) (*int64, *int64) { return t.RequestSendStartNS, t.RequestSendEndNS })
		},
	},
	{
		Tag: "http_req_total", Header: "HTTP Total Time", Short: "Total",
		Unit: "ns", Show: "ms", Group: "none", Order: 2130,
		Kind: KindRecord, Value: "int", Registered: KindRecord,
		Flags:   HTTPTrace,
		Needs:   []string{"http_req_blocked", "http_req_connecting", "http_req_dns_lookup", "http_req_receiving", "http_req_sending", "http_req_waiting"},
		Formula: "the six phases",
		Record: func(s *judge.Sample, v []float64) (float64, bool) {
			return v[0] + v[1] + v[2] + v[3] + v[4] + v[5], true
		},
	},
	{
		Tag: "http_req_waiting", Header: "HTTP Waiting (TTFB)", Short: "TTFB",
		Unit: "ns", Show: "ms", Group: "none", Order: 2040,
		Kind: KindRecord, Value: "int", Registered: KindRecord,
		Flags:   HTTPTrace,
		Formula: "response_receive_start - request_send_end",
		Record: func(s *judge.Sample, v []float64) (float64, bool) {
			return traced(s.Trace, func(t *schema.TraceData) (*int64, *int64) { return t.RequestSendEndNS, t.ResponseReceiveStartNS })
		},
	},
}
