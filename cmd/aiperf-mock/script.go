package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"aiperf/internal/cli"
)

// A script is the scripted responses; requests take them in turn, and the first follows the last.
type script struct {
	responses []response
	taken     atomic.Int64
}

func (s *script) next() *response {
	return &s.responses[int(s.taken.Add(1)-1)%len(s.responses)]
}

// A response is one request's fate.
type response struct {
	status  int
	headers map[string]string
	raw     bool // the writes begin with the status line
	length  bool // Content-Length instead of chunks
	writes  []write
	end     string // clean, close, reset or hang
}

// A write is bytes that leave together, and when: counted from the request.
type write struct {
	at   time.Duration
	data []byte
}

func (r *response) size() (n int) {
	for _, w := range r.writes {
		n += len(w.data)
	}
	return n
}

// The JSON of an entry and of a chunk's second part; the tool's doc comment explains them.
type entry struct {
	Status  int               `json:"status"`
	Headers map[string]string `json:"headers"`
	Length  bool              `json:"length"`
	Raw     bool              `json:"raw"`
	Chunks  []chunk           `json:"chunks"`
	End     string            `json:"end"`
}

type piece struct {
	Text   *string `json:"text"`
	Base64 []byte  `json:"base64"`
	File   string  `json:"file"`
	Times  *int    `json:"times"`
	Per    string  `json:"per"`
	Every  float64 `json:"every"` // ms
	Reads  string  `json:"reads"`
}

type chunk struct {
	at    float64 // ms
	piece piece
}

func (c *chunk) UnmarshalJSON(b []byte) error {
	var pair []json.RawMessage
	if json.Unmarshal(b, &pair) != nil || len(pair) != 2 {
		return fmt.Errorf("a chunk is [milliseconds, text or object], got %.60s", b)
	}
	if json.Unmarshal(pair[0], &c.at) != nil || c.at < 0 || c.at > longest {
		return fmt.Errorf("a chunk's time is milliseconds from 0 to %g, got %.60s", longest, pair[0])
	}
	var text string
	if json.Unmarshal(pair[1], &text) == nil {
		c.piece.Text = &text
		return nil
	}
	return strict(pair[1], &c.piece)
}

const longest = 86_400_000. // ms, a day

func strict(b []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	return d.Decode(into)
}

// readScript reads a file of entries: one a line, or one JSON array. Files it names are relative to it.
func readScript(name string) (*script, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, cli.Errorf(cli.ExitNoInput, "--script: %w", err)
	}
	var raws []json.RawMessage
	var lines []int
	if trimmed := bytes.TrimSpace(text); bytes.HasPrefix(trimmed, []byte("[")) {
		if err := json.Unmarshal(trimmed, &raws); err != nil {
			return nil, cli.Errorf(cli.ExitData, "%s: %w", name, err)
		}
	} else {
		for i, line := range bytes.Split(text, []byte("\n")) {
			if len(bytes.TrimSpace(line)) > 0 {
				raws, lines = append(raws, line), append(lines, i+1)
			}
		}
	}
	if len(raws) == 0 {
		return nil, cli.Errorf(cli.ExitData, "%s: no responses in it", name)
	}
	s := &script{}
	for i, raw := range raws {
		r, err := compile(raw, filepath.Dir(name))
		if err != nil {
			where := fmt.Sprintf("entry %d", i+1)
			if lines != nil {
				where = strconv.Itoa(lines[i])
			}
			return nil, cli.Errorf(cli.ExitData, "%s:%s: %w", name, where, err)
		}
		s.responses = append(s.responses, *r)
	}
	return s, nil
}

