package transport

import (
	"context"
	"crypto/tls"
	"net"
	"sync"
	"time"
)

// Reuse says what becomes of a connection after its call.
type Reuse string

const (
	Pooled Reuse = "pooled"               // kept for any later call to the same place
	Never  Reuse = "never"                // one call a connection
	Sticky Reuse = "sticky-user-sessions" // kept for its session, closed with the session's last turn
)

// Options of a Client.
type Options struct {
	Reuse      Reuse
	Kernel     bool          // ask for kernel receive stamps
	IdleReuse  time.Duration // an idle connection is kept this long
	TLS        *tls.Config
	ReadBuffer int // bytes taken by one read at most
}

// A Client makes calls. It is safe for concurrent use.
type Client struct {
	opt    Options
	dialer net.Dialer
	mu     sync.Mutex
	idle   map[string][]*conn // newest last
	bufs   sync.Pool          // for plain connections
	small  sync.Pool          // for TLS
}

// conn is one connection; a single call uses it at a time.
type conn struct {
	key    string
	sock   *socket
	rw     net.Conn // sock, or TLS over it
	bufs   *sync.Pool
	idleAt time.Time
	uses   int
	local  net.Addr
	remote net.Addr
}

// New returns a Client.
func New(opt Options) *Client {
	if opt.IdleReuse == 0 {
		opt.IdleReuse = 300 * time.Second
	}
	if opt.ReadBuffer == 0 {
		opt.ReadBuffer = 64 << 10
	}
	c := &Client{opt: opt, idle: map[string][]*conn{}}
	c.dialer.KeepAlive = 60 * time.Second
	c.bufs.New = func() any { b := make([]byte, opt.ReadBuffer); return &b }
	c.small.New = func() any { b := make([]byte, 4<<10); return &b }
	return c
}

// take returns an idle connection that is still good, or nil.
func (c *Client) take(key string) *conn {
	for {
		c.mu.Lock()
		list := c.idle[key]
		if len(list) == 0 {
			c.mu.Unlock()
			return nil
		}
		cn := list[len(list)-1]
		c.idle[key] = list[:len(list)-1]
		c.mu.Unlock()
		if time.Since(cn.idleAt) < c.opt.IdleReuse && cn.sock.alive() {
			return cn
		}
		cn.rw.Close()
	}
}

func (c *Client) give(cn *conn) {
	cn.idleAt = time.Now()
	c.mu.Lock()
	c.idle[cn.key] = append(c.idle[cn.key], cn)
	c.mu.Unlock()
}

// Forget closes the idle connections of a session (Sticky).
func (c *Client) Forget(session string) {
	c.mu.Lock()
	var old []*conn
	for key, list := range c.idle {
		if sessionOf(key) == session {
			old = append(old, list...)
			delete(c.idle, key)
		}
	}
	c.mu.Unlock()
	for _, cn := range old {
		cn.rw.Close()
	}
}

// Close closes every idle connection.
func (c *Client) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, list := range c.idle {
		for _, cn := range list {
			cn.rw.Close()
		}
	}
	clear(c.idle)
}

func (c *Client) key(call *Call) string {
	k := call.Target.Addr
	if call.Target.TLS {
		k = "tls " + k
	}
	if c.opt.Reuse == Sticky {
		k += "\x00" + call.Session
	}
	return k
}

func sessionOf(key string) string {
	for i := range len(key) {
		if key[i] == 0 {
			return key[i+1:]
		}
	}
	return ""
}

// dial opens a connection and stamps what happens on the way.
func (c *Client) dial(ctx context.Context, call *Call, st *Stamps) (*conn, error) {
	host, port, err := net.SplitHostPort(call.Target.Addr)
	if err != nil {
		return nil, err
	}
	st.ConnectStart = Mono()
	addrs := []string{host}
	if net.ParseIP(host) == nil {
		st.DNSStart = Mono()
		ips, err := net.DefaultResolver.LookupHost(ctx, host)
		st.DNSEnd = Mono()
		if err != nil {
			return nil, err
		}
		addrs = order(ips)
	}
	var nc net.Conn
	for _, a := range addrs {
		if nc, err = c.dialer.DialContext(ctx, "tcp", net.JoinHostPort(a, port)); err == nil {
			break
		}
	}
	if err != nil {
		return nil, err
	}
	cn := &conn{key: c.key(call), sock: newSocket(nc, c.opt.Kernel), local: nc.LocalAddr(), remote: nc.RemoteAddr()}
	cn.rw, cn.bufs = cn.sock, &c.bufs
	if call.Target.TLS {
		cfg := c.opt.TLS.Clone()
		if cfg == nil {
			cfg = &tls.Config{}
		}
		if cfg.ServerName == "" {
			cfg.ServerName = call.Target.Hostname()
		}
		cfg.NextProtos = []string{"http/1.1"}
		t := tls.Client(cn.sock, cfg)
		if err := t.HandshakeContext(ctx); err != nil {
			nc.Close()
			return nil, err
		}
		cn.rw, cn.bufs = t, &c.small
	}
	st.ConnectEnd = Mono()
	return cn, nil
}

// order puts IPv4 in front, as AIPerf takes nothing else by default.
func order(ips []string) []string {
	var v4, v6 []string
	for _, ip := range ips {
		if p := net.ParseIP(ip); p != nil && p.To4() != nil {
			v4 = append(v4, ip)
		} else {
			v6 = append(v6, ip)
		}
	}
	return append(v4, v6...)
}
