package membererr

import (
	"errors"
	"strings"
)

// Brief returns err without the stack trace of Java that may follow its first
// line. What it cuts wraps nothing.
func Brief(err error) error {
	text, trace, cut := strings.Cut(err.Error(), "\n")
	if !cut {
		return err
	}
	what, _, _ := strings.Cut(trace, "\n")
	return errors.New(text + " " + what)
}

// IsAny reports whether err is one of those.
func IsAny(err error, all []error) bool {
	for _, e := range all {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}
