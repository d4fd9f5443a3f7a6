package metric

// A Traits says what an endpoint type does: tokens out, text in, media in, video out.
type Traits struct{ ProducesTokens, TokenizesInput, TakesAudio, TakesImages, ProducesVideo bool }

// EndpointTraits are the endpoint types' (metrics-and-exports 3.0).
var EndpointTraits = map[string]Traits{
	"chat":                 {true, true, true, true, false},
	"completions":          {true, true, false, false, false},
	"responses":            {true, true, true, true, false},
	"messages":             {true, true, false, true, false},
	"huggingface_generate": {true, true, false, false, false},
	"raw":                  {true, true, true, true, false},
	"template":             {true, true, true, true, false},
	"solido_rag":           {true, true, false, false, false},
	"chat_embeddings":      {false, true, false, true, false},
	"embeddings":           {false, true, false, false, false},
	"nim_embeddings":       {false, true, false, true, false},
	"cohere_rankings":      {false, true, false, false, false},
	"hf_tei_rankings":      {false, true, false, false, false},
	"nim_rankings":         {false, true, false, false, false},
	"image_generation":     {false, true, false, false, false},
	"image_edit":           {false, true, false, true, false},
	"image_retrieval":      {false, false, false, true, false},
	"video_generation":     {false, true, false, false, true},
	"audio_transcription":  {false, false, true, false, false},
}

// Allowed says which tags are computed: those with no refused flag, and those that one of them
// needs, whatever their own flags (so an embeddings run has an output_sequence_length of 0).
func Allowed(o Options) map[string]bool {
	t := EndpointTraits[o.EndpointType]
	var refused Flags
	for _, r := range []struct {
		when bool
		flag Flags
	}{
		{!t.ProducesTokens, Tokens}, {!t.TokenizesInput, TokenizesInput}, {!t.TakesAudio, Audio},
		{!t.TakesImages, Image}, {!t.ProducesVideo, ProducesVideo}, {!o.Streaming, Streaming},
		{len(o.Goodput) == 0, Goodput}, {o.UseServerTokenCount, UsageDiff}, {o.Accuracy, DisableOnAccuracy},
		{!o.FixedSchedule, FixedSchedule}, {!o.Dev, Experimental},
	} {
		if r.when {
			refused |= r.flag
		}
	}
	allowed := map[string]bool{}
	var admit func(tag string)
	admit = func(tag string) {
		if m := find(tag); m != nil && !allowed[tag] {
			allowed[tag] = true
			for _, need := range m.Needs {
				admit(need)
			}
		}
	}
	for _, m := range All {
		if m.Flags&refused == 0 {
			admit(m.Tag)
		}
	}
	return allowed
}
