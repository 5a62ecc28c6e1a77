package sqlstore

import (
	"context"
	"fmt"
	"time"

	"github.com/sendoff-go/outbox/internal/backoff"
	"github.com/sendoff-go/outbox/store/internal/transport"
)

// migrateWait is how long a migration waits for another one. Adopting a large
// table takes minutes; after that, the error names the holder.
const migrateWait = 5 * time.Minute

// leaveTime bounds the work after a call, whose own deadline may have passed.
const leaveTime = 5 * time.Second

// lock keeps other migrations of the same outbox out. It polls: a waiting
// server does not notice that its client is gone, and would then hold the lock
// for nobody.
func (s *Session) lock(ctx context.Context) error {
	s.migrates = true
	if !s.Queries.MigrateLock.exists() {
		return nil // a writer keeps all others out
	}
	wait := migrateWait
	if deadline, ok := ctx.Deadline(); ok {
		wait = min(wait, time.Until(deadline)*4/5) // the rest is for the answer
	}
	for n, start := 1, time.Now(); ; n++ {
		got, err := skipping(ctx, s, s.Queries.MigrateLock, scanValue[flag], nil)
		if err != nil || (len(got) == 1 && bool(got[0])) {
			return err
		}
		if time.Since(start) >= wait {
			return s.lockedOut(ctx, wait)
		}
		if !backoff.Pause(ctx, min(n, 6)) {
			return ctx.Err()
		}
	}
}

type lockHolder struct{ who, end string }

func (s *Session) lockedOut(ctx context.Context, waited time.Duration) error {
	rows, err := s.Query(ctx, s.Queries.MigrateHolder, nil)
	holders, err := collect(rows, err, func(rows Rows) (h lockHolder, err error) { return h, rows.Scan(&h.who, &h.end) })
	if err != nil {
		return err
	}
	if len(holders) == 0 {
		return ours(fmt.Errorf("other migrations of these tables held the lock for %s: migrate again", waited.Round(time.Second)))
	}
	return ours(fmt.Errorf("another migration of these tables holds the lock, and did not end within %s: it is %s: wait for it and migrate again; if no migration runs there any more, run %s",
		waited.Round(time.Second), holders[0].who, holders[0].end))
}

// unlock lets others migrate, and reports whether to close the connection.
// After a failed migration it must be closed, because its statements may have
// changed settings and the pool is the caller's. An embedded database has no
// such settings, and may end with its connection.
func (s *Session) unlock(ctx context.Context, conn transport.Conn, failed bool) (bad bool) {
	if s.Queries.MigrateUnlock.exists() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaveTime)
		defer cancel()
		if err := conn.Send(ctx, s.Queries.MigrateUnlock.SQL); err != nil {
			failed = true
		}
	}
	return failed && !s.Dialect.Embedded
}
