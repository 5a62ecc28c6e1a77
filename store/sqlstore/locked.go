package sqlstore

import (
	"context"
	"errors"
	"slices"

	"github.com/sendoff-go/outbox/driver"
)

// around deals with those of the claims whose rows nobody else has locked, and
// returns those whose rows somebody has. It waits for none: it locks what is
// free, lets f deal with that, and reads which of the others are still held. A
// claim that is over stays over, whoever has its row.
func (s *Session) around(ctx context.Context, owner driver.Owner, claims []driver.Held, f func(free heldSet) error) (locked heldSet, err error) {
	if !s.Queries.HeldFree.exists() || !s.Queries.Held.exists() {
		return nil, errOurs{errors.New("the dialect " + s.Dialect.Name + " has locks of rows, and no held.sql and held_free.sql")}
	}
	free, err := s.held(ctx, s.Queries.HeldFree, owner, claims)
	if err != nil {
		return nil, err
	}
	if len(free) > 0 {
		if err := f(free); err != nil {
			return nil, err
		}
	}
	others := free.missing(claims)
	if len(others) == 0 {
		return nil, nil
	}
	return s.held(ctx, s.Queries.Held, owner, others)
}

// held are those of the claims that a query finds.
func (s *Session) held(ctx context.Context, q Query, owner driver.Owner, claims []driver.Held) (heldSet, error) {
	rows, err := s.Query(ctx, q, heldBatch(claims), string(owner))
	found, err := collect(rows, err, scanHeld)
	set := make(heldSet, len(found))
	for _, h := range found {
		set[h] = true
	}
	return set, err
}

// answer is that of a call that sent claims and missed some: which of those are
// over, and, as an error, which of their rows are locked.
func (locked heldSet) answer(sent, missed []driver.Held) (over []driver.Held, err error) {
	if len(locked) == 0 {
		return missed, nil
	}
	named := &driver.LockedError{}
	for _, h := range sent {
		if locked[h] && !slices.Contains(named.Rows, h) {
			named.Rows = append(named.Rows, h)
		}
	}
	return slices.DeleteFunc(missed, func(h driver.Held) bool { return locked[h] }), named
}
