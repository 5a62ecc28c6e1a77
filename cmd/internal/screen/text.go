package screen

import (
	"strings"
	"unicode"

	"charm.land/lipgloss/v2"
)

// Spread puts two texts at the ends of a line.
func Spread(left, right string, width int) string {
	gap := max(width-lipgloss.Width(left)-lipgloss.Width(right), 1)
	return left + strings.Repeat(" ", gap) + right
}

// Clip cuts plain text to a width.
func Clip(s string, width int) string {
	if lipgloss.Width(s) <= width {
		return s
	}
	runes := []rune(s)
	for len(runes) > 0 && lipgloss.Width(string(runes)) > width-1 {
		runes = runes[:len(runes)-1]
	}
	return string(runes) + "…"
}

// Printable shows what others have stored without letting it steer the terminal
// or look like another row.
func Printable(s string) string { return Visible(s, "") }

// Visible replaces characters that cannot be printed or that change the direction of
// the text, except those in keep.
func Visible(s, keep string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) || strings.ContainsRune(keep, r) {
			return r
		}
		return unicode.ReplacementChar
	}, s)
}

// Pad cuts text to a width, or fills it up with spaces: on the left, or on the right
// if the width is negative, as fmt does.
func Pad(s string, width int) string {
	left := width < 0
	width = max(width, -width)
	s = Clip(s, width)
	fill := strings.Repeat(" ", max(width-lipgloss.Width(s), 0))
	if left {
		return s + fill
	}
	return fill + s
}
