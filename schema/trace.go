package schema

// TraceData is the HTTP trace of one request, in wall-clock nanoseconds. Keys, their order and their
// meaning are AIPerf's; events that did not happen are absent.
type TraceData struct {
	TraceType                 string            `json:"trace_type" parquet:"trace_type"` // "aiohttp" in AIPerf's files, "aiperf-send" in ours
	RequestSendStartNS        *int64            `json:"request_send_start_ns,omitempty" parquet:"request_send_start_ns,optional"`
	RequestHeaders            map[string]string `json:"request_headers,omitempty" parquet:"request_headers,optional"`
	RequestHeadersSentNS      *int64            `json:"request_headers_sent_ns,omitempty" parquet:"request_headers_sent_ns,optional"`
	RequestChunks             [][2]int64        `json:"request_chunks,omitzero" parquet:"-"`
	RequestSendEndNS          *int64            `json:"request_send_end_ns,omitempty" parquet:"request_send_end_ns,optional"` // the last byte of the body was written
	RequestChunksCount        *int64            `json:"request_chunks_count,omitempty" parquet:"request_chunks_count,optional"`
	RequestBytesTotal         *int64            `json:"request_bytes_total,omitempty" parquet:"request_bytes_total,optional"`
	ResponseStatusCode        *int              `json:"response_status_code,omitempty" parquet:"response_status_code,optional"`
	ResponseReason            string            `json:"response_reason,omitempty" parquet:"response_reason,optional"`
	ResponseReceiveStartNS    *int64            `json:"response_receive_start_ns,omitempty" parquet:"response_receive_start_ns,optional"` // first body chunk
	ResponseHeaders           map[string]string `json:"response_headers,omitempty" parquet:"response_headers,optional"`
	ResponseHeadersReceivedNS *int64            `json:"response_headers_received_ns,omitempty" parquet:"response_headers_received_ns,optional"`
	ResponseChunks            [][2]int64        `json:"response_chunks,omitzero" parquet:"-"`
	ResponseChunksCount       *int64            `json:"response_chunks_count,omitempty" parquet:"response_chunks_count,optional"`
	ResponseBytesTotal        *int64            `json:"response_bytes_total,omitempty" parquet:"response_bytes_total,optional"`
	ResponseReceiveEndNS      *int64            `json:"response_receive_end_ns,omitempty" parquet:"response_receive_end_ns,optional"` // last body chunk
	ErrorTimestampNS          *int64            `json:"error_timestamp_ns,omitempty" parquet:"error_timestamp_ns,optional"`
	ConnectionPoolWaitStartNS *int64            `json:"connection_pool_wait_start_ns,omitempty" parquet:"connection_pool_wait_start_ns,optional"`
	ConnectionPoolWaitEndNS   *int64            `json:"connection_pool_wait_end_ns,omitempty" parquet:"connection_pool_wait_end_ns,optional"`
	TCPConnectStartNS         *int64            `json:"tcp_connect_start_ns,omitempty" parquet:"tcp_connect_start_ns,optional"` // TLS included
	TCPConnectEndNS           *int64            `json:"tcp_connect_end_ns,omitempty" parquet:"tcp_connect_end_ns,optional"`
	ConnectionReusedNS        *int64            `json:"connection_reused_ns,omitempty" parquet:"connection_reused_ns,optional"`
	DNSLookupStartNS          *int64            `json:"dns_lookup_start_ns,omitempty" parquet:"dns_lookup_start_ns,optional"`
	DNSLookupEndNS            *int64            `json:"dns_lookup_end_ns,omitempty" parquet:"dns_lookup_end_ns,optional"`
	DNSCacheHitNS             *int64            `json:"dns_cache_hit_ns,omitempty" parquet:"dns_cache_hit_ns,optional"`
	DNSCacheMissNS            *int64            `json:"dns_cache_miss_ns,omitempty" parquet:"dns_cache_miss_ns,optional"`
	LocalIP                   string            `json:"local_ip,omitempty" parquet:"local_ip,optional"`
	LocalPort                 *int              `json:"local_port,omitempty" parquet:"local_port,optional"`
	RemoteIP                  string            `json:"remote_ip,omitempty" parquet:"remote_ip,optional"`
	RemotePort                *int              `json:"remote_port,omitempty" parquet:"remote_port,optional"`

	// Intervals computed from the stamps above; AIPerf writes them, aiperf-metrics computes its own.
	SendingNS    *int64 `json:"sending_ns,omitempty" parquet:"sending_ns,optional"`
	WaitingNS    *int64 `json:"waiting_ns,omitempty" parquet:"waiting_ns,optional"`
	ReceivingNS  *int64 `json:"receiving_ns,omitempty" parquet:"receiving_ns,optional"`
	DurationNS   *int64 `json:"duration_ns,omitempty" parquet:"duration_ns,optional"`
	BlockedNS    *int64 `json:"blocked_ns,omitempty" parquet:"blocked_ns,optional"`
	DNSLookupNS  *int64 `json:"dns_lookup_ns,omitempty" parquet:"dns_lookup_ns,optional"`
	ConnectingNS *int64 `json:"connecting_ns,omitempty" parquet:"connecting_ns,optional"`
}
