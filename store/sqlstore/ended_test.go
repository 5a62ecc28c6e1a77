package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"math"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// newTimed is a store on a fake server whose calls end after that time; 0: after
// the default.
func newTimed(t *testing.T, s *server, timeout time.Duration) *Store {
	t.Helper()
	db := sql.OpenDB(s)
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	store, err := New(db, fakeDialect(), Config{StatementTimeout: timeout})
	if err != nil {
		t.Fatal(err)
	}
	return store
}

// Database/sql rolls back when the context ends, and then says of COMMIT only that
// the transaction is over.
func TestACallWhoseTimeEndsBeforeItsCommitIsAnOutage(t *testing.T) {
	s := &server{query: func(ctx context.Context, _ int, _ string) error {
		<-ctx.Done()
		<-time.After(10 * time.Millisecond) // the answer comes late
		return nil
	}}
	err := newTimed(t, s, 20*time.Millisecond).Withdraw(t.Context(), "a")
	if !errors.Is(err, outbox.ErrStoreDown) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, expected ErrStoreDown because of the deadline", err)
	}
}

func TestAPanicDoesNotWaitForTheEndOfItsTransaction(t *testing.T) {
	s := &server{query: func(context.Context, int, string) error { panic("a driver's mistake") }}
	store := newTimed(t, s, time.Hour)
	over := make(chan any)
	go func() {
		defer func() { over <- recover() }()
		_ = store.Withdraw(context.WithoutCancel(t.Context()), "a")
	}()
	select {
	case mistake := <-over:
		if mistake == nil {
			t.Error("expected the panic")
		}
	case <-time.After(unhurried):
		t.Fatal("the panic waits")
	}
}

func TestTheServersLimitsAreThoseOfTheCallAndNoLongerThanItTakes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // time passes only where the test lets it
		for name, tt := range map[string]struct {
			timeout, wait time.Duration
			lock, most    int64
		}{
			"a call":               {time.Hour, 0, 3_600_000, 3_600_000},
			"one that goes around": {time.Hour, time.Second, 1000, 3_600_000},
			"one in a hurry":       {900 * time.Millisecond, time.Second, 300, 900},
			"a long one":           {60 * 24 * time.Hour, 0, math.MaxInt32, math.MaxInt32},
		} {
			ctx, cancel := context.WithTimeout(t.Context(), tt.timeout)
			o := call{limits: Query{SQL: "wait_limit"}}.opening(ctx, try{limits: true, wait: tt.wait})
			cancel()
			// The server gives up after the call, and soon.
			for i, want := range []int64{tt.lock, tt.most} {
				if got := o.Args[i].(int64); got < want || got > min(want+behind.Milliseconds(), math.MaxInt32) {
					t.Errorf("%s: limit %d is %d ms, expected %d or a little more", name, i, got, want)
				}
			}
		}
	})
}

func TestNotifyInNeedsAnOpenTransaction(t *testing.T) {
	d := fakeDialect()
	d.SQL.(fstest.MapFS)["sql/notify.sql"] = &fstest.MapFile{Data: []byte("notify")}
	d.Notify = func(string, string, []string) []any { return nil }
	db := sql.OpenDB(&server{})
	defer func() { _ = db.Close() }() // it is a fake
	store, err := New(db, d, Config{})
	if err != nil {
		t.Fatal(err)
	}
	ended, err := db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := ended.Commit(); err != nil {
		t.Fatal(err)
	}
	orm := store.ORM().(driver.TxNotifyStore[Tx])
	for name, err := range map[string]error{
		"nil": store.NotifyIn(t.Context(), nil, nil), "ended": store.NotifyIn(t.Context(), ended, nil),
		"nil of an ORM": orm.NotifyIn(t.Context(), nil, nil), "ended of an ORM": orm.NotifyIn(t.Context(), ended, nil),
	} {
		if !errors.Is(err, outbox.ErrNoTransaction) {
			t.Errorf("%s: error %v, expected ErrNoTransaction", name, err)
		}
	}
}
