package endpoint

// paths are the default paths (AIPerf 0.13.0); raw and template call the URL as it is given.
var paths = map[string]string{
	"chat": "/v1/chat/completions", "completions": "/v1/completions", "responses": "/v1/responses", "messages": "/v1/messages",
	"embeddings": "/v1/embeddings", "chat_embeddings": "/v1/embeddings", "nim_embeddings": "/v1/embeddings",
	"nim_rankings": "/v1/ranking", "hf_tei_rankings": "/rerank", "cohere_rankings": "/v2/rerank", "huggingface_generate": "/generate",
	"image_generation": "/v1/images/generations", "image_edit": "/v1/images/edits", "video_generation": "/v1/videos",
	"audio_transcription": "/v1/audio/transcriptions", "image_retrieval": "/v1/infer", "solido_rag": "/rag/api/prompt",
	"template": "", "raw": "",
}

// Path is the default path of an endpoint type; false when the type is unknown.
func Path(endpointType string, streaming bool) (string, bool) {
	if endpointType == "huggingface_generate" && streaming {
		return "/generate_stream", true
	}
	p, ok := paths[endpointType]
	return p, ok
}
