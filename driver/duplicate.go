package driver

import (
	"fmt"
	"strings"

	"github.com/sendoff-go/outbox"
)

// DuplicateID is the error of an insert of which one event is stored already. It
// wraps [outbox.ErrDuplicateID] and the cause, which may be nil, names the event
// and says what to do.
//
// Detail is what the database says of the key: the id stands in it in quotes or,
// after an equals sign, in parentheses. Where there is one event, or where the
// database may not tell, it may be empty.
func DuplicateID(events []outbox.Event, detail string, cause error) error {
	const advice = "use WriteIfAbsent for an event that may have been written before"
	if cause == nil {
		return fmt.Errorf("%w: %s: %s", outbox.ErrDuplicateID, duplicate(events, detail), advice)
	}
	return fmt.Errorf("%w: %s: %s: %w", outbox.ErrDuplicateID, duplicate(events, detail), advice, cause)
}

// maxSuspects is how many ids are told where it may be any of them.
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
