package storetest

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/memstore"
)

// eachOutcome changes what is settled.
func eachOutcome(change func(o *driver.Outcome)) func(*broken) {
	return func(b *broken) {
		b.settle = func(ctx context.Context, owner driver.Owner, outcomes []driver.Outcome, keep bool) ([]driver.Held, error) {
			outcomes = slices.Clone(outcomes)
			for i := range outcomes {
				change(&outcomes[i])
			}
			return b.Store.Settle(ctx, owner, outcomes, keep)
		}
	}
}

func settleDefects() []defect {
	return []defect{
		{"an attempt is counted twice", "a retry writes attempts and history and frees the row", true, eachOutcome(func(o *driver.Outcome) {
			if o.Kind == driver.Retry {
				o.Attempts++
			}
		})},
		{"the history gets lost", "a retry writes attempts and history and frees the row", false,
			eachOutcome(func(o *driver.Outcome) { o.Failures = nil })},
		{"giving back counts as a failure", "a row given back is unchanged except for its number", true, eachOutcome(func(o *driver.Outcome) {
			if o.Kind == driver.Release {
				o.Attempts++
			}
		})},
		{"giving back forgets the lost answer", "a release with a history replaces that of the row", false, eachOutcome(func(o *driver.Outcome) {
			if o.Kind == driver.Release {
				o.Failures = nil
			}
		})},
		{"giving back sends the row to the end", "a row given back is unchanged except for its number", false, eachOutcome(func(o *driver.Outcome) {
			if o.Kind == driver.Release {
				o.Kind = driver.Retry
			}
		})},
		{"delays are not kept", "a retry and a give-back delay the row for as long as they say", false,
			eachOutcome(func(o *driver.Outcome) { o.Delay = 0 })},
		{"errors are cut in bytes", "any error text of 4000 characters is kept", false,
			eachOutcome(func(o *driver.Outcome) { o.Error = o.Error[:min(len(o.Error), driver.MaxErrorLength)] })},
		{"done rows are always kept", "a delivered row is kept as done, or deleted without retention", true, func(b *broken) {
			b.settle = func(ctx context.Context, owner driver.Owner, outcomes []driver.Outcome, _ bool) ([]driver.Held, error) {
				return b.Store.Settle(ctx, owner, outcomes, true)
			}
		}},
		{"one stale outcome fails the batch", "stale outcomes in a batch do not block the others", false, func(b *broken) {
			b.settle = func(ctx context.Context, owner driver.Owner, outcomes []driver.Outcome, keep bool) (stale []driver.Held, err error) {
				for _, o := range outcomes {
					if o.ClaimNo != b.last[o.EventID].ClaimNo {
						for _, o := range outcomes {
							stale = append(stale, o.Held)
						}
						return stale, nil
					}
				}
				return b.Store.Settle(ctx, owner, outcomes, keep)
			}
		}},
	}
}

// inserts changes what is inserted.
func inserts(change func(req *outbox.InsertRequest)) func(*broken) {
	return func(b *broken) {
		b.insert = func(ctx context.Context, tx *memstore.Tx, req outbox.InsertRequest) ([]outbox.Inserted, error) {
			req.Events = slices.Clone(req.Events)
			change(&req)
			return b.Store.Insert(ctx, tx, req)
		}
	}
}

