package main

import "fmt"

// metricsPage answers GET /metrics in the Prometheus text format: what was served so far.
func (s *server) metricsPage(x *exchange) error {
	st := &s.stats
	b := fmt.Appendf(nil, `# HELP mock_requests_total Requests served.
# TYPE mock_requests_total counter
mock_requests_total %d
# HELP mock_events_total Events written.
# TYPE mock_events_total counter
mock_events_total %d
# HELP mock_errors_total Requests failed on purpose.
# TYPE mock_errors_total counter
mock_errors_total %d
# HELP mock_requests_in_flight Requests being answered.
# TYPE mock_requests_in_flight gauge
mock_requests_in_flight %d
`, st.requests.Load(), st.events.Load(), st.errors.Load(), st.inFlight.Load()-1) // not this one
	return x.whole(200, "text/plain; version=0.0.4; charset=utf-8", b)
}
