package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	ucli "github.com/urfave/cli/v2"
)

// A Type is what a flag's value may be; the names are those of AIPerf's flag table.
type Type string

const (
	String  Type = "string"
	Bool    Type = "bool"
	Int     Type = "int"
	Float   Type = "float"
	Enum    Type = "enum"
	Path    Type = "path"
	Strings Type = "list of string" // comma list or repeated
	Ints    Type = "list of int"
	Floats  Type = "list of float"
	Pairs   Type = "key:value pairs or JSON object, repeatable" // kept as typed: commas are the owner's business
	Seconds Type = "seconds"                                    // a bare number is seconds; or 300ms, 2m
	Millis  Type = "milliseconds"                               // a bare number is milliseconds
)

// A Flag is one option: the single place that holds its name, default, limits and words.
type Flag struct {
	Name     string
	Aliases  []string // without dashes; one letter is a short flag
	Negative string   // "no-x": sets a Bool to false
	Type     Type
	Default  string // as a user would type it; "" is unset
	InEffect string // what happens when it is not typed and has no default
	Choices  []string
	Limits   string // ">=0", ">0 <=100", "length >=1": the notation of AIPerf's flag table
	Env      string
	Usage    string
	Group    string
	Hidden   bool
	Refuse   string // known but not honoured: the reason, and what to use instead
}

// A Context is a tool's parsed command line.
type Context struct {
	*values
	Args []string
}

type values struct {
	order []*value
	by    map[string]*value
}

type value struct {
	*Flag
	typed bool  // by the user, on the command line or in the environment
	env   error // what is wrong with the environment's value; a flag that is typed wins over it
	raw   []string
	list  []string
	num   float64
	inum  int64
	dur   time.Duration
	on    bool
}

func newValues(flags []Flag) *values {
	vs := &values{by: map[string]*value{}}
	for i := range flags {
		v := &value{Flag: &flags[i]}
		if v.Default != "" {
			if err := v.set(v.Default); err != nil {
				panic(fmt.Sprintf("flag --%s: default %q: %v", v.Name, v.Default, err))
			}
			v.raw = nil
		}
		vs.order = append(vs.order, v)
		vs.by[v.Name] = v
	}
	return vs
}

func (vs *values) get(name string) *value {
	v, ok := vs.by[name]
	if !ok {
		panic("no flag --" + name)
	}
	return v
}

// IsSet reports whether the user typed the flag (or its environment variable is set).
func (vs *values) IsSet(name string) bool { return vs.get(name).typed }

// Has reports whether the flag has a value: typed, or by default.
func (vs *values) Has(name string) bool { v := vs.get(name); return v.typed || v.Default != "" }

// String returns a String, Enum or Path.
func (vs *values) String(name string) string { return last(vs.get(name).list) }

// Bool returns a Bool.
func (vs *values) Bool(name string) bool { return vs.get(name).on }

// Int returns an Int; 0 when it has no value (see Has).
func (vs *values) Int(name string) int64 { return vs.get(name).inum }

// Float returns a Float; 0 when it has no value.
func (vs *values) Float(name string) float64 { return vs.get(name).num }

// Duration returns a Seconds or Millis; 0 when it has no value.
func (vs *values) Duration(name string) time.Duration { return vs.get(name).dur }

// List returns a Strings or Pairs.
func (vs *values) List(name string) []string { return vs.get(name).list }

// Ints returns an Ints.
func (vs *values) Ints(name string) []int64 {
	var out []int64
	for _, s := range vs.get(name).list {
		n, _ := strconv.ParseInt(s, 10, 64)
		out = append(out, n)
	}
	return out
}

// Floats returns a Floats.
func (vs *values) Floats(name string) []float64 {
	var out []float64
	for _, s := range vs.get(name).list {
		f, _ := strconv.ParseFloat(s, 64)
		out = append(out, f)
	}
	return out
}

// Config is every flag that has a value, for the run line; secrets are the caller's to redact.
func (vs *values) Config() map[string]any {
	m := map[string]any{}
	for _, v := range vs.order {
		if !v.typed && v.Default == "" {
			continue
		}
		switch v.Type {
		case Bool:
			m[v.Name] = v.on
		case Int:
			m[v.Name] = v.inum
		case Float:
			m[v.Name] = v.num
		case Seconds, Millis:
			m[v.Name] = v.dur.String()
		case Strings, Ints, Floats, Pairs:
			m[v.Name] = v.list
		default:
			m[v.Name] = last(v.list)
		}
	}
	return m
}

func last(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[len(list)-1]
}

func (vs *values) check() error {
	for _, v := range vs.order {
		if v.env != nil {
			return Usagef("$%s: %v", v.Env, v.env)
		}
		if v.typed && v.Refuse != "" {
			return Usagef("--%s: %s", v.Name, v.Refuse)
		}
	}
	return nil
}

