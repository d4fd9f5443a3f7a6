package endpoint

import (
	"fmt"
	"regexp"
	"strings"
)

var (
	wholeNumber   = regexp.MustCompile(`^-?(0|[1-9][0-9]*)$`)
	decimalNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)\.[0-9]+$`)
)

// ExtraInputs reads --extra-inputs: each text is a JSON object, or key:value pairs split at every
// comma and then at the first colon. Later keys win. Of pairs, true, false, none, null, whole
// numbers and decimals are read as such; all else, exponents and leading zeros too, is text.
func ExtraInputs(list []string) (*Body, error) {
	b := &Body{}
	for _, text := range list {
		text = strings.TrimSpace(text)
		if strings.HasPrefix(text, "{") {
			o, err := ParseBody([]byte(text))
			if err != nil {
				return nil, fmt.Errorf("%s: not a JSON object: %v", text, err)
			}
			b.Merge(o)
			continue
		}
		for _, pair := range strings.Split(text, ",") {
			key, value, ok := strings.Cut(pair, ":")
			if key = strings.TrimSpace(key); !ok || key == "" {
				return nil, fmt.Errorf("%q has no key:value (a value with commas must be given as a JSON object)", pair)
			}
			b.Set(key, coerced(strings.TrimSpace(value)))
		}
	}
	return b, nil
}

func coerced(s string) []byte {
	switch low := strings.ToLower(s); {
	case low == "true" || low == "false":
		return []byte(low)
	case low == "none" || low == "null":
		return []byte("null")
	case wholeNumber.MatchString(s):
		return []byte(s)
	case decimalNumber.MatchString(s):
		return appendNumber(nil, []byte(s))
	}
	return quoted(s)
}
