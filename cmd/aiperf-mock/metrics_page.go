package main

import "fmt"

const pageType = "text/plain; version=0.0.4; charset=utf-8"

// page is GET /metrics, the counters in the Prometheus text format.
func (s *stats) page() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return fmt.Appendf(nil, `# HELP mock_requests_total Requests for inference.
# TYPE mock_requests_total counter
mock_requests_total %d
# HELP mock_events_total Events written.
# TYPE mock_events_total counter
mock_events_total %d
# HELP mock_errors_total Requests answered with 400 or above.
# TYPE mock_errors_total counter
mock_errors_total %d
# HELP mock_requests_in_flight Requests being answered.
# TYPE mock_requests_in_flight gauge
mock_requests_in_flight %d
`, s.requests, s.events.Load(), s.refused, s.inFlight)
}
