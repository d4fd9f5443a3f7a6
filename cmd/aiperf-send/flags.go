package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"aiperf/internal/cli"
	"aiperf/internal/transport"
)

func flags() []cli.Flag {
	const (
		endpoint = "Endpoint"
		load     = "Load Generator"
		warmup   = "Warmup"
		input    = "Input"
		ours     = "Output"
	)
	return []cli.Flag{
		{Name: "url", Aliases: []string{"u"}, Type: cli.Strings, Limits: "length >=1", Default: "http://localhost:8000", Env: "AIPERF_URL", Group: endpoint,
			Usage: "base URLs; several are taken in turn, session by session"},
		{Name: "url-strategy", Type: cli.Enum, Default: "round_robin", Choices: []string{"round_robin"}, Group: endpoint, Usage: "how sessions are spread over several URLs"},
		{Name: "custom-endpoint", Aliases: []string{"endpoint"}, Type: cli.String, Group: endpoint, Usage: "path to call instead of the endpoint type's own"},
		{Name: "request-timeout-seconds", Type: cli.Seconds, Limits: ">0", Default: "21600", Group: endpoint, Usage: "total time of a request, connecting included"},
		{Name: "idle-timeout", Type: cli.Seconds, Limits: ">0", Group: endpoint, Usage: "longest gap between bytes of an answer", InEffect: "no limit"},
		{Name: "api-key", Type: cli.String, Env: "OPENAI_API_KEY", Group: endpoint, Usage: "sent as Authorization: Bearer KEY (messages: x-api-key)"},
		{Name: "connection-reuse-strategy", Type: cli.Enum, Default: "pooled", Choices: []string{"pooled", "never", "sticky-user-sessions"}, Group: endpoint,
			Usage: "what becomes of a connection after its request"},
		{Name: "session-header", Type: cli.String, InEffect: "X-Correlation-ID", Group: endpoint, Usage: "name of the header that holds the session's id"},
		{Name: "header", Aliases: []string{"H"}, Type: cli.Pairs, Default: "", Group: input,
			Usage: "headers as name:value (split at commas) or a JSON object; repeatable"},
		{Name: "concurrency", Type: cli.Int, Limits: ">=1", InEffect: "1 when there is no rate, else unlimited", Group: load,
			Usage: "sessions at a time; a slot is held from a session's first turn to its last"},
		{Name: "benchmark-duration", Type: cli.Seconds, Limits: ">0", Group: load, Usage: "stop sending after this time"},
		{Name: "benchmark-grace-period", Type: cli.Seconds, Limits: ">=0", Default: "30.0", InEffect: "30 with a duration, else no grace", Group: load,
			Usage: "after the duration, wait this long for answers, then cut them"},
		{Name: "warmup-concurrency", Type: cli.Int, Limits: ">=1", InEffect: "--concurrency, else 1", Group: warmup, Usage: "sessions at a time during warmup"},
		{Name: "warmup-duration", Type: cli.Seconds, Limits: ">0", Group: warmup, Usage: "stop warmup requests after this time"},
		{Name: "warmup-grace-period", Type: cli.Seconds, Limits: ">=0", InEffect: "no limit", Group: warmup, Usage: "wait this long for warmup answers"},
		{Name: "timestamps", Type: cli.Enum, Default: "kernel", Choices: []string{"kernel", "user"}, Group: ours,
			Usage: "what an arrival is: when the kernel had the bytes, or when they were read"},
		{Name: "output", Aliases: []string{"o"}, Type: cli.Path, Group: ours, Usage: "write the stream to a file (.jsonl, .jsonl.gz, .jsonl.zst)", InEffect: "stdout"},
		{Name: "quiet", Type: cli.Bool, Group: ours, Usage: "no progress on stderr"},
	}
}

// config is the resolved command line.
type config struct {
	targets       []*transport.Target
	endpoint      string
	timeout, idle time.Duration
	apiKey        string
	headers       []transport.Header
	sessionHeader string
	reuse         transport.Reuse
	kernel        bool
	profiling     bounds
	warmup        bounds
	affinity      []string
}

// bounds of one phase; a nil pointer is "no bound".
type bounds struct {
	concurrency *int64
	duration    *time.Duration
	grace       *time.Duration
}

