package transport

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"sync/atomic"
	"time"

	"aiperf/schema"
)

// A Call is one request to make.
type Call struct {
	Target  *Target
	Path    string // request URI
	Method  string
	Headers []Header // in order; Host and Content-Length are added
	Body    []byte
	Session string // for Sticky
	Last    bool   // the session's last turn

	Timeout     time.Duration // total, connecting included; 0: none
	Idle        time.Duration // longest gap between bytes of the answer; 0: none
	CancelAfter *time.Duration
	Cancel      *Canceller // may end the call from outside
}

// A Canceller ends a call from another goroutine.
type Canceller struct {
	state atomic.Int32 // 1: cancelled
	conn  atomic.Pointer[conn]
	stop  context.CancelFunc
}

// NewCanceller returns a Canceller whose context ends with it.
func NewCanceller(parent context.Context) (*Canceller, context.Context) {
	ctx, stop := context.WithCancel(parent)
	return &Canceller{stop: stop}, ctx
}

// Cancel ends the call; a call that has ended already is left alone.
func (c *Canceller) Cancel() {
	c.state.Store(1)
	if c.stop != nil {
		c.stop()
	}
	if cn := c.conn.Load(); cn != nil {
		_ = cn.rw.SetDeadline(time.Unix(1, 0))
	}
}

func (c *Canceller) cancelled() bool { return c != nil && c.state.Load() == 1 }

// Stamps are the moments of a call, monotonic ns; 0 is "did not happen".
type Stamps struct {
	Start, DNSStart, DNSEnd, ConnectStart, ConnectEnd, Reused int64
	HeadersSent, BodySent                                     int64
	HeadersReceived, FirstBody, LastBody, End                 int64
	Failed                                                    int64
}

// A Result is what came of a call.
type Result struct {
	Stamps
	Status        int // 0: no head came
	Reason        string
	Headers       []Header
	Body          []byte
	Reads         []schema.Read
	BytesSent     int64
	BytesReceived int64
	Error         *schema.Error // nil: the answer is whole, whatever its status
	Cancelled     bool
	Local, Remote net.Addr
}

// Header returns the last value of a header of the answer.
func (r *Result) Header(name string) string {
	p := parser{headers: r.Headers}
	return p.get(name)
}

// Do makes the call. It does not return an error: what went wrong is in the Result, beside what came
// until then.
func (c *Client) Do(ctx context.Context, call *Call) *Result {
	r := &Result{}
	r.Start = Mono()
	var deadline time.Time
	if call.Timeout > 0 {
		deadline = time.Now().Add(call.Timeout)
		var stop context.CancelFunc
		ctx, stop = context.WithDeadline(ctx, deadline)
		defer stop()
	}
	cn, err := c.connect(ctx, call, r)
	if err != nil {
		r.fail(call, err, connecting)
		return r
	}
	r.Local, r.Remote = cn.local, cn.remote
	if call.Cancel != nil {
		call.Cancel.conn.Store(cn)
		defer call.Cancel.conn.Store(nil)
		if call.Cancel.cancelled() {
			cn.rw.Close()
			r.fail(call, context.Canceled, sending)
			return r
		}
	}
	_ = cn.rw.SetDeadline(deadline)
	if call.Cancel.cancelled() { // between the two lines above
		_ = cn.rw.SetDeadline(time.Unix(1, 0))
	}
	keep, at, err := c.exchange(cn, call, r, deadline)
	if err == nil {
		err = decode(r)
		at = receiving
	}
	if err != nil {
		r.fail(call, err, at)
		cn.rw.Close()
		return r
	}
	cn.uses++
	if keep && c.opt.Reuse != Never && !(c.opt.Reuse == Sticky && call.Last) {
		_ = cn.rw.SetDeadline(time.Time{})
		c.give(cn)
	} else {
		cn.rw.Close()
	}
	return r
}

func (c *Client) connect(ctx context.Context, call *Call, r *Result) (*conn, error) {
	if c.opt.Reuse != Never {
		if cn := c.take(c.key(call)); cn != nil {
			r.Reused = Mono()
			return cn, nil
		}
	}
	return c.dial(ctx, call, &r.Stamps)
}

