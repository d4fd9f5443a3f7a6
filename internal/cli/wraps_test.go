package cli

import (
	"slices"
	"testing"
)

func TestFlagsOfAWrappedCommandAreItsOwn(t *testing.T) {
	flags := []Flag{{Name: "fast", Type: Bool}, {Name: "ttft", Type: Millis}}
	args := []string{"--ttft", "5", "sh", "-c", "exit 3", "--fast"}
	for _, tt := range []struct {
		name  string
		wraps bool
		want  []string
	}{
		{"a wrapping tool leaves what follows the command alone", true, []string{"--ttft", "5", "--", "sh", "-c", "exit 3", "--fast"}},
		{"any other tool takes flags behind its arguments", false, []string{"--ttft", "5", "-c", "--fast", "--", "sh", "exit 3"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := permute(&Tool{Flags: flags, Wraps: tt.wraps}, args); !slices.Equal(got, tt.want) {
				t.Errorf("permute(%q) = %q, want %q", args, got, tt.want)
			}
		})
	}
}
