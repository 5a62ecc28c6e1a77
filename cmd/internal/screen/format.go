package screen

import (
	"strconv"
	"time"
)

// Count formats a number with separators: 1,234,567.
func Count(n int64) string {
	digits := strconv.FormatInt(n, 10)
	first := len(digits) % 3
	if n < 0 {
		return "-" + Count(-n)
	}
	out := digits[:first]
	for i := first; i < len(digits); i += 3 {
		if out != "" {
			out += ","
		}
		out += digits[i : i+3]
	}
	return out
}

// Rate formats a number per second, with one decimal below ten.
func Rate(r float64) string {
	if r < 9.95 {
		return strconv.FormatFloat(r, 'f', 1, 64)
	}
	return Count(int64(r + 0.5))
}

// Millis formats a latency in milliseconds, with decimals if it is short, and a long
// one in seconds.
func Millis(d time.Duration) string { return MillisOf(float64(d) / float64(time.Millisecond)) }

func MillisOf(ms float64) string {
	switch {
	case ms < 10:
		return strconv.FormatFloat(ms, 'f', 2, 64) + " ms"
	case ms < 100:
		return strconv.FormatFloat(ms, 'f', 1, 64) + " ms"
	case ms >= 9999.5:
		return Rate(ms/1000) + " s"
	}
	return Count(int64(ms+0.5)) + " ms"
}
