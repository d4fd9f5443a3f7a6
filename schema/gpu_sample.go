package schema

// A GPUSample is one reading of one device (or MIG instance). Keys are AIPerf's
// (gpu_telemetry_export.jsonl); TelemetryData is in the units of its field table.
type GPUSample struct {
	Kind               string             `json:"kind"` // "gpu_sample"
	GPUIndex           int                `json:"gpu_index"`
	GPUUUID            string             `json:"gpu_uuid,omitempty"`
	GPUModelName       string             `json:"gpu_model_name,omitempty"`
	PCIBusID           string             `json:"pci_bus_id,omitempty"`
	Device             string             `json:"device,omitempty"`
	Hostname           string             `json:"hostname,omitempty"`
	Namespace          string             `json:"namespace,omitempty"`
	PodName            string             `json:"pod_name,omitempty"`
	MIGInstance        string             `json:"mig_instance,omitempty"`
	Platform           string             `json:"platform,omitempty"` // "nvidia", "amd"
	TimestampNS        int64              `json:"timestamp_ns"`       // wall
	TelemetrySourceURL string             `json:"telemetry_source_url,omitempty"`
	TelemetryData      map[string]float64 `json:"telemetry_data"`
}
