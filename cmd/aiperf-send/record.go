package main

import (
	"fmt"
	"net"
	"strings"
	"time"
	"unicode/utf8"

	"aiperf/internal/redact"
	"aiperf/internal/transport"
	"aiperf/schema"
)

func ptr[T any](v T) *T { return &v }

// fire makes one call and writes its record. It runs in a goroutine of its own.
func (s *sender) fire(t *turn) {
	data, contentType, err := body(t.req)
	requestID := newID()
	call := &transport.Call{Target: t.session.target, Method: "POST", Body: data, Session: t.session.id, Last: t.req.Final,
		Timeout: s.cfg.timeout, Idle: s.cfg.idle, Cancel: t.cancel}
	var full string
	call.Path, full = t.session.target.Join(s.cfg.path(t.req))
	call.Headers = s.cfg.requestHeaders(t.req, t.session.target, requestID, t.session.id, contentType)
	if t.req.CancelAfterNS != nil {
		call.CancelAfter = ptr(time.Duration(*t.req.CancelAfterNS))
	}
	var res *transport.Result
	if err != nil {
		now := transport.Mono()
		res = &transport.Result{Error: &schema.Error{Code: ptr(500), Type: "CreditProcessingError", Message: err.Error()}}
		res.Start, res.Failed, res.End = now, now, now
	} else {
		res = s.client.Do(t.ctx, call)
	}
	rec := s.record(t, call, res, requestID, full)
	s.put(rec)
	s.done <- completion{t, res.Start, res.End, rec.Error != nil || res.Status < 200 || res.Status > 299, why(res), res.Cancelled, res.Reads}
}

// why says in a few words what went wrong; "" when nothing did.
func why(r *transport.Result) string {
	switch {
	case r.Error != nil && r.Error.Message != "":
		return r.Error.Type + ": " + r.Error.Message
	case r.Error != nil:
		return r.Error.Type
	case r.Status < 200 || r.Status > 299:
		body := strings.Join(strings.Fields(strings.ToValidUTF8(string(r.Body[:min(len(r.Body), 200)]), "")), " ")
		return strings.TrimSpace(fmt.Sprintf("HTTP %d %s %s", r.Status, r.Reason, body))
	}
	return ""
}

func (s *sender) record(t *turn, call *transport.Call, r *transport.Result, requestID, full string) *schema.Record {
	wall := func(mono int64) *int64 {
		if mono == 0 {
			return nil
		}
		return ptr(s.anchor.Wall(mono))
	}
	q := t.req
	rec := &schema.Record{
		Kind: schema.KindRecord, RunID: s.runID, EndpointType: q.EndpointType, Streaming: ptr(q.Streaming),
		Metadata: schema.Metadata{
			SessionNum: t.num, XRequestID: requestID, XCorrelationID: t.session.id, ConversationID: q.ConversationID, TurnIndex: ptr(q.TurnIndex),
			CreditIssuedNS: wall(t.issued), RequestStartNS: s.anchor.Wall(r.Start), WorkerID: "aiperf-send",
			BenchmarkPhase: t.phase.name, PhaseIndex: ptr(t.phase.index), PhaseName: t.phase.name, PhaseKind: t.phase.name,
			WasCancelled: r.Cancelled, RootCorrelationID: t.session.id,
		},
		ScheduledNS: wall(t.scheduled), StartPerfNS: r.Start, URL: full,
		RequestHeaders: headerMap(call.Headers), Error: r.Error,
		Model: q.Model, RequestedOSL: q.RequestedOSL, ISL: q.ISL, AudioDurationSeconds: q.AudioDurationSeconds, NumImages: q.NumImages,
		PrefixBlocks: q.PrefixBlocks,
	}
	if len(q.Payload) > 0 {
		rec.Payload = q.Payload
	}
	if t.phase.name == schema.PhaseProfiling {
		rec.Metadata.ProfilingIndex = ptr(0)
	}
	end := r.LastBody
	if end == 0 || r.Error != nil {
		end = r.End
	}
	rec.Metadata.RequestEndNS = wall(end)
	if r.Cancelled {
		rec.Metadata.CancellationTimeNS = rec.Metadata.RequestEndNS
	}
	if r.Status != 0 {
		rec.Status = ptr(r.Status)
		rec.ResponseHeaders = headerMap(r.Headers)
		if r.Status >= 200 && r.Status < 300 {
			rec.Metadata.RequestAckNS = wall(r.HeadersReceived)
		}
	}
	if utf8.Valid(r.Body) {
		rec.Body = string(r.Body)
	} else {
		rec.BodyB64 = r.Body
	}
	rec.Reads = r.Reads
	rec.TraceData = s.trace(call, r, wall)
	return rec
}

// trace is the HTTP trace under AIPerf's names.
func (s *sender) trace(call *transport.Call, r *transport.Result, wall func(int64) *int64) *schema.TraceData {
	d := &schema.TraceData{
		TraceType: "aiperf-send", RequestSendStartNS: wall(r.Start), RequestHeadersSentNS: wall(r.HeadersSent), RequestSendEndNS: wall(r.BodySent),
		ResponseReason: r.Reason, ResponseReceiveStartNS: wall(r.FirstBody), ResponseReceiveEndNS: wall(r.LastBody),
		ResponseHeadersReceivedNS: wall(r.HeadersReceived), ErrorTimestampNS: wall(r.Failed),
		TCPConnectStartNS: wall(r.ConnectStart), TCPConnectEndNS: wall(r.ConnectEnd), ConnectionReusedNS: wall(r.Reused),
		DNSLookupStartNS: wall(r.DNSStart), DNSLookupEndNS: wall(r.DNSEnd),
		RequestBytesTotal: ptr(r.BytesSent), ResponseBytesTotal: ptr(r.BytesReceived), ResponseChunksCount: ptr(int64(len(r.Reads))),
	}
	if r.BodySent != 0 {
		d.RequestChunksCount = ptr(int64(1))
	} else {
		d.RequestChunksCount = ptr(int64(0))
	}
	if r.Status != 0 {
		d.ResponseStatusCode = ptr(r.Status)
	}
	d.LocalIP, d.LocalPort = split(r.Local)
	d.RemoteIP, d.RemotePort = split(r.Remote)
	return d
}

func split(a net.Addr) (string, *int) {
	t, ok := a.(*net.TCPAddr)
	if !ok {
		return "", nil
	}
	return t.IP.String(), ptr(t.Port)
}

func headerMap(list []transport.Header) map[string]string {
	m := make(map[string]string, len(list))
	for _, h := range list {
		v := h.Value
		if redact.Secret(h.Name) {
			v = redact.Mark
		}
		if old, ok := m[h.Name]; ok {
			v = old + ", " + v
		}
		m[h.Name] = v
	}
	return m
}
