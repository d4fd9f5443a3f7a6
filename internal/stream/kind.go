package stream

import (
	"bytes"

	"github.com/valyala/fastjson"

	"aiperf/schema"
)

// Kinds of AIPerf's one-document files, which hold what many lines of ours do.
const (
	KindInputs        = "aiperf.inputs"         // inputs.json: the requests, by session
	KindPhaseManifest = "aiperf.phase_manifest" // phase_manifest.json: the phases' windows
	KindServerMetrics = "aiperf.server_metrics" // server_metrics_export.json: series and phase windows
)

// bulky kinds are most of a stream's bytes and are decoded by whoever reads them, so the reader does
// not parse them too. Every other line is checked to be JSON before it is handed out.
func bulky(kind string) bool {
	return kind == schema.KindRecord || kind == schema.KindRequest || kind == schema.KindMetricRecord
}

// The top-level keys that tell AIPerf's own objects apart, one bit each.
const (
	hasMetadata = 1 << iota
	hasMetrics
	hasStart
	hasResponses
	hasTelemetry
	hasEndpointURL
	hasTarget
	hasRTT
	hasPhases
	hasData
	hasSummary
	hasVersion
	hasOther
)

func bit(key []byte) int {
	switch string(key) {
	case "metadata":
		return hasMetadata
	case "metrics":
		return hasMetrics
	case "start_perf_ns":
		return hasStart
	case "responses":
		return hasResponses
	case "telemetry_data":
		return hasTelemetry
	case "endpoint_url":
		return hasEndpointURL
	case "target_host":
		return hasTarget
	case "probe_type", "rtt_ns":
		return hasRTT
	case "phases":
		return hasPhases
	case "data":
		return hasData
	case "summary":
		return hasSummary
	case "aiperf_version":
		return hasVersion
	}
	return hasOther
}

// kindOf reads "kind", or recognises AIPerf's kind-less objects by their keys; "" is neither. It looks
// no further than it must: an object that begins with its kind, as ours do, costs nothing, and so does
// AIPerf's raw line, whose two first keys say what it is.
func kindOf(data []byte) string {
	s := scanner{data: data}
	has := 0
	for {
		key, ok := s.key()
		if !ok {
			return kindByKeys(has)
		}
		if string(key) == "kind" {
			return text(s.value())
		}
		has |= bit(key)
		if has == hasMetadata|hasStart {
			return schema.KindRecord
		}
		s.value()
	}
}

// kindByKeys names the kind that an object of AIPerf's corresponds to.
func kindByKeys(has int) string {
	all := func(bits int) bool { return has&bits == bits }
	switch {
	case all(hasVersion | hasSummary | hasMetrics):
		return KindServerMetrics
	case all(hasVersion): // its other reports: results, not inputs
		return ""
	case all(hasTelemetry):
		return schema.KindGPUSample
	case all(hasMetadata | hasStart), all(hasMetadata | hasResponses):
		return schema.KindRecord
	case all(hasMetadata | hasMetrics):
		return schema.KindMetricRecord
	case all(hasEndpointURL | hasMetrics):
		return schema.KindServerSample
	case all(hasTarget | hasRTT):
		return schema.KindNetworkProbe
	case all(hasPhases):
		return KindPhaseManifest
	case has == hasData:
		return KindInputs
	}
	return ""
}

// text is what a JSON string says; "" when value is something else.
func text(value []byte) string {
	if len(value) < 2 || value[0] != '"' {
		return ""
	}
	inner := value[1 : len(value)-1]
	if bytes.IndexByte(inner, '\\') < 0 {
		return string(inner)
	}
	v, err := fastjson.ParseBytes(value)
	if err != nil {
		return ""
	}
	return string(v.GetStringBytes())
}

// A scanner walks the top level of an object without parsing what lies below. On what is no JSON it
// stops early or finds nonsense; it never fails.
type scanner struct {
	data []byte
	pos  int
}

// key is the next key without its quotes, as written; the scanner then stands before its value.
func (s *scanner) key() ([]byte, bool) {
	for s.pos < len(s.data) {
		switch s.data[s.pos] {
		case ' ', '\t', '\r', '\n', ',', '{':
			s.pos++
			continue
		case '"':
			key := s.str()
			s.space()
			if len(key) < 2 || s.pos >= len(s.data) || s.data[s.pos] != ':' {
				return nil, false
			}
			s.pos++
			return key[1 : len(key)-1], true
		}
		return nil, false
	}
	return nil, false
}

// value passes the next value and returns it.
func (s *scanner) value() []byte {
	s.space()
	start, depth := s.pos, 0
	for s.pos < len(s.data) {
		switch s.data[s.pos] {
		case '"':
			s.str()
			if depth == 0 {
				return s.data[start:s.pos]
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
			if depth == 0 {
				s.pos++
				return s.data[start:s.pos]
			}
			if depth < 0 {
				return s.data[start:s.pos]
			}
		case ',':
			if depth == 0 {
				return s.data[start:s.pos]
			}
		}
		s.pos++
	}
	return s.data[start:s.pos]
}

// str passes a string that begins here and returns it with its quotes.
func (s *scanner) str() []byte {
	start := s.pos
	s.pos++
	for s.pos < len(s.data) {
		n := bytes.IndexByte(s.data[s.pos:], '"')
		if n < 0 {
			s.pos = len(s.data)
			return nil
		}
		s.pos += n + 1
		slashes := 0
		for i := s.pos - 2; i > start && s.data[i] == '\\'; i-- {
			slashes++
		}
		if slashes%2 == 0 {
			return s.data[start:s.pos]
		}
	}
	return nil
}

func (s *scanner) space() {
	for s.pos < len(s.data) {
		switch s.data[s.pos] {
		case ' ', '\t', '\r', '\n':
			s.pos++
		default:
			return
		}
	}
}
