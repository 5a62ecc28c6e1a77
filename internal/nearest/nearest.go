package nearest

import "strings"

// To returns the name with the fewest letters to change, if those are no more
// than most, or "". It ignores case, dashes, underscores, dots, colons, slashes
// and spaces. Of two equally near names it returns the first.
func To(name string, most int, names []string) string {
	best, least := "", most+1
	for _, n := range names {
		if d := distance(plain(name), plain(n)); d < least {
			best, least = n, d
		}
	}
	return best
}

var separators = strings.NewReplacer("-", "", "_", "", ".", "", ":", "", "/", "", " ", "")

func plain(name string) []rune { return []rune(strings.ToLower(separators.Replace(name))) }

// distance is the number of letters to insert, delete, change or swap with
// their neighbour.
func distance(a, b []rune) int {
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}
