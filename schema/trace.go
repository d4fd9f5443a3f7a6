package schema

// TraceData is the HTTP trace of one request, in wall-clock nanoseconds. Keys, their order and their
// meaning are AIPerf's; events that did not happen are absent.
type TraceData struct {
	TraceType                 string            `json:"trace_type"` // "aiohttp" in AIPerf's files, "aiperf-send" in ours
	RequestSendStartNS        *int64            `json:"request_send_start_ns,omitempty"`
	RequestHeaders            map[string]string `json:"request_headers,omitempty"`
	RequestHeadersSentNS      *int64            `json:"request_headers_sent_ns,omitempty"`
	RequestChunks             [][2]int64        `json:"request_chunks,omitempty"`
	RequestSendEndNS          *int64            `json:"request_send_end_ns,omitempty"` // the last byte of the body was written
	RequestChunksCount        *int64            `json:"request_chunks_count,omitempty"`
	RequestBytesTotal         *int64            `json:"request_bytes_total,omitempty"`
	ResponseStatusCode        *int              `json:"response_status_code,omitempty"`
	ResponseReason            string            `json:"response_reason,omitempty"`
	ResponseReceiveStartNS    *int64            `json:"response_receive_start_ns,omitempty"` // first body chunk
	ResponseHeaders           map[string]string `json:"response_headers,omitempty"`
	ResponseHeadersReceivedNS *int64            `json:"response_headers_received_ns,omitempty"`
	ResponseChunks            [][2]int64        `json:"response_chunks,omitempty"`
	ResponseChunksCount       *int64            `json:"response_chunks_count,omitempty"`
	ResponseBytesTotal        *int64            `json:"response_bytes_total,omitempty"`
	ResponseReceiveEndNS      *int64            `json:"response_receive_end_ns,omitempty"` // last body chunk
	ErrorTimestampNS          *int64            `json:"error_timestamp_ns,omitempty"`
	ConnectionPoolWaitStartNS *int64            `json:"connection_pool_wait_start_ns,omitempty"`
	ConnectionPoolWaitEndNS   *int64            `json:"connection_pool_wait_end_ns,omitempty"`
	TCPConnectStartNS         *int64            `json:"tcp_connect_start_ns,omitempty"` // TLS included
	TCPConnectEndNS           *int64            `json:"tcp_connect_end_ns,omitempty"`
	ConnectionReusedNS        *int64            `json:"connection_reused_ns,omitempty"`
	DNSLookupStartNS          *int64            `json:"dns_lookup_start_ns,omitempty"`
	DNSLookupEndNS            *int64            `json:"dns_lookup_end_ns,omitempty"`
	DNSCacheHitNS             *int64            `json:"dns_cache_hit_ns,omitempty"`
	DNSCacheMissNS            *int64            `json:"dns_cache_miss_ns,omitempty"`
	LocalIP                   string            `json:"local_ip,omitempty"`
	LocalPort                 *int              `json:"local_port,omitempty"`
	RemoteIP                  string            `json:"remote_ip,omitempty"`
	RemotePort                *int              `json:"remote_port,omitempty"`

	// Intervals computed from the stamps above; AIPerf writes them, aiperf-metrics computes its own.
	SendingNS    *int64 `json:"sending_ns,omitempty"`
	WaitingNS    *int64 `json:"waiting_ns,omitempty"`
	ReceivingNS  *int64 `json:"receiving_ns,omitempty"`
	DurationNS   *int64 `json:"duration_ns,omitempty"`
	BlockedNS    *int64 `json:"blocked_ns,omitempty"`
	DNSLookupNS  *int64 `json:"dns_lookup_ns,omitempty"`
	ConnectingNS *int64 `json:"connecting_ns,omitempty"`
}
