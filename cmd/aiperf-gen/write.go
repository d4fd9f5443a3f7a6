package main

import (
	"context"
	"encoding/json"
	"math"
	"strconv"

	"github.com/valyala/fastjson"

	"aiperf/internal/cli"
	"aiperf/internal/dataset"
	"aiperf/internal/endpoint"
	"aiperf/internal/stream"
	"aiperf/schema"
)

var paths = map[string]string{"chat": "/v1/chat/completions", "completions": "/v1/completions"}

// write is the whole stream. Request lines carry no run_id, so one seed gives the same bytes.
func (p *plan) write(ctx context.Context, out *stream.Writer) error {
	run, err := p.run()
	if err != nil {
		return err
	}
	if err := out.Write(run); err != nil {
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

// run is our run line: the seed and the tokenizer in its config are those in effect.
func (p *plan) run() (schema.Run, error) {
	r := cli.RunLine(p.env, p.c, "")
	r.Tokenizer, r.TokenizerNote = p.tok.Name(), p.tok.Note()
	config := map[string]json.RawMessage{}
	if err := json.Unmarshal(r.Config, &config); err != nil {
		return r, err
	}
	config["random-seed"] = strconv.AppendUint(nil, p.root.Seed, 10)
	name, err := json.Marshal(r.Tokenizer)
	if err != nil {
		return r, err
	}
	config["tokenizer"] = name
	r.Config, err = json.Marshal(config)
	return r, err
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
