package pgxstore_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/await"
	"github.com/sendoff-go/outbox/store/pgxstore"
)

const (
	lane     = "OrderPlaced"
	long     = time.Hour
	brief    = time.Millisecond
	patience = await.Patience
)

func event(id string) outbox.Event {
	return outbox.Event{ID: id, Type: lane, JSON: []byte(`{"n":1}`)}
}

// write commits events as ordinary rows.
func write(t testing.TB, s *pgxstore.Store, es ...outbox.Event) {
	t.Helper()
	w := outbox.NewWriter[pgx.Tx](s, nil)
	err := w.InTx(t.Context(), func(ctx context.Context, tx pgx.Tx) error {
		_, err := w.WriteAll(ctx, tx, es...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func claimFor(ctx context.Context, s *pgxstore.Store, owner driver.Owner, lease time.Duration) ([]driver.Claimed, error) {
	return s.Claim(ctx, driver.ClaimRequest{Owner: owner, Lease: lease, Wants: []driver.Want{{Lane: lane, Rows: 1000}}})
}

// claim takes the rows that are due, which must be that many.
func claim(t testing.TB, s *pgxstore.Store, owner driver.Owner, n int) []driver.Claimed {
	t.Helper()
	cs, err := claimFor(t.Context(), s, owner, long)
	if err != nil {
		t.Fatal(err)
	}
	if len(cs) != n {
		t.Fatalf("claimed %d rows, expected %d", len(cs), n)
	}
	return cs
}

// eventually polls until f is true.
func eventually(t testing.TB, what string, f func() bool) {
	t.Helper()
	await.Until(t, what, f)
}

func queryInt(t testing.TB, pool *pgxpool.Pool, query string, args ...any) (n int) {
	t.Helper()
	if err := pool.QueryRow(t.Context(), query, args...).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// hook admits everything with a head start and notes what it is told.
type hook struct{ committed, dropped []outbox.Written }

func (h *hook) Admit([]outbox.Event, time.Time) time.Duration { return long }
func (h *hook) Committed(ws []outbox.Written)                 { h.committed = append(h.committed, ws...) }
func (h *hook) Dropped(ws []outbox.Written)                   { h.dropped = append(h.dropped, ws...) }

// hot are the ids that a relay would deliver from memory: those that are
// proved, and those that the store confirms.
func (h *hook) hot(t testing.TB, s *pgxstore.Store) (ids []string) {
	t.Helper()
	for _, w := range h.committed {
		held := []driver.Held{{EventID: w.Event.ID, Seq: w.Seq}}
		if !w.Hot() {
			continue
		}
		if w.Confirm {
			var err error
			if held, err = s.Confirm(t.Context(), held); err != nil {
				t.Fatal(err)
			}
		}
		if len(held) == 1 {
			ids = append(ids, w.Event.ID)
		}
	}
	return ids
}

// lockRow changes a row in a transaction that stays open until release, which
// undoes it.
func lockRow(t testing.TB, pool *pgxpool.Pool, query string, args ...any) (release func()) {
	t.Helper()
	tx, err := pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	end := sync.OnceFunc(func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) }) // where it fails, the connection ends
	t.Cleanup(end)
	tag, err := tx.Exec(t.Context(), query, args...)
	if err != nil {
		t.Fatal(err)
	}
	if tag.RowsAffected() != 1 {
		t.Fatalf("locked %d rows, expected one", tag.RowsAffected())
	}
	return end
}