func compile(raw []byte, dir string) (*response, error) {
	e := entry{Status: 200, End: "clean"}
	if err := strict(raw, &e); err != nil {
		return nil, err
	}
	switch e.End {
	case "clean", "close", "reset", "hang":
	default:
		return nil, fmt.Errorf("end %q: want clean, close, reset or hang", e.End)
	}
	if e.Raw && (e.Length || len(e.Headers) > 0) {
		return nil, fmt.Errorf("raw chunks have their own head: no length, no headers")
	}
	if e.Status < 200 || e.Status > 999 {
		return nil, fmt.Errorf("status %d: want 200 to 999", e.Status)
	}
	r := &response{status: e.Status, headers: e.Headers, raw: e.Raw, length: e.Length, end: e.End}
	for i, c := range e.Chunks {
		writes, err := c.piece.writes(dir)
		if err != nil {
			return nil, fmt.Errorf("chunk %d: %w", i+1, err)
		}
		for _, w := range writes {
			w.at += millis(c.at)
			r.writes = append(r.writes, w)
		}
	}
	return r, nil
}

func millis(ms float64) time.Duration { return time.Duration(math.Round(ms * 1e6)) }

// writes makes one write of a piece, or as many as it asks to be split into.
func (p *piece) writes(dir string) ([]write, error) {
	if p.Every < 0 || p.Every > longest {
		return nil, fmt.Errorf("every %g: want milliseconds from 0 to %g", p.Every, longest)
	}
	data := p.Base64
	switch {
	case p.Text != nil:
		data = []byte(*p.Text)
	case p.File != "":
		b, err := os.ReadFile(filepath.Join(dir, p.File))
		if err != nil {
			return nil, err
		}
		data = b
	}
	if p.Times != nil {
		if *p.Times < 0 || *p.Times > bodyLimit/max(len(data), 1) {
			return nil, fmt.Errorf("times %d: out of range", *p.Times)
		}
		data = bytes.Repeat(data, *p.Times)
	}
	if p.Reads != "" {
		return asRead(data, filepath.Join(dir, p.Reads))
	}
	var parts [][]byte
	switch p.Per {
	case "":
		parts = [][]byte{data}
	case "byte":
		parts = bytes.SplitAfter(data, nil)
	case "line":
		parts = bytes.SplitAfter(data, []byte("\n"))
	case "event":
		parts = splitEvents(data)
	default:
		return nil, fmt.Errorf("per %q: want event, line or byte", p.Per)
	}
	var out []write
	for i, part := range parts {
		if len(part) > 0 || p.Per == "" {
			out = append(out, write{millis(p.Every) * time.Duration(i), part})
		}
	}
	return out, nil
}

// splitEvents cuts behind every blank line, whatever ends the lines.
func splitEvents(data []byte) (parts [][]byte) {
	start, lineStart := 0, 0
	for i := 0; i < len(data); i++ {
		if data[i] != '\n' && data[i] != '\r' {
			continue
		}
		blank := i == lineStart && i > start
		if data[i] == '\r' && i+1 < len(data) && data[i+1] == '\n' {
			i++
		}
		lineStart = i + 1
		if blank {
			parts, start = append(parts, data[start:i+1]), i+1
		}
	}
	if start < len(data) {
		parts = append(parts, data[start:])
	}
	return parts
}

// asRead cuts data as a client once read it: lines of "nanoseconds<TAB>bytes", counted from the
// start of the request; lines with no bytes to them are the connection's end.
func asRead(data []byte, name string) (out []write, err error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var before int64
	for i, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		at, size, _ := strings.Cut(strings.TrimSpace(line), "\t")
		ns, err1 := strconv.ParseInt(at, 10, 64)
		n, err2 := strconv.Atoi(size)
		if err1 != nil || err2 != nil || ns < before || n > len(data) {
			return nil, fmt.Errorf("%s:%d: want rising nanoseconds, a tab, and bytes that are there", name, i+1)
		}
		if n <= 0 {
			continue
		}
		out = append(out, write{time.Duration(ns), data[:n]})
		data, before = data[n:], ns
	}
	if len(data) > 0 {
		return nil, fmt.Errorf("%s: %d bytes are left over", name, len(data))
	}
	return out, nil
}
