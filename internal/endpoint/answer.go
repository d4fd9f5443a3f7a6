// Package endpoint knows the APIs: what a request body holds and what an answer says.
package endpoint

import "github.com/valyala/fastjson"

// A Chunk is what one message of an answer holds. Values and slices live as long as the parsed message.
type Chunk struct {
	Content   bool // a content response: sets the latencies, even with empty text
	Output    bool // it has non-reasoning text
	Text      []byte
	Prose     []byte // text beside a tool call, which 0.13.0 does not count
	Reasoning []byte
	NoObject  bool // content read although the chunk does not name its object
	Usage     *fastjson.Value
	Spec      *fastjson.Value
	End       bool            // the API's end signal
	Error     *fastjson.Value // an error object in place of an answer
	Images    int64
	VideoSecs *float64
	VideoMB   *float64
	Bad       string // why the whole answer is unusable
}

// An Answer reads the messages of one answer in order.
type Answer struct {
	Type   string // endpoint type
	Query  string // response_field of raw and template
	Stream bool   // the answer is an event stream
	deltas map[[2]int64]bool
	tools  []byte
}

// HasEnd says whether a stream of this type has an end signal to miss.
func (a *Answer) HasEnd() bool {
	switch a.Type {
	case "chat", "completions", "responses", "messages", "huggingface_generate":
		return true
	}
	return false
}

// PlainText says whether a body that is not JSON is an answer.
func (a *Answer) PlainText() bool {
	return a.Type == "raw" || a.Type == "template" || a.Type == "audio_transcription"
}

// Read takes one JSON message.
func (a *Answer) Read(v *fastjson.Value, c *Chunk) {
	if e := v.Get("error"); e != nil && (e.Type() == fastjson.TypeObject || e.Type() == fastjson.TypeString && len(e.GetStringBytes()) > 0) {
		c.Error = e
	}
	switch a.Type {
	case "completions":
		a.completions(v, c)
	case "responses":
		a.responses(v, c)
	case "messages":
		a.messages(v, c)
	case "huggingface_generate":
		a.generate(v, c)
	case "raw", "template":
		a.free(v, c)
	case "embeddings", "nim_embeddings", "chat_embeddings":
		a.embeddings(v, c)
	case "cohere_rankings", "nim_rankings", "hf_tei_rankings":
		rankings(a.Type, v, c)
	case "solido_rag":
		text(v.Get("content"), c)
	case "image_generation", "image_edit", "video_generation":
		media(v, c)
	case "image_retrieval":
		if d := v.Get("data"); d != nil && d.Type() != fastjson.TypeNull {
			c.Content = true
		}
	case "audio_transcription":
		text(v.Get("text"), c)
		c.Usage = v.Get("usage")
	default:
		a.chat(v, c)
	}
}

// str is a string's bytes, nil for anything else.
func str(v *fastjson.Value) []byte {
	if v == nil || v.Type() != fastjson.TypeString {
		return nil
	}
	return v.GetStringBytes()
}

func text(v *fastjson.Value, c *Chunk) {
	if b := str(v); len(b) > 0 {
		c.Content, c.Output, c.Text = true, true, b
	}
}

func first(v *fastjson.Value, key string) *fastjson.Value {
	if a := v.GetArray(key); len(a) > 0 {
		return a[0]
	}
	return nil
}
