package endpoint

import (
	"maps"
	"strings"
	"testing"

	"github.com/valyala/fastjson"
)

const spec = `{"num_spec_tokens":3,"num_spec_steps":4,"num_draft_tokens":12,"num_accepted_draft_tokens":5,"acceptance_histogram":[1,2,0,1],` +
	`"mean_acceptance_length":2.25,"draft_acceptance_rate":0.4167,"per_step_accepted":[0,1,3,1],"per_step_drafted":[3,3,3,3]}`

func TestSpecDecode(t *testing.T) {
	n := int64(9)
	s := ParseSpecDecode(fastjson.MustParse(spec), &n)
	if s == nil {
		t.Fatal("dropped")
	}
	if s.MeanAcceptanceLength != 2.25 || s.DraftAcceptanceRate != 0.4167 || s.Accepted != 5 || s.Draft != 12 || s.Steps != 4 {
		t.Errorf("%+v", s)
	}
	if !maps.Equal(s.Histogram, map[int]int64{0: 1, 1: 2, 3: 1}) {
		t.Errorf("histogram %v, want no empty bucket", s.Histogram)
	}
	const want = `{"engine":"vllm","mean_acceptance_length":2.25,"draft_acceptance_rate":0.4167,"acceptance_histogram":{"0":1,"1":2,"3":1},` +
		`"num_accepted_draft_tokens":5,"num_draft_tokens":12,"num_spec_steps":4,"num_spec_tokens":3,"completion_tokens":9,"per_step_accepted":[0,1,3,1],"per_step_drafted":[3,3,3,3]}`
	if string(s.JSON) != want {
		t.Errorf("got  %s\nwant %s", s.JSON, want)
	}
}

func TestSpecDecodeChecks(t *testing.T) {
	for _, c := range []struct {
		name, old, new string
		kept           bool
	}{
		{"nothing changed", "", "", true},
		{"no steps at all", `"num_spec_steps":4`, `"x":4`, false},
		{"no histogram", `"acceptance_histogram"`, `"x"`, false},
		{"no accepted count", `"num_accepted_draft_tokens"`, `"x"`, false},
		{"no draft count", `"num_draft_tokens"`, `"x"`, false},
		{"no mean", `"mean_acceptance_length"`, `"x"`, false},
		{"no rate", `"draft_acceptance_rate"`, `"x"`, false},
		{"a null mean", `"mean_acceptance_length":2.25`, `"mean_acceptance_length":null`, false},
		{"a mean that no float64 holds", `2.25`, `1e999`, false},
		{"a rate that is no number", `0.4167`, `NaN`, false},
		{"without num_spec_tokens any length will do", `"num_spec_tokens":3,`, ``, true},
		{"a histogram of the wrong length", `"num_spec_tokens":3`, `"num_spec_tokens":4`, false},
		{"a histogram that does not sum to the steps", `"num_spec_steps":4`, `"num_spec_steps":5`, false},
		{"a histogram that does not weigh to the accepted", `"num_accepted_draft_tokens":5`, `"num_accepted_draft_tokens":6`, false},
		{"more accepted than drafted", `"num_draft_tokens":12`, `"num_draft_tokens":4`, false},
		{"a truth value in the histogram", `[1,2,0,1]`, `[true,2,0,1]`, false},
		{"a float in the histogram", `[1,2,0,1]`, `[1.0,2,0,1]`, false},
		{"a negative bucket", `[1,2,0,1]`, `[2,2,-1,1]`, false},
		{"a histogram that is an object", `[1,2,0,1]`, `{"0":1}`, false},
		{"per-step accepted of the wrong length", `"per_step_accepted":[0,1,3,1]`, `"per_step_accepted":[1,3,1]`, false},
		{"per-step accepted of the wrong sum", `"per_step_accepted":[0,1,3,1]`, `"per_step_accepted":[0,1,3,2]`, false},
		{"per-step drafted of the wrong sum", `"per_step_drafted":[3,3,3,3]`, `"per_step_drafted":[3,3,3,2]`, false},
		{"per-step drafted of text", `"per_step_drafted":[3,3,3,3]`, `"per_step_drafted":["3",3,3,3]`, false},
		{"per-step drafted that is a number", `"per_step_drafted":[3,3,3,3]`, `"per_step_drafted":12`, false},
		{"per-step arrays that are null were not sent", `[0,1,3,1]`, `null`, true},
	} {
		s := strings.Replace(spec, c.old, c.new, 1)
		if c.old != "" && s == spec {
			t.Fatalf("%s: nothing replaced", c.name)
		}
		if got := ParseSpecDecode(fastjson.MustParse(s), nil); (got != nil) != c.kept {
			t.Errorf("%s: kept %v, want %v", c.name, got != nil, c.kept)
		}
	}
	zero := ParseSpecDecode(fastjson.MustParse(`{"num_spec_tokens":1,"num_spec_steps":0,"num_draft_tokens":0,"num_accepted_draft_tokens":0,"acceptance_histogram":[0,0],"mean_acceptance_length":1.0,"draft_acceptance_rate":0.0}`), nil)
	if zero == nil || len(zero.Histogram) != 0 || !strings.Contains(string(zero.JSON), `"acceptance_histogram":{}`) || strings.Contains(string(zero.JSON), "completion_tokens") {
		t.Errorf("a payload of no steps is kept: %+v", zero)
	}
}
