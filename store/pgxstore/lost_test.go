package pgxstore_test

import (
	"context"
	"errors"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/pgxstore"
)

// throughProxy gives a store whose answers can be lost, and one whose cannot.
func throughProxy(t *testing.T) (*proxy, *pgxstore.Store, *pgxstore.Store) {
	address := testenv.Database(t, testenv.Postgres15)
	direct := openStore(t, openPool(t, address, ""), pgxstore.Config{})
	migrate(t, direct)
	p, through := newProxy(t, address)
	return p, openStore(t, openPool(t, through, ""), pgxstore.Config{}), direct
}

func TestALostAnswerToACommitIsUnknownAndItsEventIsDelivered(t *testing.T) {
	p, store, direct := throughProxy(t)
	h := &hook{}
	w := outbox.NewWriter[pgx.Tx](store, outbox.WithCommitHook(h))
	runs := 0
	err := w.InTx(t.Context(), func(ctx context.Context, tx pgx.Tx) error {
		runs++
		_, err := w.Write(ctx, tx, event("a"))
		p.loseCommit()
		return err
	})
	if !errors.Is(err, outbox.ErrCommitUnknown) || p.lost.Load() != 1 {
		t.Errorf("error %v, expected ErrCommitUnknown", err)
	}
	if runs != 1 || len(h.committed) != 0 || len(h.dropped) != 1 {
		t.Errorf("ran %d times, %d handed over, %d dropped: expected 1, 0 and 1", runs, len(h.committed), len(h.dropped))
	}
	if st, err := direct.Stats(t.Context()); err != nil || st.Held.N != 1 {
		t.Errorf("%+v, %v: expected the row, under its head start", st, err)
	}
}

func TestALostAnswerToTheCallersOwnCommitIsUnknown(t *testing.T) {
	p, store, direct := throughProxy(t)
	h := &hook{}
	w := outbox.NewWriter[pgx.Tx](store, outbox.WithCommitHook(h))
	ctx, done := w.Track(t.Context())
	tx, _, rollback, err := store.Begin(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rollback() }()
	if _, err := w.Write(ctx, tx, event("a")); err != nil {
		t.Fatal(err)
	}
	p.loseCommit()
	if err := done(tx.Commit(ctx)); !errors.Is(err, outbox.ErrCommitUnknown) || p.lost.Load() != 1 {
		t.Errorf("error %v, expected ErrCommitUnknown", err)
	}
	if st, err := direct.Stats(t.Context()); err != nil || st.Held.N != 1 || len(h.committed) != 0 {
		t.Errorf("%+v, %v, %d handed over: expected the row, under its head start", st, err, len(h.committed))
	}
}

func TestACommitThatWasNeverSentIsDefinite(t *testing.T) {
	store, _ := open(t)
	w := outbox.NewWriter[pgx.Tx](store, nil)
	ctx, cancel := context.WithCancel(t.Context())
	err := w.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		_, err := w.Write(ctx, tx, event("a"))
		cancel()
		return err
	})
	if !errors.Is(err, context.Canceled) || errors.Is(err, outbox.ErrCommitUnknown) {
		t.Errorf("error %v, expected that the context ended, and nothing unknown", err)
	}
	claim(t, store, driver.NewOwner("a"), 0)
}

func TestALostAnswerToAClaimBringsItsRowsBackAfterTheLease(t *testing.T) {
	p, store, direct := throughProxy(t)
	claim(t, store, driver.NewOwner("before"), 0) // the first one asks what the table is
	write(t, direct, event("a"))
	p.loseCommit()
	if cs, err := claimFor(t.Context(), store, driver.NewOwner("a"), brief); !errors.Is(err, outbox.ErrStoreDown) || cs != nil {
		t.Fatalf("claimed %v, error %v: expected none and ErrStoreDown", cs, err)
	}
	var cs []driver.Claimed
	eventually(t, "the lease is over", func() bool {
		var err error
		if cs, err = claimFor(t.Context(), store, driver.NewOwner("b"), long); err != nil {
			t.Fatal(err)
		}
		return len(cs) == 1
	})
	if cs[0].ClaimNo != 2 || cs[0].Recovered != 1 || cs[0].Attempts != 0 {
		t.Errorf("%+v, recovered %d, attempts %d: expected number 2, one owner gone, no attempt", cs[0].Held, cs[0].Recovered, cs[0].Attempts)
	}
}

