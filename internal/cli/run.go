package cli

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"os"
	"strings"

	"golang.org/x/sys/unix"

	"aiperf/internal/redact"
	"aiperf/schema"
)

// RunLine is the run line a tool adds to its stream. upstream is the run_id that came in with it, ""
// at the head of a pipeline.
func RunLine(env *Env, c *Context, upstream string) schema.Run {
	if upstream == "" {
		var id [6]byte
		_, _ = rand.Read(id[:])
		upstream = hex.EncodeToString(id[:])
	}
	var config bytes.Buffer
	enc := json.NewEncoder(&config)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(redact.Value("", c.Config())) // maps of strings and numbers always encode
	host, _ := os.Hostname()
	var wall, mono unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &mono)
	_ = unix.ClockGettime(unix.CLOCK_REALTIME, &wall)
	return schema.Run{
		Kind: schema.KindRun, Schema: schema.Version, Tool: env.name, Version: Version, RunID: upstream,
		CLICommand: c.command(env), Config: bytes.TrimSpace(config.Bytes()), Hostname: host, StartNS: wall.Nano(), StartPerfNS: mono.Nano(),
	}
}

// command is the command line as typed, quoted for a shell, with secrets hidden.
func (c *Context) command(env *Env) string {
	words := []string{env.name}
	var flag string // the flag whose value is next
	for _, a := range env.Args {
		switch {
		case flag != "":
			words = append(words, quote(c.hide(flag, a)))
			flag = ""
		case strings.HasPrefix(a, "-") && len(a) > 1:
			name, value, has := strings.Cut(strings.TrimLeft(a, "-"), "=")
			v := c.named(name)
			switch {
			case has:
				words = append(words, quote(a[:strings.Index(a, "=")+1]+c.hide(name, value)))
			default:
				words = append(words, quote(a))
				if v != nil && v.Type != Bool {
					flag = name
				}
			}
		default:
			words = append(words, quote(c.hide("", a)))
		}
	}
	return strings.Join(words, " ")
}

func (vs *values) named(name string) *value {
	for _, v := range vs.order {
		if v.Name == name || v.Negative == name && name != "" {
			return v
		}
		for _, a := range v.Aliases {
			if a == name {
				return v
			}
		}
	}
	return nil
}

func (c *Context) hide(flag, value string) string {
	if v := c.named(flag); v != nil {
		flag = v.Name
	}
	s, _ := redact.Value(flag, value).(string)
	return s
}

// quote writes a word as a POSIX shell reads it back.
func quote(w string) string {
	if w != "" && strings.Trim(w, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-") == "" {
		return w
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}
