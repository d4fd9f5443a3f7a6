package endpoint

import (
	"testing"

	"github.com/valyala/fastjson"
)

// said is a Chunk in plain words: kind is "" for no content, "empty" for content without text, else
// text, prose and reasoning tell.
type said struct {
	content, output        bool
	text, prose, reasoning string
	noObject, end, err     bool
	bad                    bool
	usage                  string // the JSON of the usage that was found
}

func read(t *testing.T, a *Answer, message string) said {
	t.Helper()
	var p fastjson.Parser
	v, err := p.Parse(message)
	if err != nil {
		t.Fatalf("%s: %v", message, err)
	}
	var c Chunk
	a.Read(v, &c)
	s := said{content: c.Content, output: c.Output, text: string(c.Text), prose: string(c.Prose), reasoning: string(c.Reasoning),
		noObject: c.NoObject, end: c.End, err: c.Error != nil, bad: c.Bad != ""}
	if c.Usage != nil {
		s.usage = c.Usage.String()
	}
	return s
}

func text1(s string) said { return said{content: true, output: true, text: s} }

var nothing, empty = said{}, said{content: true}

type reading struct {
	name    string
	answer  Answer
	message string
	want    said
}

func check(t *testing.T, rows []reading) {
	t.Helper()
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			if got := read(t, &r.answer, r.message); got != r.want {
				t.Errorf("%s\n got %+v\nwant %+v", r.message, got, r.want)
			}
		})
	}
}

func with(s said, change func(*said)) said { change(&s); return s }

