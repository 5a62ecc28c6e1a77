package driver

import (
	"errors"
	"unicode/utf8"
)

// Errors of stores and relays that programs rarely test for.
var (
	// ErrName: a table or schema name is not made of letters, digits and
	// underscores.
	ErrName = errors.New("outbox: invalid table name")
	// ErrUnroutable: no listener and no route for the event.
	ErrUnroutable = errors.New("outbox: no listener or route for the event")
)

// MaxErrorLength is the number of characters that a store keeps of an error.
const MaxErrorLength = 4000

// ErrorText returns what a store keeps of an error: its text, cut at 4000
// characters, valid UTF-8 and free of NUL.
func ErrorText(err error) string {
	if err == nil {
		return ""
	}
	return CleanText(err.Error(), MaxErrorLength)
}

// CleanText makes s storable in any database: it replaces invalid UTF-8 and NUL
// by U+FFFD, and cuts s at limit characters.
func CleanText(s string, limit int) string {
	clean := true
	for i, r := range s {
		if r == 0 || r == utf8.RuneError || i >= limit {
			clean = false
			break
		}
	}
	if clean {
		return s
	}
	out, n := make([]rune, 0, min(len(s), limit)), 0
	for _, r := range s {
		if n == limit {
			break
		}
		if r == 0 {
			r = utf8.RuneError
		}
		out, n = append(out, r), n+1
	}
	return string(out)
}

// cutString cuts s at limit bytes, at a rune boundary.
func cutString(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}
