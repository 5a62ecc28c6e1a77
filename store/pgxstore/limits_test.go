package pgxstore_test

import (
	"errors"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/locktest"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/pgxstore"
	"github.com/sendoff-go/outbox/storetest"
)

func TestTheLawsHoldForARoleThat(t *testing.T) {
	for _, on := range []struct{ server, mode string }{
		{testenv.Postgres15, "cache_statement"},
		{testenv.Postgres18, "cache_statement"},
		{testenv.PgBouncer, "exec"},
	} {
		for does, settings := range locktest.Tight(on.server) {
			t.Run(does+" on "+on.server, func(t *testing.T) {
				limited, unlimited := locktest.Limited(t, on.server, settings...)
				open := subjectWith(t, unlimited, "", openPool(t, limited, on.mode))
				checked := 0
				for _, law := range storetest.Laws[pgx.Tx]() {
					if locktest.AboutLimits(law.Name) {
						checked++
						t.Run(law.Name, func(t *testing.T) { locktest.Check(t, true, law, open) })
					}
				}
				if checked != 21 {
					t.Errorf("checked %d laws, expected 21", checked)
				}
			})
		}
	}
}

// A call takes the time it needs, whatever the role's limits are.
func TestACallMayTakeLongerThanTheRoleAllows(t *testing.T) {
	for _, server := range []string{testenv.Postgres15, testenv.Postgres18} {
		t.Run(server, func(t *testing.T) {
			settings := []string{"statement_timeout", "100ms"}
			if server == testenv.Postgres18 {
				settings = []string{"transaction_timeout", "100ms"}
			}
			limited, unlimited := locktest.Limited(t, server, settings...)
			pool, relay := openPool(t, unlimited, ""), openPool(t, limited, "")
			store := openStore(t, pool, pgxstore.Config{Relay: relay})
			migrate(t, store)
			write(t, store, event("a"))
			exec(t, pool, `CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$
				BEGIN PERFORM pg_sleep(0.3); RETURN NULL; END $$;
				CREATE TRIGGER slow BEFORE UPDATE OR DELETE ON outbox_event EXECUTE FUNCTION slow()`)
			owner := driver.NewOwner("a")
			var cs []driver.Claimed
			locktest.Answered(t, "claim", func() (err error) {
				cs, err = claimFor(t.Context(), store, owner, long)
				return err
			})
			if len(cs) != 1 {
				t.Fatalf("claimed %v, expected one", cs)
			}
			held := cs[0].Held
			locktest.Answered(t, "renew", func() error {
				lost, err := store.Renew(t.Context(), owner, long, []driver.Renewal{{Held: held}})
				if len(lost) > 0 {
					t.Errorf("lost %v", lost)
				}
				return err
			})
			locktest.Answered(t, "settle", func() error {
				stale, err := store.Settle(t.Context(), owner, []driver.Outcome{{Held: held, Kind: driver.Done}}, true)
				if len(stale) > 0 {
					t.Errorf("stale %v", stale)
				}
				return err
			})
			locktest.Swept(t, func() (int, error) { return store.Sweep(t.Context(), 0, 10) }, func() (n int) {
				if err := pool.QueryRow(t.Context(), "SELECT count(*) FROM outbox_event").Scan(&n); err != nil {
					t.Fatal(err)
				}
				return n
			})
			if _, err := relay.Exec(t.Context(), "UPDATE outbox_event SET tenant_id = 'x'"); err == nil {
				t.Error("the role has no limit, so the test shows nothing")
			}
		})
	}
}

func TestATimeoutMayBeLongerThanTheServerCanCount(t *testing.T) {
	_, pool := open(t)
	store := openStore(t, pool, pgxstore.Config{StatementTimeout: 30 * 24 * time.Hour, SweepTimeout: 30 * 24 * time.Hour})
	write(t, store, event("a"))
	claim(t, store, "a", 1)
	if _, err := store.Stats(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestAClaimThatIsRenewedTwiceIsNotLost(t *testing.T) {
	store, _ := open(t)
	write(t, store, event("a"), event("b"))
	cs := claim(t, store, "me", 2)
	gone := driver.Held{EventID: "gone", Seq: 1, ClaimNo: 1}
	lost, err := store.Renew(t.Context(), "me", long, []driver.Renewal{{Held: cs[0].Held}, {Held: cs[0].Held}, {Held: gone}, {Held: cs[1].Held}})
	if err != nil || len(lost) != 1 || lost[0] != gone {
		t.Errorf("lost %v, error %v, expected %v alone", lost, err, gone)
	}
}

func TestNotifyInNeedsAnOpenTransaction(t *testing.T) {
	store, pool := open(t)
	tx, err := pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := store.NotifyIn(t.Context(), tx, []string{lane}); !errors.Is(err, outbox.ErrNoTransaction) {
		t.Errorf("error %v, expected ErrNoTransaction", err)
	}
}
