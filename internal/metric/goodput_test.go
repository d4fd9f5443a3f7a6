package metric

import "testing"

func goals(text string) Options {
	slo, err := ParseGoodput(text)
	if err != nil {
		panic(err)
	}
	return Options{EndpointType: "chat", Streaming: true, Goodput: slo}
}

var (
	quick = goals("time_to_first_token:100")
	both  = goals("time_to_first_token:100 output_token_throughput_per_user:20")
)

var goodputRows = []rowCase{
	{"counts a request at its limit", quick, of(at(1, 100), at(1, 101)), "good_request_count", []string{"1", "0"}, avg(1)},
	{"wants every goal, the larger the better where it is so", both,
		of(with(at(1, 100, 150), tokens(1, 2)), with(at(1, 100, 151), tokens(1, 2)), with(at(1, 101, 150), tokens(1, 2))), "good_request_count", []string{"1", "0", "0"}, avg(1)},
	{"is absent, not 0, where a goal's metric is", both, of(with(at(1, 100), tokens(1, 1))), "good_request_count", []string{""}, nil},
	{"is absent for a failure", quick, of(at(1, 100), broken(2, "x")), "good_request_count", []string{"1", ""}, avg(1)},
	{"is absent without goals", chat, of(at(1, 100)), "good_request_count", []string{""}, nil},

	{"is of all requests, failures included", quick, of(at(1, 100), at(1, 101), broken(2, "x"), broken(2, "x")), "good_request_fraction", nil, avg(0.25)},
	{"is 0 where no request has the goals' metrics", both, of(with(at(1, 100), tokens(1, 1))), "good_request_fraction", nil, avg(0)},
	{"is absent without goals", chat, of(at(1, 100)), "good_request_fraction", nil, nil},

	{"is good requests over the duration", quick, of(at(10, 100), at(20, 90), at(30, 180)), "goodput", nil, avg(10)},
	{"is 0 where none is good", quick, of(at(10, 200)), "goodput", nil, avg(0)},
	{"is absent where no request has the goals' metrics", both, of(with(at(1, 100), tokens(1, 1))), "goodput", nil, nil},
	{"is absent without goals", chat, of(at(1, 100)), "goodput", nil, nil},
}

func TestGoodputRows(t *testing.T) { checkRows(t, goodputRows) }

func TestGoalsAreReadInDisplayUnits(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []SLO
	}{
		{"milliseconds become nanoseconds", "request_latency:1.5", []SLO{{"request_latency", 1.5e6}}},
		{"a kilobyte has 1024 bytes", "http_req_data_sent:2", []SLO{{"http_req_data_sent", 2048}}},
		{"seconds shown in ms stay seconds inside", "video_inference_time:1500", []SLO{{"video_inference_time", 1.5}}},
		{"a plain unit stays", " output_sequence_length:7   inter_token_latency:0 ", []SLO{{"output_sequence_length", 7}, {"inter_token_latency", 0}}},
		{"nothing is no goal", "", nil},
		{"a word without a value is refused", "request_latency", nil},
		{"an infinite value is refused", "request_latency:inf", nil},
		{"NaN is refused", "request_latency:nan", nil},
		{"a list has no goal", "inter_chunk_latency:5", nil},
		{"a number of the run has no goal", "request_throughput:5", nil},
	} {
		got, err := ParseGoodput(c.text)
		if (err != nil) != (c.want == nil && c.text != "") || len(got) != len(c.want) {
			t.Errorf("%s: ParseGoodput(%q) = %v, %v", c.name, c.text, got, err)
			continue
		}
		for i := range got {
			if got[i].Tag != c.want[i].Tag || !equal(got[i].Limit, c.want[i].Limit, 1e-12) {
				t.Errorf("%s: goal %v, want %v", c.name, got[i], c.want[i])
			}
		}
	}
}

func TestTheNearestTag(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "abc", 3}, {"kitten", "sitting", 3}, {"flaw", "lawn", 2}, {"same", "same", 0}, {"ab", "", 2}} {
		if got := distance(c.a, c.b); got != c.want {
			t.Errorf("distance(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
	for typed, want := range map[string]string{"request_latncy": "request_latency", "ttft_to_first_token": "time_to_first_token", "inter_chunk_latency": "inter_token_latency"} {
		if got := nearest(typed); got != want {
			t.Errorf("nearest(%q) = %q, want %q", typed, got, want)
		}
	}
}
