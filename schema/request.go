package schema

import "encoding/json"

// A Request is one call to be made: written by aiperf-gen, fired by aiperf-send.
//
// When to fire is any of AtNS, DelayNS and TickNS; the latest wins, and none means as soon as there
// is a free slot. The body is exactly one of Payload, Parts and BodyB64.
type Request struct {
	Kind  string `json:"kind"` // "request"
	RunID string `json:"run_id,omitempty"`

	Phase          string `json:"phase,omitempty"` // PhaseWarmup or PhaseProfiling; absent: aiperf-send's warmup bounds decide
	SessionNum     int64  `json:"session_num"`     // counts sessions from 0 within the phase
	ConversationID string `json:"conversation_id,omitempty"`
	TurnIndex      int    `json:"turn_index"`
	Final          bool   `json:"final"`                  // the last turn of its session
	ContextMode    string `json:"context_mode,omitempty"` // how earlier turns and answers enter this one

	EndpointType string            `json:"endpoint_type"`     // "chat"
	Path         string            `json:"path,omitempty"`    // joined to the base URL; absent: the endpoint type's own
	Headers      map[string]string `json:"headers,omitempty"` // the turn's own
	Streaming    bool              `json:"streaming"`

	AtNS          *int64 `json:"at_ns,omitempty"`           // interval from the start of the phase
	DelayNS       *int64 `json:"delay_ns,omitempty"`        // interval after the previous turn's end
	TickNS        *int64 `json:"tick_ns,omitempty"`         // arrival gap; the gaps of a phase are one sequence, the next ready turn takes the next one
	CancelAfterNS *int64 `json:"cancel_after_ns,omitempty"` // interval from the body written

	Payload json.RawMessage `json:"payload,omitempty"` // sent byte for byte as it stands in the line
	Parts   []Part          `json:"parts,omitempty"`   // multipart/form-data, in order
	BodyB64 []byte          `json:"body_b64,omitempty"`

	Model                string        `json:"model,omitempty"`
	RequestedOSL         *int64        `json:"requested_osl,omitempty"` // the output cap asked for, tokens
	ISL                  *int64        `json:"isl,omitempty"`           // the generator's own count of prompt tokens
	AudioDurationSeconds *float64      `json:"audio_duration_seconds,omitempty"`
	NumImages            *int64        `json:"num_images,omitempty"`
	PrefixBlocks         *PrefixBlocks `json:"prefix_blocks,omitempty"`
}

// A Part is one part of a multipart body: a field (Text) or a file (DataB64 with FileName).
type Part struct {
	Name        string  `json:"name"`
	ContentType string  `json:"content_type,omitempty"`
	FileName    string  `json:"file_name,omitempty"`
	Text        *string `json:"text,omitempty"`
	DataB64     []byte  `json:"data_b64,omitempty"`
}

// PrefixBlocks counts the prompt blocks that an infinite prefix cache would have held already.
type PrefixBlocks struct {
	Hit   int64 `json:"hit" parquet:"hit"`
	Total int64 `json:"total" parquet:"total"`
}
