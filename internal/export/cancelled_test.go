package export

import (
	"bytes"
	"strings"
	"testing"

	"aiperf/schema"
)

func TestCancelledRequestsAreToldApart(t *testing.T) {
	for _, c := range []struct {
		name   string
		counts schema.Counts
		want   string
	}{
		{"two of eight were cut", schema.Counts{Total: 8, Valid: 6, Cancelled: 2}, "Cancelled Requests: 2 of 8 requests (25.0%)"},
		{"none was", schema.Counts{Total: 8, Valid: 8}, ""},
	} {
		r := &Report{Profiling: &schema.Summary{Phase: schema.PhaseProfiling, Records: c.counts}}
		var b bytes.Buffer
		if err := r.Footer(&b, nil); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), c.want) || (c.want == "") == strings.Contains(b.String(), "Cancelled") {
			t.Errorf("%s: %q", c.name, b.String())
		}
	}
}
