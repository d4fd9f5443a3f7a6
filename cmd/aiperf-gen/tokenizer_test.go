package main

import (
	"strings"
	"testing"

	"aiperf/internal/tokenizer"
)

const small = "../../testdata/tokenizer/small-"

func TestLengthsAreThoseOfATokenizerJSON(t *testing.T) {
	for _, c := range []struct {
		name, tok string
		want      int // tokens of a prompt of --isl 40
	}{
		{"a tokenizer that puts BOS in front takes it off", "llama3", 39},
		{"one that adds nothing", "qwen3", 40},
		{"one without BOS and EOS", "gpt2", 40},
	} {
		tok, err := tokenizer.Open(small + c.tok)
		if err != nil {
			t.Fatal(err)
		}
		r := good(t, "", "-m", "m", "--isl", "40", "--request-count", "5", "--random-seed", "3", "--tokenizer", small+c.tok)
		if r.run.Tokenizer != small+c.tok || r.err != "" {
			t.Errorf("%s: run line has %q, stderr %q", c.name, r.run.Tokenizer, r.err)
		}
		for _, q := range r.requests {
			if n := tok.Count(text1(t, q.Payload)); n != c.want || q.ISL == nil || *q.ISL != int64(c.want) {
				t.Errorf("%s: %d tokens, isl %v, want %d", c.name, n, q.ISL, c.want)
			}
		}
	}
	r := good(t, "", "-m", "m", "--seq-dist", "40,8:100", "--request-count", "2", "--tokenizer", small+"llama3")
	if *r.requests[0].ISL != 40 {
		t.Errorf("a distribution keeps its length: %d, want 40", *r.requests[0].ISL)
	}
}

func TestBlocksBeginWithTheTokenizersOwnSeparator(t *testing.T) {
	const trace = `{"timestamp":0,"input_length":20,"output_length":3,"hash_ids":[1,2]}`
	for name, sep := range map[string]string{"llama3": "<|begin_of_text|>", "qwen3": "<|im_end|>", "gpt2": ""} {
		tok, err := tokenizer.Open(small + name)
		if err != nil {
			t.Fatal(err)
		}
		if got := tok.Separator(); got != sep {
			t.Errorf("%s: separator %q, want %q", name, got, sep)
		}
		r := good(t, trace, "-m", "m", "--input-file", "-", "--custom-dataset-type", "mooncake_trace", "--isl-block-size", "16", "--tokenizer", small+name)
		text := text1(t, r.requests[0].Payload)
		if sep != "" && (!strings.HasPrefix(text, sep) || strings.Count(text, sep) != 2) || strings.Contains(text, "endoftext") {
			t.Errorf("%s: %q", name, text)
		}
		if n := tok.Count(text); int64(n) != *r.requests[0].ISL {
			t.Errorf("%s: %d tokens, isl says %d", name, n, *r.requests[0].ISL)
		}
	}
}

func TestATypedTokenizerThatCannotBeHadIsAnError(t *testing.T) {
	for tok, want := range map[string]int{"org/model": 69, "./nowhere": 64} {
		r := gen(t, "", "-m", "m", "--tokenizer", tok)
		if r.code != want || !strings.Contains(r.err, "--tokenizer "+tok+": ") || !strings.Contains(r.err, "hint: give") {
			t.Errorf("--tokenizer %s: exit %d, want %d: %s", tok, r.code, want, r.err)
		}
	}
}
