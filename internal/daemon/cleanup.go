package daemon

import (
	"context"
	"regexp"
	"strings"
	"time"

	"github.com/sendoff-go/outbox/internal/dburl"
)

// ledger is the part of a store that forgets what consumers have had.
type ledger interface {
	Forget(ctx context.Context, group string, age time.Duration, limit int) (int, error)
}

// forget deletes the ids of consumed events past their age, until ctx is done.
func (d *Daemon) forget(ctx context.Context, db *dburl.Handle) {
	c := d.config.Consumer.CleanUp
	l, ok := db.Store.(ledger)
	if !ok {
		d.log.Warn("outbox: this store keeps no ids of consumed events: nothing to clean up")
		return
	}
	for next := c.InitialDelay.Std(); sleep(ctx, next); next = c.FixedDelay.Std() {
		groups, err := d.groups(ctx, db)
		for _, g := range groups {
			if err == nil {
				err = d.forgetGroup(ctx, l, g)
			}
		}
		if err != nil && ctx.Err() == nil {
			d.metrics.errors.WithLabelValues("forget").Inc()
			d.log.Error("outbox: clean-up of consumed ids failed, will try again", "error", db.Problem("", err))
		}
	}
}

func (d *Daemon) forgetGroup(ctx context.Context, l ledger, group string) error {
	c := d.config.Consumer.CleanUp
	for {
		n, err := l.Forget(ctx, group, c.TTL.Std(), c.BatchSize)
		d.metrics.forgotten(n)
		if err != nil || n < c.BatchSize || ctx.Err() != nil {
			return err
		}
	}
}

// harmless is a group's name that can stand in a statement as it is.
var harmless = regexp.MustCompile(`^[A-Za-z0-9_.:@/+-]+$`)

// groups are those that are configured, or else all that the table has. Each
// statement reads one entry of the index.
func (d *Daemon) groups(ctx context.Context, db *dburl.Handle) ([]string, error) {
	if named := d.config.Consumer.Groups; len(named) > 0 {
		return named, nil
	}
	table := d.config.Tables.Consumed
	if !strings.Contains(table, ".") { // no schema of its own
		table = db.Table(table)
	}
	var all []string
	for last := ""; ; {
		query := "SELECT COALESCE(MIN(consumer_group), '') FROM " + table + " WHERE consumer_group > '" + last + "'"
		group, err := db.Text(ctx, query)
		if err != nil || group == "" {
			return all, err
		}
		if !harmless.MatchString(group) {
			d.log.Warn("outbox: the clean-up passes over the consumer groups from this one on: name all groups in outbox.consumer.groups", "group", group)
			return all, nil
		}
		all, last = append(all, group), group
	}
}
