package aiperf

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// tools are the commands in cmd/.
func tools(t *testing.T) []string {
	t.Helper()
	entries, err := os.ReadDir("cmd")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// missing is the first tool of the pipeline that a command line calls and cmd/ lacks; "" is none.
func missing(t *testing.T, command string) string {
	have := tools(t)
	for _, word := range strings.FieldsFunc(command, func(r rune) bool {
		return r != '-' && r != '/' && r != '.' && (r < 'a' || r > 'z')
	}) {
		if strings.HasPrefix(word, "aiperf-") && !slices.Contains(have, word) {
			return word
		}
	}
	return ""
}
