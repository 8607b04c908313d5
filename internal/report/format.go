package report

import (
	"math"
	"strconv"
	"strings"
)

// significantDigits of a printed time: noise hides what follows.
const significantDigits = 3

// Duration formats a time given in nanoseconds with three significant digits in
// the largest of ns, µs, ms and s that is not above it: "1.36 µs", "853 ns",
// "-12.0 ms". A number that is not finite is "n/a".
func Duration(ns float64) string {
	if !isFinite(ns) {
		return "n/a"
	}
	units := []struct {
		ns   float64
		name string
	}{{1, "ns"}, {1e3, "µs"}, {1e6, "ms"}, {1e9, "s"}}
	// Round before the unit is chosen, so that 999.9 ns becomes 1.00 µs.
	size := math.Abs(roundTo(ns, significantDigits))
	unit := units[0]
	for _, u := range units {
		if size >= u.ns {
			unit = u
		}
	}
	return significant(ns/unit.ns, significantDigits) + " " + unit.name
}

// roundTo rounds x to the given number of significant digits.
func roundTo(x float64, digits int) float64 {
	y, err := strconv.ParseFloat(strconv.FormatFloat(x, 'e', digits-1, 64), 64)
	if err != nil {
		return x
	}
	return y
}

// significant formats x without an exponent, with at least the given number of
// significant digits.
func significant(x float64, digits int) string {
	x = roundTo(x, digits)
	return strconv.FormatFloat(x, 'f', decimalsFor(x, digits, 0), 64)
}

// decimalsFor is the number of decimals, at least least and at most nine, that
// shows digits significant digits of x.
func decimalsFor(x float64, digits, least int) int {
	x = math.Abs(x)
	if x == 0 || !isFinite(x) {
		return least
	}
	needed := digits - 1 - int(math.Floor(math.Log10(x)))
	return min(max(needed, least), 9)
}

// fixed formats x with exactly the given number of decimals.
func fixed(x float64, decimals int) string {
	return strconv.FormatFloat(x, 'f', decimals, 64)
}

// exact formats x with as many digits as bring the same float64 back.
func exact(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// percent formats a fraction: 0.054 is "5.4%".
func percent(fraction float64) string { return fixed(100*fraction, 1) + "%" }

// signedPercent formats a relative change: 0.054 is "+5.4%".
func signedPercent(fraction float64) string {
	s := percent(fraction)
	if !strings.HasPrefix(s, "-") {
		s = "+" + s
	}
	return s
}

// spread formats how far the interval [lo, hi] reaches from its median, as a
// percentage: "±3%". It is empty where no interval is known.
func spread(median, lo, hi float64) string {
	if median <= 0 || lo == hi {
		return ""
	}
	reach := max(hi-median, median-lo) / median
	switch {
	case reach < 0.0005:
		return "±0%"
	case reach < 0.0095:
		return "±" + fixed(100*reach, 1) + "%"
	}
	return "±" + fixed(100*reach, 0) + "%"
}

// thousands formats a count for prose: "2,688".
func thousands(n int) string {
	s := strconv.Itoa(n)
	sign := ""
	if n < 0 {
		sign, s = "-", s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}

// oneLine replaces what would break a line or hide text with a space, and bytes
// that are no UTF-8 with the replacement character.
func oneLine(s string) string {
	s = strings.ToValidUTF8(s, "\ufffd")
	return strings.TrimSpace(strings.Map(func(c rune) rune {
		if c < ' ' || c == 0x7f || c == '\u2028' || c == '\u2029' || c == '\u0085' {
			return ' '
		}
		return c
	}, s))
}
