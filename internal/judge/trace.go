package judge

import (
	"encoding/json"

	"github.com/valyala/fastjson"

	"aiperf/schema"
)

// traceData reads an HTTP trace. What is written in another way than ours and AIPerf's goes through
// encoding/json, which names what is wrong.
func traceData(v *fastjson.Value) (*schema.TraceData, error) {
	o, err := v.Object()
	if err != nil {
		return nil, err
	}
	t := new(schema.TraceData)
	store := make([]int64, 0, o.Len())
	odd := false
	number := func(to **int64, x *fastjson.Value) {
		n, err := x.Int64()
		if err != nil {
			odd = true
			return
		}
		store = append(store, n) // never grows: one entry a key
		*to = &store[len(store)-1]
	}
	small := func(to **int, x *fastjson.Value) {
		n, err := x.Int()
		if odd = odd || err != nil; err == nil {
			*to = &n
		}
	}
	text := func(to *string, x *fastjson.Value) {
		b, err := x.StringBytes()
		odd = odd || err != nil
		*to = string(b)
	}
	o.Visit(func(key []byte, x *fastjson.Value) {
		if x.Type() == fastjson.TypeNull {
			return
		}
		switch string(key) {
		case "trace_type":
			text(&t.TraceType, x)
		case "response_reason":
			text(&t.ResponseReason, x)
		case "local_ip":
			text(&t.LocalIP, x)
		case "remote_ip":
			text(&t.RemoteIP, x)
		case "response_status_code":
			small(&t.ResponseStatusCode, x)
		case "local_port":
			small(&t.LocalPort, x)
		case "remote_port":
			small(&t.RemotePort, x)
		case "request_headers", "response_headers", "request_chunks", "response_chunks":
			odd = true
		default:
			if to := stamp(t, key); to != nil {
				number(to, x)
			}
		}
	})
	if odd {
		t = new(schema.TraceData)
		return t, json.Unmarshal(v.MarshalTo(nil), t)
	}
	return t, nil
}

// stamp is the field of an integer key; nil: no field of ours.
func stamp(t *schema.TraceData, key []byte) **int64 {
	switch string(key) {
	case "request_send_start_ns":
		return &t.RequestSendStartNS
	case "request_headers_sent_ns":
		return &t.RequestHeadersSentNS
	case "request_send_end_ns":
		return &t.RequestSendEndNS
	case "request_chunks_count":
		return &t.RequestChunksCount
	case "request_bytes_total":
		return &t.RequestBytesTotal
	case "response_receive_start_ns":
		return &t.ResponseReceiveStartNS
	case "response_headers_received_ns":
		return &t.ResponseHeadersReceivedNS
	case "response_chunks_count":
		return &t.ResponseChunksCount
	case "response_bytes_total":
		return &t.ResponseBytesTotal
	case "response_receive_end_ns":
		return &t.ResponseReceiveEndNS
	case "error_timestamp_ns":
		return &t.ErrorTimestampNS
	case "connection_pool_wait_start_ns":
		return &t.ConnectionPoolWaitStartNS
	case "connection_pool_wait_end_ns":
		return &t.ConnectionPoolWaitEndNS
	case "tcp_connect_start_ns":
		return &t.TCPConnectStartNS
	case "tcp_connect_end_ns":
		return &t.TCPConnectEndNS
	case "connection_reused_ns":
		return &t.ConnectionReusedNS
	case "dns_lookup_start_ns":
		return &t.DNSLookupStartNS
	case "dns_lookup_end_ns":
		return &t.DNSLookupEndNS
	case "dns_cache_hit_ns":
		return &t.DNSCacheHitNS
	case "dns_cache_miss_ns":
		return &t.DNSCacheMissNS
	case "sending_ns":
		return &t.SendingNS
	case "waiting_ns":
		return &t.WaitingNS
	case "receiving_ns":
		return &t.ReceivingNS
	case "duration_ns":
		return &t.DurationNS
	case "blocked_ns":
		return &t.BlockedNS
	case "dns_lookup_ns":
		return &t.DNSLookupNS
	case "connecting_ns":
		return &t.ConnectingNS
	}
	return nil
}
