package schema

// A NetworkProbe is one TCP handshake with the endpoint: written by aiperf-send, read by
// aiperf-metrics. Keys are AIPerf's (profile_export_network_latency.jsonl).
type NetworkProbe struct {
	Kind        string `json:"kind"`         // "network_probe"
	TimestampNS int64  `json:"timestamp_ns"` // wall: when the handshake began
	TargetURL   string `json:"target_url,omitempty"`
	TargetHost  string `json:"target_host"`
	TargetPort  int    `json:"target_port,omitempty"`
	ProbeType   string `json:"probe_type,omitempty"` // "tcp_connect"
	RTTNS       *int64 `json:"rtt_ns,omitempty"`     // interval; nil: the handshake failed
	Success     bool   `json:"success"`
	Error       string `json:"error,omitempty"`
}