func configure(env *cli.Env, c *cli.Context) (*config, error) {
	cfg := &config{
		endpoint: c.String("custom-endpoint"), timeout: c.Duration("request-timeout-seconds"), idle: c.Duration("idle-timeout"),
		apiKey: c.String("api-key"), sessionHeader: c.String("session-header"),
		reuse: transport.Reuse(c.String("connection-reuse-strategy")), kernel: c.String("timestamps") == "kernel" && transport.KernelStamps,
	}
	for _, u := range c.List("url") {
		t, err := transport.ParseTarget(u)
		if err != nil {
			return nil, cli.Usagef("--url: %v", err)
		}
		cfg.targets = append(cfg.targets, t)
	}
	if len(cfg.targets) == 0 {
		return nil, cli.Usagef("--url: no URL")
	}
	if cfg.endpoint != "" && cfg.endpoint[0] != '/' || c.IsSet("custom-endpoint") && cfg.endpoint == "" {
		return nil, cli.Usagef("--custom-endpoint %q: must start with /", cfg.endpoint)
	}
	if cfg.sessionHeader == "" {
		cfg.sessionHeader = "X-Correlation-ID"
	}
	if cfg.apiKey == "" {
		cfg.apiKey = env.Getenv("AIPERF_INJECTED_API_KEY")
	}
	for _, h := range c.List("header") {
		list, err := parseHeaders(h)
		if err != nil {
			return nil, err
		}
		cfg.headers = append(cfg.headers, list...)
	}
	dur := func(name string) *time.Duration {
		if !c.IsSet(name) {
			return nil
		}
		d := c.Duration(name)
		return &d
	}
	num := func(name string) *int64 {
		if !c.IsSet(name) {
			return nil
		}
		n := c.Int(name)
		return &n
	}
	cfg.profiling = bounds{num("concurrency"), dur("benchmark-duration"), nil}
	if cfg.profiling.duration != nil {
		g := c.Duration("benchmark-grace-period")
		cfg.profiling.grace = &g
	} else if c.IsSet("benchmark-grace-period") {
		return nil, cli.Usagef("--benchmark-grace-period needs --benchmark-duration")
	}
	cfg.warmup = bounds{num("warmup-concurrency"), dur("warmup-duration"), dur("warmup-grace-period")}
	if cfg.warmup.concurrency == nil {
		cfg.warmup.concurrency = cfg.profiling.concurrency
	}
	if cfg.warmup.grace != nil && cfg.warmup.duration == nil {
		return nil, cli.Usagef("--warmup-grace-period needs --warmup-duration")
	}
	for _, a := range []struct {
		env, header string
		on          bool
	}{
		{"AIPERF_HTTP_X_SESSION_AFFINITY_FROM_CORRELATION_ID", "X-Session-Affinity", true},
		{"AIPERF_HTTP_X_SESSION_ID_FROM_CORRELATION_ID", "X-Session-ID", false},
		{"AIPERF_HTTP_X_SMG_ROUTING_KEY_FROM_CORRELATION_ID", "X-SMG-Routing-Key", false},
		{"AIPERF_HTTP_X_DYNAMO_SESSION_ID_FROM_CORRELATION_ID", "X-Dynamo-Session-ID", false},
	} {
		switch strings.ToLower(env.Getenv(a.env)) {
		case "":
		case "1", "true", "yes", "on":
			a.on = true
		case "0", "false", "no", "off":
			a.on = false
		default:
			return nil, cli.Usagef("$%s: want true or false", a.env)
		}
		if a.on {
			cfg.affinity = append(cfg.affinity, a.header)
		}
	}
	return cfg, nil
}

// parseHeaders reads one -H: a JSON object, or pairs split at commas.
func parseHeaders(text string) ([]transport.Header, error) {
	bad := func(name, value string) error {
		if name == "" || strings.ContainsAny(name, " \t\r\n:") {
			return cli.Usagef("--header: %q is not a header name", name)
		}
		if strings.ContainsAny(value, "\r\n\x00") {
			return cli.Usagef("--header %s: a value cannot hold a line end", name)
		}
		return nil
	}
	if strings.HasPrefix(strings.TrimSpace(text), "{") {
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		if _, err := d.Token(); err != nil {
			return nil, cli.Usagef("--header: %v", err)
		}
		var out []transport.Header
		for d.More() {
			k, err := d.Token()
			if err != nil {
				return nil, cli.Usagef("--header: %v", err)
			}
			var v any
			if err := d.Decode(&v); err != nil {
				return nil, cli.Usagef("--header %v: %v", k, err)
			}
			s, ok := v.(string)
			if !ok {
				s = fmt.Sprint(v)
			}
			name, _ := k.(string)
			if err := bad(name, s); err != nil {
				return nil, err
			}
			out = append(out, transport.Header{Name: name, Value: s})
		}
		return out, nil
	}
	var out []transport.Header
	for i, piece := range strings.Split(text, ",") {
		name, value, ok := strings.Cut(piece, ":")
		if !ok {
			return nil, cli.Usagef("--header: the %s piece has no colon", ordinal(i+1)).WithHint("a value with commas is written as JSON: -H '{\"Name\": \"a, b\"}'")
		}
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if err := bad(name, value); err != nil {
			return nil, err
		}
		out = append(out, transport.Header{Name: name, Value: value})
	}
	return out, nil
}

// ordinal names a piece that must not be shown: it may be a secret.
func ordinal(n int) string {
	switch n {
	case 1:
		return "first"
	case 2:
		return "second"
	case 3:
		return "third"
	}
	return fmt.Sprint(n) + "th"
}

func basicAuth(t *transport.Target) string {
	u := t.UserInfo()
	if u == nil {
		return ""
	}
	p, _ := u.Password()
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(u.Username()+":"+p))
}
