package main

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

func TestMetricsPageCounts(t *testing.T) {
	d := start(t, behaviour{fast: true}, nil)
	d.post(t, textPath, `{"model":"m","prompt":"a","max_tokens":3,"stream":true}`)
	d.post(t, textPath, `{"model":"m","prompt":"a","max_tokens":1}`)
	res, err := http.Get(d.url + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"# TYPE mock_requests_total counter\nmock_requests_total 2\n", "\nmock_events_total 4\n", "\nmock_errors_total 0\n",
		"# TYPE mock_requests_in_flight gauge\nmock_requests_in_flight 0\n"} { // three tokens, one whole answer
		if !strings.Contains(string(b), want) {
			t.Errorf("no %q in\n%s", want, b)
		}
	}
}

// A HEAD has no body: the next request on the connection is answered as well.
func TestHeadHasNoBody(t *testing.T) {
	d := start(t, behaviour{fast: true}, nil)
	for range 2 {
		res, err := http.Head(d.url + "/metrics")
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(res.Body)
		res.Body.Close()
		if err != nil || len(b) > 0 || res.StatusCode != 200 || res.ContentLength <= 0 {
			t.Errorf("status %d, length %d, body %q, %v", res.StatusCode, res.ContentLength, b, err)
		}
	}
}
