// Package unit names the units of metrics and converts between an internal and a display one.
package unit

// The units that are converted; every other unit is shown as it is.
const (
	NS  = "ns"
	US  = "us"
	MS  = "ms"
	Sec = "sec"
	B   = "B"
	KB  = "KB" // 1024 B
)

// Convert turns v of unit from into unit to; false if no conversion between them is known. The
// factors are AIPerf's own, so the last digits agree (ns to ms is v*1e-6, not v/1e6).
func Convert(v float64, from, to string) (float64, bool) {
	switch [2]string{from, to} {
	case [2]string{NS, US}:
		return v * 1e-3, true
	case [2]string{NS, MS}:
		return v * 1e-6, true
	case [2]string{NS, Sec}:
		return v * 1e-9, true
	case [2]string{Sec, MS}:
		return v * 1e3, true
	case [2]string{MS, NS}:
		return v * 1e6, true
	case [2]string{Sec, NS}:
		return v * 1e9, true
	case [2]string{MS, Sec}:
		return v * 1e-3, true
	case [2]string{B, KB}, [2]string{"bytes", KB}:
		return v / 1024, true
	case [2]string{KB, B}:
		return v * 1024, true
	}
	return v, from == to
}
