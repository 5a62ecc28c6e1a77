package dlq

import (
	"context"
	"errors"
	"fmt"

	"github.com/sendoff-go/outbox/driver"
)

// Action is what to do with dead letters.
type Action string

// The actions.
const (
	Retry   Action = "retry"   // move it back to the outbox, as a new event with the same id
	Resolve Action = "resolve" // hide it; the store's SweepDead deletes it when it is old enough
	Delete  Action = "delete"  // delete it for good
	// Annotate puts the note of the act on it, in place of an earlier one; an
	// empty note removes that.
	Annotate Action = "note"
)

// MaxIDs is how many letters one call of [Apply] takes.
const MaxIDs = 1000

// ErrTooMany says that there are more ids than one transaction should change.
var ErrTooMany = fmt.Errorf("dlq: more than %d ids in one call: split them, or start a job", MaxIDs)

// ErrNobody says that an act does not name a person.
var ErrNobody = errors.New("dlq: set Act.By to the person who does this")

// Apply applies an action to the letters with these ids, in one transaction, and
// returns what happened to each id, in order. If an id died more than once, a
// retry takes the latest letter; the other actions take all of them.
func Apply(ctx context.Context, s driver.DeadLetterStore, a Action, act driver.Act, ids []string) ([]driver.DeadResult, error) {
	return apply(ctx, s, a, act, driver.DeadIDs(ids...))
}

func apply(ctx context.Context, s driver.DeadLetterStore, a Action, act driver.Act, keys []driver.DeadKey) ([]driver.DeadResult, error) {
	switch {
	case act.By == "":
		return nil, ErrNobody
	case len(keys) > MaxIDs:
		return nil, ErrTooMany
	}
	ctx = driver.WithAct(ctx, act)
	switch a {
	case Retry:
		return s.ReplayDead(ctx, keys)
	case Resolve:
		return s.ResolveDead(ctx, keys)
	case Delete:
		return s.DeleteDead(ctx, keys)
	case Annotate:
		return s.NoteDead(ctx, keys, act.Note)
	}
	return nil, fmt.Errorf("dlq: unknown action %q: use %s, %s, %s or %s", a, Retry, Resolve, Delete, Annotate)
}
