package metric

import (
	"strings"
	"testing"

	"aiperf/internal/judge"
	"aiperf/schema"
)

var errorRows = []rowCase{
	{"counts failures", chat, of(at(1, 9), broken(2, "x"), broken(3, "x")), "error_request_count", []string{"", "1", "1"}, avg(2)},
	{"is absent, not 0, on a clean run", chat, of(at(1, 9)), "error_request_count", nil, nil},
	{"counts the messages that speak of the context, in any case", chat, of(broken(1, "this model's Maximum Context length is 10"), broken(2, "error: CONTEXT_LENGTH_EXCEEDED"),
		broken(3, "prompt is too long: 9 > 8"), broken(4, "the context length"), broken(5, "context is everything")), "context_overflow_count", []string{"1", "1", "1", "1", "0"}, avg(4)},
	{"counts a message that speaks of it twice once", chat, of(broken(1, "maximum context: context length")), "context_overflow_count", []string{"1"}, avg(1)},
	{"takes the user's words", Options{EndpointType: "chat", ContextOverflow: []string{"", "zu lang"}}, of(broken(1, "Zu LANG"), broken(2, "context length")), "context_overflow_count", []string{"1", "0"}, avg(1)},
	{"is 0, not absent, where failures are of another kind", chat, of(broken(1, "refused")), "context_overflow_count", nil, avg(0)},
	{"is absent on a clean run", chat, of(at(1, 9)), "context_overflow_count", nil, nil},
	{"counts the requests that a replay skipped too", chat, of(skip(broken(1, "context length")), broken(2, "context length"), skip(broken(3, "x"))), "context_overflow_count", []string{"", "1", ""}, avg(3)},

	{"counts the requests that a replay skipped, which are in nothing else", chat, of(skip(broken(1, "context length")), at(2, 9)), "skipped_context_overflow_count", nil, avg(1)},
	{"is absent where none was", chat, of(broken(1, "context length")), "skipped_context_overflow_count", nil, nil},
}

func skip(s *judge.Sample) *judge.Sample { s.Metadata.ContextOverflowSkip = true; return s }

func TestErrorsRows(t *testing.T) { checkRows(t, errorRows) }

func coded(start int64, code int, typ, message string) *judge.Sample {
	s := broken(start, message)
	s.Error.Type = typ
	if code != 0 {
		s.Error.Code = &code
	}
	return s
}

func TestTheErrorSummary(t *testing.T) {
	s := summary(t, chat, at(1, 9),
		coded(2, 503, "Service Unavailable", "b"), coded(3, 429, "Too Many Requests", "slow"), coded(4, 503, "Service Unavailable", "b"),
		coded(5, 503, "Service Unavailable", "a"), coded(6, 0, "TimeoutError", "late"), coded(7, 429, "Too Many Requests", "slow"),
		with(coded(8, 499, "RequestCancellationError", "gone"), func(s *judge.Sample) { s.Metadata.WasCancelled = true }))
	var got []string
	for _, e := range s.ErrorSummary {
		code := "-"
		if e.ErrorDetails.Code != nil {
			code = string(rune('0' + *e.ErrorDetails.Code/100))
		}
		got = append(got, strings.Repeat("x", int(e.Count))+code+e.ErrorDetails.Message)
	}
	// the frequent first, then by code, type and message
	if want := "xx4slow xx5b x4gone x5a x-late"; strings.Join(got, " ") != want {
		t.Errorf("error summary %q, want %q", got, want)
	}
	if want := (schema.Counts{Total: 8, Valid: 1, Errors: 7, Cancelled: 1}); s.Records != want {
		t.Errorf("records %+v, want %+v", s.Records, want)
	}
	because := func(cause string) *judge.Sample {
		s := coded(2, 503, "Service Unavailable", "b")
		s.Error.Cause = cause
		return s
	}
	for _, in := range [][]*judge.Sample{of(because("y"), because("x"), because("z")), of(because("x"), because("z"), because("y"))} {
		if e := summary(t, chat, in...).ErrorSummary; len(e) != 1 || e[0].Count != 3 || e[0].ErrorDetails.Cause != "x" {
			t.Errorf("failures of three causes: %+v, want x to stand for all", e)
		}
	}
	if clean := summary(t, chat, at(1, 9)); clean.ErrorSummary == nil || len(clean.ErrorSummary) != 0 {
		t.Errorf("a clean run has the errors %v, want an empty list", clean.ErrorSummary)
	}
}
