package metric

type interval struct {
	Start, End int64
	First      *int64
	ISL, OSL   *float64
	Gaps       []int64
}

type curveStats struct{ Avg, P50, P90, P95, P99, Min, Max, Std float64 }

func sweep(list []interval, from, to int64, definitions string) map[string]curveStats { return nil }