func writeDefects() []defect {
	const nothing = "a write without an open transaction is refused"
	return []defect{
		{"savepoint rows pass for top-level", "no event inside a savepoint passes for top-level", false, func(b *broken) {
			b.insert = func(ctx context.Context, tx *memstore.Tx, req outbox.InsertRequest) ([]outbox.Inserted, error) {
				ins, err := b.Store.Insert(ctx, tx, req)
				for i := range ins {
					ins[i].TopLevel = true
				}
				return ins, err
			}
		}},
		{"rows are written outside the transaction", "an event is invisible until its transaction commits", true, func(b *broken) {
			b.insert = func(ctx context.Context, tx *memstore.Tx, req outbox.InsertRequest) ([]outbox.Inserted, error) {
				own, err := b.BeginTx(ctx)
				if err != nil {
					return nil, err
				}
				ins, err := b.Store.Insert(ctx, own, req)
				if err != nil {
					return nil, errors.Join(err, own.Rollback())
				}
				return ins, own.Commit()
			}
		}},
		{"a write without a transaction makes its own", nothing, false, func(b *broken) {
			b.insert = func(ctx context.Context, tx *memstore.Tx, req outbox.InsertRequest) ([]outbox.Inserted, error) {
				ins, err := b.Store.Insert(ctx, tx, req)
				if !errors.Is(err, outbox.ErrNoTransaction) {
					return ins, err
				}
				own, _ := b.BeginTx(ctx)
				if ins, err = b.Store.Insert(ctx, own, req); err != nil {
					return nil, err
				}
				return ins, own.Commit()
			}
		}},
		{"rollback commits", "event and business change are rolled back together", true, func(b *broken) {
			b.begin = func(ctx context.Context) (*memstore.Tx, func() error, func() error, error) {
				tx, commit, _, err := b.Store.Begin(ctx)
				return tx, commit, commit, err
			}
		}},
		{"a duplicate is some error", "a duplicate id is a clear error, and the caller can roll back", true, func(b *broken) {
			b.insert = func(ctx context.Context, tx *memstore.Tx, req outbox.InsertRequest) ([]outbox.Inserted, error) {
				ins, err := b.Store.Insert(ctx, tx, req)
				if errors.Is(err, outbox.ErrDuplicateID) {
					err = errors.New("unique_violation (23505)")
				}
				return ins, err
			}
		}},
		{"if absent is forgotten", "write-if-absent skips ids that are pending, done or dead", true,
			inserts(func(req *outbox.InsertRequest) { req.IfAbsent = false })},
		{"the head start is forgotten", "a head start keeps others away until it is over, and no longer", true,
			inserts(func(req *outbox.InsertRequest) { req.HeadStart = 0 })},
		{"the caller's clock decides", "the caller's clock decides nothing", false, inserts(func(req *outbox.InsertRequest) {
			for i := range req.Events {
				req.Events[i].AvailableAt = req.Events[i].OccurredAt
			}
		})},
		{"delays are forgotten", "an event is not claimed before its time", false, inserts(func(req *outbox.InsertRequest) {
			for i := range req.Events {
				req.Events[i].DeliverAfter = 0
			}
		})},
		{"a batch is written backwards", "a large batch is written whole and in order", false,
			inserts(func(req *outbox.InsertRequest) { slices.Reverse(req.Events) })},
	}
}

