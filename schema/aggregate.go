package schema

// An Aggregate is the confidence aggregate of several runs of one benchmark. Its numbers are in
// display units, as each Unit says.
type Aggregate struct {
	Kind       string      `json:"kind"` // "aggregate"
	Runs       int         `json:"num_profile_runs"`
	Successful int         `json:"num_successful_runs"`
	Failed     []FailedRun `json:"failed_runs"` // never null
	Level      float64     `json:"confidence_level"`
	Labels     []string    `json:"run_labels"`           // of the successful runs
	Single     bool        `json:"single_run,omitempty"` // one run only: no spread is known
	Cooldown   float64     `json:"cooldown_seconds"`     // between runs

	Metrics map[string]AggregateMetric `json:"metrics"` // by <tag>_<stat>
}

// A FailedRun is a run that counts for nothing in the aggregate.
type FailedRun struct {
	Label string `json:"label"`
	Error string `json:"error"`
}

// An AggregateMetric says how one statistic varies between runs; nil is null: it cannot be told.
type AggregateMetric struct {
	Mean      *float64 `json:"mean"`
	Std       *float64 `json:"std"` // of the sample (ddof 1)
	Min       *float64 `json:"min"`
	Max       *float64 `json:"max"`
	CV        *float64 `json:"cv"` // std/mean, with the sign of mean; nil when mean is 0
	SE        *float64 `json:"se"` // std/sqrt(n)
	CILow     *float64 `json:"ci_low"`
	CIHigh    *float64 `json:"ci_high"`
	TCritical *float64 `json:"t_critical"` // Student t, two-sided at the level, n-1 degrees of freedom
	Unit      string   `json:"unit"`
}