func TestChatAnswers(t *testing.T) {
	chat, stream := Answer{Type: "chat"}, Answer{Type: "chat", Stream: true}
	delta := func(d string) string {
		return `{"object":"chat.completion.chunk","choices":[{"index":0,"delta":` + d + `}]}`
	}
	check(t, []reading{
		{"a delta's content", stream, delta(`{"content":"a"}`), text1("a")},
		{"a newline is content", stream, delta(`{"content":"\n"}`), text1("\n")},
		{"a role alone is none", stream, delta(`{"role":"assistant"}`), nothing},
		{"empty content is none", stream, delta(`{"role":"assistant","content":""}`), nothing},
		{"null content is none", stream, delta(`{"content":null}`), nothing},
		{"content that is no string is none", stream, delta(`{"content":["a"]}`), nothing},
		{"no choices, only usage", stream, `{"object":"chat.completion.chunk","choices":[],"usage":{"prompt_tokens":1}}`, said{usage: `{"prompt_tokens":1}`}},
		{"usage beside content", stream, `{"object":"chat.completion.chunk","choices":[{"delta":{"content":"a"}}],"usage":{}}`, with(text1("a"), func(s *said) { s.usage = "{}" })},
		{"reasoning_content is reasoning", stream, delta(`{"reasoning_content":"r"}`), said{content: true, reasoning: "r"}},
		{"reasoning is its other name", stream, delta(`{"reasoning":"r","content":null}`), said{content: true, reasoning: "r"}},
		{"an empty reasoning_content gives way to reasoning", stream, delta(`{"reasoning_content":"","reasoning":"r"}`), said{content: true, reasoning: "r"}},
		{"reasoning_content wins over reasoning", stream, delta(`{"reasoning_content":"c","reasoning":"r"}`), said{content: true, reasoning: "c"}},
		{"both in one chunk", stream, delta(`{"reasoning":"r","content":"a"}`), said{content: true, output: true, text: "a", reasoning: "r"}},
		{"reasoning hides tool calls", stream, delta(`{"reasoning":"r","tool_calls":[{"function":{"name":"f","arguments":"{}"}}]}`), said{content: true, reasoning: "r"}},
		{"tool calls: names and arguments in order", stream, delta(`{"tool_calls":[{"function":{"name":"f","arguments":"{}"}},{"function":{"name":"g"}}]}`), text1("f{}g")},
		{"prose beside a tool call is kept apart", stream, delta(`{"content":"p","tool_calls":[{"function":{"arguments":"{"}}]}`), said{content: true, output: true, text: "{", prose: "p"}},
		{"a tool call without text gives way to content", stream, delta(`{"content":"p","tool_calls":[{"index":0,"function":{"arguments":""}}]}`), text1("p")},
		{"empty tool calls are none", stream, delta(`{"tool_calls":[]}`), nothing},
		{"only the first choice is read, whatever its index", stream, `{"object":"chat.completion.chunk","choices":[{"index":1,"delta":{"content":"b"}},{"index":0,"delta":{"content":"a"}}]}`, text1("b")},
		{"any choice's finish_reason is the end", stream, `{"object":"chat.completion.chunk","choices":[{"delta":{}},{"delta":{},"finish_reason":"stop"}]}`, said{end: true}},
		{"an empty finish_reason is no end", stream, `{"object":"chat.completion.chunk","choices":[{"delta":{"content":"a"},"finish_reason":""}]}`, text1("a")},
		{"without object the delta is read and marked", stream, `{"choices":[{"delta":{"content":"a"}}]}`, with(text1("a"), func(s *said) { s.noObject = true })},
		{"a foreign object is marked too", stream, `{"object":"chunk","choices":[{"delta":null,"message":{"content":"a"}}]}`, with(text1("a"), func(s *said) { s.noObject = true })},
		{"without object and content there is nothing to mark", stream, `{"choices":[{"delta":{}}]}`, nothing},
		{"whole: the message", chat, `{"object":"chat.completion","choices":[{"message":{"content":"a"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1}}`, with(text1("a"), func(s *said) { s.end, s.usage = true, `{"prompt_tokens":1}` })},
		{"whole: no delta is read", chat, `{"object":"chat.completion","choices":[{"delta":{"content":"a"}}]}`, nothing},
		{"chunk: no message is read", stream, `{"object":"chat.completion.chunk","choices":[{"message":{"content":"a"}}]}`, nothing},
		{"whole: reasoning and tool call", chat, `{"object":"chat.completion","choices":[{"message":{"content":"p","tool_calls":[{"function":{"name":"f","arguments":"{\"a\":1}"}}]}}]}`, said{content: true, output: true, text: `f{"a":1}`, prose: "p"}},
		{"an error object", chat, `{"error":{"message":"m"}}`, said{err: true}},
		{"an error that is a text", chat, `{"error":"m"}`, said{err: true}},
		{"an error that is null, empty or false is none", chat, `{"object":"chat.completion","error":null,"choices":[{"message":{"content":"a"}}]}`, text1("a")},
		{"a body that is a list holds nothing", chat, `[{"choices":[]}]`, nothing},
		{"a body that is a text holds nothing", chat, `"a"`, nothing},
		{"choices that are no list hold nothing", chat, `{"object":"chat.completion","choices":{"message":{"content":"a"}}}`, nothing},
	})
}

func TestCompletionsAnswers(t *testing.T) {
	a := Answer{Type: "completions", Stream: true}
	check(t, []reading{
		{"text_completion", a, `{"object":"text_completion","choices":[{"text":"a","finish_reason":null}]}`, text1("a")},
		{"completion", a, `{"object":"completion","choices":[{"text":"a"}]}`, text1("a")},
		{"another object is marked", a, `{"object":"chat.completion","choices":[{"text":"a"}]}`, with(text1("a"), func(s *said) { s.noObject = true })},
		{"empty text is none, the finish is the end", a, `{"object":"text_completion","choices":[{"text":"","finish_reason":"stop"}]}`, said{end: true}},
		{"the first choice alone", a, `{"object":"text_completion","choices":[{"text":"a"},{"text":"b"}]}`, text1("a")},
		{"usage", a, `{"object":"text_completion","choices":[],"usage":{"total_tokens":3}}`, said{usage: `{"total_tokens":3}`}},
	})
}

