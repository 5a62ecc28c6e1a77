package pgxstore_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/dialecttest"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/pgstore"
	"github.com/sendoff-go/outbox/store/pgxstore"
)

// listening is a waker at work.
type listening struct {
	heard chan []string
	ended chan error
	stop  context.CancelFunc
}

// listen starts a waker and waits until it listens.
func listen(t testing.TB, w driver.Waker) *listening {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	l := &listening{heard: make(chan []string, 100), ended: make(chan error, 1), stop: cancel}
	go func() { l.ended <- w.Listen(ctx, func(lanes []string) { l.heard <- lanes }) }()
	if first := l.next(t); len(first) != 0 {
		t.Fatalf("the first wake-up is for %v, expected any lane: what was sent before was not heard", first)
	}
	return l
}

func (l *listening) next(t testing.TB) []string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	select {
	case lanes := <-l.heard:
		return lanes
	case err := <-l.ended:
		t.Fatalf("listening ended: %v", err)
	case <-ctx.Done():
		t.Fatal("no wake-up came")
	}
	return nil
}

func (l *listening) end(t testing.TB) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	select {
	case err := <-l.ended:
		return err
	case <-ctx.Done():
		t.Fatal("listening does not end")
	}
	return nil
}

func TestNotificationsWakeListenersByLane(t *testing.T) {
	store, pool := open(t)
	l := listen(t, pgxstore.Unhurried(store.Waker(nil)))
	for _, lanes := range [][]string{{"a"}, {"a", "b c", `"quoted", 語 🙂`}} {
		if err := store.Notify(t.Context(), lanes); err != nil {
			t.Fatal(err)
		}
		if got := l.next(t); !slices.Equal(got, lanes) {
			t.Errorf("woken for %q, want %q", got, lanes)
		}
	}
	db := stdlib.OpenDBFromPool(pool)
	defer func() { _ = db.Close() }()
	if err := testenv.Must(pgstore.New(db, dialecttest.Unhurried())).Notify(t.Context(), []string{"a"}); err != nil {
		t.Fatal(err)
	}
	if got := l.next(t); !slices.Equal(got, []string{"a"}) {
		t.Errorf("woken for %q by package pgstore, want a", got)
	}
	exec(t, pool, `SELECT pg_notify($1, 'not ours')`, store.Channel())
	if got := l.next(t); got != nil {
		t.Errorf("woken for %q by a payload of others, expected any lane", got)
	}
	l.stop()
	if err := l.end(t); err != nil {
		t.Errorf("error %v after the context ended, expected none", err)
	}
}

func TestAWriteThatIsNotTrackedWakesAtItsCommitIfAsked(t *testing.T) {
	store, pool := open(t)
	db := stdlib.OpenDBFromPool(pool)
	defer func() { _ = db.Close() }()
	l := listen(t, pgxstore.Unhurried(store.Waker(nil)))
	native := outbox.NewWriter(store, outbox.WithNotifyInTx())
	plain := outbox.NewWriter(testenv.Must(pgstore.New(db, dialecttest.Unhurried())), outbox.WithNotifyInTx())
	orm := outbox.NewWriter(testenv.Must(pgstore.New(db, dialecttest.Unhurried())).ORM(), outbox.WithNotifyInTx())
	type end = func(context.Context) error
	for _, c := range []struct {
		name  string
		write func(es ...outbox.Event) (commit, rollback end)
	}{
		{"pgx", func(es ...outbox.Event) (commit, rollback end) {
			tx, err := pool.Begin(t.Context())
			ok(t, err)
			_, err = native.WriteAll(t.Context(), tx, es...)
			ok(t, err)
			return tx.Commit, tx.Rollback
		}},
		{"database/sql", func(es ...outbox.Event) (commit, rollback end) {
			tx, err := db.BeginTx(t.Context(), nil)
			ok(t, err)
			_, err = plain.WriteAll(t.Context(), tx, es...)
			ok(t, err)
			return func(context.Context) error { return tx.Commit() }, func(context.Context) error { return tx.Rollback() }
		}},
		{"an ORM's", func(es ...outbox.Event) (commit, rollback end) {
			tx, err := db.BeginTx(t.Context(), nil)
			ok(t, err)
			_, err = orm.WriteAll(t.Context(), tx, es...)
			ok(t, err)
			return func(context.Context) error { return tx.Commit() }, func(context.Context) error { return tx.Rollback() }
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, rollback := c.write(outbox.Event{Type: "never", JSON: []byte("1")})
			ok(t, rollback(t.Context()))
			commit, _ := c.write(outbox.Event{Type: "a", JSON: []byte("1")}, outbox.Event{Type: "b", JSON: []byte("1")}, outbox.Event{Type: "a", JSON: []byte("2")})
			ok(t, commit(t.Context()))
			if got := l.next(t); !slices.Equal(got, []string{"a", "b"}) {
				t.Errorf("woken for %q, expected a and b, once", got)
			}
		})
	}
}

