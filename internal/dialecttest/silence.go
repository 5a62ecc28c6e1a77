package dialecttest

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/await"
)

// silentAtCommit: drivers end a statement with its context, and not all of them a
// COMMIT.
func (l Laws) silentAtCommit(t *testing.T) {
	l.silentAt(t, "COMMIT", nil, nil, func(t *testing.T, err error, own bool) {
		if !errors.Is(err, context.DeadlineExceeded) || own && !errors.Is(err, outbox.ErrStoreDown) {
			t.Errorf("error %v, expected that it took too long, and ErrStoreDown if by its own limit: %t", err, own)
		}
	})
}

// silentAtRollback: what was refused stands before that, so it may be the error.
func (l Laws) silentAtRollback(t *testing.T) {
	hide, show := []string{"ALTER TABLE outbox_event RENAME TO hidden"}, []string{"ALTER TABLE hidden RENAME TO outbox_event"}
	l.silentAt(t, "ROLLBACK", hide, show, func(t *testing.T, err error, _ bool) {
		if !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, outbox.ErrSchema) {
			t.Errorf("error %v, expected ErrSchema, or that it took too long", err)
		}
	})
}

// silentAt makes calls whose transactions send that word, from which on the database
// is not heard of any more, and expects the store to work once it is. Spoil and mend
// are statements before and after.
func (l Laws) silentAt(t *testing.T, word string, spoil, mend []string, expect func(t *testing.T, err error, own bool)) {
	db, proxy := l.Trouble.Distant(t)
	store := l.hasty(t, db)
	must(t, store.Migrate(t.Context()))
	call := func(limit time.Duration) error {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), limit)
		defer cancel()
		_, err := store.Claim(ctx, driver.ClaimRequest{Owner: owner, Lease: time.Hour, Wants: []driver.Want{{Lane: lane, Rows: 1}}})
		return err
	}
	t.Cleanup(proxy.Pass) // or a call that hangs keeps the pool from closing
	for _, limit := range []time.Duration{time.Second, time.Hour} {
		exec(t, db, spoil...)
		proxy.HangAt(word)
		var err error
		await.Until(t, word+" is sent", func() bool { // on a busy machine, a call may end before
			answer := make(chan error, 1)
			go func() { answer <- call(limit) }()
			select {
			case err = <-answer:
			case <-time.After(time.Minute):
				t.Fatalf("a call with a deadline of %s, and a limit of %s, has not returned after a minute", limit, Hasty().StatementTimeout)
			}
			return proxy.Held() > 0
		})
		expect(t, err, limit > Hasty().StatementTimeout)
		proxy.Pass()
		exec(t, db, mend...)
		await.Until(t, "calls are answered again", func() bool { return call(time.Hour) == nil })
	}
}