func TestResponsesAnswers(t *testing.T) {
	a, whole := Answer{Type: "responses", Stream: true}, Answer{Type: "responses"}
	check(t, []reading{
		{"a text delta", a, `{"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"a"}`, text1("a")},
		{"an empty delta is none", a, `{"type":"response.output_text.delta","delta":""}`, nothing},
		{"a reasoning delta", a, `{"type":"response.reasoning_text.delta","delta":"r"}`, said{content: true, reasoning: "r"}},
		{"a reasoning summary is none", a, `{"type":"response.reasoning_summary_text.delta","delta":"r"}`, nothing},
		{"arguments of a call", a, `{"type":"response.function_call_arguments.delta","delta":"{"}`, text1("{")},
		{"done without deltas counts with its text", a, `{"type":"response.output_text.done","output_index":0,"content_index":0,"text":"abc"}`, text1("abc")},
		{"created holds nothing", a, `{"type":"response.created","response":{"object":"response","usage":{"input_tokens":1},"output":[]}}`, nothing},
		{"completed holds the usage and ends", a, `{"type":"response.completed","response":{"object":"response","usage":{"input_tokens":1},"output":[{"type":"message","content":[{"text":"a"}]}]}}`, said{end: true, usage: `{"input_tokens":1}`}},
		{"incomplete ends, its usage is not read", a, `{"type":"response.incomplete","response":{"usage":{"input_tokens":1}}}`, said{end: true}},
		{"failed ends with its error", a, `{"type":"response.failed","response":{"error":{"code":"server_error","message":"m"},"usage":{"input_tokens":1}}}`, said{end: true, err: true}},
		{"an error event is the error itself", a, `{"type":"error","code":"c","message":"m"}`, said{err: true}},
		{"whole: message text", whole, `{"object":"response","output":[{"type":"message","content":[{"type":"output_text","text":"a"},{"type":"output_text","text":"b"}]}],"usage":{"output_tokens":2}}`, with(text1("ab"), func(s *said) { s.usage = `{"output_tokens":2}` })},
		{"whole: reasoning summary with the text beside", whole, `{"object":"response","output":[{"type":"reasoning","summary":[{"text":"r"},{"text":"s"}]},{"type":"message","content":[{"text":"a"}]}]}`, said{content: true, output: true, text: "a", reasoning: "rs"}},
		{"whole: reasoning alone has no output", whole, `{"object":"response","output":[{"type":"reasoning","summary":[{"text":"r"}]}]}`, said{content: true, reasoning: "r"}},
		{"whole: a message wins over a call", whole, `{"object":"response","output":[{"type":"function_call","name":"f","arguments":"{}"},{"type":"message","content":[{"text":"a"}]}]}`, text1("a")},
		{"whole: calls, name and arguments", whole, `{"object":"response","output":[{"type":"function_call","name":"f","arguments":"{}"},{"type":"function_call","name":"g","arguments":"1"}]}`, text1("f{}g1")},
		{"whole: output_text at last", whole, `{"object":"response","output":[],"output_text":"a"}`, text1("a")},
		{"whole: another object holds nothing", whole, `{"object":"chat.completion","output_text":"a"}`, nothing},
	})
}

func TestADoneAfterDeltasIsContentWithoutText(t *testing.T) {
	a := Answer{Type: "responses", Stream: true}
	read(t, &a, `{"type":"response.output_text.delta","output_index":1,"content_index":0,"delta":"a"}`)
	if got := read(t, &a, `{"type":"response.output_text.done","output_index":1,"content_index":0,"text":"a"}`); got != empty {
		t.Errorf("same part: %+v", got)
	}
	if got := read(t, &a, `{"type":"response.output_text.done","output_index":1,"content_index":1,"text":"b"}`); got != text1("b") {
		t.Errorf("another part of the item: %+v", got)
	}
	if got := read(t, &a, `{"type":"response.output_text.done","output_index":0,"content_index":0,"text":"c"}`); got != text1("c") {
		t.Errorf("another item: %+v", got)
	}
}