func otherDefects() []defect {
	return []defect{
		{"a replay forgets the lost answer", "a replayed or edited letter still says that it may have been delivered", false,
			eachClaim(func(c *driver.Claimed) { c.Failures = nil })},
		{"a replay loses the event", "a replayed letter is delivered as new, with its id and payload", true, func(b *broken) {
			b.replay = func(ctx context.Context, keys []driver.DeadKey) ([]driver.DeadResult, error) {
				return b.DeleteDead(ctx, keys)
			}
		}},
		{"a replay answers for what it found only", "a replay answers for each id", true, func(b *broken) {
			b.replay = func(ctx context.Context, keys []driver.DeadKey) ([]driver.DeadResult, error) {
				rs, err := b.Store.ReplayDead(ctx, keys)
				return slices.DeleteFunc(rs, func(r driver.DeadResult) bool { return r.Status == driver.DeadNotFound }), err
			}
		}},
		{"a replay looks for the highest seq of its keys", "of several letters that keys of one id name the latest goes back", false, func(b *broken) {
			b.replay = func(ctx context.Context, keys []driver.DeadKey) ([]driver.DeadResult, error) {
				highest := map[string]int64{}
				for _, k := range keys {
					highest[k.EventID] = max(highest[k.EventID], k.Seq)
				}
				keys = slices.Clone(keys)
				for i := range keys {
					keys[i].Seq = highest[keys[i].EventID]
				}
				return b.Store.ReplayDead(ctx, keys)
			}
		}},
		{"pages start at the beginning", "letters are listed latest first, in pages by key", false, func(b *broken) {
			b.list = func(ctx context.Context, f driver.DeadFilter, _ *driver.DeadCursor, limit int) ([]driver.DeadLetter, *driver.DeadCursor, error) {
				return b.Store.ListDead(ctx, f, nil, limit)
			}
		}},
		{"the filter forgets the error", "letters are filtered by lane, error text, time and resolution", false, func(b *broken) {
			b.list = func(ctx context.Context, f driver.DeadFilter, after *driver.DeadCursor, limit int) ([]driver.DeadLetter, *driver.DeadCursor, error) {
				f.Error = ""
				return b.Store.ListDead(ctx, f, after, limit)
			}
		}},
		{"resolving deletes", "a resolved letter is hidden, and deleted only past its age", true, func(b *broken) {
			b.resolve = b.DeleteDead
		}},
		{"a sweep deletes what was not delivered", "a sweep deletes only what was done for longer than the age", true, func(b *broken) {
			b.sweep = func(ctx context.Context, age time.Duration, limit int) (int, error) {
				return b.Store.ExpireWritten(ctx, age, limit)
			}
		}},
		{"a sweep forgets the age", "a sweep deletes only what was done for longer than the age", false, func(b *broken) {
			b.sweep = func(ctx context.Context, _ time.Duration, limit int) (int, error) {
				return b.Store.Sweep(ctx, 0, limit)
			}
		}},
		{"a sweep forgets the limit", "a sweep deletes no more than its limit", false, func(b *broken) {
			b.sweep = func(ctx context.Context, age time.Duration, _ int) (int, error) { return b.Store.Sweep(ctx, age, all) }
		}},
		{"age retention runs beside a relay", "age retention deletes undelivered rows only if no relay is alive", false, func(b *broken) {
			b.expire = func(ctx context.Context, age time.Duration, limit int) (int, error) {
				ins, _ := b.Instances(ctx)
				for _, in := range ins {
					_ = b.Store.Withdraw(ctx, in.Owner)
				}
				return b.Store.ExpireWritten(ctx, age, limit)
			}
		}},
		{"held rows count as waiting", "stats count what waits, is held, is done and is dead, per lane", false, func(b *broken) {
			b.stats = func(ctx context.Context) (driver.Stats, error) {
				st, err := b.Store.Stats(ctx)
				st.Waiting.N, st.Held.N = st.Waiting.N+st.Held.N, 0
				return st, err
			}
		}},
		{"lanes are not sorted", "lanes with pending rows are listed in byte order, page by page", false, func(b *broken) {
			b.lanes = func(ctx context.Context, after string, limit int) ([]driver.WaitingLane, error) {
				ls, err := b.Store.Lanes(ctx, after, limit)
				slices.Reverse(ls)
				return ls, err
			}
		}},
		{"nothing is ever paused", "lanes are paused and resumed for everyone", false, func(b *broken) {
			b.paused = func(context.Context) ([]driver.Pause, error) { return nil, nil }
		}},
		{"a destination is paused as a lane", "a destination is paused apart from a lane of its name", false, func(b *broken) {
			b.setPaused = func(ctx context.Context, what driver.Pausable, paused bool, by string) error {
				return b.Store.SetPaused(ctx, driver.PausableLane(what.Name[:min(len(what.Name), 99)]), paused, by)
			}
		}},
		{"who pauses last is who paused", "a pause says who began it, and when", false, func(b *broken) {
			b.setPaused = func(ctx context.Context, what driver.Pausable, paused bool, by string) error {
				return errors.Join(b.Store.SetPaused(ctx, what, false, by), b.Store.SetPaused(ctx, what, paused, by))
			}
		}},
		{"an unknown kind is taken for a lane", "what cannot be paused is refused", false, func(b *broken) {
			b.setPaused = func(ctx context.Context, what driver.Pausable, paused bool, by string) error {
				if what.Kind != driver.DestinationPause {
					what.Kind = driver.LanePause
				}
				return b.Store.SetPaused(ctx, what, paused, by)
			}
		}},
		{"destinations are not announced", "instances are listed from their announcement to their withdrawal", false, func(b *broken) {
			b.announce = func(ctx context.Context, in driver.Instance) error {
				in.Destinations = nil
				return b.Store.Announce(ctx, in)
			}
		}},
		{"figures are not announced", "instances are listed from their announcement to their withdrawal", false, func(b *broken) {
			b.announce = func(ctx context.Context, in driver.Instance) error {
				in.Figures = driver.Figures{}
				return b.Store.Announce(ctx, in)
			}
		}},
		{"instances never withdraw", "instances are listed from their announcement to their withdrawal", false, func(b *broken) {
			b.withdraw = func(context.Context, driver.Owner) error { return nil }
		}},
		{"a call outlives its context", "a call whose context has ended fails and leaves the store usable", false, func(b *broken) {
			b.lanes = func(_ context.Context, after string, limit int) ([]driver.WaitingLane, error) {
				return b.Store.Lanes(context.Background(), after, limit)
			}
		}},
	}
}
