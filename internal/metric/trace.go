package metric

import "aiperf/schema"

// The intervals of an HTTP trace (metrics-and-exports 1.11): a negative one is no value.

func traced(t *schema.TraceData, ends func(*schema.TraceData) (from, to *int64)) (float64, bool) {
	if t == nil {
		return 0, false
	}
	from, to := ends(t)
	if from == nil || to == nil {
		return 0, false
	}
	return notNegative(float64(*to - *from))
}

// blocked is 0 without a wait for a pooled connection, absent when a wait did not end.
func blocked(t *schema.TraceData) (float64, bool) {
	if t == nil || t.ConnectionPoolWaitStartNS == nil {
		return 0, t != nil
	}
	return traced(t, func(t *schema.TraceData) (*int64, *int64) {
		return t.ConnectionPoolWaitStartNS, t.ConnectionPoolWaitEndNS
	})
}

// lookup is 0 on a kept connection, a cache hit, or an address that needs none.
func lookup(t *schema.TraceData) (float64, bool) {
	if t == nil || t.ConnectionReusedNS != nil || t.DNSCacheHitNS != nil || t.DNSLookupStartNS == nil {
		return 0, t != nil
	}
	return traced(t, func(t *schema.TraceData) (*int64, *int64) { return t.DNSLookupStartNS, t.DNSLookupEndNS })
}

// connectTime is 0 on a kept connection.
func connectTime(t *schema.TraceData) (float64, bool) {
	if t == nil || t.ConnectionReusedNS != nil {
		return 0, t != nil
	}
	return traced(t, func(t *schema.TraceData) (*int64, *int64) { return t.TCPConnectStartNS, t.TCPConnectEndNS })
}

// receiving is 0 for an answer of one chunk, absent without any.
func receiving(t *schema.TraceData) (float64, bool) {
	if t == nil || t.ResponseChunksCount == nil || *t.ResponseChunksCount == 0 {
		return 0, false
	}
	if *t.ResponseChunksCount == 1 {
		return 0, true
	}
	return traced(t, func(t *schema.TraceData) (*int64, *int64) { return t.ResponseReceiveStartNS, t.ResponseReceiveEndNS })
}

func reused(t *schema.TraceData) (float64, bool) {
	if t == nil {
		return 0, false
	}
	return one(t.ConnectionReusedNS != nil), true
}

// counted is 0 when the trace has no such count.
func counted(t *schema.TraceData, field func(*schema.TraceData) *int64) (float64, bool) {
	if t == nil {
		return 0, false
	}
	if n := field(t); n != nil {
		return float64(*n), true
	}
	return 0, true
}