func TestMessagesAnswers(t *testing.T) {
	a, whole := Answer{Type: "messages", Stream: true}, Answer{Type: "messages"}
	check(t, []reading{
		{"message_start holds the first usage", a, `{"type":"message_start","message":{"usage":{"input_tokens":3},"content":[{"type":"text","text":"x"}]}}`, said{usage: `{"input_tokens":3}`}},
		{"message_delta holds the last", a, `{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":4}}`, said{usage: `{"output_tokens":4}`}},
		{"message_stop ends", a, `{"type":"message_stop"}`, said{end: true}},
		{"a ping is nothing", a, `{"type":"ping"}`, nothing},
		{"a block's start is nothing", a, `{"type":"content_block_start","content_block":{"type":"tool_use","name":"f","input":{}}}`, nothing},
		{"a text delta", a, `{"type":"content_block_delta","delta":{"type":"text_delta","text":"a"}}`, text1("a")},
		{"an empty text delta is none", a, `{"type":"content_block_delta","delta":{"type":"text_delta","text":""}}`, nothing},
		{"a thinking delta", a, `{"type":"content_block_delta","delta":{"type":"thinking_delta","thinking":"r"}}`, said{content: true, reasoning: "r"}},
		{"a signature is nothing", a, `{"type":"content_block_delta","delta":{"type":"signature_delta","signature":"s"}}`, nothing},
		{"a piece of a tool's input", a, `{"type":"content_block_delta","delta":{"type":"input_json_delta","partial_json":"{\"a\""}}`, text1(`{"a"`)},
		{"a delta without delta is nothing", a, `{"type":"content_block_delta"}`, nothing},
		{"an error", a, `{"type":"error","error":{"type":"overloaded_error","message":"m"}}`, said{err: true}},
		{"whole: texts", whole, `{"type":"message","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}],"usage":{"output_tokens":2}}`, with(text1("ab"), func(s *said) { s.usage = `{"output_tokens":2}` })},
		{"whole: thinking with the text beside", whole, `{"type":"message","content":[{"type":"thinking","thinking":"r"},{"type":"text","text":"a"},{"type":"tool_use","name":"f","input":{}}]}`, said{content: true, output: true, text: "a", reasoning: "r"}},
		{"whole: a tool's name and its input as compact JSON", whole, `{"type":"message","content":[{"type":"text","text":"p"},{"type":"tool_use","name":"f","input":{"city": "K\u00f6ln", "n": [1, 2]}}]}`, said{content: true, output: true, text: `f{"city":"Köln","n":[1,2]}`, prose: "p"}},
		{"whole: no blocks, no content", whole, `{"type":"message","content":[]}`, nothing},
		{"another type holds nothing", whole, `{"type":"completion","content":[{"type":"text","text":"a"}]}`, nothing},
	})
}

func TestTGIAnswers(t *testing.T) {
	a, whole := Answer{Type: "huggingface_generate", Stream: true}, Answer{Type: "huggingface_generate"}
	check(t, []reading{
		{"a token", a, `{"index":1,"token":{"id":5,"text":" a"},"generated_text":null}`, text1(" a")},
		{"the last token, whose generated_text is the end and no content", a, `{"token":{"text":"b"},"generated_text":" a b"}`, with(text1("b"), func(s *said) { s.end = true })},
		{"whole: an object", whole, `{"generated_text":"a b"}`, text1("a b")},
		{"whole: the first of a list", whole, `[{"generated_text":"a"},{"generated_text":"b"}]`, text1("a")},
		{"whole: an empty list", whole, `[]`, nothing},
		{"whole: no token is read", whole, `{"token":{"text":"b"}}`, nothing},
		{"an error text", a, `{"error":"overloaded","error_type":"overloaded"}`, said{err: true}},
	})
}