// set parses one spelling of the value; lists grow.
func (v *value) set(s string) error {
	if len(v.raw) == 0 {
		v.list = nil // the first typed value replaces the default
	}
	v.raw = append(v.raw, s)
	switch v.Type {
	case Bool:
		b, err := strconv.ParseBool(s)
		if err != nil {
			return fmt.Errorf("want true or false")
		}
		v.on = b
		return nil
	case Int:
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			return fmt.Errorf("want a whole number")
		}
		v.inum, v.num = n, float64(n)
		return v.limit(v.num)
	case Float:
		f, err := strconv.ParseFloat(s, 64)
		if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
			return fmt.Errorf("want a number")
		}
		v.num = f
		return v.limit(f)
	case Seconds, Millis:
		unit := time.Second
		if v.Type == Millis {
			unit = time.Millisecond
		}
		if f, err := strconv.ParseFloat(s, 64); err == nil {
			ns := f * float64(unit)
			if math.IsNaN(ns) || math.Abs(ns) > math.MaxInt64/2 {
				return fmt.Errorf("out of range")
			}
			v.dur = time.Duration(math.Round(ns))
		} else if d, err := time.ParseDuration(s); err == nil {
			v.dur = d
		} else {
			return fmt.Errorf("want a number of %s or a duration such as 300ms", v.Type)
		}
		v.num = float64(v.dur) / float64(unit)
		return v.limit(v.num)
	case Strings, Ints, Floats:
		for _, part := range strings.Split(s, ",") {
			part = strings.TrimSpace(part)
			if part == "" {
				continue
			}
			switch v.Type {
			case Ints:
				n, err := strconv.ParseInt(part, 10, 64)
				if err != nil {
					return fmt.Errorf("%q: want whole numbers", part)
				}
				if err := v.limit(float64(n)); err != nil {
					return err
				}
			case Floats:
				f, err := strconv.ParseFloat(part, 64)
				if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
					return fmt.Errorf("%q: want numbers", part)
				}
				if err := v.limit(f); err != nil {
					return err
				}
			default:
				if err := v.choice(part); err != nil {
					return err
				}
			}
			v.list = append(v.list, part)
		}
		return nil
	case Enum:
		c := strings.ReplaceAll(strings.ToLower(s), "-", "_")
		for _, known := range v.Choices {
			if strings.ReplaceAll(strings.ToLower(known), "-", "_") == c { // nim-rankings is nim_rankings
				v.list = []string{known}
				return nil
			}
		}
		return v.choice(s)
	}
	if v.Type == Pairs {
		v.list = append(v.list, s)
	} else {
		v.list = []string{s}
	}
	return nil
}

func (v *value) choice(s string) error {
	if len(v.Choices) == 0 || slices.Contains(v.Choices, s) {
		return nil
	}
	return fmt.Errorf("unknown; did you mean %q? known: %s", Nearest(s, v.Choices), strings.Join(v.Choices, ", "))
}

// limit checks x against Limits.
func (v *value) limit(x float64) error {
	for _, l := range strings.Fields(strings.TrimPrefix(v.Limits, "length ")) {
		if strings.HasPrefix(v.Limits, "length ") {
			return nil
		}
		op := strings.TrimRight(l, "0123456789.")
		lim, err := strconv.ParseFloat(l[len(op):], 64)
		if err != nil {
			panic("flag --" + v.Name + ": limits " + v.Limits)
		}
		ok := map[string]bool{">=": x >= lim, ">": x > lim, "<=": x <= lim, "<": x < lim}[op]
		if !ok {
			return fmt.Errorf("must be %s", v.Limits)
		}
	}
	return nil
}

// Nearest returns the known word with the smallest edit distance to s.
func Nearest(s string, known []string) string {
	best, dist := "", math.MaxInt
	for _, k := range known {
		if d := distance(strings.ToLower(s), strings.ToLower(k)); d < dist {
			best, dist = k, d
		}
	}
	return best
}

func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		prev := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			d := prev
			if a[i-1] != b[j-1] {
				d++
			}
			prev = row[j]
			row[j] = min(d, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}

// setter is the library's view of a value.
type setter struct {
	v        *value
	negative bool
}

// unchanged is what the library sets a flag's other names to after one of them was typed.
const unchanged = "\x00"

// Serialize is the value as the library copies it from one name of a flag to the others; they share
// one value already.
func (s *setter) Serialize() string { return unchanged }

func (s *setter) Set(text string) error {
	if text == unchanged {
		return nil
	}
	if s.negative {
		b, err := strconv.ParseBool(text)
		if err != nil {
			return err
		}
		text = strconv.FormatBool(!b)
	}
	s.v.typed, s.v.env = true, nil
	return s.v.set(text)
}

func (s *setter) String() string { return "" }

