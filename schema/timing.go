package schema

// A Timing is a snapshot of one phase, written by aiperf-send while it runs. The first line of a
// phase has its exact StartNS, the last its exact EndNS (both wall): the phase window. Field names
// are those of AIPerf's timing instruments.
type Timing struct {
	Kind  string `json:"kind"` // "timing"
	RunID string `json:"run_id,omitempty"`

	Phase          string `json:"phase"` // PhaseWarmup or PhaseProfiling
	PhaseIndex     int    `json:"phase_index"`
	ProfilingIndex *int   `json:"profiling_index,omitempty"`
	PhaseName      string `json:"phase_name,omitempty"`
	PhaseKind      string `json:"phase_kind,omitempty"`

	TimestampNS   int64  `json:"timestamp_ns"` // wall: when this snapshot was taken
	StartNS       *int64 `json:"start_ns,omitempty"`
	SentEndNS     *int64 `json:"sent_end_ns,omitempty"`     // the last request of the phase was sent
	RequestsEndNS *int64 `json:"requests_end_ns,omitempty"` // the last answer of the phase had ended
	EndNS         *int64 `json:"end_ns,omitempty"`          // the phase is over

	TotalExpectedRequests  *int64   `json:"total_expected_requests,omitempty"`
	ExpectedDurationSec    *float64 `json:"expected_duration_sec,omitempty"`
	ExpectedNumSessions    *int64   `json:"expected_num_sessions,omitempty"`
	ExpectedGracePeriodSec *float64 `json:"expected_grace_period_sec,omitempty"`
	Concurrency            *int64   `json:"concurrency,omitempty"` // session slots; absent: unlimited
	FixedSchedule          bool     `json:"fixed_schedule,omitempty"`

	RequestsSent      int64 `json:"requests_sent"`
	RequestsCompleted int64 `json:"requests_completed"`
	RequestsCancelled int64 `json:"requests_cancelled"`
	RequestErrors     int64 `json:"request_errors"`
	RequestsInFlight  int64 `json:"requests_in_flight"`
	SentSessions      int64 `json:"sent_sessions"`
	CompletedSessions int64 `json:"completed_sessions"`
	CancelledSessions int64 `json:"cancelled_sessions"`
	TotalSessionTurns int64 `json:"total_session_turns"`

	TimeoutTriggered            bool `json:"timeout_triggered"`
	GracePeriodTimeoutTriggered bool `json:"grace_period_timeout_triggered"`
	WasCancelled                bool `json:"was_cancelled"` // the run was stopped by a signal

	Client *ClientHealth `json:"client,omitempty"` // the sender's own limits
}

// ClientHealth is what aiperf-send says of itself: a run whose client was the limit is not to be believed.
// Lag is start minus schedule, distortion is read time minus arrival time; both intervals.
type ClientHealth struct {
	LagP50NS        *int64   `json:"lag_p50_ns,omitempty"`
	LagP99NS        *int64   `json:"lag_p99_ns,omitempty"`
	LagMaxNS        *int64   `json:"lag_max_ns,omitempty"`
	DistortionP50NS *int64   `json:"distortion_p50_ns,omitempty"`
	DistortionP99NS *int64   `json:"distortion_p99_ns,omitempty"`
	DistortionMaxNS *int64   `json:"distortion_max_ns,omitempty"`
	CPUSeconds      *float64 `json:"cpu_seconds,omitempty"`
	CPUs            *float64 `json:"cpus,omitempty"`
	BufferedRecords *int64   `json:"buffered_records,omitempty"`
	SpilledRecords  *int64   `json:"spilled_records,omitempty"`
}
