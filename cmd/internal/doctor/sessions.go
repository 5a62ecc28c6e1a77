package doctor

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/sendoff-go/outbox/cmd/internal/dburl"
)

// transactions looks for those that keep dead row versions from being removed.
func (d *Database) transactions(ctx context.Context) (Answer, error) {
	rows, asked, err := d.ask(ctx, "transactions")
	if err != nil || !asked {
		return d.none("list of transactions"), err
	}
	var long []string
	hidden := 0
	for _, r := range rows { // who, seconds or nothing if that is hidden, how to end it
		if r[1] == "" {
			hidden++
			continue
		}
		if age := seconds(r[1]); age > d.limits.LongTransaction {
			long = append(long, fmt.Sprintf("%s for %s (%s)", r[0], age.Round(time.Second), r[2]))
		}
	}
	switch {
	case len(long) > 0:
		return Warn("commit it, roll it back, or end its session: until then no vacuum or purge removes what was deleted after it began", "open transactions: %s", some(long)), nil
	case hidden > 0:
		return Answer{Skipped, counting(hidden, "session is", "sessions are") + " hidden from this user", "GRANT pg_monitor to the user that runs doctor"}, nil
	}
	return Okay("none is older than %s", d.limits.LongTransaction), nil
}

// locks looks for sessions that wait for a lock on our tables.
func (d *Database) locks(ctx context.Context) (Answer, error) {
	rows, asked, err := d.ask(ctx, "locks")
	if err != nil {
		return Answer{}, err
	}
	if !asked {
		return d.writeLock(ctx)
	}
	var waits []string
	for _, r := range rows { // who, seconds, on what, for whom
		if wait := seconds(r[1]); wait >= d.limits.LockWait {
			waits = append(waits, fmt.Sprintf("%s has waited for %s on %s, for %s", r[0], wait.Round(time.Second), r[2], r[3]))
		}
	}
	if len(waits) > 0 {
		return Warn("commit or end the session that they wait for", "%s", some(waits)), nil
	}
	return Okay("no session has waited for a lock on the tables for longer than %s", d.limits.LockWait), nil
}

// writeLock is for a database with one lock, which cannot be looked at: it takes
// it and lets go. The database does not notice the end of the context while it
// waits, so this check is the last on its connection.
func (d *Database) writeLock(ctx context.Context) (Answer, error) {
	took := make(chan error, 1)
	go func() {
		took <- d.db.Problem("", d.db.Writer().InTx(ctx, func(context.Context, dburl.Tx) error { return nil }))
	}()
	var err error
	select {
	case err = <-took:
	case <-ctx.Done():
		err = &dburl.Problem{Kind: dburl.Down, Err: ctx.Err()}
	}
	var p *dburl.Problem
	if errors.As(err, &p) && p.Kind == dburl.Down {
		return Fail("end the transaction of the process that holds it", "another process holds the write lock of the file"), nil
	}
	if err != nil {
		return Answer{}, err
	}
	return Okay("the write lock of the file is free"), nil
}

func seconds(text string) time.Duration {
	f, _ := strconv.ParseFloat(text, 64)
	return time.Duration(f * float64(time.Second))
}