// IsBoolFlag lets a Bool stand alone.
func (s *setter) IsBoolFlag() bool { return s.v != nil && s.v.Type == Bool }

func (vs *values) ucli(getenv func(string) string) []ucli.Flag {
	var out []ucli.Flag
	for _, v := range vs.order {
		out = append(out, &ucli.GenericFlag{
			Name: v.Name, Aliases: v.Aliases, Value: &setter{v: v},
		})
		if v.Negative != "" {
			out = append(out, &ucli.GenericFlag{Name: v.Negative, Value: &setter{v: v, negative: true}})
		}
		if v.Env != "" {
			if text := getenv(v.Env); text != "" {
				v.env = v.set(text)
				v.typed, v.raw = true, nil
			}
		}
	}
	return out
}

// described is a flag in --describe-flags.
type described struct {
	Flag     string   `json:"flag"`
	Aliases  []string `json:"aliases,omitempty"`
	Negative string   `json:"negative,omitempty"`
	Type     Type     `json:"type"`
	Limits   string   `json:"limits,omitempty"`
	Default  string   `json:"default,omitempty"`
	InEffect string   `json:"in_effect,omitempty"`
	Choices  []string `json:"choices,omitempty"`
	Group    string   `json:"group,omitempty"`
	Env      string   `json:"env,omitempty"`
	Usage    string   `json:"usage,omitempty"`
	Refused  string   `json:"refused,omitempty"`
}

// Describe writes a tool's flag table as a JSON array: what the front, the man pages and the table test read.
func Describe(w io.Writer, t *Tool) error {
	list := []described{}
	for _, f := range t.Flags {
		d := described{"--" + f.Name, nil, "", f.Type, f.Limits, f.Default, f.InEffect, f.Choices, f.Group, f.Env, f.Usage, f.Refuse}
		for _, a := range f.Aliases {
			d.Aliases = append(d.Aliases, dashed(a))
		}
		if f.Negative != "" {
			d.Negative = "--" + f.Negative
		}
		list = append(list, d)
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", " ")
	enc.SetEscapeHTML(false)
	return enc.Encode(list)
}

func usageError(t *Tool, err error) error {
	msg := err.Error()
	const undefined = "flag provided but not defined: "
	if name, ok := strings.CutPrefix(msg, undefined); ok {
		var known []string
		for _, f := range t.Flags {
			known = append(known, f.Name)
			known = append(known, f.Aliases...)
			if f.Negative != "" {
				known = append(known, f.Negative)
			}
		}
		known = append(known, "help", "version")
		name = strings.TrimLeft(name, "-")
		near := Nearest(name, known)
		if distance(name, near) > max(len(name), len(near))/2 {
			return Usagef("unknown flag %s", dashed(name))
		}
		return Usagef("unknown flag %s; did you mean %s?", dashed(name), dashed(near))
	}
	if name, ok := strings.CutPrefix(msg, "flag needs an argument: "); ok {
		return Usagef("%s needs a value", dashed(strings.TrimLeft(name, "-")))
	}
	if quoted, why, ok := strings.Cut(msg, " for flag -"); ok { // invalid value "x" for flag -name: why
		name, why, _ := strings.Cut(why, ": ")
		return Usagef("%s %s: %s", dashed(name), strings.TrimPrefix(quoted, "invalid value "), why)
	}
	return Usagef("%s", msg)
}

// dashed is a flag's name as it is typed.
func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// permute moves flags that stand behind arguments in front of them, which the library does not do.
func permute(t *Tool, args []string) []string {
	flags := t.Flags
	start := 0
	if len(args) > 0 {
		for _, sub := range t.Commands {
			if sub.Name == args[0] {
				flags, start = sub.Flags, 1
			}
		}
	}
	takes := map[string]bool{"version": false, "describe-flags": false, "help": false, "h": false}
	for _, f := range flags {
		for _, n := range append([]string{f.Name}, f.Aliases...) {
			takes[n] = f.Type != Bool
		}
		if f.Negative != "" {
			takes[f.Negative] = false
		}
	}
	head := slices.Clone(args[:start])
	var opts, rest []string
	for i := start; i < len(args); i++ {
		a := args[i]
		if a == "--" {
			rest = append(rest, args[i+1:]...)
			break
		}
		if len(a) < 2 || a[0] != '-' {
			if t.Wraps {
				rest = append(rest, args[i:]...)
				break
			}
			rest = append(rest, a)
			continue
		}
		if a == "-h" || a == "--help" {
			a = "--" + showHelp
		}
		opts = append(opts, a)
		name := strings.TrimLeft(a, "-")
		if !strings.Contains(name, "=") && takes[name] && i+1 < len(args) {
			i++
			opts = append(opts, args[i])
		}
	}
	out := append(head, opts...)
	if len(rest) > 0 {
		out = append(append(out, "--"), rest...)
	}
	return out
}
