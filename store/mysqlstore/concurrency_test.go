package mysqlstore_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/mysqlstore"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

// Four claimers, writers and a sweeper at once: no caller sees a deadlock or
// waits long for a gap lock. Writers use the server's default isolation, which
// locks gaps, and claimers start at the head, where they meet.
func TestNobodyWaitsForEachOtherInACircle(t *testing.T) {
	onEach(t, func(t *testing.T, server string) {
		db := openDB(t, testenv.Database(t, server))
		migrated(t, db)
		store, err := mysqlstore.New(db, sqlstore.Config{StatementTimeout: time.Minute, SweepTimeout: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		c := &crowd{t: t, store: store, total: 1200}
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(c.write)
		}
		for i := range 4 {
			wg.Go(func() { c.deliver(driver.NewOwner(fmt.Sprint(i))) })
		}
		wg.Go(c.sweep)
		wg.Wait()
		if n := c.done.Load(); n != c.total && !t.Failed() {
			t.Errorf("delivered %d of %d", n, c.total)
		}
	})
}

// crowd is everyone who uses the table at once.
type crowd struct {
	t             *testing.T
	store         *sqlstore.Store
	total         int64
	written, done atomic.Int64
}

func (c *crowd) busy() bool { return c.done.Load() < c.total && !c.t.Failed() }

func (c *crowd) write() {
	w := outbox.NewWriter(c.store)
	for i := 0; c.written.Add(5) <= c.total && !c.t.Failed(); i++ {
		es := make([]outbox.Event, 5)
		for j := range es {
			es[j] = outbox.Event{Type: []string{"a", "b", "c"}[(i+j)%3], JSON: []byte("1")}
		}
		if err := w.InTx(c.t.Context(), func(ctx context.Context, tx *sql.Tx) error {
			_, err := w.WriteAll(ctx, tx, es...)
			return err
		}); err != nil {
			c.t.Errorf("write: %v", err)
		}
	}
}

func (c *crowd) deliver(owner driver.Owner) {
	wants := []driver.Want{{Lane: "a", Rows: 20}, {Lane: "b", Rows: 20}, {Lane: "c", Rows: 20}}
	for c.busy() {
		cs, err := c.store.Claim(c.t.Context(), driver.ClaimRequest{Owner: owner, Lease: time.Hour, Wants: wants})
		if err != nil {
			c.t.Errorf("claim: %v", err)
			return
		}
		var renewals []driver.Renewal
		var outcomes []driver.Outcome
		delivered := 0
		for _, claimed := range cs {
			renewals = append(renewals, driver.Renewal{Held: claimed.Held})
			o := driver.Outcome{Held: claimed.Held, Kind: driver.Done}
			if claimed.Seq%7 == 0 && claimed.Attempts == 0 {
				o.Kind, o.Attempts, o.Error = driver.Retry, 1, "again"
			} else {
				delivered++
			}
			outcomes = append(outcomes, o)
		}
		if lost, err := c.store.Renew(c.t.Context(), owner, time.Hour, renewals); len(lost) > 0 || (err != nil && !errors.As(err, new(*driver.LockedError))) {
			c.t.Errorf("renew: lost %v, error %v", lost, err)
		}
		c.settle(owner, outcomes)
		c.done.Add(int64(delivered))
	}
}

// settle settles rows that others have locked again, as a relay does: on a busy
// machine a claim that has passed over them may take longer than a settle waits.
func (c *crowd) settle(owner driver.Owner, outcomes []driver.Outcome) {
	for range 100 {
		stale, err := c.store.Settle(c.t.Context(), owner, outcomes, true)
		var locked *driver.LockedError
		switch {
		case len(stale) > 0 || (err != nil && !errors.As(err, &locked)):
			c.t.Errorf("settle: stale %v, error %v", stale, err)
			return
		case err == nil:
			return
		}
		outcomes = slices.DeleteFunc(outcomes, func(o driver.Outcome) bool { return !slices.Contains(locked.Rows, o.Held) })
	}
	c.t.Errorf("%d rows stay locked", len(outcomes))
}

func (c *crowd) sweep() {
	for c.busy() {
		if _, err := c.store.Sweep(c.t.Context(), 0, 50); err != nil {
			c.t.Errorf("sweep: %v", err)
		}
		if _, err := c.store.Stats(c.t.Context()); err != nil {
			c.t.Errorf("stats: %v", err)
		}
	}
}

// A business transaction that stays open after its writes, even after a refused
// one, does not block the delivery of other events.
func TestAnOpenTransactionIsInNobodysWay(t *testing.T) {
	onEach(t, func(t *testing.T, server string) {
		db := openDB(t, testenv.Database(t, server))
		migrated(t, db)
		store, err := mysqlstore.New(db, sqlstore.Config{StatementTimeout: time.Minute, SweepTimeout: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		w := outbox.NewWriter(store)
		ids := writeAll(t, w, outbox.Event{Type: "a", JSON: []byte("1")}, outbox.Event{Type: "a", JSON: []byte("2")})
		open, err := db.BeginTx(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = open.Rollback() }() // keep nothing
		again := outbox.Event{Type: "a", JSON: []byte("3")}
		again.ID = ids[0]
		if existing, err := w.WriteIfAbsent(t.Context(), open, again, outbox.Event{Type: "a", JSON: []byte("4")}); err != nil || len(existing) != 1 {
			t.Fatalf("existing %v, error %v", existing, err)
		}

		owner := driver.NewOwner("a")
		cs, err := store.Claim(t.Context(), driver.ClaimRequest{Owner: owner, Lease: time.Hour, Wants: []driver.Want{{Lane: "a", Rows: 10}}})
		if err != nil || len(cs) != 2 {
			t.Fatalf("claimed %d, error %v: expected the two that are committed", len(cs), err)
		}
		outcomes := []driver.Outcome{{Held: cs[0].Held, Kind: driver.Done}, {Held: cs[1].Held, Kind: driver.Dead, Error: "no"}}
		if stale, err := store.Settle(t.Context(), owner, outcomes, true); err != nil || len(stale) > 0 {
			t.Fatalf("stale %v, error %v", stale, err)
		}
		if n, err := store.Sweep(t.Context(), 0, 10); err != nil || n != 1 {
			t.Fatalf("swept %d, error %v", n, err)
		}
		writeAll(t, w, outbox.Event{Type: "a", JSON: []byte("5")})
	})
}

func writeAll(t testing.TB, w *outbox.Writer[*sql.Tx], es ...outbox.Event) (ids []string) {
	t.Helper()
	if err := w.InTx(t.Context(), func(ctx context.Context, tx *sql.Tx) (err error) {
		ids, err = w.WriteAll(ctx, tx, es...)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return ids
}
