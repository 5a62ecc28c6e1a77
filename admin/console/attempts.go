package console

import (
	"slices"
	"strings"

	"github.com/sendoff-go/outbox/admin"
)

// attempts are the failed attempts to deliver to one destination, latest first.
type attempts struct {
	Destination string // "" if they had none
	All         []attempt
}

// attempt is a failed attempt on a page.
type attempt struct {
	admin.Failure
	First, Rest string // the first line of the error, and those after it
	Instance    string
}

// attemptsOf sorts the attempts of an event by destination. The destination of the
// latest attempt comes first.
func attemptsOf(fs []admin.Failure) (out []attempts) {
	fs = slices.Clone(fs)
	slices.SortStableFunc(fs, func(a, b admin.Failure) int { return b.At.Compare(a.At) })
	for _, f := range fs {
		a := attempt{Failure: f, Instance: name(f.Relay)}
		a.First, a.Rest, _ = strings.Cut(f.Error, "\n")
		a.Rest = strings.Trim(a.Rest, "\n")
		i := slices.IndexFunc(out, func(g attempts) bool { return g.Destination == f.Destination })
		if i < 0 {
			i = len(out)
			out = append(out, attempts{Destination: f.Destination})
		}
		out[i].All = append(out[i].All, a)
	}
	return out
}