func TestEmbeddingAndRankingAnswers(t *testing.T) {
	emb, chat := Answer{Type: "embeddings"}, Answer{Type: "chat_embeddings"}
	const ok, foreign = `{"object":"embedding","embedding":[0.1]}`, `{"object":"score","score":1}`
	usage := `,"usage":{"prompt_tokens":3}`
	check(t, []reading{
		{"embeddings, whose usage is not read", emb, `{"data":[` + ok + `,` + ok + `]` + usage + `}`, empty},
		{"nim_embeddings are the same", Answer{Type: "nim_embeddings"}, `{"data":[` + ok + `]}`, empty},
		{"an empty list is none", emb, `{"data":[]}`, nothing},
		{"an item of another object spoils the answer", emb, `{"data":[` + ok + `,` + foreign + `]}`, said{bad: true}},
		{"the first item too", emb, `{"data":[` + foreign + `]}`, said{bad: true}},
		{"an item without object too", emb, `{"data":[{"embedding":[0.1]}]}`, said{bad: true}},
		{"embeddings beside data are not read", emb, `{"embeddings":[[0.1]]}`, nothing},
		{"chat_embeddings: data", chat, `{"data":[` + ok + `]` + usage + `}`, empty},
		{"chat_embeddings: embeddings", chat, `{"embeddings":[[0.1]]}`, empty},
		{"chat_embeddings: embedding", chat, `{"embedding":[0.1]}`, empty},
		{"chat_embeddings: a foreign first item gives way to embeddings", chat, `{"data":[` + foreign + `],"embeddings":[[0.1]]}`, empty},
		{"chat_embeddings: a foreign first item alone", chat, `{"data":[` + foreign + `]}`, nothing},
		{"cohere: results", Answer{Type: "cohere_rankings"}, `{"results":[{"index":0,"relevance_score":0.9}]` + usage + `}`, empty},
		{"cohere: no results", Answer{Type: "cohere_rankings"}, `{"results":[]}`, nothing},
		{"cohere: a list is none", Answer{Type: "cohere_rankings"}, `[{"index":0,"score":0.9}]`, nothing},
		{"tei: a list", Answer{Type: "hf_tei_rankings"}, `[{"index":0,"score":0.9}]`, empty},
		{"tei: results", Answer{Type: "hf_tei_rankings"}, `{"results":[{"index":0}]}`, empty},
		{"tei: an empty list", Answer{Type: "hf_tei_rankings"}, `[]`, nothing},
		{"nim: rankings", Answer{Type: "nim_rankings"}, `{"rankings":[{"index":0,"logit":1.5}]` + usage + `}`, empty},
		{"nim: results are none", Answer{Type: "nim_rankings"}, `{"results":[{"index":0}]}`, nothing},
	})
}

func TestMediaAnswers(t *testing.T) {
	check(t, []reading{
		{"any JSON of image_generation is content", Answer{Type: "image_generation"}, `{"data":[{"b64_json":"AA"}],"usage":{"input_tokens":9}}`, said{content: true, usage: `{"input_tokens":9}`}},
		{"a streamed partial image", Answer{Type: "image_generation", Stream: true}, `{"type":"image_generation.partial_image","b64_json":"AA","partial_image_index":0}`, empty},
		{"an error object as well, and it is named", Answer{Type: "image_generation"}, `{"error":{"message":"m"}}`, said{content: true, err: true}},
		{"image_edit", Answer{Type: "image_edit"}, `{"data":[{"url":"u"}]}`, empty},
		{"video", Answer{Type: "video_generation"}, `{"id":"v","status":"completed","error":null}`, empty},
		{"image_retrieval: data", Answer{Type: "image_retrieval"}, `{"data":[{"text_detections":[]}],"usage":{"images_size_mb":1}}`, empty},
		{"image_retrieval: null data", Answer{Type: "image_retrieval"}, `{"data":null}`, nothing},
		{"transcription", Answer{Type: "audio_transcription"}, `{"text":"a","usage":{"type":"duration","seconds":3}}`, with(text1("a"), func(s *said) { s.usage = `{"type":"duration","seconds":3}` })},
		{"an empty transcription", Answer{Type: "audio_transcription"}, `{"text":""}`, nothing},
		{"solido", Answer{Type: "solido_rag", Stream: true}, `{"content":"a","sources":[{"text":"b"}]}`, text1("a")},
		{"solido: sources alone", Answer{Type: "solido_rag", Stream: true}, `{"content":"","sources":[{"text":"b"}]}`, nothing},
	})
}

