package export

import (
	"slices"
	"strings"
)

// gpuFields are the device fields in the order of AIPerf's rows, with their headers.
var gpuFields = [][2]string{
	{"nvidia_power_usage", "NVIDIA GPU Power Usage"},
	{"nvidia_energy_consumption", "NVIDIA Energy Consumption"},
	{"nvidia_gpu_utilization", "NVIDIA GPU Utilization"},
	{"nvidia_memory_utilization", "NVIDIA Memory Utilization"},
	{"nvidia_memory_used", "NVIDIA GPU Memory Used"},
	{"nvidia_temperature", "NVIDIA GPU Temperature"},
	{"nvidia_sm_utilization", "NVIDIA SM Utilization"},
	{"nvidia_decoder_utilization", "NVIDIA Decoder Utilization"},
	{"nvidia_encoder_utilization", "NVIDIA Encoder Utilization"},
	{"nvidia_jpg_utilization", "NVIDIA JPEG Utilization"},
	{"nvidia_xid_errors", "NVIDIA XID Errors"},
	{"nvidia_power_violation", "NVIDIA Power Violation"},
	{"amd_power", "AMD GPU Power"},
	{"amd_energy_consumption", "AMD Energy Consumption"},
	{"amd_gfx_activity", "AMD GFX Activity"},
	{"amd_umc_activity", "AMD UMC Activity"},
	{"amd_mm_activity", "AMD MM Activity"},
	{"amd_memory_used", "AMD GPU Memory Used"},
	{"amd_temperature", "AMD GPU Temperature"},
	{"amd_ecc_uncorrectable", "AMD ECC Uncorrectable"},
	{"amd_throttle_status", "AMD Throttle Status"},
}

// gpuField is the row of a field; unknown ones come last.
func gpuField(tag string) int {
	i := slices.IndexFunc(gpuFields, func(f [2]string) bool { return f[0] == tag })
	if i < 0 {
		return len(gpuFields)
	}
	return i
}

// gpuHeader names a field; one that is not in the table is named by its tag's words.
func gpuHeader(tag string) string {
	if i := gpuField(tag); i < len(gpuFields) {
		return gpuFields[i][1]
	}
	words := strings.Split(tag, "_")
	for i, w := range words {
		if w != "" {
			words[i] = strings.ToUpper(w[:1]) + w[1:]
		}
	}
	return strings.Join(words, " ")
}
