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
	Retry   Action = "retry"   // back into the outbox, as a new event with the same id
	Resolve Action = "resolve" // hide it; SweepDead of the store deletes it by age
	Delete  Action = "delete"  // for good
)

// MaxIDs is how many letters one call of [Apply] takes.
const MaxIDs = 1000

// ErrTooMany says that there are more ids than one transaction should change.
var ErrTooMany = fmt.Errorf("dlq: more than %d ids in one call: split them, or start a job", MaxIDs)

// ErrNobody says that an act has no name.
var ErrNobody = errors.New("dlq: set Act.By to who does this")

// Apply does something with the letters of ids, in one transaction, and returns
// what happened to each id, in their order. Of an id that died more than once, a
// retry takes the latest letter; the other actions take all of them.
func Apply(ctx context.Context, s driver.DeadLetterStore, a Action, act driver.Act, ids []string) ([]driver.DeadResult, error) {
	return apply(ctx, s, a, act, driver.DeadIDs(ids...))
}

// Note puts the note of an act on the letters of ids, in one transaction, in place
// of an earlier one; an empty one removes it.
func Note(ctx context.Context, s driver.DeadLetterStore, act driver.Act, ids []string) ([]driver.DeadResult, error) {
	switch {
	case act.By == "":
		return nil, ErrNobody
	case len(ids) > MaxIDs:
		return nil, ErrTooMany
	}
	return s.NoteDead(driver.WithAct(ctx, act), driver.DeadIDs(ids...), act.Note)
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
	}
	return nil, fmt.Errorf("dlq: unknown action %q: use %s, %s or %s", a, Retry, Resolve, Delete)
}
