package main

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"aiperf/internal/stream"
)

var epipe error = &stream.IOError{Name: "stdout", Err: syscall.EPIPE}

func TestBadFilesAreNamedByFileAndLine(t *testing.T) {
	for _, c := range []struct {
		name, typ, text, say string
		code                 int
	}{
		{"not JSON", "mooncake_trace", "{\"text_input\":\"a\"}\n{no}\n", "<stdin>:2: ", 65},
		{"two kinds of prompt", "mooncake_trace", `{"text_input":"a","input_length":3}`, "<stdin>:1: want exactly one", 65},
		{"too many hash ids", "mooncake_trace", "\n" + `{"input_length":512,"hash_ids":[1,2]}`, "<stdin>:2: 2 hash_ids", 65},
		{"an output length of 0", "mooncake_trace", `{"text_input":"a","output_length":0}`, "<stdin>:1: \"output_length\"", 65},
		{"an unknown field of single_turn", "single_turn", `{"txt":"a"}`, "did you mean \"text\"", 65},
		{"media", "single_turn", `{"text":"a","image":"x.png"}`, "not built yet", 65},
		{"a session of lengths needs live answers", "mooncake_trace", `{"session_id":"s","input_length":1}` + "\n" + `{"session_id":"s","input_length":1}`, "<stdin>:2: session \"s\"", 65},
		{"a session of two kinds", "mooncake_trace", `{"session_id":"s","payload":{"a":1}}` + "\n" + `{"session_id":"s","messages":[{"role":"user"}]}`, "<stdin>:2: session \"s\" mixes", 65},
		{"no rows", "mooncake_trace", "\n\n", "no rows", 65},
		{"a row that two types claim", "", `{"messages":[{"role":"user","content":"x"}]}`, "mooncake_trace and raw_payload", 65},
		{"a row that no type claims", "", `{"a":1}`, "no dataset type", 65},
		{"a type found out that is not built", "", `{"turns":[]}`, "multi_turn is not built", 64},
	} {
		args := []string{"-m", "m", "--tokenizer", "builtin", "--input-file", "-"}
		if c.typ != "" {
			args = append(args, "--custom-dataset-type", c.typ)
		}
		if r := gen(t, c.text, args...); r.code != c.code || !strings.Contains(r.err, c.say) {
			t.Errorf("%s: exit %d, %q; want %d and %q", c.name, r.code, r.err, c.code, c.say)
		}
	}
	if r := gen(t, "", "-m", "m", "--input-file", "no-such-file"); r.code != 66 {
		t.Errorf("a file that is not there: exit %d", r.code)
	}
}

func TestB42TimestampsInSecondsAreWarnedOf(t *testing.T) {
	text := `{"timestamp":0.0,"text_input":"a"}` + "\n" + `{"timestamp":0.2,"text_input":"b"}` + "\n" + `{"timestamp":0.4,"text_input":"c"}` + "\n"
	args := []string{"-m", "m", "--tokenizer", "builtin", "--input-file", "-", "--custom-dataset-type", "mooncake_trace"}
	r := good(t, text, args...)
	if !strings.Contains(r.err, "are they seconds?") || *r.requests[2].AtNS != 400_000 {
		t.Errorf("stderr %q, at %d", r.err, *r.requests[2].AtNS)
	}
	r = good(t, text, append(args, "--synthesis-speedup-ratio", "0.001")...)
	if r.err != "" || *r.requests[2].AtNS != 400_000_000 {
		t.Errorf("with the multiplier: stderr %q, at %d", r.err, *r.requests[2].AtNS)
	}
}

func TestB44UnknownKeysAreWarnedOfOnce(t *testing.T) {
	text := `{"text_input":"a","prompt_len":3}` + "\n" + `{"text_input":"b","prompt_len":3}` + "\n"
	r := good(t, text, "-m", "m", "--tokenizer", "builtin", "--input-file", "-", "--custom-dataset-type", "mooncake_trace")
	if strings.Count(r.err, "prompt_len") != 1 {
		t.Errorf("stderr %q", r.err)
	}
}

