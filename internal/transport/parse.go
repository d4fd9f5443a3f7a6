package transport

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

var errEOF = io.EOF

// maxHead bounds the head of an answer.
const maxHead = 4 << 20

// errMalformed is an answer that is not HTTP/1.
var errMalformed = errors.New("malformed HTTP response")

// A Header is one field of an answer, in order, as it came.
type Header struct{ Name, Value string }

// parser takes an answer apart as it comes, whatever the pieces are.
type parser struct {
	head   []byte
	inBody bool
	done   bool

	minor   int // HTTP/1.minor
	status  int
	reason  string
	headers []Header

	framing framing
	left    int64 // of the chunk or of the content length
	chunk   chunkState
	line    []byte
	close   bool // the connection cannot be kept
}

type framing int

const (
	byLength framing = iota
	byChunks
	byClose
)

type chunkState int

const (
	chunkSize chunkState = iota
	chunkData
	chunkEnd
	chunkTrailer
)

// feed takes the bytes of one read and appends what belongs to the body to body. headDone is true when
// this call completed the head; rest is what came behind the end of the answer.
func (p *parser) feed(b, body []byte) (out []byte, headDone bool, rest []byte, err error) {
	for !p.inBody {
		start := max(len(p.head)-3, 0)
		p.head = append(p.head, b...)
		end := headEnd(p.head, start)
		if end < 0 {
			if len(p.head) > maxHead {
				return body, false, nil, fmt.Errorf("%w: the head is longer than %d bytes", errMalformed, maxHead)
			}
			if len(p.head) >= 5 && !bytes.HasPrefix(p.head, []byte("HTTP/")) {
				return body, false, nil, fmt.Errorf("%w: %.40q", errMalformed, p.head)
			}
			return body, false, nil, nil
		}
		b = bytes.Clone(p.head[end:])
		head := p.head[:end]
		p.head = nil
		if err := p.parseHead(head); err != nil {
			return body, false, nil, err
		}
		if p.status >= 100 && p.status < 200 && p.status != 101 { // 100-continue and the like
			p.headers = nil
			continue
		}
		p.inBody, headDone = true, true
		if err := p.choose(); err != nil {
			return body, true, nil, err
		}
	}
	out, rest, err = p.feedBody(b, body)
	return out, headDone, rest, err
}

// headEnd returns the offset behind the blank line, -1 if there is none yet.
func headEnd(b []byte, from int) int {
	for i := from; i < len(b); i++ {
		if b[i] != '\n' {
			continue
		}
		if i+1 < len(b) && b[i+1] == '\n' {
			return i + 2
		}
		if i+2 < len(b) && b[i+1] == '\r' && b[i+2] == '\n' {
			return i + 3
		}
	}
	return -1
}

func (p *parser) parseHead(b []byte) error {
	lines := strings.Split(string(b), "\n")
	first := strings.TrimRight(lines[0], "\r")
	proto, rest, _ := strings.Cut(first, " ")
	if proto != "HTTP/1.1" && proto != "HTTP/1.0" {
		return fmt.Errorf("%w: %.60q", errMalformed, first)
	}
	p.minor = int(proto[7] - '0')
	code, reason, _ := strings.Cut(strings.TrimLeft(rest, " "), " ")
	n, err := strconv.Atoi(code)
	if err != nil || n < 100 || n > 999 {
		return fmt.Errorf("%w: status %.20q", errMalformed, code)
	}
	p.status, p.reason = n, strings.TrimSpace(reason)
	for _, l := range lines[1:] {
		l = strings.TrimRight(l, "\r")
		if l == "" {
			continue
		}
		if (l[0] == ' ' || l[0] == '\t') && len(p.headers) > 0 { // a folded line (obsolete)
			p.headers[len(p.headers)-1].Value += " " + strings.TrimSpace(l)
			continue
		}
		name, value, ok := strings.Cut(l, ":")
		if !ok || name == "" {
			return fmt.Errorf("%w: header line %.60q", errMalformed, l)
		}
		p.headers = append(p.headers, Header{name, strings.TrimSpace(value)})
	}
	return nil
}

// get returns the last value of a header, "" when it is absent.
func (p *parser) get(name string) string {
	v := ""
	for _, h := range p.headers {
		if strings.EqualFold(h.Name, name) {
			v = h.Value
		}
	}
	return v
}

// choose finds how the body ends (RFC 9112, 6.3).
func (p *parser) choose() error {
	conn := strings.ToLower(p.get("Connection"))
	p.close = strings.Contains(conn, "close") || p.minor == 0 && !strings.Contains(conn, "keep-alive")
	if p.status == 204 || p.status == 304 {
		p.done = true
		return nil
	}
	if te := p.get("Transfer-Encoding"); te != "" {
		if !strings.EqualFold(te, "chunked") {
			return fmt.Errorf("%w: transfer-encoding %q", errMalformed, te)
		}
		p.framing = byChunks
		return nil
	}
	if cl := p.get("Content-Length"); cl != "" {
		n, err := strconv.ParseInt(cl, 10, 64)
		if err != nil || n < 0 {
			return fmt.Errorf("%w: content-length %q", errMalformed, cl)
		}
		p.left, p.done = n, n == 0
		return nil
	}
	p.framing, p.close = byClose, true
	return nil
}

func (p *parser) feedBody(b, body []byte) (out, rest []byte, err error) {
	for len(b) > 0 && !p.done {
		switch {
		case p.framing == byClose:
			return append(body, b...), nil, nil
		case p.framing == byLength:
			n := min(int64(len(b)), p.left)
			body, b = append(body, b[:n]...), b[n:]
			p.left -= n
			p.done = p.left == 0
		case p.chunk == chunkData:
			n := min(int64(len(b)), p.left)
			body, b = append(body, b[:n]...), b[n:]
			p.left -= n
			if p.left == 0 {
				p.chunk = chunkEnd
			}
		default:
			i := bytes.IndexByte(b, '\n')
			if i < 0 {
				p.line, b = append(p.line, b...), nil
				if len(p.line) > 64<<10 {
					return body, nil, fmt.Errorf("%w: a chunk line without end", errMalformed)
				}
				break
			}
			line := b[:i]
			if len(p.line) > 0 {
				line = append(p.line, line...)
				p.line = p.line[:0]
			}
			b = b[i+1:]
			if err := p.chunkLine(bytes.TrimRight(line, "\r")); err != nil {
				return body, nil, err
			}
		}
	}
	return body, b, nil
}

func (p *parser) chunkLine(line []byte) error {
	switch p.chunk {
	case chunkSize:
		size, _, _ := bytes.Cut(line, []byte(";"))
		n, err := strconv.ParseInt(string(bytes.TrimSpace(size)), 16, 64)
		if err != nil || n < 0 {
			return fmt.Errorf("%w: chunk size %.40q", errMalformed, line)
		}
		p.left, p.chunk = n, chunkData
		if n == 0 {
			p.chunk = chunkTrailer
		}
	case chunkEnd:
		if len(line) != 0 {
			return fmt.Errorf("%w: a chunk is longer than its size", errMalformed)
		}
		p.chunk = chunkSize
	case chunkTrailer:
		p.done = len(line) == 0
	}
	return nil
}

// end says whether an answer that stops here is whole.
func (p *parser) end() bool { return p.done || p.inBody && p.framing == byClose }
