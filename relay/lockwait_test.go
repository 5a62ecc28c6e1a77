package relay_test

import (
	"context"
	"errors"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// lockWait is how long a statement waits for a row that is locked.
const lockWait = time.Second

// lockable is the rig's store, with statements that wait for locked rows as
// those of a database do.
func (r *rig) lockable() *wrapped {
	wait := func(ctx context.Context, err error) error {
		if l := (*driver.LockedError)(nil); errors.As(err, &l) {
			select {
			case <-time.After(lockWait):
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return err
	}
	s := &wrapped{Store: r.store}
	s.renew = func(ctx context.Context, owner driver.Owner, lease time.Duration, rows []driver.Renewal) ([]driver.Held, error) {
		lost, err := r.store.Renew(ctx, owner, lease, rows)
		return lost, wait(ctx, err)
	}
	s.settle = func(ctx context.Context, owner driver.Owner, outcomes []driver.Outcome, keep bool) ([]driver.Held, error) {
		stale, err := r.store.Settle(ctx, owner, outcomes, keep)
		return stale, wait(ctx, err)
	}
	return s
}

// lock locks a row, in the way of a person who has not committed yet.
func (r *rig) lock(_ *wrapped, id string) (release func()) { return r.store.LockRow(id) }