func TestVideoFields(t *testing.T) {
	for _, c := range []struct {
		name, message string
		secs, mb      float64 // -1: absent
	}{
		{"both", `{"inference_time_s":3.5,"peak_memory_mb":2048}`, 3.5, 2048},
		{"zero is a value", `{"inference_time_s":0}`, 0, -1},
		{"null, text and true are absent", `{"inference_time_s":null,"peak_memory_mb":"9"}`, -1, -1},
		{"what no float64 holds is absent", `{"inference_time_s":1e999,"peak_memory_mb":NaN}`, -1, -1},
	} {
		v, err := fastjson.Parse(c.message)
		if err != nil {
			t.Fatal(err)
		}
		var k Chunk
		(&Answer{Type: "video_generation"}).Read(v, &k)
		if float(k.VideoSecs) != c.secs || float(k.VideoMB) != c.mb {
			t.Errorf("%s: %v s, %v MB, want %v and %v", c.name, float(k.VideoSecs), float(k.VideoMB), c.secs, c.mb)
		}
	}
}

func float(p *float64) float64 {
	if p == nil {
		return -1
	}
	return *p
}

func TestFreeAnswers(t *testing.T) {
	raw, tmpl := Answer{Type: "raw"}, Answer{Type: "template"}
	query := func(typ, q string) Answer { return Answer{Type: typ, Query: q} }
	const deep = `{"a":{"b":"x","list":["p","q"],"none":null,"empty":"","n":5,"o":{"k":1}},"text":"fallback"}`
	check(t, []reading{
		{"raw: embeddings come before rankings and text", raw, `{"data":[{"object":"embedding","embedding":[1]}],"results":[1],"text":"a"}`, empty},
		{"raw: embedding vectors", raw, `{"embedding":[0.5],"text":"a"}`, empty},
		{"raw: rankings come before text", raw, `{"rankings":[{"index":0}],"text":"a"}`, empty},
		{"raw: results too", raw, `{"results":[{"index":0}],"text":"a"}`, empty},
		{"raw: results that are no list are not rankings", raw, `{"results":"x","text":"a"}`, text1("a")},
		{"raw: text before content", raw, `{"content":"b","text":"a"}`, text1("a")},
		{"raw: content before response", raw, `{"response":"b","content":"a"}`, text1("a")},
		{"raw: response before output", raw, `{"output":"b","response":"a"}`, text1("a")},
		{"raw: output before result", raw, `{"result":"b","output":"a"}`, text1("a")},
		{"raw: result before choices", raw, `{"choices":[{"text":"b"}],"result":"a"}`, text1("a")},
		{"raw: an empty text gives way", raw, `{"text":"","content":"a"}`, text1("a")},
		{"raw: a list of texts", raw, `{"output":["a","b"]}`, text1("ab")},
		{"raw: a list of numbers gives way", raw, `{"output":[1,2],"result":"a"}`, text1("a")},
		{"raw: choices' text", raw, `{"choices":[{"text":"a","message":{"content":"b"}}]}`, text1("a")},
		{"raw: choices' message", raw, `{"choices":[{"message":{"content":"a"},"delta":{"content":"b"}}]}`, text1("a")},
		{"raw: choices' delta, whose usage is not read", raw, `{"choices":[{"delta":{"content":"a"}}],"usage":{"prompt_tokens":1}}`, text1("a")},
		{"raw: a foreign data item does not spoil it", raw, `{"data":[{"object":"embedding"},{"object":"x"}],"text":"a"}`, text1("a")},
		{"template: nor there", tmpl, `{"data":[{"object":"x"}],"embeddings":[[1]]}`, empty},
		{"raw: nor does a foreign first one hide embeddings", raw, `{"data":[{"object":"x"}],"embeddings":[[1]]}`, empty},
		{"raw: nothing known", raw, `{"status":"ok"}`, nothing},
		{"raw: a query", query("raw", "a.b"), deep, text1("x")},
		{"raw: a query that finds nothing falls back", query("raw", "a.z"), deep, text1("fallback")},
		{"raw: null falls back", query("raw", "a.none"), deep, text1("fallback")},
		{"raw: an empty text falls back", query("raw", "a.empty"), deep, text1("fallback")},
		{"raw: a query that is wrong falls back", query("raw", "a..["), deep, text1("fallback")},
		{"raw: a list of texts is joined", query("raw", "a.list"), deep, text1("pq")},
		{"raw: a projection", query("raw", "x[*].t"), `{"x":[{"t":"a"},{"t":"b"}]}`, text1("ab")},
		{"raw: a vector is content without text", query("raw", "v"), `{"v":[0.1,0.2]}`, empty},
		{"raw: a number is its text", query("raw", "a.n"), deep, text1("5")},
		{"raw: an object is its JSON", query("raw", "a.o"), deep, text1(`{"k":1}`)},
		{"template: without a query as raw", tmpl, `{"response":"a"}`, text1("a")},
		{"template: a query", query("template", "a.b"), deep, text1("x")},
		{"template: a query that finds nothing does not fall back", query("template", "a.z"), deep, nothing},
		{"template: the query text is no query", query("template", "text"), `{"content":"a"}`, text1("a")},
		{"raw: the query text is one", query("raw", "text"), `{"content":"b","text":"a"}`, text1("a")},
	})
}

