// Package redact hides secrets in what is written down: headers, options, URLs, command lines.
package redact

import (
	"encoding/json"
	"net/url"
	"strings"
)

// Mark stands where a secret was.
const Mark = "<redacted>"

// secretWords mark the name of a header or option whose value is nobody's business.
var secretWords = strings.Fields(`auth secret password passwd credential cookie apikey api-key api_key
	session signature sas-key access-key private-key subscription-key functions-key csrf xsrf`)

// Secret reports a header or option name whose value must not be written. "token" counts as a word
// of its own or at the end ("X-Auth-Token"), so that token counts stay.
func Secret(name string) bool {
	name = strings.ToLower(name)
	for _, w := range secretWords {
		if strings.Contains(name, w) {
			return true
		}
	}
	return name == "token" || strings.HasSuffix(name, "-token") || strings.HasSuffix(name, "_token")
}

// Pair hides the value of "Name: value" or "name:value" when the name is a secret's.
func Pair(s string) string {
	name, _, ok := strings.Cut(s, ":")
	if ok && Secret(strings.TrimSpace(name)) {
		return name + ":" + Mark
	}
	return s
}

// list hides what is secret in "name:value,name:value" and "url,url". What follows a secret up to the
// next name is still its value.
func list(s string) string {
	var out []string
	hid := false
	for _, part := range strings.Split(s, ",") {
		switch p := Pair(part); {
		case p != part:
			out, hid = append(out, p), true
		case hid && !strings.Contains(part, ":"):
		case strings.Contains(part, "://"), strings.HasPrefix(part, "/") && strings.Contains(part, "?"):
			out, hid = append(out, URL(part)), false
		default:
			out, hid = append(out, part), false
		}
	}
	return strings.Join(out, ",")
}

// URL hides user, password and secret query values.
func URL(s string) string {
	u, err := url.Parse(s)
	if err != nil { // nobody can say what of it is a secret
		scheme, _, _ := strings.Cut(s, "://")
		return scheme + "://" + Mark
	}
	out, hid := u.Scheme+"://", false
	if u.User != nil {
		out, hid = out+Mark+"@", true
	}
	out += u.Host + u.EscapedPath()
	if u.RawQuery != "" {
		pairs := strings.Split(u.RawQuery, "&")
		for i, p := range pairs {
			name, _, _ := strings.Cut(p, "=")
			if d, err := url.QueryUnescape(name); err == nil {
				name = d
			}
			if Secret(name) || strings.EqualFold(name, "key") || strings.EqualFold(name, "sig") {
				pairs[i], hid = strings.SplitN(p, "=", 2)[0]+"="+Mark, true
			}
		}
		out += "?" + strings.Join(pairs, "&")
	}
	if u.Scheme == "" && u.Host == "" { // a path
		out = strings.TrimPrefix(out, "://")
	}
	if !hid {
		return s
	}
	return out
}

// Flag is Secret without the words that ordinary options have too (--num-sessions).
func Flag(name string) bool {
	return Secret(name) && !strings.Contains(strings.ToLower(name), "session")
}

// Value walks the decoded flags of a stage and hides what belongs to a secret name.
func Value(name string, v any) any {
	if Flag(name) {
		return Mark
	}
	switch v := v.(type) {
	case string:
		var m map[string]any
		if strings.HasPrefix(v, "{") && json.Unmarshal([]byte(v), &m) == nil {
			for k := range m {
				if Secret(k) {
					m[k] = Mark
				}
			}
			return compact(m)
		}
		return list(v)
	case []string:
		out := make([]string, len(v))
		for i := range v {
			out[i], _ = Value("", v[i]).(string)
		}
		return out
	case []any:
		for i := range v {
			v[i] = Value("", v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = Value(k, v[k])
		}
	}
	return v
}

func compact(m map[string]any) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(m) != nil {
		return Mark
	}
	return strings.TrimSpace(b.String())
}

// Headers returns a copy with the values of secret names hidden.
func Headers(h map[string]string) map[string]string {
	out := make(map[string]string, len(h))
	for k, v := range h {
		if Secret(k) {
			v = Mark
		}
		out[k] = v
	}
	return out
}
