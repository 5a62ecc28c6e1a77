package inbox

import (
	"context"
	"errors"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/watch"
)

// Track watches a transaction that the caller begins and ends, so that the
// cache learns what [Consumer.ConsumeIn] notes in it, once it is committed. It
// works like [outbox.Writer.Track], and both can watch one transaction:
//
//	ctx, done := consumer.Track(ctx)
//	defer done(outbox.ErrRolledBack) // for every return but the last
//	tx, err := db.BeginTx(ctx, nil)
//	if err != nil { ... }
//	defer tx.Rollback()
//	...
//	return done(tx.Commit())
//
// Done takes the error of the outermost Commit, or any error after a rollback,
// and returns it; a lost answer becomes [outbox.ErrCommitUnknown]. Only the
// first call counts. Ids are looked up before they are cached, so that those
// that a savepoint rolled back are not. Without Track, or without its done,
// nothing is cached, and the hook Consumed is called before the commit.
func (c *Consumer[Tx]) Track(ctx context.Context) (_ context.Context, done func(commitErr error) error) {
	t := &tracker{}
	return watch.With(ctx, c, t), func(commitErr error) error {
		if commitErr != nil {
			commitErr = c.ledger.CommitError(commitErr)
		}
		c.ended(ctx, t, commitErr)
		return commitErr
	}
}

type tracker struct {
	watch.Tx
	ids   []string
	since time.Time // before the first id was noted
}

// track notes ids for the tracker of the context. It returns false if none
// tracks tx.
func (c *Consumer[Tx]) track(ctx context.Context, tx Tx, ids []string, start time.Time) bool {
	t, ok := watch.In[*tracker](ctx, c, tx)
	if !ok {
		return false
	}
	t.Lock()
	defer t.Unlock()
	if watched, _ := t.Is(tx); !watched {
		return false
	}
	if t.ids == nil {
		t.since = start
	}
	t.ids = append(t.ids, ids...)
	return true
}

func (c *Consumer[Tx]) ended(ctx context.Context, t *tracker, commitErr error) {
	t.Lock()
	ids, since := t.ids, t.since
	t.ids = nil
	t.End()
	t.Unlock()
	switch {
	case errors.Is(commitErr, outbox.ErrCommitUnknown):
	case commitErr != nil:
		c.tell(c.config.Hooks.ConsumeFailed, len(ids), since, commitErr)
	default:
		c.confirm(ctx, ids, since)
		c.tell(c.config.Hooks.Consumed, len(ids), since, nil)
	}
}

// confirm fills the cache with those of the ids that are in the ledger.
func (c *Consumer[Tx]) confirm(ctx context.Context, ids []string, since time.Time) {
	if c.cache == nil || len(ids) == 0 {
		return
	}
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), c.config.CacheTimeout)
	defer cancel()
	known, err := c.ledger.Known(limited, c.config.Group, ids)
	if err != nil {
		return // not cached: the ledger decides
	}
	var there []string
	for i, id := range ids {
		if known[i] {
			there = append(there, id)
		}
	}
	c.fill(ctx, there, since)
}
