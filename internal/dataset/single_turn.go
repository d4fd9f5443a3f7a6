package dataset

import (
	"fmt"
	"slices"
	"strings"

	"github.com/valyala/fastjson"

	"aiperf/internal/cli"
	"aiperf/internal/endpoint"
)

// A row is one line of a file as parsed; which fields it may have is its format's business.
type row struct {
	session   string
	at, delay *float64 // ms
	turn      Turn
	length    int64   // wanted prompt tokens, when the text is to be made; 0: the turn has its text
	blocks    []int64 // hash ids of the prompt's blocks
	live      string  // why later turns of its session need live answers; "": they do not
	unknown   string  // a key nobody reads
}

type parser func(o *fastjson.Object) (*row, error)

var singleTurnKeys = []string{"type", "text", "texts", "image", "images", "image_uuids", "audio", "audios", "video", "videos",
	"timestamp", "delay", "role", "session_id", "output_length", "extra"}

// singleTurn reads a row of single_turn: one or several texts, and what goes with them.
func singleTurn(o *fastjson.Object) (*row, error) {
	r := &row{}
	if err := common(o, r); err != nil {
		return nil, err
	}
	var bad error
	o.Visit(func(k []byte, v *fastjson.Value) {
		switch key := string(k); {
		case bad != nil:
		case !slices.Contains(singleTurnKeys, key):
			bad = fmt.Errorf("unknown field %q; did you mean %q?", key, cli.Nearest(key, singleTurnKeys))
		case (strings.HasPrefix(key, "image") || strings.HasPrefix(key, "audio") || strings.HasPrefix(key, "video")) && v.Type() != fastjson.TypeNull:
			bad = fmt.Errorf("%q: images, audio and video are not built yet: only text rows are read", key)
		}
	})
	if bad != nil {
		return nil, bad
	}
	text, texts := present(o, "text"), present(o, "texts")
	switch {
	case text != nil && texts != nil:
		return nil, fmt.Errorf(`"text" and "texts" exclude each other`)
	case text != nil:
		s, err := text.StringBytes()
		if err != nil || len(s) == 0 {
			return nil, fmt.Errorf(`"text" must be a text that is not empty`)
		}
		r.turn.Texts = []string{string(s)}
	case texts != nil:
		items, err := texts.Array()
		if err != nil || len(items) == 0 {
			return nil, fmt.Errorf(`"texts" must be a list that is not empty`)
		}
		for _, item := range items {
			contents := []*fastjson.Value{item}
			if item.Type() == fastjson.TypeObject { // {name, contents}: the name matters to rankings only
				contents = item.GetArray("contents")
			}
			for _, c := range contents {
				s, err := c.StringBytes()
				if err != nil {
					return nil, fmt.Errorf(`"texts" must hold texts or {"name", "contents"}`)
				}
				r.turn.Texts = append(r.turn.Texts, string(s))
			}
		}
	default:
		return nil, fmt.Errorf(`neither "text" nor "texts"`)
	}
	if r.at != nil && r.delay != nil && *r.at != 0 && *r.delay != 0 {
		return nil, fmt.Errorf(`"timestamp" and "delay" exclude each other`)
	}
	if v := present(o, "role"); v != nil {
		s, err := v.StringBytes()
		if err != nil {
			return nil, fmt.Errorf(`"role" must be a text`)
		}
		r.turn.Role = string(s)
	}
	return r, nil
}

// common reads the fields that rows of both formats have.
func common(o *fastjson.Object, r *row) error {
	if v := present(o, "session_id"); v != nil {
		s, err := v.StringBytes()
		if err != nil {
			return fmt.Errorf(`"session_id" must be a text`)
		}
		r.session = string(s)
	}
	for key, to := range map[string]**float64{"timestamp": &r.at, "delay": &r.delay} {
		if v := present(o, key); v != nil {
			f, err := v.Float64()
			if err != nil || f != f || f > 1e18 || f < 0 {
				return fmt.Errorf("%q must be a number of milliseconds, at least 0", key)
			}
			*to = &f
		}
	}
	if v := present(o, "output_length"); v != nil {
		n, err := v.Int64()
		if err != nil || n < 1 {
			return fmt.Errorf(`"output_length" must be a whole number of at least 1`)
		}
		r.turn.MaxTokens = &n
	}
	if v := present(o, "extra"); v != nil {
		if v.Type() != fastjson.TypeObject {
			return fmt.Errorf(`"extra" must be an object`)
		}
		b, err := endpoint.ParseBody(endpoint.Compact(nil, v))
		if err != nil {
			return fmt.Errorf(`"extra": %v`, err)
		}
		r.turn.Extra = b
	}
	return nil
}

// present returns the value of key, nil when it is not there or null.
func present(o *fastjson.Object, key string) *fastjson.Value {
	if v := o.Get(key); v != nil && v.Type() != fastjson.TypeNull {
		return v
	}
	return nil
}
