package inboxtest

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/memstore"
)

// defect is something that a driver could get wrong, and the law that says so.
type defect struct {
	name   string
	law    string
	random bool // the random law finds it too
	make   func(b *broken)
}

// records changes what Record is asked and answers.
func records(f func(ask func(group string, ids []string) ([]bool, error), group string, ids []string) ([]bool, error)) func(*broken) {
	return func(b *broken) {
		b.record = func(ctx context.Context, tx *memstore.Tx, group string, ids []string) ([]bool, error) {
			return f(func(group string, ids []string) ([]bool, error) { return b.Store.Record(ctx, tx, group, ids) }, group, ids)
		}
	}
}

type ask = func(group string, ids []string) ([]bool, error)

// aside records in a transaction of its own, beside the caller's.
func aside(b *broken) {
	b.record = func(ctx context.Context, tx *memstore.Tx, group string, ids []string) ([]bool, error) {
		if tx == nil {
			return nil, outbox.ErrNoTransaction
		}
		own, err := b.BeginTx(ctx)
		if err != nil {
			return nil, err
		}
		fresh, err := b.Store.Record(ctx, own, group, ids)
		return fresh, errors.Join(err, own.Commit())
	}
}

func defects() []defect {
	return []defect{
		{"everything is new", "an id is new once, for every client", true,
			records(func(ask ask, group string, ids []string) ([]bool, error) {
				_, err := ask(group, ids)
				return trues(len(ids)), err
			})},
		{"the id is committed beside the transaction", "an id whose transaction rolled back is new again", true, aside},
		{"and so a failure burns the event", "a handler that fails or panics burns nothing", false, aside},
		{"and a joined transaction does not carry it", "an id joins the caller's transaction, and stands or falls with it", false, aside},
		{"and a savepoint does not take it back", "an id that a savepoint rolled back is new again", false, aside},
		{"the group is left out", "groups do not see each other", true,
			records(func(ask ask, _ string, ids []string) ([]bool, error) { return ask("all", ids) })},
		{"and so the second group gets nothing", "two groups both get an event", false,
			records(func(ask ask, _ string, ids []string) ([]bool, error) { return ask("all", ids) })},
		{"ids are compared without case", "groups and ids are compared byte for byte", false,
			records(func(ask ask, group string, ids []string) ([]bool, error) {
				lower := make([]string, len(ids))
				for i, id := range ids {
					lower[i] = strings.ToLower(id)
				}
				return ask(group, lower)
			})},
		{"ids are cut", "groups and ids are compared byte for byte", false,
			records(func(ask ask, group string, ids []string) ([]bool, error) {
				cut := make([]string, len(ids))
				for i, id := range ids {
					cut[i] = id[:min(len(id), outbox.MaxIDLength-1)]
				}
				return ask(group, cut)
			})},
		{"answers come in another order", "each id of a batch is answered for, in the caller's order", true,
			records(func(ask ask, group string, ids []string) ([]bool, error) {
				fresh, err := ask(group, ids)
				slices.Reverse(fresh)
				return fresh, err
			})},
		{"a batch with anything old is old", "a batch runs the new ones alone, in order, each once, and nothing if all are old", false,
			records(func(ask ask, group string, ids []string) ([]bool, error) {
				fresh, err := ask(group, ids)
				if slices.Contains(fresh, false) {
					fresh = make([]bool, len(fresh))
				}
				return fresh, err
			})},
		{"a transaction does not see what it noted", "an id noted twice in one transaction is known the second time", false, func(b *broken) {
			b.record = func(ctx context.Context, tx *memstore.Tx, group string, ids []string) ([]bool, error) {
				known, err := b.Store.Known(ctx, group, ids)
				if err != nil {
					return nil, err
				}
				_, err = b.Store.Record(ctx, tx, group, ids)
				for i := range known {
					known[i] = !known[i]
				}
				return known, err
			}
		}},
		{"nobody waits", "an id in an open transaction is waited for: known if it commits, new if it rolls back", false, impatient},
		{"and so two consumers both run", "consumers of one group at once give one event one effect", false, metAndImpatient},
		{"and more of them, too", "eight consumers of overlapping batches end without an error, each event with one effect", true, slowAndImpatient},
		{"waiting goes on for ever", "waiting ends with the context", false, func(b *broken) {
			b.record = func(ctx context.Context, tx *memstore.Tx, group string, ids []string) ([]bool, error) {
				return b.Store.Record(context.WithoutCancel(ctx), tx, group, ids)
			}
		}},
		{"a conflict is called something else", "a deadlock of two transactions is reported", false,
			records(func(ask ask, group string, ids []string) ([]bool, error) {
				fresh, err := ask(group, ids)
				if err != nil {
					err = errors.New("deadlock")
				}
				return fresh, err
			})},
		{"what is open is known", "known reports only what was committed", false, func(b *broken) {
			noted := map[string]bool{}
			b.record = func(ctx context.Context, tx *memstore.Tx, group string, ids []string) ([]bool, error) {
				for _, id := range ids {
					noted[id] = true
				}
				return b.Store.Record(ctx, tx, group, ids)
			}
			b.known = func(_ context.Context, _ string, ids []string) ([]bool, error) {
				known := make([]bool, len(ids))
				for i, id := range ids {
					known[i] = noted[id]
				}
				return known, nil
			}
		}},
		{"limits are not looked at", "a group or an id that breaks a limit is refused, and the transaction goes on", false,
			records(func(ask ask, group string, ids []string) ([]bool, error) {
				if driver.CheckConsumed(group, ids...) != nil {
					return trues(len(ids)), nil //nolint:nilerr // that it is ignored is the defect
				}
				return ask(group, ids)
			})},
		{"no transaction is as good as one", "without an open transaction nothing is noted", false, func(b *broken) {
			b.record = func(ctx context.Context, tx *memstore.Tx, group string, ids []string) ([]bool, error) {
				fresh, err := b.Store.Record(ctx, tx, group, ids)
				if errors.Is(err, outbox.ErrNoTransaction) {
					fresh, err = trues(len(ids)), nil
				}
				return fresh, err
			}
		}},
		{"an outage is any error", "a database that does not answer is reported as such", false, func(b *broken) {
			b.known = func(ctx context.Context, group string, ids []string) ([]bool, error) {
				known, err := b.Store.Known(ctx, group, ids)
				if err != nil {
					err = errors.New("no answer")
				}
				return known, err
			}
		}},
		{"age does not matter", "ids are forgotten by age, and those of the group alone", true, func(b *broken) {
			b.forget = func(ctx context.Context, group string, _ time.Duration, limit int) (int, error) {
				return b.Store.Forget(ctx, group, 0, limit)
			}
		}},
		{"the group does not matter", "ids are forgotten by age, and those of the group alone", false, func(b *broken) {
			b.forget = func(ctx context.Context, group string, age time.Duration, limit int) (int, error) {
				_, err := b.Store.Forget(ctx, "shipping", age, limit)
				n, err2 := b.Store.Forget(ctx, group, age, limit)
				return n, errors.Join(err, err2)
			}
		}},
		{"the limit does not matter", "no more ids are forgotten than asked for, the oldest first", false, func(b *broken) {
			b.forget = func(ctx context.Context, group string, age time.Duration, limit int) (int, error) {
				return b.Store.Forget(ctx, group, age, limit*2)
			}
		}},
		{"counts are made up", "ledgers that forget at the same time remove each id once", false, func(b *broken) {
			b.forget = func(ctx context.Context, group string, age time.Duration, limit int) (int, error) {
				n, err := b.Store.Forget(ctx, group, age, limit)
				return n + n/10, err
			}
		}},
		{"nothing is forgotten beside a transaction", "a redelivery in an open transaction keeps no other ids from being forgotten", false, func(b *broken) {
			var open atomic.Int64
			ends := func(f func() error) func() error {
				return func() error { open.Add(-1); return f() }
			}
			b.begin = func(ctx context.Context) (*memstore.Tx, func() error, func() error, error) {
				open.Add(1)
				tx, commit, rollback, err := b.Store.Begin(ctx)
				return tx, ends(commit), ends(rollback), err
			}
			b.forget = func(ctx context.Context, group string, age time.Duration, limit int) (int, error) {
				if open.Load() > 0 {
					return 0, nil
				}
				return b.Store.Forget(ctx, group, age, limit)
			}
		}},
		{"a commit is not carried out", "the first delivery runs, and the second is skipped without an error", true, func(b *broken) {
			b.begin = func(ctx context.Context) (*memstore.Tx, func() error, func() error, error) {
				tx, _, rollback, err := b.Store.Begin(ctx)
				return tx, rollback, rollback, err
			}
		}},
		{"a rollback is not carried out", "after a commit whose answer was lost the ledger decides", false, func(b *broken) {
			b.begin = func(ctx context.Context) (*memstore.Tx, func() error, func() error, error) {
				tx, commit, _, err := b.Store.Begin(ctx)
				return tx, commit, commit, err
			}
		}},
		{"the rest of a batch is left out", "a batch joins the caller's transaction, with the new ones in order", false,
			records(func(ask ask, group string, ids []string) ([]bool, error) {
				fresh, err := ask(group, ids[:1])
				return append(fresh, make([]bool, len(ids)-1)...), err
			})},
	}
}

