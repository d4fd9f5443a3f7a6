package metric

import "aiperf/internal/judge"

var mediaMetrics = []Metric{
	{
		Tag: "audio_duration", Header: "Audio Duration", Short: "Audio Dur",
		Unit: "sec", Show: "sec", Group: "none", Order: 870,
		Kind: KindRecord, Value: "float", Registered: KindRecord,
		Flags:   Audio,
		Formula: "length of the audio sent",
		Record:  func(s *judge.Sample, v []float64) (float64, bool) { return positive(real(s.AudioSeconds)) },
	},
	{
		Tag: "image_latency", Header: "Image Latency", Short: "Image Latency",
		Unit: "ms/image", Show: "ms/image", Group: "default", Order: 861,
		Kind: KindRecord, Value: "float", Registered: KindRecord,
		Flags:   Image,
		Needs:   []string{"num_images", "request_latency"},
		Formula: "request_latency / num_images",
		Record:  func(s *judge.Sample, v []float64) (float64, bool) { return quotient(v[1]*1e-6, v[0]) },
	},
	{
		Tag: "image_throughput", Header: "Image Throughput", Short: "Image Throughput",
		Unit: "images/sec", Show: "images/sec", Group: "default", Order: 860,
		Kind: KindRecord, Value: "float", Registered: KindRecord,
		Flags:   Image,
		Needs:   []string{"num_images", "request_latency"},
		Formula: "num_images / request_latency",
		Record:  func(s *judge.Sample, v []float64) (float64, bool) { return quotient(v[0]*1e9, v[1]) },
	},
	{
		Tag: "num_images", Header: "Number of Images", Short: "Num Images",
		Unit: "images", Show: "images", Group: "none",
		Kind: KindRecord, Value: "int", Registered: KindRecord,
		Flags:   Image,
		Formula: "images in the payload; 0 is absent",
		Record:  func(s *judge.Sample, v []float64) (float64, bool) { return positive(whole(s.NumImages)) },
	},
	{
		Tag: "rtfx", Header: "Inverse Real-Time Factor (RTFx)", Short: "RTFx", HideUnit: true,
		Unit: "ratio", Show: "ratio", Group: "default", Order: 850,
		Kind: KindRecord, Value: "float", Registered: KindRecord,
		Flags:   LargerIsBetter | Audio,
		Needs:   []string{"audio_duration", "request_latency"},
		Formula: "audio_duration / request_latency",
		Record:  func(s *judge.Sample, v []float64) (float64, bool) { return quotient(v[0]*1e9, v[1]) },
	},
	{
		Tag: "video_inference_time", Header: "Video Inference Time", Short: "Inference Time",
		Unit: "sec", Show: "ms", Group: "default", Order: 310,
		Kind: KindRecord, Value: "float", Registered: KindRecord,
		Flags:   ProducesVideo,
		Formula: "as the server says",
		Record:  func(s *judge.Sample, v []float64) (float64, bool) { return real(s.VideoInferenceTime) },
	},
	{
		Tag: "video_peak_memory", Header: "Video Peak Memory", Short: "Peak Memory",
		Unit: "MB", Show: "MB", Group: "default", Order: 311,
		Kind: KindRecord, Value: "float", Registered: KindRecord,
		Flags:   ProducesVideo,
		Formula: "as the server says",
		Record:  func(s *judge.Sample, v []float64) (float64, bool) { return real(s.VideoPeakMemoryMB) },
	},
}