func TestALostAnswerToASettleIsRepeatedWithoutEffect(t *testing.T) {
	p, store, direct := throughProxy(t)
	owner := driver.NewOwner("a")
	write(t, direct, event("a"), event("b"))
	cs := claim(t, store, owner, 2)
	outcomes := []driver.Outcome{
		{Held: cs[0].Held, Kind: driver.Retry, Attempts: 1, Error: "no"},
		{Held: cs[1].Held, Kind: driver.Done},
	}
	p.loseCommit()
	if _, err := store.Settle(t.Context(), owner, outcomes, true); !errors.Is(err, outbox.ErrStoreDown) {
		t.Fatalf("error %v, expected ErrStoreDown", err)
	}
	again := claim(t, store, owner, 1)[0]
	stale, err := store.Settle(t.Context(), owner, outcomes, true)
	if err != nil || len(stale) != 2 {
		t.Errorf("stale %v, error %v: expected both", stale, err)
	}
	if again.Attempts != 1 {
		t.Errorf("attempts %d, expected 1", again.Attempts)
	}
	if lost, err := store.Renew(t.Context(), owner, long, []driver.Renewal{{Held: again.Held}}); err != nil || len(lost) > 0 {
		t.Errorf("lost %v, error %v: the repeated settle touched the new claim", lost, err)
	}
}

func TestConnectionsThatDiedInThePoolAreNotNoticed(t *testing.T) {
	store, pool := open(t)
	other := openPool(t, pool.Config().ConnString(), "")
	owner := driver.NewOwner("a")
	for range 3 {
		write(t, store, event(outbox.NewID()))
		terminateOthers(t, other)
		cs := claim(t, store, owner, 1)
		terminateOthers(t, other)
		if stale, err := store.Settle(t.Context(), owner, []driver.Outcome{{Held: cs[0].Held, Kind: driver.Done}}, true); err != nil || len(stale) > 0 {
			t.Fatalf("stale %v, error %v", stale, err)
		}
	}
}

// terminateOthers ends every other session of the database, and waits for it.
func terminateOthers(t testing.TB, pool *pgxpool.Pool) {
	t.Helper()
	exec(t, pool, `SELECT pg_terminate_backend(pid, 120000) FROM pg_stat_activity
		WHERE datname = current_database() AND pid <> pg_backend_pid()`)
}

func TestAConnectionLostDuringAStatementIsReported(t *testing.T) {
	store, pool := open(t)
	owner := driver.NewOwner("a")
	write(t, store, event("a"))
	c := claim(t, store, owner, 1)[0]
	tx, err := pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(t.Context(), "SELECT FROM outbox_event FOR UPDATE"); err != nil {
		t.Fatal(err)
	}
	settled := make(chan error, 1)
	go func() {
		for { // a settle waits for a lock only briefly, and is sent again then
			_, err := store.Settle(t.Context(), owner, []driver.Outcome{{Held: c.Held, Kind: driver.Dead}}, true)
			if !errors.As(err, new(*driver.LockedError)) {
				settled <- err
				return
			}
		}
	}()
	eventually(t, "the settle is ended while it waits", func() bool { // a session that waits no longer is ended in vain
		exec(t, pool, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
			WHERE datname = current_database() AND wait_event_type = 'Lock'`)
		select {
		case err = <-settled:
			return true
		default:
			return false
		}
	})
	if !errors.Is(err, outbox.ErrStoreDown) {
		t.Errorf("error %v, expected ErrStoreDown", err)
	}
	if err := tx.Rollback(t.Context()); err != nil {
		t.Error(err)
	}
	if stale, err := store.Settle(t.Context(), owner, []driver.Outcome{{Held: c.Held, Kind: driver.Done}}, true); err != nil || len(stale) > 0 {
		t.Errorf("stale %v, error %v", stale, err)
	}
}
