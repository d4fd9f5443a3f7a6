package main

import "encoding/json"

type object = map[string]any

// document appends an object of JSON, in front of which the stamp stands when there is one.
func (a *answer) document(dst []byte, o object) []byte {
	b, _ := json.Marshal(o) // strings and numbers
	if a.stamp {
		dst = append(append(dst, '{'), stampKey...)
		a.stamps = append(a.stamps, len(dst))
		dst = append(append(dst, stampZero...), ',')
		b = b[1:]
	}
	return append(dst, b...)
}

// named appends an event that has a name, which its data repeats as their type.
func (a *answer) named(dst []byte, name string, data object) []byte {
	data["type"] = name
	dst = append(append(append(dst, "event: "...), name...), "\ndata: "...)
	return append(a.document(dst, data), "\n\n"...)
}

// said joins the words of the tokens from up to to.
func (a *answer) said(from, to int) string { return string(a.text(nil, from, to)) }
