package screen

import (
	"strconv"
	"time"
)

// Count writes a number with separators: 1,234,567.
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

// Rate writes events a second: one decimal where that says something.
func Rate(r float64) string {
	if r < 9.95 {
		return strconv.FormatFloat(r, 'f', 1, 64)
	}
	return Count(int64(r + 0.5))
}

// Millis writes a latency in milliseconds with three digits that count, and a long
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
