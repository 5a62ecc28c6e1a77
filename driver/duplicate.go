package driver

import (
	"fmt"
	"strings"

	"github.com/sendoff-go/outbox"
)

// DuplicateID is the error of an insert with an event that is stored already.
// It wraps [outbox.ErrDuplicateID] and the cause, which may be nil, names the
// event and says what to do.
//
// Detail is what the database says about the key: it contains the id in quotes
// or, after an equals sign, in parentheses. It may be empty if there is one
// event, or if the database does not say.
func DuplicateID(events []outbox.Event, detail string, cause error) error {
	const advice = "use WriteIfAbsent for an event that may have been written before"
	if cause == nil {
		return fmt.Errorf("%w: %s: %s", outbox.ErrDuplicateID, duplicate(events, detail), advice)
	}
	return fmt.Errorf("%w: %s: %s: %w", outbox.ErrDuplicateID, duplicate(events, detail), advice, cause)
}

// maxSuspects bounds the ids that are listed where any of them may be the
// duplicate.
const maxSuspects = 5

func duplicate(events []outbox.Event, detail string) string {
	var all []string
	for _, e := range events {
		if len(events) == 1 || strings.Contains(detail, "'"+e.ID+"'") || strings.Contains(detail, "=("+e.ID+")") {
			return e.ID
		}
		all = append(all, e.ID)
	}
	if len(all) > maxSuspects {
		return fmt.Sprintf("one of %d, beginning with %s", len(all), strings.Join(all[:maxSuspects], ", "))
	}
	return "one of " + strings.Join(all, ", ")
}
