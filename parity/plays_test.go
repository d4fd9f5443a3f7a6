//go:build parity

package parity

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
)

// A play is one answer of aiperf-mock's script.
type play struct {
	Status  int               `json:"status"`
	Headers map[string]string `json:"headers,omitempty"`
	Chunks  [][2]any          `json:"chunks"`
	End     string            `json:"end,omitempty"`
	Raw     bool              `json:"raw,omitempty"`
}

var someWords = strings.Fields("time people water 東京 naïve zwölf story 😀 fact month lot right e.g. study book")

func word(r *rand.Rand) string { return " " + someWords[r.IntN(len(someWords))] }

// A writer builds a play, each write some milliseconds behind the last.
type writer struct {
	play
	r  *rand.Rand
	at float64
}

func newStream(r *rand.Rand) *writer {
	return &writer{play: play{Status: 200, Headers: map[string]string{"Content-Type": "text/event-stream"}}, r: r, at: 2 + 8*r.Float64()}
}

func (w *writer) write(text string) *writer {
	w.Chunks = append(w.Chunks, [2]any{w.at, text})
	w.at += 0.5 + 3*w.r.Float64()
	return w
}

// event writes one event of a JSON document with the given members.
func (w *writer) event(members string) *writer { return w.write("data: {" + members + "}\n\n") }

func (w *writer) done() *writer { return w.write("data: [DONE]\n\n") }

const chunkHead = `"id":"c","object":"chat.completion.chunk","created":1,"model":"mock",`

func delta(members string) string {
	return chunkHead + `"choices":[{"index":0,"delta":{` + members + `},"finish_reason":null}]`
}

func content(r *rand.Rand) string { return delta(`"content":` + quoted(word(r))) }

func quoted(s string) string { b, _ := json.Marshal(s); return string(b) }

const finish = chunkHead + `"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]`

func usage(r *rand.Rand, n int) string {
	p := 5 + r.IntN(30)
	return fmt.Sprintf(`"usage":{"prompt_tokens":%d,"completion_tokens":%d,"total_tokens":%d}`, p, n, p+n)
}

// text writes n content events.
func (w *writer) text(n int) *writer {
	for range n {
		w.event(content(w.r))
	}
	return w
}

// end writes finish, usage and [DONE].
func (w *writer) end(n int) *writer {
	return w.event(finish).event(chunkHead + `"choices":[],` + usage(w.r, n)).done()
}

