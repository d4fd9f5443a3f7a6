package main

import (
	"bytes"
	"context"
	"net/http"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"aiperf/internal/stream"
	"aiperf/schema"
)

func TestASessionWithoutAFinalTurnDoesNotKeepItsSlotForEver(t *testing.T) {
	url := server(t, ok)
	for _, c := range []struct {
		name  string
		lines int
	}{
		{"the input ends", 5},
		{"more lines than are read ahead", aheadTurns + 10},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := requests(c.lines, func(_ int, q *schema.Request) { q.Final = false })
			r := send(t, in, "--url", url, "--concurrency", "1", "--quiet")
			if r.code != 0 || len(r.records) != c.lines {
				t.Fatalf("exit %d, %d records, want 0 and %d", r.code, len(r.records), c.lines)
			}
			if got := last(r, schema.PhaseProfiling); got.SentSessions != int64(c.lines) || got.CompletedSessions != int64(c.lines) {
				t.Errorf("sessions sent %d, completed %d, want %d", got.SentSessions, got.CompletedSessions, c.lines)
			}
		})
	}
}

func TestAWarmupThatEndsByTimeLeavesTheRestToTheBenchmarkInOrder(t *testing.T) {
	url := server(t, func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(5 * time.Millisecond)
		ok(w, r)
	})
	const n = 120
	in := requests(n, func(_ int, q *schema.Request) { q.Phase = "" })
	r := send(t, in, "--url", url, "--concurrency", "2", "--warmup-duration", "0.1", "--quiet")
	if r.code != 0 || len(r.records) != n {
		t.Fatalf("exit %d, %d records, want 0 and all %d", r.code, len(r.records), n)
	}
	seen := map[string]int{}
	for _, rec := range r.records {
		seen[rec.Metadata.ConversationID]++
	}
	if len(seen) != n {
		t.Errorf("%d of %d requests were sent, some twice", len(seen), n)
	}
	profiling := false
	for _, rec := range r.records { // by start
		if rec.Metadata.BenchmarkPhase == schema.PhaseProfiling {
			profiling = true
		} else if profiling {
			t.Fatal("a warmup request started after the first of the benchmark")
		}
	}
	if !profiling || r.records[0].Metadata.BenchmarkPhase != schema.PhaseWarmup {
		t.Error("want requests in both phases")
	}
}

func TestTheOutputFileIsEncodedByItsSuffix(t *testing.T) {
	url := server(t, ok)
	for suffix, magic := range map[string]string{".jsonl": "{", ".jsonl.gz": "\x1f\x8b", ".jsonl.zst": "\x28\xb5\x2f\xfd", ".parquet": "PAR1"} {
		name := filepath.Join(t.TempDir(), "o"+suffix)
		if r := send(t, requests(3, nil), "--url", url, "--quiet", "-o", name); r.code != 0 {
			t.Fatalf("exit %d: %s", r.code, r.stderr)
		}
		b, err := os.ReadFile(name)
		if err != nil || !bytes.HasPrefix(b, []byte(magic)) {
			t.Fatalf("%s begins with %.8q, %v", suffix, b, err)
		}
		records := 0
		for line, err := range stream.Lines(context.Background(), nil, func(w string) { t.Error(w) }, name) {
			if err != nil {
				t.Fatal(err)
			}
			if line.Kind == schema.KindRecord {
				records++
			}
		}
		if records != 3 {
			t.Errorf("%s: %d records, want 3", suffix, records)
		}
	}
}

func TestTheLagOfTheWarmupIsNotTheBenchmarks(t *testing.T) {
	var n atomic.Int64
	url := server(t, func(w http.ResponseWriter, r *http.Request) {
		if n.Add(1) == 1 {
			time.Sleep(200 * time.Millisecond)
		}
		ok(w, r)
	})
	in := requests(4, func(i int, q *schema.Request) {
		at := int64(0)
		q.Phase, q.AtNS = schema.PhaseProfiling, &at
		if i < 2 {
			q.Phase = schema.PhaseWarmup // the second waits 200 ms for its slot
		}
		if i == 3 {
			q.AtNS = nil
		}
	})
	r := send(t, in, "--url", url, "--concurrency", "1", "--quiet")
	warm, prof := last(r, schema.PhaseWarmup).Client, last(r, schema.PhaseProfiling).Client
	if warm.LagMaxNS == nil || *warm.LagMaxNS < 190e6 {
		t.Errorf("warmup lag %v, want 200 ms", warm.LagMaxNS)
	}
	if prof.LagMaxNS != nil && *prof.LagMaxNS >= *warm.LagMaxNS {
		t.Errorf("the benchmark's lag %d holds the warmup's", *prof.LagMaxNS)
	}
}
