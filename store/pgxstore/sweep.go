package pgxstore

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/sendoff-go/outbox/driver"
)

// Sweep implements [driver.Store]. It also moves rows to the dead letters that
// another program marked as dead in place; those are not counted.
func (s *Store) Sweep(ctx context.Context, age time.Duration, limit int) (int, error) {
	if limit <= 0 {
		return 0, nil
	}
	var free bool
	var n int
	err := s.run(ctx, s.relaySweep("sweep"),
		func(b *pgx.Batch) {
			free, n = false, 0
			b.Queue(s.queries.SweepLock.SQL).Query(func(rows pgx.Rows) error {
				return eachRow(rows, func(*row) { free = true })
			})
		},
		func(b *pgx.Batch) {
			if !free { // another instance sweeps
				return
			}
			b.Queue(s.queries.ForeignDead.SQL, atMost(limit))
			b.Queue(s.queries.Sweep.SQL, micros(max(age, 0)), atMost(limit)).Exec(countInto(&n))
		})
	if err != nil {
		return 0, err
	}
	return n, nil
}

// ExpireWritten implements [driver.ExpiringStore].
func (s *Store) ExpireWritten(ctx context.Context, age time.Duration, limit int) (int, error) {
	if limit <= 0 {
		return 0, nil
	}
	var alive []driver.Instance
	var n int
	err := s.run(ctx, s.personCall("expire"),
		func(b *pgx.Batch) {
			n = 0
			s.queueInstances(b, &alive)
		},
		func(b *pgx.Batch) {
			if len(alive) > 0 {
				return
			}
			b.Queue(s.queries.Expire.SQL, micros(max(age, 0)), atMost(limit)).Exec(countInto(&n))
		})
	switch {
	case err != nil:
		return 0, err
	case len(alive) > 0:
		return 0, fmt.Errorf("outbox: expire: relay %s is alive on this table: stop it first, or use Sweep, which deletes only what was delivered", alive[0].Owner)
	}
	return n, nil
}

func countInto(n *int) func(pgconn.CommandTag) error {
	return func(tag pgconn.CommandTag) error {
		*n = int(tag.RowsAffected())
		return nil
	}
}
