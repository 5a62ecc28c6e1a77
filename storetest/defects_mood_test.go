package storetest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

func moodDefects() []defect {
	const (
		inTime     = "no call is late because another session has locked a row"
		locked     = "a call ends in time though another session has locked the table"
		lockedLong = "without a deadline, too, a call ends though another session has locked the table"
		silent     = "calls to a database that falls silent end with their deadlines"
		silentLong = "without deadlines, calls to a database that falls silent report an outage"
		refused    = "a change that the database refuses is no outage, and changes nothing"
		noRight    = "a right that is missing is no outage"
	)
	mistaken := func(mistake func(err error) error) func(*broken) {
		return func(b *broken) { b.mistake = mistake }
	}
	down := mistaken(func(err error) error { return fmt.Errorf("%w: %s", outbox.ErrStoreDown, err.Error()) })
	late := mistaken(func(error) error { return context.DeadlineExceeded })
	named := mistaken(func(err error) error { return errors.Join(err, &driver.LockedError{Rows: []driver.Held{{}}}) })
	endless := func(b *broken) { b.limit = 0 }
	return []defect{
		{"a settle beside a lock is late", inTime, false, func(b *broken) {
			b.settle = func(ctx context.Context, owner driver.Owner, outcomes []driver.Outcome, keep bool) ([]driver.Held, error) {
				stale, err := b.Store.Settle(ctx, owner, outcomes, keep)
				return stale, waitIfLocked(ctx, err)
			}
		}},
		{"a sweep beside a lock is an outage", inTime, false, func(b *broken) {
			b.sweep = func(context.Context, time.Duration, int) (int, error) { return 0, outbox.ErrStoreDown }
		}},
		{"a sweep deletes nothing beside a lock, in time", inTime, false, func(b *broken) {
			b.sweep = func(ctx context.Context, age time.Duration, limit int) (int, error) {
				if b.meetsLock() {
					return 0, nil
				}
				return b.Store.Sweep(ctx, age, limit)
			}
		}},
		{"nothing is confirmed beside a lock", inTime, false, func(b *broken) {
			b.confirm = func(ctx context.Context, rows []driver.Held) ([]driver.Held, error) {
				if b.meetsLock() {
					return nil, nil
				}
				return b.Store.Confirm(ctx, rows)
			}
		}},
		{"no lane waits beside a lock", inTime, false, func(b *broken) {
			b.lanes = func(ctx context.Context, after string, limit int) ([]driver.WaitingLane, error) {
				if b.meetsLock() {
					return nil, nil
				}
				return b.Store.Lanes(ctx, after, limit)
			}
		}},
		{"nothing is claimed beside a lock", inTime, false, func(b *broken) {
			b.claim = func(ctx context.Context, req driver.ClaimRequest) ([]driver.Claimed, error) {
				if b.meetsLock() {
					return nil, nil
				}
				return b.Store.Claim(ctx, req)
			}
		}},
		{"nothing is claimed by name beside a lock", inTime, false, func(b *broken) {
			b.take = func(ctx context.Context, owner driver.Owner, lease time.Duration, rows []driver.Held) ([]driver.Held, error) {
				if b.meetsLock() {
					return nil, nil
				}
				return b.Store.Take(ctx, owner, lease, rows)
			}
		}},
		{"a locked table is an outage that a deadline hides", locked, false, down},
		{"a locked table has locked rows", locked, false, named},
		{"a locked table is no outage", lockedLong, false, late},
		{"a locked table is an outage and not slow", lockedLong, false, down},
		{"a locked table has locked rows for a call without a deadline", lockedLong, false, named},
		{"a call waits for a locked table without a limit", lockedLong, false, endless},
		{"silence is an outage and no deadline", silent, false, down},
		{"silence is not an outage", silentLong, false, late},
		{"silence is an outage and not slow", silentLong, false, down},
		{"a call waits for an answer without a limit", silentLong, false, endless},
		{"a call waits for an answer whatever its deadline", silent, false, mistaken(func(err error) error {
			<-time.After(2*hurried + 300*time.Millisecond) // longer than a hurried test waits
			return err
		})},
		{"a database that was silent stays so", silent, false, func(b *broken) { b.mood.stays = true }},
		{"a refusal is an outage", refused, false, down},
		{"a refusal is a timeout", refused, false, late},
		{"a refusal is no error", refused, false, mistaken(func(error) error { return nil })},
		{"a refused renewal is applied", refused, false, func(b *broken) {
			b.mistake = func(err error) error {
				for id, h := range b.last {
					_, _ = b.Store.Settle(context.Background(), b.own[id], []driver.Outcome{{Held: h, Kind: driver.Release}}, true)
				}
				return err
			}
		}},
		{"a missing right is an outage", noRight, false, down},
		{"a missing right is not noticed", noRight, false, mistaken(func(error) error { return nil })},
	}
}