// streams are the shapes of a chat stream, faults among them; each call draws new words and delays.
var streams = map[string]func(r *rand.Rand) play{
	"text":     func(r *rand.Rand) play { n := 3 + r.IntN(8); return newStream(r).text(n).end(n).play },
	"one":      func(r *rand.Rand) play { return newStream(r).text(1).end(1).play },
	"no-usage": func(r *rand.Rand) play { return newStream(r).text(4).event(finish).done().play },
	"usage-only": func(r *rand.Rand) play {
		return newStream(r).event(chunkHead + `"choices":[],` + usage(r, 3)).done().play
	},
	"role-first": func(r *rand.Rand) play {
		return newStream(r).event(delta(`"role":"assistant","content":""`)).text(4).end(4).play
	},
	"nulls": func(r *rand.Rand) play {
		return newStream(r).event(delta(`"content":null`)).text(3).event(delta(`"content":""`)).text(2).end(5).play
	},
	"nothing": func(r *rand.Rand) play {
		return newStream(r).event(delta(`"role":"assistant","content":""`)).event(finish).done().play
	},
	"done-only":   func(r *rand.Rand) play { return newStream(r).done().play },
	"empty":       func(r *rand.Rand) play { return newStream(r).play },
	"reasoning":   func(r *rand.Rand) play { return think(newStream(r), "reasoning_content", 4).text(3).end(7).play },
	"reasoning-2": func(r *rand.Rand) play { return think(newStream(r), "reasoning", 3).text(3).end(6).play },
	"only-reason": func(r *rand.Rand) play { return think(newStream(r), "reasoning_content", 3).end(3).play },
	"both-in-one": func(r *rand.Rand) play {
		return newStream(r).event(delta(`"reasoning_content":" a b","content":" c d"`)).text(2).end(6).play
	},
	"tools": func(r *rand.Rand) play {
		return newStream(r).event(delta(`"tool_calls":[{"index":0,"id":"t","type":"function","function":{"name":"weather","arguments":""}}]`)).
			event(delta(`"tool_calls":[{"index":0,"function":{"arguments":"{\"city\":"}}]`)).
			event(delta(`"tool_calls":[{"index":0,"function":{"arguments":" \"Paris\"}"}}]`)).end(9).play
	},
	"prose-and-tools": func(r *rand.Rand) play {
		return newStream(r).text(2).event(delta(`"content":" so","tool_calls":[{"index":0,"id":"t","type":"function","function":{"name":"f","arguments":"{}"}}]`)).end(6).play
	},
	"two-choices": func(r *rand.Rand) play {
		two := chunkHead + `"choices":[{"index":0,"delta":{"content":" a"}},{"index":1,"delta":{"content":" b"}}]`
		one := chunkHead + `"choices":[{"index":1,"delta":{"content":" c"}}]`
		return newStream(r).event(two).event(one).event(two).end(5).play
	},
	"comments": func(r *rand.Rand) play {
		return newStream(r).write(": ping\n\n").text(3).write(": ping\n\n").text(2).end(5).play
	},
	"crlf": func(r *rand.Rand) play {
		w := newStream(r)
		for range 4 {
			w.write("data: {" + content(r) + "}\r\n\r\n")
		}
		return w.write("data: [DONE]\r\n\r\n").play
	},
	"two-in-one-write": func(r *rand.Rand) play {
		return newStream(r).write("data: {" + content(r) + "}\n\ndata: {" + content(r) + "}\n\n").text(2).end(4).play
	},
	"split-event": func(r *rand.Rand) play {
		e := "data: {" + content(r) + "}\n\n"
		return newStream(r).text(1).write(e[:20]).write(e[20:]).text(1).end(3).play
	},
	"fields": func(r *rand.Rand) play {
		return newStream(r).write("event: chunk\nid: 1\nretry: 9\ndata: {" + content(r) + "}\n\n").text(2).end(3).play
	},
	"no-object": func(r *rand.Rand) play {
		return newStream(r).event(`"choices":[{"index":0,"delta":{"content":" a"}}]`).text(3).end(4).play
	},
	"no-done":      func(r *rand.Rand) play { return newStream(r).text(4).event(finish).play },
	"no-finish":    func(r *rand.Rand) play { return newStream(r).text(4).done().play },
	"neither":      func(r *rand.Rand) play { return newStream(r).text(4).play },
	"broken-json":  func(r *rand.Rand) play { return newStream(r).text(2).write("data: {\"id\":\n\n").text(1).end(3).play },
	"broken-first": func(r *rand.Rand) play { return newStream(r).write("data: {nope\n\n").text(2).end(2).play },
	"error-in-data": func(r *rand.Rand) play {
		return newStream(r).text(2).event(`"error":{"message":"out of memory","type":"server_error","code":500}`).done().play
	},
	"error-first": func(r *rand.Rand) play {
		return newStream(r).event(`"error":{"message":"no such model","type":"invalid_request_error","code":404}`).done().play
	},
	"error-event": func(r *rand.Rand) play {
		return newStream(r).text(2).write("event: error\ndata: {\"message\":\"worker died\"}\n\n").play
	},
	"error-event-bare": func(r *rand.Rand) play { return newStream(r).text(2).write("event: error\n\n").done().play },
	"cut":              func(r *rand.Rand) play { return ending(newStream(r).text(3).play, "close") },
	"reset":            func(r *rand.Rand) play { return ending(newStream(r).text(3).play, "reset") },
	"reset-at-once":    func(r *rand.Rand) play { return ending(newStream(r).play, "reset") },
	"no-head": func(r *rand.Rand) play {
		return play{Status: 200, Raw: true, End: "reset", Chunks: [][2]any{{3.0, ""}}}
	},
	"http400": func(r *rand.Rand) play {
		return body(r, 400, `{"error":{"message":"This model's maximum context length is 10 tokens. However, you requested 20 tokens.","type":"BadRequestError","code":400}}`)
	},
	"http429": func(r *rand.Rand) play {
		return body(r, 429, `{"error":{"message":"slow down","type":"rate_limit","code":"429"}}`)
	},
	"http500": func(r *rand.Rand) play {
		p := body(r, 500, "internal error")
		p.Headers["Content-Type"] = "text/plain"
		return p
	},
	"http503":      func(r *rand.Rand) play { return body(r, 503, "") },
	"not-a-stream": func(r *rand.Rand) play { return body(r, 200, wholeChat(r, 4)) },
	"hang":         func(r *rand.Rand) play { return ending(newStream(r).text(3).play, "hang") },
	"hang-at-once": func(r *rand.Rand) play { return ending(newStream(r).play, "hang") },
	"usage-details": func(r *rand.Rand) play {
		return newStream(r).text(6).event(finish).event(chunkHead + `"choices":[],"usage":{"prompt_tokens":40,"completion_tokens":6,"total_tokens":46,"prompt_tokens_details":{"cached_tokens":32,"audio_tokens":0},"completion_tokens_details":{"reasoning_tokens":2,"accepted_prediction_tokens":1,"rejected_prediction_tokens":3}}`).done().play
	},
	"usage-deepseek": func(r *rand.Rand) play {
		return newStream(r).text(3).event(finish).event(chunkHead + `"choices":[],"usage":{"prompt_tokens":30,"completion_tokens":3,"total_tokens":33,"prompt_cache_hit_tokens":20,"prompt_cache_miss_tokens":10}`).done().play
	},
	"usage-bedrock": func(r *rand.Rand) play {
		return newStream(r).text(3).event(finish).event(chunkHead + `"choices":[],"usage":{"inputTokens":12,"outputTokens":3,"totalTokens":35,"cacheReadInputTokens":15,"cacheWriteInputTokens":5}`).done().play
	},
	"usage-zero": func(r *rand.Rand) play {
		return newStream(r).text(3).event(finish).event(chunkHead + `"choices":[],"usage":{"prompt_tokens":0,"completion_tokens":0,"total_tokens":0}`).done().play
	},
	"usage-null": func(r *rand.Rand) play {
		return newStream(r).text(3).event(finish).event(chunkHead + `"choices":[],"usage":null`).done().play
	},
}

