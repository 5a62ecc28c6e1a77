package storetest

import (
	"context"
	"errors"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

func lockDefects() []defect {
	const (
		settle = "a settle names and skips rows that another session has locked"
		renew  = "a renewal names and skips rows that another session has locked"
		take   = "a claim by name skips a row that another session has locked"
		claim  = "a claim skips a row that another session has locked"
		sweep  = "a sweep deletes what stands behind rows that another session has locked"
	)
	return []defect{
		{"a settle waits for a lock until its time is over", settle, false, func(b *broken) {
			b.settle = func(ctx context.Context, owner driver.Owner, outcomes []driver.Outcome, keep bool) ([]driver.Held, error) {
				stale, err := b.Store.Settle(ctx, owner, outcomes, keep)
				return stale, waitIfLocked(ctx, err)
			}
		}},
		{"a settle forgets what is locked", settle, false, func(b *broken) {
			b.settle = func(ctx context.Context, owner driver.Owner, outcomes []driver.Outcome, keep bool) ([]driver.Held, error) {
				stale, err := b.Store.Settle(ctx, owner, outcomes, keep)
				return stale, forget(err)
			}
		}},
		{"a settle takes what is locked for stale", settle, false, func(b *broken) {
			b.settle = func(ctx context.Context, owner driver.Owner, outcomes []driver.Outcome, keep bool) ([]driver.Held, error) {
				stale, err := b.Store.Settle(ctx, owner, outcomes, keep)
				return append(stale, lockedIn(err)...), err
			}
		}},
		{"a lock keeps all rows from being settled", settle, false, func(b *broken) {
			b.settle = func(ctx context.Context, owner driver.Owner, outcomes []driver.Outcome, keep bool) ([]driver.Held, error) {
				for _, o := range outcomes {
					stale, err := b.Store.Settle(ctx, owner, []driver.Outcome{o}, keep)
					if err != nil { // the rest is left out with it
						return stale, err
					}
				}
				return b.Store.Settle(ctx, owner, outcomes, keep)
			}
		}},
		{"a settle names a locked row twice", settle, false, func(b *broken) {
			b.settle = func(ctx context.Context, owner driver.Owner, outcomes []driver.Outcome, keep bool) ([]driver.Held, error) {
				stale, err := b.Store.Settle(ctx, owner, outcomes, keep)
				if rows := lockedIn(err); len(rows) > 0 {
					err = &driver.LockedError{Rows: append(rows, rows[0])}
				}
				return stale, err
			}
		}},
		{"a renewal waits for a lock until its time is over", renew, false, func(b *broken) {
			b.renew = func(ctx context.Context, owner driver.Owner, lease time.Duration, rows []driver.Renewal) ([]driver.Held, error) {
				lost, err := b.Store.Renew(ctx, owner, lease, rows)
				return lost, waitIfLocked(ctx, err)
			}
		}},
		{"a renewal takes what is locked for lost", renew, false, func(b *broken) {
			b.renew = func(ctx context.Context, owner driver.Owner, lease time.Duration, rows []driver.Renewal) ([]driver.Held, error) {
				lost, err := b.Store.Renew(ctx, owner, lease, rows)
				return append(lost, lockedIn(err)...), forget(err)
			}
		}},
		{"a lock keeps all rows from being renewed", renew, false, func(b *broken) {
			b.renew = func(ctx context.Context, owner driver.Owner, lease time.Duration, rows []driver.Renewal) ([]driver.Held, error) {
				if lost, err := b.Store.Renew(ctx, owner, -brief, rows); err != nil {
					return lost, err
				}
				return b.Store.Renew(ctx, owner, lease, rows)
			}
		}},
		{"a claim by name takes what is locked", take, false, func(b *broken) {
			b.take = func(ctx context.Context, owner driver.Owner, lease time.Duration, rows []driver.Held) ([]driver.Held, error) {
				taken, err := b.Store.Take(ctx, owner, lease, rows)
				for _, h := range rows {
					h.ClaimNo = 1
					taken = append(taken, h)
				}
				return taken, err
			}
		}},
		{"a claim by name takes all or nothing", take, false, func(b *broken) {
			b.take = func(ctx context.Context, owner driver.Owner, lease time.Duration, rows []driver.Held) ([]driver.Held, error) {
				taken, err := b.Store.Take(ctx, owner, lease, rows)
				if len(taken) < len(rows) {
					taken = nil
				}
				return taken, err
			}
		}},
		{"a claim stops at a row that is locked", claim, false, func(b *broken) {
			b.claim = func(ctx context.Context, req driver.ClaimRequest) ([]driver.Claimed, error) {
				cs, err := b.Store.Claim(ctx, req)
				if len(cs) < len(b.ids) {
					cs = nil
				}
				return cs, err
			}
		}},
		{"a claim waits for a row that is locked", claim, false, func(b *broken) {
			b.claim = func(ctx context.Context, req driver.ClaimRequest) ([]driver.Claimed, error) {
				cs, err := b.Store.Claim(ctx, req)
				if len(cs) == 4 { // of five
					<-ctx.Done()
					err = ctx.Err()
				}
				return cs, err
			}
		}},
		{"a sweep takes the oldest rows and leaves out those that are locked", sweep, false, func(b *broken) {
			b.sweep = func(ctx context.Context, age time.Duration, limit int) (int, error) {
				page, free := 0, 0
				for _, id := range b.ids {
					if _, kept, err := b.Store.GetEvent(ctx, id); err != nil || page == limit {
						break
					} else if kept {
						page++
						if !b.meetsLock(id) {
							free++
						}
					}
				}
				return b.Store.Sweep(ctx, age, free)
			}
		}},
		{"a sweep deletes half of what it may beside a lock", sweep, false, func(b *broken) {
			b.sweep = func(ctx context.Context, age time.Duration, limit int) (int, error) {
				if b.meetsLock() {
					limit /= 2
				}
				return b.Store.Sweep(ctx, age, limit)
			}
		}},
		{"a sweep deletes nothing beside a lock", sweep, false, func(b *broken) {
			b.sweep = func(ctx context.Context, age time.Duration, limit int) (int, error) {
				if b.meetsLock() {
					return 0, nil
				}
				return b.Store.Sweep(ctx, age, limit)
			}
		}},
		{"a sweep counts what is locked", sweep, false, func(b *broken) {
			b.sweep = func(ctx context.Context, age time.Duration, limit int) (int, error) {
				n, err := b.Store.Sweep(ctx, age, limit)
				if n < limit && b.meetsLock() {
					n++
				}
				return n, err
			}
		}},
		{"a sweep never deletes what was locked", sweep, false, func(b *broken) {
			b.sweep = func(ctx context.Context, age time.Duration, limit int) (int, error) {
				if limit == all {
					return 0, nil
				}
				return b.Store.Sweep(ctx, age, limit)
			}
		}},
	}
}

// lockedIn are the rows that an error names, if it names any.
func lockedIn(err error) []driver.Held {
	var locked *driver.LockedError
	if errors.As(err, &locked) {
		return locked.Rows
	}
	return nil
}

func forget(err error) error {
	if lockedIn(err) != nil {
		return nil
	}
	return err
}

func waitIfLocked(ctx context.Context, err error) error {
	if lockedIn(err) == nil {
		return err
	}
	<-ctx.Done()
	return ctx.Err()
}
