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

// ErrTooMany: more ids than one transaction should change.
var ErrTooMany = fmt.Errorf("dlq: more than %d ids in one call: split them", MaxIDs)

// ErrNobody: an act without a name.
var ErrNobody = errors.New("dlq: set Act.By to who does this")

// Apply does something with letters, in one transaction, and returns what
// happened to each id, in their order. Of an id that died more than once, a
// retry takes the latest letter; the other actions take all of them.
func Apply(ctx context.Context, s driver.DeadLetterStore, a Action, act driver.Act, ids []string) ([]driver.DeadResult, error) {
	switch {
	case act.By == "":
		return nil, ErrNobody
	case len(ids) > MaxIDs:
		return nil, ErrTooMany
	}
	ctx = driver.WithAct(ctx, act)
	switch a {
	case Retry:
		return s.ReplayDead(ctx, ids)
	case Resolve:
		return s.ResolveDead(ctx, ids)
	case Delete:
		return s.DeleteDead(ctx, ids)
	}
	return nil, fmt.Errorf("dlq: unknown action %q: use %s, %s or %s", a, Retry, Resolve, Delete)
}