func TestEndSignals(t *testing.T) {
	for _, typ := range []string{"chat", "completions", "responses", "messages", "huggingface_generate"} {
		if !(&Answer{Type: typ}).HasEnd() {
			t.Errorf("%s has no end", typ)
		}
	}
	for _, typ := range []string{"raw", "template", "solido_rag", "image_generation", "embeddings"} {
		if (&Answer{Type: typ}).HasEnd() {
			t.Errorf("%s has an end", typ)
		}
	}
	for typ := range paths {
		if want := typ == "raw" || typ == "template" || typ == "audio_transcription"; (&Answer{Type: typ}).PlainText() != want {
			t.Errorf("%s: plain text %v", typ, !want)
		}
	}
}

func FuzzAnswer(f *testing.F) {
	for _, s := range []string{
		`{"object":"chat.completion.chunk","choices":[{"delta":{"reasoning":"r","content":"a","tool_calls":[{"function":{"name":"f"}}]},"finish_reason":"stop"}],"usage":{"prompt_tokens":1}}`,
		`{"type":"response.output_text.done","text":"a"}`, `{"object":"response","output":[{"type":"reasoning","summary":[{"text":"r"}]}]}`,
		`{"type":"message","content":[{"type":"tool_use","name":"f","input":{"a":"\u0001"}}]}`, `[{"generated_text":"a"}]`,
		`{"data":[{"object":"embedding"}]}`, `{"results":[1]}`, `{"inference_time_s":1e999}`, `{"text":["a",1]}`, `{"error":"e\u0007"}`,
	} {
		f.Add(s, "text")
	}
	f.Fuzz(func(t *testing.T, message, query string) {
		if len(query) > 30 {
			query = query[:30]
		}
		for typ := range paths {
			for _, stream := range []bool{false, true} {
				v, err := fastjson.Parse(message)
				if err != nil {
					return
				}
				var c Chunk
				(&Answer{Type: typ, Stream: stream, Query: query}).Read(v, &c)
				if !c.Content && (c.Output || len(c.Text)+len(c.Reasoning)+len(c.Prose) > 0) {
					t.Fatalf("%s: text without content: %+v", typ, c)
				}
				if c.Output && len(c.Text) == 0 {
					t.Fatalf("%s: output without text", typ)
				}
				ParseUsage(c.Usage)
			}
		}
	})
}
