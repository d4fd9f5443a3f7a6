package metric

var httpMetrics = []Metric{
	{
		Tag: "http_req_blocked", Header: "HTTP Blocked", Short: "Blocked",
		Unit: "ns", Show: "ms", Group: "none", Order: 2000,
		Kind: KindRecord, Value: "int", Registered: KindRecord,
		Flags: HTTPTrace,
	},
	{
		Tag: "http_req_chunks_received", Header: "HTTP Chunks Received", Short: "Chunks Recv",
		Unit: "count", Show: "count", Group: "none", Order: 2100,
		Kind: KindRecord, Value: "int", Registered: KindRecord,
		Flags: HTTPTrace,
	},
	{
		Tag: "http_req_chunks_sent", Header: "HTTP Chunks Sent", Short: "Chunks Sent",
		Unit: "count", Show: "count", Group: "none", Order: 2080,
		Kind: KindRecord, Value: "int", Registered: KindRecord,
		Flags: HTTPTrace,
	},
	{
		Tag: "http_req_connecting", Header: "HTTP Connecting", Short: "Connecting",
		Unit: "ns", Show: "ms", Group: "none", Order: 2020,
		Kind: KindRecord, Value: "int", Registered: KindRecord,
		Flags: HTTPTrace,
	},
	{
		Tag: "http_req_connection_overhead", Header: "HTTP Connection Overhead", Short: "Conn Overhead",
		Unit: "ns", Show: "ms", Group: "none", Order: 2110,
		Kind: KindRecord, Value: "int", Registered: KindRecord,
		Flags: HTTPTrace,
		Needs: []string{"http_req_blocked", "http_req_connecting", "http_req_dns_lookup"},
	},
	{
		Tag: "http_req_connection_reused", Header: "HTTP Connection Reused", Short: "Conn Reused",
		Unit: "ratio", Show: "ratio", Group: "none", Order: 2060,
		Kind: KindRecord, Value: "int", Registered: KindRecord,
		Flags: HTTPTrace,
	},
	{
		Tag: "http_req_data_received", Header: "HTTP Data Received", Short: "Received",
		Unit: "B", Show: "KB", Group: "none", Order: 2090,
		Kind: KindRecord, Value: "int", Registered: KindRecord,
		Flags: HTTPTrace,
	},
	{
		Tag: "http_req_data_sent", Header: "HTTP Data Sent", Short: "Sent",
		Unit: "B", Show: "KB", Group: "none", Order: 2070,
		Kind: KindRecord, Value: "int", Registered: KindRecord,
		Flags: HTTPTrace,
	},
	{
		Tag: "http_req_dns_lookup", Header: "HTTP DNS Lookup", Short: "DNS",
		Unit: "ns", Show: "ms", Group: "none", Order: 2010,
		Kind: KindRecord, Value: "int", Registered: KindRecord,
		Flags: HTTPTrace,
	},
	{
		Tag: "http_req_duration", Header: "HTTP Duration (excl. conn)", Short: "Dur (excl)",
		Unit: "ns", Show: "ms", Group: "none", Order: 2120,
		Kind: KindRecord, Value: "int", Registered: KindRecord,
		Flags: HTTPTrace,
	},
	{
		Tag: "http_req_receiving", Header: "HTTP Receiving", Short: "Receiving",
		Unit: "ns", Show: "ms", Group: "none", Order: 2050,
		Kind: KindRecord, Value: "int", Registered: KindRecord,
		Flags: HTTPTrace,
	},
	{
		Tag: "http_req_sending", Header: "HTTP Sending", Short: "Sending",
		Unit: "ns", Show: "ms", Group: "none", Order: 2030,
		Kind: KindRecord, Value: "int", Registered: KindRecord,
		Flags: HTTPTrace,
	},
	{
		Tag: "http_req_total", Header: "HTTP Total Time", Short: "Total",
		Unit: "ns", Show: "ms", Group: "none", Order: 2130,
		Kind: KindRecord, Value: "int", Registered: KindRecord,
		Flags: HTTPTrace,
		Needs: []string{"http_req_blocked", "http_req_connecting", "http_req_dns_lookup", "http_req_receiving", "http_req_sending", "http_req_waiting"},
	},
	{
		Tag: "http_req_waiting", Header: "HTTP Waiting (TTFB)", Short: "TTFB",
		Unit: "ns", Show: "ms", Group: "none", Order: 2040,
		Kind: KindRecord, Value: "int", Registered: KindRecord,
		Flags: HTTPTrace,
	},
}
