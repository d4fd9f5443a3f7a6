package main

import (
	"encoding/json"
	"fmt"

	"aiperf/internal/judge"
	"aiperf/schema"
)

// A plan holds when a replay's requests were to be sent, ns from the start of the schedule: of
// request lines by session and turn, of a trace by the session that its line became.
type plan struct {
	requests map[turn]int64
	rows     map[string]int64 // by conversation_id
	file     string
	row      int
}

type turn struct {
	phase   string
	session string
	index   int
}

func (p *plan) request(line []byte) error {
	var r struct {
		Phase          string `json:"phase"`
		ConversationID string `json:"conversation_id"`
		TurnIndex      int    `json:"turn_index"`
		AtNS           *int64 `json:"at_ns"`
	}
	if err := json.Unmarshal(line, &r); err != nil {
		return err
	}
	if r.AtNS != nil && r.ConversationID != "" {
		if p.requests == nil {
			p.requests = map[turn]int64{}
		}
		p.requests[turn{r.Phase, r.ConversationID, r.TurnIndex}] = *r.AtNS
	}
	return nil
}

// trace takes a line of a trace file (mooncake: timestamp in ms, input_length or text); false: it is none.
func (p *plan) trace(file string, line []byte) bool {
	var r struct {
		Timestamp   *float64 `json:"timestamp"`
		SessionID   string   `json:"session_id"`
		InputLength *int64   `json:"input_length"`
		TextInput   *string  `json:"text_input"`
		Messages    []any    `json:"messages"`
	}
	if json.Unmarshal(line, &r) != nil || r.Timestamp == nil || r.InputLength == nil && r.TextInput == nil && r.Messages == nil {
		return false
	}
	if file != p.file {
		p.file, p.row = file, 0
	}
	if p.rows == nil {
		p.rows = map[string]int64{}
	}
	id := r.SessionID
	if id == "" {
		id = fmt.Sprintf("session_%06d", p.row)
	}
	if _, dup := p.rows[id]; !dup {
		p.rows[id] = int64(*r.Timestamp * 1e6)
	}
	p.row++
	return true
}

// schedule sets the sample's planned time where it has none. Only differences of planned times count.
func (p *plan) schedule(s *judge.Sample) {
	if s.ScheduledNS != nil {
		return
	}
	m := &s.Metadata
	index := 0
	if m.TurnIndex != nil {
		index = *m.TurnIndex
	}
	for _, phase := range []string{m.BenchmarkPhase, ""} {
		if at, ok := p.requests[turn{phase, m.ConversationID, index}]; ok {
			s.ScheduledNS = &at
			return
		}
	}
	if at, ok := p.rows[m.ConversationID]; ok && index == 0 && m.BenchmarkPhase == schema.PhaseProfiling {
		s.ScheduledNS = &at
	}
}
