package pgxstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

var _ driver.Ledger[pgx.Tx] = (*Store)(nil)

// Record implements [driver.Ledger]. The first one checks that there is a
// ledger, in a way that leaves the transaction usable.
func (s *Store) Record(ctx context.Context, tx pgx.Tx, group string, ids []string) ([]bool, error) {
	if err := driver.CheckConsumed(group, ids...); err != nil {
		return nil, err
	}
	if pooled, ok := tx.(*pgxpool.Tx); tx == nil || (ok && pooled == nil) {
		return nil, fmt.Errorf("%w: it is nil", outbox.ErrNoTransaction)
	}
	if err := s.checkLedger(ctx, tx); err != nil {
		return nil, recordError(ctx, err)
	}
	if len(ids) == 0 {
		return nil, nil
	}
	// In one order: those who wait for each other do not do so in a circle.
	rows, _ := tx.Query(ctx, s.queries.LedgerRecord.SQL, slices.Sorted(slices.Values(ids)), group) // rows has the error too
	fresh, err := among(rows, ids)
	if err != nil {
		return nil, recordError(ctx, err)
	}
	return fresh, nil
}

// among tells which of the ids an answer names.
func among(rows pgx.Rows, ids []string) ([]bool, error) {
	defer rows.Close()
	named := make(map[string]bool, len(ids))
	if err := eachRow(rows, func(r *row) { named[r.string()] = true }); err != nil {
		return nil, err
	}
	answers := make([]bool, len(ids))
	for i, id := range ids {
		answers[i] = named[id]
	}
	return answers, nil
}

// checkLedger finds out once whether there is one. A consumer needs no right to
// any other table.
func (s *Store) checkLedger(ctx context.Context, tx pgx.Tx) error {
	if s.ledger.Load() {
		return nil
	}
	var found bool
	if err := tx.QueryRow(ctx, s.queries.LedgerCheck.SQL).Scan(&found); err != nil {
		return err
	}
	if !found {
		return fmt.Errorf("%w: the table of consumed events does not exist: %s", outbox.ErrSchema, adviceMigrate)
	}
	s.ledger.Store(true)
	return nil
}

func recordError(ctx context.Context, err error) error {
	switch {
	case errors.Is(err, outbox.ErrSchema):
		return err
	case errors.Is(err, pgx.ErrTxClosed):
		return fmt.Errorf("%w: it was committed or rolled back before: %w", outbox.ErrNoTransaction, err)
	case faultOf(err) == faultConflict, faultOf(err) == faultLocked:
		return fmt.Errorf("%w: record: %w", outbox.ErrConflict, err)
	}
	return wrap(ctx, "record", err)
}

// Known implements [driver.Ledger], on the caller's pool.
func (s *Store) Known(ctx context.Context, group string, ids []string) ([]bool, error) {
	if err := driver.CheckConsumed(group, ids...); err != nil || len(ids) == 0 {
		return nil, err
	}
	var known []bool
	err := s.run(ctx, s.personCall("known"), func(b *pgx.Batch) {
		b.Queue(s.queries.LedgerKnown.SQL, ids, group).Query(func(rows pgx.Rows) (err error) {
			known, err = among(rows, ids)
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	return known, nil
}

// Forget implements [driver.Ledger], on the caller's pool.
func (s *Store) Forget(ctx context.Context, group string, age time.Duration, limit int) (int, error) {
	if err := driver.CheckConsumed(group); err != nil || limit <= 0 {
		return 0, err
	}
	var free bool
	var n int
	err := s.run(ctx, s.personCall("forget"),
		func(b *pgx.Batch) {
			free, n = false, 0
			b.Queue(s.queries.LedgerLock.SQL).Query(func(rows pgx.Rows) error {
				return eachRow(rows, func(*row) { free = true })
			})
		},
		func(b *pgx.Batch) {
			if free { // no other instance forgets
				b.Queue(s.queries.LedgerForget.SQL, group, micros(max(age, 0)), atMost(limit)).Exec(countInto(&n))
			}
		})
	if err != nil {
		return 0, err
	}
	return n, nil
}