func trues(n int) []bool { return slices.Repeat([]bool{true}, n) }

// impatient takes what another transaction has in hand for new.
func impatient(b *broken) { tellImpatience(b, func() {}) }

// tellImpatience is impatient, and tells when it does so.
func tellImpatience(b *broken, told func()) {
	b.record = func(ctx context.Context, tx *memstore.Tx, group string, ids []string) ([]bool, error) {
		known, err := b.Store.Known(ctx, group, ids)
		if err != nil {
			return nil, err
		}
		hurry, cancel := context.WithTimeout(ctx, time.Millisecond)
		defer cancel()
		fresh, err := b.Store.Record(hurry, tx, group, ids)
		if errors.Is(err, context.DeadlineExceeded) {
			told()
			for i := range known {
				known[i] = !known[i]
			}
			return known, nil
		}
		return fresh, err
	}
}

// metAndImpatient keeps what it has in hand until another has taken it too.
func metAndImpatient(b *broken) {
	met := make(chan struct{})
	tellImpatience(b, sync.OnceFunc(func() { close(met) }))
	b.begin = func(ctx context.Context) (*memstore.Tx, func() error, func() error, error) {
		tx, commit, rollback, err := b.Store.Begin(ctx)
		return tx, func() error {
			select {
			case <-met:
			case <-ctx.Done():
			}
			return commit()
		}, rollback, err
	}
}

// slowAndImpatient gives others the time to come in between.
func slowAndImpatient(b *broken) {
	impatient(b)
	b.begin = func(ctx context.Context) (*memstore.Tx, func() error, func() error, error) {
		tx, commit, rollback, err := b.Store.Begin(ctx)
		return tx, func() error {
			<-time.After(5 * time.Millisecond)
			return commit()
		}, rollback, err
	}
}
