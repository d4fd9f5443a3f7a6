package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"time"

	"aiperf/internal/cli"
)

// A play is one scripted answer.
type play struct {
	Status  int               `json:"status"`
	Headers map[string]string `json:"headers"`
	Chunks  []line            `json:"chunks"`
	End     string            `json:"end"`
	Raw     bool              `json:"raw"`
}

// A line is one write: [milliseconds after the request, text].
type line struct {
	AtMS float64
	Text string
}

// UnmarshalJSON reads the pair.
func (l *line) UnmarshalJSON(b []byte) error {
	var pair []json.RawMessage
	if err := json.Unmarshal(b, &pair); err != nil || len(pair) != 2 {
		return fmt.Errorf("a chunk is [milliseconds, text]")
	}
	if err := json.Unmarshal(pair[0], &l.AtMS); err != nil {
		return err
	}
	return json.Unmarshal(pair[1], &l.Text)
}

func readScript(name string) ([]play, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, cli.Errorf(cli.ExitNoInput, "%v", err)
	}
	defer f.Close()
	var out []play
	r := bufio.NewReader(f)
	for num := 1; ; num++ {
		b, err := r.ReadBytes('\n')
		if b = bytes.TrimSpace(b); len(b) > 0 {
			p := play{Status: 200, End: "clean"}
			if jerr := json.Unmarshal(b, &p); jerr != nil {
				return nil, cli.Errorf(cli.ExitData, "%s:%d: %v", name, num, jerr)
			}
			switch p.End {
			case "clean", "close", "reset", "hang":
			default:
				return nil, cli.Errorf(cli.ExitData, "%s:%d: end %q: want clean, close, reset or hang", name, num, p.End)
			}
			out = append(out, p)
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, cli.Errorf(cli.ExitIO, "%s: %v", name, err)
		}
	}
	if len(out) == 0 {
		return nil, cli.Errorf(cli.ExitData, "%s: no answers", name)
	}
	return out, nil
}

func (p *play) run(x *exchange, st *stats) error {
	if !p.Raw {
		ct := p.Headers["Content-Type"]
		if ct == "" {
			ct = "application/json"
		}
		h := head(p.Status, ct, x.keep)
		for k, v := range p.Headers {
			if k != "Content-Type" {
				h = append(h, k+": "+v+"\r\n"...)
			}
		}
		h = append(h, "Transfer-Encoding: chunked\r\n\r\n"...)
		if _, err := x.c.Write(h); err != nil {
			return err
		}
	}
	for _, l := range p.Chunks {
		if d := time.Duration(l.AtMS*1e6) - time.Since(x.read); d > 0 {
			time.Sleep(d)
		}
		data := []byte(l.Text)
		if !p.Raw {
			data = fmt.Appendf(nil, "%x\r\n%s\r\n", len(l.Text), l.Text)
		}
		if len(l.Text) > 0 {
			if _, err := x.c.Write(data); err != nil {
				return err
			}
		}
		st.events.Add(1)
	}
	switch p.End {
	case "clean":
		if p.Raw {
			return nil
		}
		_, err := x.c.Write([]byte("0\r\n\r\n"))
		return err
	case "reset":
		if t, ok := x.c.(*net.TCPConn); ok {
			_ = t.SetLinger(0)
		}
	case "hang":
		_, _ = x.c.Read(make([]byte, 1)) // until the client leaves
		st.disconnects.Add(1)
	}
	x.ended = true
	return nil
}
