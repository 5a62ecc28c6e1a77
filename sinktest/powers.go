package sinktest

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/sendoff-go/outbox/driver"
)

// Power is something that a sink may offer in addition to Send. Its laws run if
// the sink under test has it.
type Power string

// The powers, by the names of their interfaces.
const (
	Check            Power = "driver.Checker"
	DestinationCheck Power = "driver.DestinationChecker"
	Close            Power = "io.Closer"
)

// has reports whether the subject has the power; every subject has "".
func has(s Subject, p Power) bool {
	ok := p == ""
	switch p {
	case Check:
		_, ok = s.Sink.(driver.Checker)
	case DestinationCheck:
		_, ok = s.Sink.(driver.DestinationChecker)
	case Close:
		_, ok = s.Sink.(io.Closer)
	}
	return ok
}

// inventory lists which laws are tested and which are not, so that nobody
// assumes more.
func inventory(laws []Law, s Subject) string {
	var found, missing, left []string
	for _, l := range laws {
		if !l.applies(s) {
			left = append(left, l.Name)
		}
		if p := string(l.Power); p != "" && has(s, l.Power) && !slices.Contains(found, p) {
			found = append(found, p)
		} else if p != "" && !has(s, l.Power) && !slices.Contains(missing, p) {
			missing = append(missing, p)
		}
	}
	text := fmt.Sprintf("powers found: %s\npowers not found: %s\nlaws tested: %d of %d", enumerate(found), enumerate(missing), len(laws)-len(left), len(laws))
	if len(left) > 0 {
		text += "\nlaws left out, because a power or a field of the subject is missing:\n\t" + strings.Join(left, "\n\t")
	}
	return text
}

func enumerate(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}