func think(w *writer, key string, n int) *writer {
	for range n {
		w.event(delta(quoted(key) + ":" + quoted(word(w.r))))
	}
	return w
}

func ending(p play, how string) play { p.End = how; return p }

func body(r *rand.Rand, status int, text string) play {
	return play{Status: status, Headers: map[string]string{"Content-Type": "application/json"}, Chunks: [][2]any{{2 + 10*r.Float64(), text}}}
}

func wholeChat(r *rand.Rand, n int) string {
	var b strings.Builder
	for range n {
		b.WriteString(word(r))
	}
	return whole(`"message":{"role":"assistant","content":`+quoted(b.String())+`}`, usage(r, n))
}

func whole(choice, usage string) string {
	return `{"id":"c","object":"chat.completion","created":1,"model":"mock","choices":[{"index":0,` + choice + `,"finish_reason":"stop"}],` + usage + `}`
}

// wholes are answers in one piece.
var wholes = map[string]func(r *rand.Rand) play{
	"text": func(r *rand.Rand) play { return body(r, 200, wholeChat(r, 3+r.IntN(9))) },
	"reasoning": func(r *rand.Rand) play {
		return body(r, 200, whole(`"message":{"role":"assistant","content":" a b","reasoning_content":" c d e"}`, usage(r, 5)))
	},
	"tools": func(r *rand.Rand) play {
		return body(r, 200, whole(`"message":{"role":"assistant","content":null,"tool_calls":[{"id":"t","type":"function","function":{"name":"weather","arguments":"{\"city\": \"Paris\"}"}}]}`, usage(r, 9)))
	},
	"two-choices": func(r *rand.Rand) play {
		return body(r, 200, `{"id":"c","object":"chat.completion","choices":[{"index":0,"message":{"content":" a"}},{"index":1,"message":{"content":" b c"}}],`+usage(r, 3)+`}`)
	},
	"empty": func(r *rand.Rand) play {
		return body(r, 200, whole(`"message":{"role":"assistant","content":""}`, usage(r, 0)))
	},
	"no-choices": func(r *rand.Rand) play {
		return body(r, 200, `{"id":"c","object":"chat.completion","choices":[],`+usage(r, 2)+`}`)
	},
	"usage-only": func(r *rand.Rand) play { return body(r, 200, `{`+usage(r, 2)+`}`) },
	"no-usage":   func(r *rand.Rand) play { return body(r, 200, whole(`"message":{"content":" a b c"}`, `"x":1`)) },
	"no-object": func(r *rand.Rand) play {
		return body(r, 200, `{"choices":[{"index":0,"message":{"content":" a b"}}],`+usage(r, 2)+`}`)
	},
	"error-object": func(r *rand.Rand) play {
		return body(r, 200, `{"error":{"message":"no","type":"server_error","code":500}}`)
	},
	"broken": func(r *rand.Rand) play { return body(r, 200, `{"id":"c","object":`) },
	"html": func(r *rand.Rand) play {
		p := body(r, 200, "<html>gateway</html>")
		p.Headers["Content-Type"] = "text/html"
		return p
	},
	"nobody": func(r *rand.Rand) play { return body(r, 200, "") },
	"http500": func(r *rand.Rand) play {
		return body(r, 500, `{"error":{"message":"no","type":"server_error","code":500}}`)
	},
	"http422": func(r *rand.Rand) play { return body(r, 422, `{"detail":[{"loc":["body"],"msg":"field required"}]}`) },
	"cut":     func(r *rand.Rand) play { return ending(body(r, 200, `{"id":"c",`), "close") },
	"no-head": func(r *rand.Rand) play {
		return play{Status: 200, Raw: true, End: "reset", Chunks: [][2]any{{3.0, ""}}}
	},
}

// script draws n plays of the named shapes, in turn.
func script(name string, shapes map[string]func(*rand.Rand) play, n int, kinds ...string) []play {
	r := random(name)
	if len(kinds) == 0 {
		for k := range shapes {
			kinds = append(kinds, k)
		}
	}
	kinds = sortedCopy(kinds)
	r.Shuffle(len(kinds), func(i, j int) { kinds[i], kinds[j] = kinds[j], kinds[i] })
	var out []play
	for i := range n {
		out = append(out, shapes[kinds[i%len(kinds)]](r))
	}
	return out
}
