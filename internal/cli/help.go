package cli

import (
	"fmt"
	"slices"
	"strings"
)

const helpWidth = 100

// showHelp is what --help becomes on its way through the library, which would print its own.
const showHelp = "show-our-help"

// words is what stands for a flag's value in the help.
var words = map[Type]string{
	String: "TEXT", Int: "N", Float: "X", Enum: "WORD", Path: "PATH", Strings: "LIST", Ints: "N,...", Floats: "X,...",
	Pairs: "NAME:VALUE", Seconds: "SECONDS", Millis: "MS",
}

// help is the tool's help text: what it does, then its flags by group with their defaults and limits.
func (t *Tool) help(prog string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s - %s\n\nUsage: %s [FLAG...]", prog, t.Usage, prog)
	if t.ArgsUsage != "" {
		fmt.Fprintf(&b, " %s", t.ArgsUsage)
	}
	b.WriteString("\n")
	if d := strings.TrimSpace(t.Description); d != "" {
		fmt.Fprintf(&b, "\n%s\n", d)
	}
	if len(t.Commands) > 0 {
		b.WriteString("\nCommands:\n")
		for _, c := range t.Commands {
			fmt.Fprintf(&b, "  %-12s %s\n", c.Name, c.Usage)
		}
	}
	var groups []string
	for _, f := range t.Flags {
		if !f.hidden() && !slices.Contains(groups, f.Group) {
			groups = append(groups, f.Group)
		}
	}
	for _, g := range groups {
		title := g
		if title == "" {
			title = "Flags"
		}
		fmt.Fprintf(&b, "\n%s:\n", title)
		for _, f := range t.Flags {
			if f.Group == g && !f.hidden() {
				fmt.Fprintf(&b, "  %s\n%s", f.synopsis(), indent(f.about()))
			}
		}
	}
	b.WriteString("\nHelp:\n  -h, --help\n        print this\n  --version\n        print version, commit and Go version\n")
	return b.String()
}

func (f *Flag) hidden() bool { return f.Hidden || f.Refuse != "" }

// synopsis is "-o, --output PATH".
func (f *Flag) synopsis() string {
	names := []string{"--" + f.Name}
	for _, a := range f.Aliases {
		if len(a) == 1 {
			names = append([]string{"-" + a}, names...)
		} else {
			names = append(names, "--"+a)
		}
	}
	if f.Negative != "" {
		names = append(names, "--"+f.Negative)
	}
	s := strings.Join(names, ", ")
	if f.Type != Bool {
		s += " " + words[f.Type]
	}
	return s
}

// about is what the flag does, its choices, limits, default and environment variable.
func (f *Flag) about() string {
	var notes []string
	if len(f.Choices) > 0 {
		notes = append(notes, "one of "+strings.Join(f.Choices, ", "))
	}
	if f.Limits != "" {
		notes = append(notes, f.Limits)
	}
	switch {
	case f.Type == Bool && f.Default == "true":
		notes = append(notes, "on by default")
	case f.Type == Bool:
	case f.Default != "":
		notes = append(notes, "default "+f.Default)
	case f.InEffect != "":
		notes = append(notes, "default: "+f.InEffect)
	}
	if f.Env != "" {
		notes = append(notes, "$"+f.Env)
	}
	s := f.Usage
	if len(notes) > 0 {
		s += " (" + strings.Join(notes, "; ") + ")"
	}
	return strings.TrimSpace(s)
}

// indent wraps a sentence below its flag.
func indent(s string) string {
	const margin = "        "
	var b strings.Builder
	line := margin
	for _, w := range strings.Fields(s) {
		if len(line)+len(w)+1 > helpWidth && line != margin {
			b.WriteString(line + "\n")
			line = margin
		}
		if line != margin {
			line += " "
		}
		line += w
	}
	if line != margin {
		b.WriteString(line + "\n")
	}
	return b.String()
}
