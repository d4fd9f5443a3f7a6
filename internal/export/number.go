package export

import (
	"bytes"
	"math"
	"strconv"
	"strings"
)

// finite reports a statistic that can be written.
func finite(p *float64) bool { return p != nil && !math.IsNaN(*p) && !math.IsInf(*p, 0) }

// appendFloat writes x in the shortest form that reads back, always recognisable as a float
// ("40.0"), with an exponent below 1e-4 and from 1e16 on: the form of AIPerf's JSON.
func appendFloat(b []byte, x float64) []byte {
	if a := math.Abs(x); a != 0 && (a < 1e-4 || a >= 1e16) {
		s := strconv.FormatFloat(x, 'e', -1, 64)
		mant, exp, _ := strings.Cut(s, "e")
		n, _ := strconv.Atoi(exp)
		if !strings.Contains(mant, ".") && n >= 16 {
			mant += ".0"
		}
		return append(b, mant+"e"+strconv.Itoa(n)...)
	}
	from := len(b)
	b = strconv.AppendFloat(b, x, 'f', -1, 64)
	if bytes.IndexByte(b[from:], '.') < 0 {
		b = append(b, ".0"...)
	}
	return b
}

// fixed2 is x with two decimals and no separators; "" when it cannot be written.
func fixed2(p *float64) string {
	if !finite(p) {
		return ""
	}
	return strconv.FormatFloat(*p, 'f', 2, 64)
}

// thousands is x with two decimals and commas, "N/A" when absent.
func thousands(p *float64) string {
	if !finite(p) {
		return "N/A"
	}
	s := strconv.FormatFloat(*p, 'f', 2, 64)
	whole, dec, _ := strings.Cut(s, ".")
	return commas(whole) + "." + dec
}

// commas groups the digits of a whole number, which may have a sign, by three.
func commas(digits string) string {
	sign := ""
	if strings.HasPrefix(digits, "-") {
		sign, digits = "-", digits[1:]
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + digits
}
