package sqlstore

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/internal/stored"
)

// record notes ids in the caller's transaction.
func (s *Engine) record(ctx context.Context, session *Session, group string, ids []string) ([]bool, error) {
	if err := driver.CheckConsumed(group, ids...); err != nil {
		return nil, err
	}
	if err := s.checkLedger(ctx, session); err != nil {
		return nil, s.inCallers(ctx, "record", outbox.ErrConflict, err)
	}
	if len(ids) == 0 {
		return nil, nil
	}
	// Writing in one order avoids deadlock.
	fresh, err := session.record(ctx, group, idBatch(slices.Sorted(slices.Values(ids))))
	if err != nil {
		return nil, s.inCallers(ctx, "record", outbox.ErrConflict, err)
	}
	return eachOf(ids, fresh), nil
}

// record returns the ids that are new. If the statement does not say which, all
// ids are new if it wrote as many as were sent; otherwise the rows are read
// back, and those with the token of this statement are new.
func (s *Session) record(ctx context.Context, group string, ids Batch) (map[string]bool, error) {
	if !s.Queries.LedgerFresh.exists() {
		rows, err := s.Query(ctx, s.Queries.LedgerRecord, ids, group)
		return flagged(rows, err)
	}
	token := rand.Int64() //nolint:gosec // it tells statements apart, it is no secret
	n, err := s.Exec(ctx, s.Queries.LedgerRecord, ids, group, token)
	if err != nil {
		return nil, err
	}
	if n == ids.Rows() {
		fresh := make(map[string]bool, n)
		for _, id := range ids[0] {
			fresh[id.(string)] = true
		}
		return fresh, nil
	}
	rows, err := s.Query(ctx, s.Queries.LedgerFresh, ids, group, token)
	fresh, err := flagged(rows, err)
	if err == nil && len(fresh) != ids.Rows() {
		return nil, ours(fmt.Errorf("%d of %d ids were neither written nor found: does a trigger or a constraint of the table refuse them?", ids.Rows()-len(fresh), ids.Rows()))
	}
	return fresh, err
}

// flagged reads ids and whether each is new.
func flagged(rows Rows, err error) (map[string]bool, error) {
	all := map[string]bool{}
	_, err = collect(rows, err, func(rows Rows) (id string, err error) {
		var fresh flag
		if err = rows.Scan(&id, &fresh); err == nil {
			all[id] = bool(fresh)
		}
		return id, err
	})
	return all, err
}

func eachOf(ids []string, in map[string]bool) []bool {
	answers := make([]bool, len(ids))
	for i, id := range ids {
		answers[i] = in[id]
	}
	return answers
}

// checkLedger finds out once whether there is a ledger. A consumer needs no
// rights to any other table.
func (s *Engine) checkLedger(ctx context.Context, session *Session) error {
	if s.ledger.Load() {
		return nil
	}
	rows, err := session.Query(ctx, s.queries.LedgerCheck, nil)
	found, err := collect(rows, err, scanValue[flag])
	if err != nil {
		return err
	}
	if !slices.Contains(found, true) {
		return fmt.Errorf("%w: the table of consumed events does not exist: %s", outbox.ErrSchema, adviceMigrate)
	}
	s.ledger.Store(true)
	return nil
}

// Known implements [driver.Ledger].
func (s *Engine) Known(ctx context.Context, group string, ids []string) ([]bool, error) {
	if err := driver.CheckConsumed(group, ids...); err != nil || len(ids) == 0 {
		return nil, err
	}
	known := map[string]bool{}
	err := s.run(ctx, s.personCall("known", func(ctx context.Context, session *Session) error {
		clear(known)
		rows, err := session.Query(ctx, s.queries.LedgerKnown, idBatch(ids), group)
		found, err := collect(rows, err, scanValue[string])
		for _, id := range found {
			known[id] = true
		}
		return err
	}).single())
	if err != nil {
		return nil, err
	}
	return eachOf(ids, known), nil
}

// Forget implements [driver.Ledger].
func (s *Engine) Forget(ctx context.Context, group string, age time.Duration, limit int) (int, error) {
	if err := driver.CheckConsumed(group); err != nil || limit <= 0 {
		return 0, err
	}
	var n int
	err := s.run(ctx, s.personCall("forget", func(ctx context.Context, session *Session) error {
		n = 0
		if free, err := session.free(ctx, s.queries.LedgerLock); err != nil || !free {
			return err
		}
		var err error
		n, err = session.forget(ctx, group, s.dialect.micros(max(age, 0)), stored.AtMost(limit))
		return err
	}))
	return n, err
}

// free is false while another instance holds the lock, which lasts until the
// end of the transaction.
func (s *Session) free(ctx context.Context, lock Query) (bool, error) {
	if !lock.exists() {
		return true, nil
	}
	got, err := skipping(ctx, s, lock, scanValue[any], nil)
	return len(got) > 0, err
}

func (s *Session) forget(ctx context.Context, group string, age, limit int64) (int, error) {
	q := s.Queries.LedgerForget
	if q.which == nil {
		return s.Exec(ctx, q, nil, group, age, limit)
	}
	key := func(rows Rows) ([]any, error) {
		id, err := scanValue[string](rows)
		return []any{group, id}, err
	}
	keys, err := s.oldest(ctx, *q.which, s.Queries.LedgerFree, key, int(limit), group, age)
	if err != nil || keys.Rows() == 0 {
		return 0, err
	}
	return s.Exec(ctx, q, keys)
}

func idBatch(ids []string) Batch {
	b := newBatch(1, len(ids))
	for _, id := range ids {
		b.add(id)
	}
	return b
}
