package metric

import (
	"testing"

	"aiperf/internal/judge"
)

func images(n int64) func(*judge.Sample)  { return func(s *judge.Sample) { s.NumImages = &n } }
func audio(x float64) func(*judge.Sample) { return func(s *judge.Sample) { s.AudioSeconds = &x } }
func video(x, mb float64) func(*judge.Sample) {
	return func(s *judge.Sample) { s.VideoInferenceTime, s.VideoPeakMemoryMB = &x, &mb }
}

var (
	video0  = Options{EndpointType: "video_generation"}
	spoken  = Options{EndpointType: "audio_transcription"}
	written = Options{EndpointType: "completions"}
)

var mediaRows = []rowCase{
	{"is the images of the payload", chat, of(with(at(1, 500), images(4))), "num_images", []string{"4"}, stats{"avg": 4}},
	{"is absent when 0", chat, of(with(at(1, 500), images(0)), at(1, 500)), "num_images", []string{"", ""}, nil},
	{"is absent where no images are taken", written, of(with(at(1, 500), images(4))), "num_images", []string{""}, nil},
	{"is images by latency", retrieval, of(with(at(1, 500), images(4))), "image_throughput", []string{"8"}, stats{"avg": 8}},
	{"is absent where the latency is 0", chat, of(with(at(1, 0), images(4))), "image_throughput", []string{""}, nil},
	{"is absent without images", chat, of(at(1, 500)), "image_throughput", []string{""}, nil},
	{"is the latency by images, in ms", chat, of(with(at(1, 500), images(4))), "image_latency", []string{"125"}, stats{"avg": 125}},
	{"is absent without images", chat, of(at(1, 500)), "image_latency", []string{""}, nil},

	{"is the server's", video0, of(with(at(1, 500), video(1.25, 900.5))), "video_inference_time", []string{"1.25"}, stats{"avg": 1.25}},
	{"is absent where the server does not say", video0, of(at(1, 500)), "video_inference_time", []string{""}, nil},
	{"is absent where no video is made", chat, of(with(at(1, 500), video(1.25, 900.5))), "video_inference_time", []string{""}, nil},
	{"is the server's", video0, of(with(at(1, 500), video(1.25, 900.5))), "video_peak_memory", []string{"900.5"}, stats{"avg": 900.5}},
	{"is absent where the server does not say", video0, of(at(1, 500)), "video_peak_memory", []string{""}, nil},

	{"is the length of what was sent", spoken, of(with(at(1, 500), audio(2.5))), "audio_duration", []string{"2.5"}, stats{"avg": 2.5}},
	{"is absent when 0 or unknown", spoken, of(with(at(1, 500), audio(0)), with(at(1, 500), audio(-1)), at(1, 500)), "audio_duration", []string{"", "", ""}, nil},
	{"is absent where no audio is taken", written, of(with(at(1, 500), audio(2.5))), "audio_duration", []string{""}, nil},
	{"is how much faster than speech", spoken, of(with(at(1, 500), audio(2.5))), "rtfx", []string{"5"}, stats{"avg": 5}},
	{"is absent where the latency is 0", spoken, of(with(at(1, 0), audio(2.5))), "rtfx", []string{""}, nil},
	{"is absent without audio", spoken, of(at(1, 500)), "rtfx", []string{""}, nil},
}

func TestMediaRows(t *testing.T) { checkRows(t, mediaRows) }

func TestEndpointTypes(t *testing.T) {
	for typ, want := range map[string]string{ // tokens out, text in, audio in, images in, video out
		"chat": "o t a i -", "completions": "o t - - -", "responses": "o t a i -", "messages": "o t - i -", "huggingface_generate": "o t - - -", "raw": "o t a i -", "template": "o t a i -",
		"solido_rag": "o t - - -", "chat_embeddings": "- t - i -", "embeddings": "- t - - -", "nim_embeddings": "- t - i -", "cohere_rankings": "- t - - -", "hf_tei_rankings": "- t - - -",
		"nim_rankings": "- t - - -", "image_generation": "- t - - -", "image_edit": "- t - i -", "image_retrieval": "- - - i -", "video_generation": "- t - - v", "audio_transcription": "- - a - -",
	} {
		allowed := Allowed(Options{EndpointType: typ, Streaming: true})
		got := ""
		for i, tag := range []string{"output_token_count", "error_isl", "audio_duration", "num_images", "video_peak_memory"} {
			if mark := "-"; allowed[tag] {
				got += " " + string("otaiv"[i])
			} else {
				got += " " + mark
			}
		}
		if got[1:] != want {
			t.Errorf("%s: %s, want %s", typ, got[1:], want)
		}
	}
	if len(EndpointTraits) != 19 {
		t.Errorf("%d endpoint types, want 19", len(EndpointTraits))
	}
}
