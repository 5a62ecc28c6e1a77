package main

import (
	"context"
	"fmt"
	"time"

	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

// announceAdoption says what the upgrade of another program's event table will
// do to those who use it, and is an error unless that was asked for. What keeps
// it from being upgraded at all, the migration says.
func (a *app) announceAdoption(ctx context.Context, db *dburl.Handle, asked bool) error {
	plan, err := db.Schema.Adoption(ctx)
	if err != nil {
		return db.Problem("look for a table to upgrade", err)
	}
	if plan == nil || len(plan.Obstacles) > 0 {
		return nil
	}
	fmt.Fprintf(a.stdout, `The table %s was made by another program. The upgrade happens in place and keeps the rows:
  rows    about %d%s, according to the database catalog
  locked  %s
  time    roughly %s with small payloads, longer with large ones or a slow disk
  before  stop every dispatcher and poller of the other program; its writers may go on
  to stop Ctrl-C rolls everything back; MySQL and MariaDB first finish the running
          statement, and the next migration continues from there
`, plan.Table, plan.Rows, size(plan.Bytes), plan.Locked, estimate(plan))
	if asked {
		return nil
	}
	return dburl.NotOurs(plan)
}

// size is " in 310 MB", or nothing where it is not known.
func size(bytes int64) string {
	const megabyte = 1_000_000
	if bytes < megabyte {
		return ""
	}
	return fmt.Sprintf(" in %d MB", bytes/megabyte)
}

// estimate is the time that is expected, never less than a second.
func estimate(plan *sqlstore.Adoption) time.Duration {
	return max(plan.Time.Round(time.Second), time.Second)
}
