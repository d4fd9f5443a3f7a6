package judge

// A Rule is one place where our default departs from AIPerf 0.13.0. It is listed in Sample.Rules of
// every record on which it made a difference; under Definitions013 none is in force.
type Rule struct{ Name, Says, Evidence string }

// Definitions013 asks for 0.13.0 to the letter.
const Definitions013 = "aiperf-0.13"

const (
	ruleErrorObject = "error-object"
	ruleIncomplete  = "incomplete-stream"
	ruleNoObject    = "chunk-without-object"
	ruleRawDone     = "raw-done"
	ruleToolProse   = "tool-prose"
	ruleCancelled   = "cancelled-chunks"
	ruleZeroLatency = "zero-latency"
)

// Rules are all of them.
var Rules = []Rule{
	{ruleErrorObject, "an error object inside a 200 answer makes an error record, with the server's code if it is 400 to 599, else 502", "0.13.0 ignores a data line with an error object and counts the record as a success (run faults)"},
	{ruleIncomplete, "a stream that ends without its API's end signal is an error record", "0.13.0 counts it as a success (run faults)"},
	{ruleNoObject, "a chunk without its object field is read all the same", "0.13.0 finds no content in it (run stream-shapes)"},
	{ruleRawDone, "the [DONE] of a raw or template stream is no text", "0.13.0 counts it as content"},
	{ruleToolProse, "prose beside a tool call is counted", "0.13.0 counts the tool text alone"},
	{ruleCancelled, "chunks and usage that came before a cancellation are kept", "0.13.0 writes no responses for a cancelled request (run cancellation)"},
	{ruleZeroLatency, "an answer in the nanosecond of its request is valid", "0.13.0 wants start before end"},
}
