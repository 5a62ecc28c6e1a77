package screen

import (
	"math"
	"strings"
)

// Bars draws one bar for each number, the latest on the right, and as many as fit.
func Bars[N int64 | float64](numbers []N, width int) string {
	levels := []rune("▁▂▃▄▅▆▇█")
	if len(numbers) > width {
		numbers = numbers[len(numbers)-max(width, 0):]
	}
	var most N = 1
	for _, n := range numbers {
		if n > most { // unlike max, ignores NaN, which is not known
			most = n
		}
	}
	var out strings.Builder
	for _, n := range numbers {
		if !(n > 0) { // also NaN
			out.WriteByte(' ')
			continue
		}
		level := math.Ceil(float64(len(levels)) * float64(n) / float64(most))
		out.WriteRune(levels[int(level)-1])
	}
	return out.String()
}
