package pgxstore

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

const (
	begin  = "BEGIN ISOLATION LEVEL READ COMMITTED"
	commit = "COMMIT"
)

// once runs steps in one transaction: the first travels with BEGIN, the last
// with COMMIT, so that a single one costs one round trip.
func once(ctx context.Context, c call, steps []step) (err error) {
	pool, err := c.pool()
	if err != nil {
		return err
	}
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer func() { giveBack(ctx, conn, err) }()
	begun := false
	for i, queue := range steps {
		b := &pgx.Batch{}
		if i == 0 {
			b.Queue(begin).Exec(func(pgconn.CommandTag) error { begun = true; return nil })
			b.Queue(c.settings, millis(c.wait), millis(c.timeout)).Exec(func(pgconn.CommandTag) error { return nil })
		}
		queue(b)
		if i == len(steps)-1 {
			b.Queue(commit).Exec(committed)
		}
		if err := conn.SendBatch(ctx, b).Close(); err != nil {
			if !begun {
				return errBegin{err}
			}
			return err
		}
	}
	return nil
}

// millis is a duration as a setting, where 0 would stand for none.
func millis(d time.Duration) int64 { return max(d.Milliseconds(), 1) }

// committed looks at what COMMIT did: in a failed transaction it rolls back,
// and says so without an error.
func committed(tag pgconn.CommandTag) error {
	if tag.String() != commit {
		return pgx.ErrTxCommitRollback
	}
	return nil
}

// rollbackTimeout bounds the attempt to keep a connection.
const rollbackTimeout = time.Second

// giveBack returns a connection to its pool, which closes it unless it is
// outside of any transaction. One whose server became a replica is of no use
// any more, though the server itself would keep it.
func giveBack(ctx context.Context, conn *pgxpool.Conn, err error) {
	defer conn.Release()
	if err == nil || conn.Conn().IsClosed() {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), rollbackTimeout)
	defer cancel()
	if faultOf(err) == faultReadOnly {
		_ = conn.Conn().Close(ctx) // err says why
		return
	}
	if conn.Conn().PgConn().TxStatus() != 'I' {
		_, _ = conn.Exec(ctx, "ROLLBACK") // where it fails, the pool closes the connection
	}
}