func TestB45ATruncatedLastLineIsReportedAndTheRestStands(t *testing.T) {
	r := good(t, `{"timestamp":0,"text_input":"a"}`+"\n"+`{"timestamp":1,"text_inp`, "-m", "m", "--tokenizer", "builtin", "--input-file", "-", "--custom-dataset-type", "mooncake_trace")
	if len(r.requests) != 1 || !strings.Contains(r.err, "<stdin>:2: the last line is unfinished") {
		t.Errorf("%d requests, stderr %q", len(r.requests), r.err)
	}
}

func TestAHashIdOfTwoSizesGoesOn(t *testing.T) {
	text := `{"timestamp":0,"input_length":20,"hash_ids":[1,2]}` + "\n" + `{"timestamp":0,"input_length":40,"hash_ids":[1,2,3]}` + "\n"
	r := good(t, text, "-m", "m", "--tokenizer", "builtin", "--input-file", "-", "--custom-dataset-type", "mooncake_trace", "--isl-block-size", "16")
	if *r.requests[0].ISL != 20 || *r.requests[1].ISL != 40 {
		t.Errorf("isl %d, %d", *r.requests[0].ISL, *r.requests[1].ISL)
	}
	short := text1(t, r.requests[0].Payload)
	if !strings.HasPrefix(text1(t, r.requests[1].Payload), short) {
		t.Errorf("the shorter block is not the beginning of the longer one: %q", short)
	}
	if b := r.requests[1].PrefixBlocks; b.Hit != 2 || b.Total != 3 {
		t.Errorf("prefix blocks %+v, want 2 of 3", b)
	}
}

func TestCompressedFilesAreReadByTheirFirstBytes(t *testing.T) {
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	w.Write([]byte("{\"text\":\"one\"}\n{\"text\":\"two\"}\n"))
	w.Close()
	name := filepath.Join(t.TempDir(), "rows.txt")
	if err := os.WriteFile(name, z.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	r := good(t, "", "-m", "m", "--tokenizer", "builtin", "--input-file", name, "--request-count", "3")
	if got := text1(t, r.requests[2].Payload); got != "one" {
		t.Errorf("the third request, after going round, is %q, want one", got)
	}
}

func TestOutputGoesToAFileByItsSuffix(t *testing.T) {
	name := filepath.Join(t.TempDir(), "out.jsonl.gz")
	r := good(t, "", "-m", "m", "--tokenizer", "builtin", "--isl", "2", "--output", name)
	data, err := os.ReadFile(name)
	if err != nil || r.out != "" || len(data) < 2 || data[0] != 0x1f || data[1] != 0x8b {
		t.Errorf("%v, %d bytes, stdout %q", err, len(data), r.out)
	}
}

func TestTheFirst400LinesOfTheMooncakeTrace(t *testing.T) {
	r := good(t, "", "-m", "mock", "--tokenizer", "builtin", "--input-file", "../../testdata/traces/mooncake-conversation_trace.400.jsonl",
		"--custom-dataset-type", "mooncake_trace", "--synthesis-speedup-ratio", "10", "--streaming")
	if len(r.requests) != 400 || r.err != "" {
		t.Fatalf("%d requests, stderr %q", len(r.requests), r.err)
	}
	tok, last := tokens(t), int64(-1)
	for i, q := range r.requests {
		if *q.AtNS < last {
			t.Fatalf("request %d at %d, before %d", i, *q.AtNS, last)
		}
		last = *q.AtNS
		if i%40 == 0 && int64(tok.Count(text1(t, q.Payload))) != *q.ISL {
			t.Errorf("request %d: isl %d, is %d", i, *q.ISL, tok.Count(text1(t, q.Payload)))
		}
	}
	if q := r.requests[0]; *q.ISL != 6758 || *q.RequestedOSL != 500 || *q.AtNS != 0 || q.PrefixBlocks.Total != 14 {
		t.Errorf("the first request: %+v", q)
	}
}
