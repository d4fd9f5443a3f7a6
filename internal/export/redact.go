package export

import (
	"encoding/json"
	"net/url"
	"strings"
)

const redacted = "<redacted>"

// secretWords mark the name of a header or option whose value is nobody's business.
var secretWords = strings.Fields(`auth secret password passwd credential cookie apikey api-key api_key
	session signature sas-key access-key private-key subscription-key functions-key csrf xsrf`)

// secret reports a header or option name whose value must not be written. "token" counts as a word
// of its own or at the end ("X-Auth-Token"), so that token counts stay.
func secret(name string) bool {
	name = strings.ToLower(name)
	for _, w := range secretWords {
		if strings.Contains(name, w) {
			return true
		}
	}
	return name == "token" || strings.HasSuffix(name, "-token") || strings.HasSuffix(name, "_token")
}

// redactPair hides the value of "Name: value" or "name:value" when the name is a secret's.
func redactPair(s string) string {
	name, _, ok := strings.Cut(s, ":")
	if ok && secret(strings.TrimSpace(name)) {
		return name + ":" + redacted
	}
	return s
}

// redactURL hides user, password and secret query values.
func redactURL(s string) string {
	u, err := url.Parse(s)
	if err != nil {
		return s
	}
	out, hid := u.Scheme+"://", false
	if u.User != nil {
		out, hid = out+redacted+"@", true
	}
	out += u.Host + u.EscapedPath()
	if u.RawQuery != "" {
		query := u.RawQuery
		for name := range u.Query() {
			if secret(name) || strings.EqualFold(name, "key") {
				query, hid = redacted, true
			}
		}
		out += "?" + query
	}
	if !hid {
		return s
	}
	return out
}

// secretFlag is secret without the words that ordinary options have too (--num-sessions).
func secretFlag(name string) bool {
	return secret(name) && !strings.Contains(strings.ToLower(name), "session")
}

// redact walks the decoded flags of a stage and hides what belongs to a secret name.
func redact(name string, v any) any {
	if secretFlag(name) {
		return redacted
	}
	switch v := v.(type) {
	case string:
		var m map[string]any
		if strings.HasPrefix(v, "{") && json.Unmarshal([]byte(v), &m) == nil {
			for k := range m {
				if secret(k) {
					m[k] = redacted
				}
			}
			return string(compact(m))
		}
		if strings.Contains(v, "://") {
			return redactURL(v)
		}
		return redactPair(v)
	case []any:
		for i := range v {
			v[i] = redact("", v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = redact(k, v[k])
		}
	}
	return v
}
