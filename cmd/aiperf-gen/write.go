package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"math"
	"os"
	"strings"
	"time"

	"github.com/valyala/fastjson"

	"aiperf/internal/cli"
	"aiperf/internal/dataset"
	"aiperf/internal/endpoint"
	"aiperf/internal/stream"
	"aiperf/schema"
)

var paths = map[string]string{"chat": "/v1/chat/completions", "completions": "/v1/completions"}

var began = time.Now()

// write is the whole stream. Request lines carry no run_id, so one seed gives the same bytes.
func (p *plan) write(ctx context.Context, out *stream.Writer) error {
	if err := out.Write(p.run()); err != nil {
		return err
	}
	for i := range p.phases {
		var err error
		if ph := &p.phases[i]; ph.fixed {
			err = p.schedule(ctx, out, ph)
		} else {
			err = p.sampled(ctx, out, ph)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (p *plan) run() *schema.Run {
	var id [8]byte
	_, _ = rand.Read(id[:])
	config := p.c.Config()
	config["random-seed"] = p.root.Seed
	config["tokenizer"] = p.tok.Name()
	if note := p.tok.Note(); note != "" {
		config["tokenizer-note"] = note
	}
	data, err := json.Marshal(config)
	if err != nil {
		data = nil
	}
	host, _ := os.Hostname()
	now := time.Now()
	return &schema.Run{Kind: schema.KindRun, Schema: schema.Version, Tool: "aiperf-gen", Version: cli.Version, RunID: hex.EncodeToString(id[:]),
		CLICommand: command(p.env.Args), Config: data, Hostname: host, StartNS: now.UnixNano(), StartPerfNS: now.Sub(began).Nanoseconds(), Tokenizer: p.tok.Name()}
}

// command is the command line as a shell would take it.
func command(args []string) string {
	var b strings.Builder
	b.WriteString("aiperf-gen")
	for _, a := range args {
		b.WriteByte(' ')
		if a == "" || strings.ContainsAny(a, " \t\n\"'\\$`*?[]{}()<>|&;#~!") {
			a = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
		}
		b.WriteString(a)
	}
	return b.String()
}

// sampled writes a phase whose conversations the sampler picks, one after another.
func (p *plan) sampled(ctx context.Context, out *stream.Writer, ph *phase) error {
	sent, at := int64(0), int64(0)
	for session := int64(0); ph.count < 0 || sent < ph.count; session++ {
		conv, err := p.source.Conversation(p.sample())
		if err != nil {
			return err
		}
		for i := range conv.Turns {
			if ph.count >= 0 && sent >= ph.count {
				break
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			t := &conv.Turns[i]
			r, err := p.request(conv, t, ph)
			if err != nil {
				return err
			}
			r.SessionNum, r.TurnIndex = session, i
			r.Final = i == len(conv.Turns)-1 || sent+1 == ph.count
			if i > 0 && t.DelayMS != nil {
				r.DelayNS = ns(*t.DelayMS)
			}
			if ph.gaps != nil {
				gap := ph.gaps()
				if at += gap; ph.until > 0 && at > ph.until {
					return nil
				}
				r.TickNS = &gap
			}
			if err := out.Write(r); err != nil {
				return err
			}
			sent++
		}
	}
	return nil
}

// schedule writes every row of the file, each at its own time.
func (p *plan) schedule(ctx context.Context, out *stream.Writer, ph *phase) error {
	return p.rows.Schedule(p.zero, func(s *dataset.Planned) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		r, err := p.request(s.Conversation, s.Turn, ph)
		if err != nil {
			return err
		}
		r.SessionNum, r.TurnIndex, r.Final = int64(s.Session), s.Index, s.Final
		switch {
		case s.AtMS != nil:
			r.AtNS = ns(*s.AtMS)
		case s.Turn.DelayMS != nil:
			r.DelayNS = ns(*s.Turn.DelayMS)
		}
		return out.Write(r)
	})
}

func (p *plan) request(conv *dataset.Conversation, t *dataset.Turn, ph *phase) (*schema.Request, error) {
	r := &schema.Request{Kind: schema.KindRequest, Phase: ph.name, ConversationID: conv.ID, ContextMode: conv.Mode, EndpointType: p.api,
		Path: paths[p.api], Streaming: p.options.Streaming, Model: t.Model, ISL: t.ISL, PrefixBlocks: t.PrefixBlocks}
	switch {
	case t.Payload != nil:
		r.Payload, r.Model = t.Payload, fastjson.GetString(t.Payload, "model")
	case p.api == "chat":
		r.Payload, r.RequestedOSL = endpoint.ChatRequest(&t.Message, &p.options), t.MaxTokens
	case t.Messages != nil:
		return nil, cli.Errorf(cli.ExitData, "%s: rows of messages need --endpoint-type chat", p.c.String("input-file"))
	default:
		r.Payload, r.RequestedOSL = endpoint.CompletionsRequest(&t.Message, &p.options), t.MaxTokens
	}
	return r, nil
}

func ns(ms float64) *int64 {
	n := int64(math.Round(ms * 1e6))
	return &n
}

// closingWords says what did not come out as asked.
func (p *plan) closingWords() {
	if n := p.prompts.Missed; n > 0 {
		p.say("%d prompts could not be made of the length asked for; their isl says how long they are", n)
	}
}