func ok(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestTooManyLanesWakeAll(t *testing.T) {
	store, _ := open(t)
	l := listen(t, pgxstore.Unhurried(store.Waker(nil)))
	var lanes []string
	for i := range 100 {
		lanes = append(lanes, fmt.Sprint(i, strings.Repeat("語", 100)))
	}
	for _, many := range [][]string{lanes, nil} {
		if err := store.Notify(t.Context(), many); err != nil {
			t.Fatal(err)
		}
		if got := l.next(t); got != nil {
			t.Errorf("woken for %d lanes, expected any", len(got))
		}
	}
}

func TestOutboxesDoNotWakeEachOther(t *testing.T) {
	address := testenv.Database(t, testenv.Postgres15)
	pool := openPool(t, address, "")
	long := strings.Repeat("x", 40)
	var all []*listening
	var stores []*pgxstore.Store
	for _, tables := range []pgstore.Tables{{}, {Event: "Other"}, {Event: "other"}, {Schema: long, Event: long}, {Schema: long, Event: long + "y"}} {
		store := openStore(t, pool, pgxstore.Config{Tables: tables})
		stores, all = append(stores, store), append(all, listen(t, pgxstore.Unhurried(store.Waker(nil))))
		if len(store.Channel()) > 63 {
			t.Errorf("channel %q is too long", store.Channel())
		}
	}
	for i, store := range stores {
		if err := store.Notify(t.Context(), []string{fmt.Sprint(i)}); err != nil {
			t.Fatal(err)
		}
	}
	for i, l := range all {
		if got := l.next(t); !slices.Equal(got, []string{fmt.Sprint(i)}) {
			t.Errorf("listener %d was woken for %v", i, got)
		}
	}
}

func TestALostListenerSaysSoAndCanListenAgain(t *testing.T) {
	store, pool := open(t)
	w := pgxstore.Unhurried(store.Waker(nil))
	for range 2 {
		l := listen(t, w)
		exec(t, pool, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
			WHERE datname = current_database() AND query LIKE 'LISTEN%'`)
		if err := l.end(t); !errors.Is(err, outbox.ErrStoreDown) {
			t.Errorf("error %v, expected ErrStoreDown", err)
		}
	}
}

func TestListeningToAServerThatIsAwayFails(t *testing.T) {
	store := openStore(t, openPool(t, "postgres://nobody@127.0.0.1:1/none", ""), pgxstore.Config{})
	err := store.Waker(nil).Listen(t.Context(), func([]string) { t.Error("woken") })
	if !errors.Is(err, outbox.ErrStoreDown) {
		t.Errorf("error %v, expected ErrStoreDown", err)
	}
}

func TestAWakerGoesPastThePooler(t *testing.T) {
	address := testenv.Database(t, testenv.PgBouncer)
	pool := openPool(t, address, "exec")
	store := openStore(t, pool, pgxstore.Config{})
	direct, err := pgx.ParseConfig(testenv.URL(t, testenv.Postgres15))
	if err != nil {
		t.Fatal(err)
	}
	direct.Database = pool.Config().ConnConfig.Database
	l := listen(t, pgxstore.Unhurried(store.Waker(direct)))
	if err := store.Notify(t.Context(), []string{"a"}); err != nil {
		t.Fatal(err)
	}
	if got := l.next(t); !slices.Equal(got, []string{"a"}) {
		t.Errorf("woken for %v", got)
	}
}

func TestAWakerConnectsAsThePoolDoes(t *testing.T) {
	address := testenv.Database(t, testenv.Postgres15)
	right, err := pgx.ParseConfig(address)
	if err != nil {
		t.Fatal(err)
	}
	pool := openPool(t, address, "", func(c *pgxpool.Config) {
		c.ConnConfig.Database = "changed before each connect"
		c.BeforeConnect = func(_ context.Context, c *pgx.ConnConfig) error {
			c.Database = right.Database
			return nil
		}
	})
	listen(t, pgxstore.Unhurried(openStore(t, pool, pgxstore.Config{}).Waker(nil)))
}
