package transport

import (
	"fmt"
	"net"
	"net/url"
	"strings"

	"aiperf/internal/redact"
)

// A Target is a base URL that calls go to.
type Target struct {
	base *url.URL
	Addr string // host:port to dial
	TLS  bool
}

// ParseTarget reads a base URL; "http://" is assumed when there is no scheme.
func ParseTarget(text string) (*Target, error) {
	if text == "" || strings.ContainsAny(text, " \t\r\n") {
		return nil, fmt.Errorf("url %q: empty or with white space", redact.URL(text))
	}
	if !strings.Contains(text, "://") {
		text = "http://" + text
	}
	u, err := url.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("url %q does not parse", redact.URL(text)) // the library's words hold the whole of it
	}
	if u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("url %q: only http and https", redact.URL(text))
	}
	if u.Hostname() == "" {
		return nil, fmt.Errorf("url %q: no host", redact.URL(text))
	}
	t := &Target{base: u, TLS: u.Scheme == "https"}
	port := u.Port()
	if port == "" {
		port = map[bool]string{false: "80", true: "443"}[t.TLS]
	}
	t.Addr = net.JoinHostPort(u.Hostname(), port)
	return t, nil
}

// Host is the value of the Host header.
func (t *Target) Host() string { return t.base.Host }

// Hostname is the host without its port, for TLS.
func (t *Target) Hostname() string { return t.base.Hostname() }

// String is the base URL without credentials.
func (t *Target) String() string { return hide(t.base) }

func hide(u *url.URL) string {
	c := *u
	c.User = nil
	return redact.URL(c.String())
}

// UserInfo is the credentials of the URL, or nil.
func (t *Target) UserInfo() *url.Userinfo { return t.base.User }

// Join puts an endpoint's path behind the base path: one slash between, a base that already ends with
// the whole path is left alone, and of /v1 + v1/... one v1 stays. Query values keep one value a name.
func (t *Target) Join(path string) (requestURI, full string) {
	u := *t.base
	path, query, _ := strings.Cut(path, "?")
	base := strings.TrimRight(u.Path, "/")
	end := strings.TrimLeft(path, "/")
	switch {
	case end == "":
		if base != "" {
			u.Path = base
		}
	case strings.HasSuffix(base, "/"+end):
		u.Path = base
	case strings.HasSuffix(base, "/v1") && strings.HasPrefix(end, "v1/"):
		u.Path = base + strings.TrimPrefix(end, "v1")
	default:
		u.Path = base + "/" + end
	}
	u.RawPath = ""
	u.RawQuery = mergeQuery(u.RawQuery, query)
	return u.RequestURI(), hide(&u)
}

// mergeQuery re-encodes the parameters in order, the last value of a name in its first place.
func mergeQuery(parts ...string) string {
	var names []string
	vals := map[string]string{}
	for _, q := range parts {
		for _, kv := range strings.Split(q, "&") {
			if kv == "" {
				continue
			}
			k, v, _ := strings.Cut(kv, "=")
			if d, err := url.QueryUnescape(k); err == nil {
				k = d
			}
			if d, err := url.QueryUnescape(v); err == nil {
				v = d
			}
			if _, ok := vals[k]; !ok {
				names = append(names, k)
			}
			vals[k] = v
		}
	}
	var b strings.Builder
	for i, k := range names {
		if i > 0 {
			b.WriteByte('&')
		}
		b.WriteString(url.QueryEscape(k) + "=" + url.QueryEscape(vals[k]))
	}
	return b.String()
}
