package daemon

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/observe"
)

// ledger is the part of a store that forgets what consumers have had.
type ledger interface {
	Forget(ctx context.Context, group string, age time.Duration, limit int) (int, error)
}

// cleaner deletes the ids of consumed events past their age.
type cleaner struct {
	*Daemon
	db     *dburl.Handle
	ledger ledger
	told   []string  // groups that the log has named
	looked time.Time // at the dead letters
}

// cleaner is nil if there is nothing to clean up.
func (d *Daemon) cleaner(db *dburl.Handle) *cleaner {
	c := d.config.Consumer
	if !c.Enabled || !c.CleanUp.Enabled {
		return nil
	}
	l, ok := db.Store.(ledger)
	if !ok {
		d.log.Warn("outbox: this store keeps no ids of consumed events, so there is nothing to clean up")
		return nil
	}
	if len(c.Groups) == 0 {
		d.log.Warn("outbox: cleaning up the ids of all consumer groups, even of consumers that set a longer retention themselves: list groups in outbox.consumer.groups to leave the others alone", "ttl", c.CleanUp.TTL.Std())
	}
	return &cleaner{Daemon: d, db: db, ledger: l}
}

// run cleans up until ctx is done.
func (c *cleaner) run(ctx context.Context) {
	when := c.config.Consumer.CleanUp
	for next := when.InitialDelay.Std(); sleep(ctx, next); next = when.FixedDelay.Std() {
		if err := c.round(ctx); err != nil && ctx.Err() == nil {
			c.metrics.Hooks().LoopError(observe.LoopErrorInfo{Loop: "forget", Err: err})
			c.log.Error("outbox: clean-up of consumed ids failed, will try again", "error", c.db.Problem("", err))
		}
	}
}

// round deletes what is past its age now.
func (c *cleaner) round(ctx context.Context) error {
	groups, err := c.groups(ctx)
	if err != nil {
		return err
	}
	c.tell(groups)
	for _, group := range groups {
		err := c.forget(ctx, group)
		if err != nil && !errors.Is(err, outbox.ErrInvalidID) {
			return err
		}
	}
	c.lookAtDeadLetters(ctx)
	return nil
}

func (c *cleaner) forget(ctx context.Context, group string) error {
	when := c.config.Consumer.CleanUp
	for {
		n, err := c.ledger.Forget(ctx, group, when.TTL.Std(), when.BatchSize)
		c.metrics.Hooks().Forgotten(observe.ConsumeInfo{Group: group, N: n})
		if err != nil || n < when.BatchSize || ctx.Err() != nil {
			return err
		}
	}
}

// groups are those that are configured, or else all that the table has. Each
// statement reads one entry of the index.
func (c *cleaner) groups(ctx context.Context) ([]string, error) {
	if named := c.config.Consumer.Groups; len(named) > 0 {
		return named, nil
	}
	query := "SELECT COALESCE(MIN(consumer_group), '') FROM " + c.db.Table(c.config.Tables.Consumed) + " WHERE consumer_group > ?"
	var all []string
	for last := ""; ; {
		group, err := c.db.Text(ctx, query, last)
		if err != nil || group == "" {
			return all, err
		}
		all, last = append(all, group), group
	}
}

// tell logs groups when they are first seen.
func (c *cleaner) tell(groups []string) {
	var clean []string
	for _, group := range groups {
		if slices.Contains(c.told, group) {
			continue
		}
		c.told = append(c.told, group)
		if err := driver.CheckConsumed(group); err != nil {
			c.log.Warn("outbox: not cleaning up the ids of a consumer group, because no consumer can have its name: correct the name, or delete its rows", "error", err)
			continue
		}
		clean = append(clean, group)
	}
	if clean != nil {
		c.log.Info("outbox: cleaning up ids of consumed events", "groups", clean, "ttl", c.config.Consumer.CleanUp.TTL.Std())
	}
}

// lookInterval is how often dead letters are looked at.
const lookInterval = time.Hour

// lookAtDeadLetters warns of letters whose events consumers may have had and
// forgotten. A letter may be one that was delivered: only its answer was lost.
func (c *cleaner) lookAtDeadLetters(ctx context.Context) {
	if !c.looked.IsZero() && time.Since(c.looked) < lookInterval {
		return
	}
	c.looked = time.Now()
	ttl := c.config.Consumer.CleanUp.TTL.Std()
	old, err := c.db.Store.CountDead(ctx, driver.DeadFilter{DiedBefore: time.Now().Add(-ttl)})
	if err != nil || old.N == 0 {
		return // the clean-up needs no right to read them
	}
	c.log.Warn("outbox: some dead letters are older than outbox.consumer.clean-up.ttl: replaying one may repeat its effect; resolve them, or raise the ttl",
		"ttl", ttl, "letters", old.N)
}
