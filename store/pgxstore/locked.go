package pgxstore

import (
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/sendoff-go/outbox/driver"
)

// lockedRows finds out which rows of a call others have locked. Its two steps are
// those of a transaction in which nothing waits for a row: the first locks what
// is free, the second reads which of the other claims are still held. Those are
// the locked ones. A claim that is over stays over, whoever has its row.
type lockedRows struct {
	store *Store
	owner driver.Owner
	// sent gives the claims of the call. Mostly nobody asks.
	sent func() names
	all  names
	free answer
	held answer
}

// find queues the first step.
func (l *lockedRows) find(b *pgx.Batch) {
	l.free.clear()
	l.held.clear()
	l.all = l.sent()
	b.Queue(l.store.queries.HeldFree.SQL, l.store.fence(l.all, l.owner)...).Query(l.free.read)
}

// name queues the last part of the second step.
func (l *lockedRows) name(b *pgx.Batch) {
	free, others := l.free.found(), newNames(0)
	for i := range l.all.ids {
		if h := l.all.at(i); !free[h] {
			others.add(h)
		}
	}
	if len(others.ids) > 0 {
		b.Queue(l.store.queries.Held.SQL, l.store.fence(others, l.owner)...).Query(l.held.read)
	}
}

// answer is that of the call: which claims were found over, and, as an error,
// which rows are locked.
func (l *lockedRows) answer(missing []driver.Held) ([]driver.Held, error) {
	locked := l.held.found()
	if len(locked) == 0 {
		return missing, nil
	}
	named := &driver.LockedError{}
	over := slices.DeleteFunc(missing, func(h driver.Held) bool { return locked[h] })
	for i := range l.all.ids {
		if h := l.all.at(i); locked[h] {
			named.Rows = append(named.Rows, h)
			delete(locked, h) // each is named once
		}
	}
	return over, named
}

// fence are the arguments by which the statements know claims.
func (s *Store) fence(n names, owner driver.Owner) []any {
	return []any{s.encode.texts(n.ids), s.encode.numbers(n.seqs), s.encode.numbers(n.numbers), string(owner)}
}
