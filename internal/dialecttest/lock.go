package dialecttest

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/store/sqlstore"
)

// lockedOut expects a migration to give up before its context does while
// another one holds the lock, and to say who that is.
func lockedOut(t *testing.T, s Subject) {
	r, err := sqlstore.Resolve(s.Dialect, sqlstore.Tables{})
	must(t, err)
	if r.Queries.MigrateLock.SQL == "" {
		return // a writer locks out all others, for a bounded time
	}
	open := s.Fresh(t)
	db := open()
	holder, err := db.BeginTx(t.Context(), nil)
	must(t, err)
	defer func() { _ = holder.Rollback() }() // it changed nothing
	must(t, holder.QueryRowContext(t.Context(), r.Queries.MigrateLock.SQL).Scan(new(any)))

	store := newStore(t, s, open(), sqlstore.Tables{})
	// It has a fifth of its time to say so. A machine that stands still for that
	// long gets more of it.
	for limit := 10 * time.Second; limit < 5*time.Minute; limit *= 5 {
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		err = store.Migrate(ctx)
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) {
			break
		}
	}
	if err == nil || errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("error %v, expected one that says who holds the lock", err)
	}
	for _, part := range []string{"lock", "connection ", "migrate again"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q is not in the error: %v", part, err)
		}
	}
}
