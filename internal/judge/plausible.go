package judge

import (
	"fmt"

	"aiperf/schema"
)

// latest bounds what can be a moment: the year 2200, in epoch ns.
const latest = 7_258_118_400_000_000_000

// plausible refuses a record that cannot have been measured: such a line was damaged or made up, and one of
// them would bend every figure of the run.
func plausible(r *schema.Record) error {
	m := &r.Metadata
	switch {
	case m.RequestStartNS <= 0 || m.RequestStartNS > latest:
		return fmt.Errorf("record: metadata.request_start_ns %d is no time since the epoch", m.RequestStartNS)
	case m.RequestEndNS != nil && (*m.RequestEndNS < m.RequestStartNS || *m.RequestEndNS > latest):
		return fmt.Errorf("record: metadata.request_end_ns %d is before request_start_ns %d, or no time at all", *m.RequestEndNS, m.RequestStartNS)
	}
	size, at := int64(len(r.Body)+len(r.BodyB64)), int64(0)
	for i, rd := range r.Reads {
		if rd.End < at || rd.End > size {
			return fmt.Errorf("record: reads[%d] ends at byte %d of a body of %d", i, rd.End, size)
		}
		at = rd.End
	}
	return nil
}
