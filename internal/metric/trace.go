package metric

import (
	"encoding/json"

	"aiperf/internal/judge"
	"aiperf/schema"
)

// traced makes the metric tag of f, or of the sum of its needs where f is nil. Where the record's own
// metric record holds the value, that one is taken: it is exact where the trace's stamps are rounded.
func traced(tag string, f func(*schema.TraceData) (int64, bool)) func(*judge.Sample, []float64) (float64, bool) {
	return func(s *judge.Sample, v []float64) (float64, bool) {
		if m, ok := s.HTTP[tag]; ok {
			var x float64
			return x, json.Unmarshal(m.Value, &x) == nil
		}
		if f == nil {
			var sum float64
			for _, x := range v {
				sum += x
			}
			return sum, true
		}
		if s.Trace == nil {
			return 0, false
		}
		x, ok := f(s.Trace)
		return float64(x), ok && x >= 0
	}
}

// between is b - a, or what the writer of the trace computed of finer stamps.
func between(given, a, b *int64) (int64, bool) {
	if given != nil {
		return *given, true
	}
	if a == nil || b == nil {
		return 0, false
	}
	return *b - *a, true
}

func blocked(t *schema.TraceData) (int64, bool) {
	if t.BlockedNS == nil && t.ConnectionPoolWaitStartNS == nil {
		return 0, true
	}
	return between(t.BlockedNS, t.ConnectionPoolWaitStartNS, t.ConnectionPoolWaitEndNS)
}

func lookup(t *schema.TraceData) (int64, bool) {
	if t.DNSCacheHitNS != nil || t.ConnectionReusedNS != nil || t.DNSLookupNS == nil && t.DNSLookupStartNS == nil {
		return 0, true
	}
	return between(t.DNSLookupNS, t.DNSLookupStartNS, t.DNSLookupEndNS)
}

func connecting(t *schema.TraceData) (int64, bool) {
	if t.ConnectionReusedNS != nil {
		return 0, true
	}
	return between(t.ConnectingNS, t.TCPConnectStartNS, t.TCPConnectEndNS)
}

func sending(t *schema.TraceData) (int64, bool) {
	return between(t.SendingNS, t.RequestSendStartNS, t.RequestSendEndNS)
}

func waiting(t *schema.TraceData) (int64, bool) {
	return between(t.WaitingNS, t.RequestSendEndNS, t.ResponseReceiveStartNS)
}

func receiving(t *schema.TraceData) (int64, bool) {
	switch n, _ := chunksReceived(t); n {
	case 0:
		return 0, false
	case 1:
		return 0, true
	}
	return between(t.ReceivingNS, t.ResponseReceiveStartNS, t.ResponseReceiveEndNS)
}

func duration(t *schema.TraceData) (int64, bool) {
	return between(t.DurationNS, t.RequestSendStartNS, t.ResponseReceiveEndNS)
}

func reused(t *schema.TraceData) (int64, bool) {
	return int64(count(t.ConnectionReusedNS != nil)), true
}

func dataSent(t *schema.TraceData) (int64, bool) {
	return total(t.RequestBytesTotal, nil), true
}

func dataReceived(t *schema.TraceData) (int64, bool) {
	return total(t.ResponseBytesTotal, nil), true
}

func chunksSent(t *schema.TraceData) (int64, bool) {
	return total(t.RequestChunksCount, t.RequestChunks), true
}

func chunksReceived(t *schema.TraceData) (int64, bool) {
	return total(t.ResponseChunksCount, t.ResponseChunks), true
}

func total(n *int64, list [][2]int64) int64 {
	if n != nil {
		return *n
	}
	return int64(len(list))
}