// exchange writes the request and reads the answer. keep says that the connection may be used again.
func (c *Client) exchange(cn *conn, call *Call, r *Result, deadline time.Time) (keep bool, at stage, err error) {
	head := c.head(call)
	writing := Mono() // of the last write
	if len(call.Body) <= 16<<10 {
		n, err := cn.rw.Write(append(head, call.Body...))
		r.BytesSent = max(int64(n-len(head)), 0)
		if err != nil {
			return false, sending, err
		}
		r.BodySent = Mono()
		r.HeadersSent = r.BodySent
	} else {
		if _, err := cn.rw.Write(head); err != nil {
			return false, sending, err
		}
		r.HeadersSent = Mono()
		writing = r.HeadersSent
		n, err := cn.rw.Write(call.Body)
		r.BytesSent = int64(n)
		if err != nil {
			return false, sending, err
		}
		r.BodySent = Mono()
	}
	if call.CancelAfter != nil {
		t := time.AfterFunc(*call.CancelAfter, call.Cancel.Cancel)
		defer t.Stop()
	}
	var p parser
	at = waiting
	for !p.done {
		if call.Idle > 0 {
			next := time.Now().Add(call.Idle)
			if !deadline.IsZero() && deadline.Before(next) {
				next = deadline
			}
			_ = cn.rw.SetReadDeadline(next)
			if call.Cancel.cancelled() {
				_ = cn.rw.SetReadDeadline(time.Unix(1, 0))
			}
		}
		buf, n, rerr := c.read(cn)
		perf, read := cn.sock.perf, cn.sock.at
		if n > 0 {
			had := len(r.Body)
			body, headDone, rest, perr := p.feed((*buf)[:n], r.Body)
			r.Body = body
			if headDone {
				r.HeadersReceived = perf
				if perf >= writing && perf < r.BodySent {
					// The write returned to a goroutine that had to wait for a thread, and the server was
					// faster: the body was out when the answer came.
					r.BodySent, r.HeadersSent = perf, min(r.HeadersSent, perf)
				}
				r.Status, r.Reason, r.Headers = p.status, p.reason, p.headers
				at = receiving
			}
			if len(body) > had {
				if r.FirstBody == 0 {
					r.FirstBody = perf
				}
				r.LastBody = perf
				if k := len(r.Reads) - 1; k >= 0 && r.Reads[k].ReadNS == read { // TLS hands out one read in pieces
					r.Reads[k].End = int64(len(body))
				} else {
					r.Reads = append(r.Reads, schema.Read{End: int64(len(body)), PerfNS: perf, ReadNS: read})
				}
			}
			p.close = p.close || len(rest) > 0
			if perr != nil {
				return false, at, perr
			}
		}
		if buf != nil {
			cn.bufs.Put(buf)
		}
		if rerr != nil {
			if errors.Is(rerr, errEOF) && p.end() {
				p.close = true
				break
			}
			if p.done {
				break
			}
			return false, at, rerr
		}
	}
	r.BytesReceived = int64(len(r.Body))
	r.End = cn.sock.at
	return !p.close, at, nil
}

// read reads once. Plain connections hold no buffer while they wait; TLS has buffers of its own, so the
// one that waits beside them is small.
func (c *Client) read(cn *conn) (buf *[]byte, n int, err error) {
	if cn.rw == net.Conn(cn.sock) {
		return cn.sock.take(cn.bufs)
	}
	buf = cn.bufs.Get().(*[]byte)
	n, err = cn.rw.Read(*buf)
	return buf, n, err
}

func (c *Client) head(call *Call) []byte {
	b := make([]byte, 0, 512+len(call.Body)*btoi(len(call.Body) <= 16<<10))
	b = append(b, call.Method...)
	b = append(b, ' ')
	b = append(b, call.Path...)
	b = append(b, " HTTP/1.1\r\nHost: "...)
	b = append(b, call.Target.Host()...)
	for _, h := range call.Headers {
		b = append(b, "\r\n"...)
		b = append(b, h.Name...)
		b = append(b, ": "...)
		b = append(b, h.Value...)
	}
	if len(call.Body) > 0 || call.Method == "POST" {
		b = append(b, "\r\nContent-Length: "...)
		b = strconv.AppendInt(b, int64(len(call.Body)), 10)
	}
	if c.opt.Reuse == Never {
		b = append(b, "\r\nConnection: close"...)
	}
	return append(b, "\r\n\r\n"...)
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// fail notes what went wrong and why.
func (r *Result) fail(call *Call, err error, at stage) {
	r.Failed = Mono()
	r.End = r.Failed
	r.BytesReceived = int64(len(r.Body))
	switch {
	case call.Cancel.cancelled():
		r.Cancelled = true
		since := r.BodySent
		if since == 0 {
			since = r.Start
		}
		r.Error = &schema.Error{Code: code(499), Type: TypeCancelled,
			Message: fmt.Sprintf("Request cancelled %.3fs after being sent", float64(r.Failed-since)/1e9), CauseChain: []string{TypeCancelled}}
	case (isTimeout(err) || errors.Is(err, context.DeadlineExceeded)) && at == sending:
		r.Error = &schema.Error{Code: code(0), Type: TypeSend, Message: "the request could not be written in time", CauseChain: []string{TypeSend}}
	case isTimeout(err) || errors.Is(err, context.DeadlineExceeded):
		total := time.Duration(r.Failed - r.Start)
		msg := fmt.Sprintf("no end of the answer within the total timeout of %v", call.Timeout)
		if call.Idle > 0 && (call.Timeout == 0 || total < call.Timeout) {
			msg = fmt.Sprintf("no byte of the answer for the idle timeout of %v", call.Idle)
		}
		r.Error = &schema.Error{Type: TypeTimeout, Message: msg, CauseChain: []string{TypeTimeout}}
	default:
		r.Error = classify(err, at)
	}
}
