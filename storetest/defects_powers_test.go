package storetest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/memstore"
)

// letterDefects are those of settles that only letters show.
func letterDefects() []defect {
	return []defect{
		{"a letter forgets who died", "a dead event moves to the dead letters with all that is known of it", false,
			eachOutcome(func(o *driver.Outcome) { o.Attempts, o.Failures = 0, nil })},
		{"a stale death makes a letter", "an outcome that counts no more makes no letter, and changes none", false, func(b *broken) {
			b.list = func(ctx context.Context, f driver.DeadFilter, after *driver.DeadCursor, limit int) ([]driver.DeadLetter, error) {
				ls, err := b.Store.ListDead(ctx, f, after, limit)
				return append(ls, driver.DeadLetter{Error: "late"}), err
			}
		}},
		{"letters lose their headers", "an event arrives exactly as a letter, and again after its replay", false, func(b *broken) {
			b.list = func(ctx context.Context, f driver.DeadFilter, after *driver.DeadCursor, limit int) ([]driver.DeadLetter, error) {
				ls, err := b.Store.ListDead(ctx, f, after, limit)
				for i := range ls {
					ls[i].Event.Headers = nil
				}
				return ls, err
			}
		}},
		{"a replay of nothing fails", "bulk calls without ids are no error", false, func(b *broken) {
			b.replay = func(ctx context.Context, ids []string) ([]driver.DeadResult, error) {
				if len(ids) == 0 {
					return nil, errors.New("syntax error near )")
				}
				return b.Store.ReplayDead(ctx, ids)
			}
		}},
		{"resolved letters are counted", "stats leave out letters that somebody resolved", false, func(b *broken) {
			b.stats = func(ctx context.Context) (driver.Stats, error) {
				st, err := b.Store.Stats(ctx)
				n, _ := b.CountDead(ctx, driver.DeadFilter{Resolved: true})
				st.Dead.N += n.N
				return st, err
			}
		}},
		{"stats fail while others work", "stats can be asked for while claimers, writers and a sweeper are at work", false, func(b *broken) {
			b.stats = func(context.Context) (driver.Stats, error) { return driver.Stats{}, errors.New("deadlock") }
		}},
		{"age retention forgets the age", "age retention deletes rows past their age, no more than its limit, and no dead event", false, func(b *broken) {
			b.expire = func(ctx context.Context, _ time.Duration, limit int) (int, error) {
				return b.Store.ExpireWritten(ctx, 0, limit)
			}
		}},
	}
}

func wakeDefects() []defect {
	const (
		wakes   = "a notification wakes who listens, for its lanes or for any"
		commits = "a notification inside a transaction is heard if it commits, and not if it is rolled back"
	)
	return []defect{
		{"many lanes do not fit", "a notification is no error, for as many lanes as there are, with whatever names", false, func(b *broken) {
			b.notify = func(_ context.Context, lanes []string) error {
				if text := fmt.Sprint(lanes); len(text) > 8000 {
					return errors.New("payload string too long")
				}
				return nil
			}
		}},
		{"nobody is woken", wakes, false, func(b *broken) {
			b.notify = func(context.Context, []string) error { return nil }
		}},
		{"others are woken", wakes, false, func(b *broken) {
			b.notify = func(context.Context, []string) error { b.bus.send([]string{"other"}); return nil }
		}},
		{"a hint ends the transaction", "a notification inside a transaction does not disturb it", false, func(b *broken) {
			b.notifyIn = func(_ context.Context, tx *memstore.Tx, _ []string) error { return tx.Rollback() }
		}},
		{"a hint comes before the commit", commits, false, func(b *broken) {
			b.notifyIn = func(_ context.Context, _ *memstore.Tx, lanes []string) error { b.bus.send(lanes); return nil }
		}},
		{"listening outlives its context", "listening ends with its context and without an error, and may begin again", false, func(b *broken) {
			b.listen = func(ctx context.Context, wake func([]string)) error {
				return errors.Join(b.bus.listen(ctx, wake), ctx.Err())
			}
		}},
	}
}
