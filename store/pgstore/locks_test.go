package pgstore_test

import (
	"context"
	"database/sql"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/dialecttest"
	"github.com/sendoff-go/outbox/internal/locktest"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/pgstore"
)

func TestTheLawsOfLocksHoldForARoleThat(t *testing.T) {
	for _, server := range []string{testenv.Postgres15, testenv.Postgres18, testenv.PgBouncer} {
		roles := locktest.Tight(server)
		roles["has no limits"] = nil
		for does, settings := range roles {
			t.Run(does+" on "+server, func(t *testing.T) {
				t.Parallel() // they wait most of the time
				limited, unlimited := locktest.Limited(t, server, settings...)
				if server == testenv.PgBouncer {
					limited = with(t, limited, "default_query_exec_mode", "simple_protocol")
				}
				locktest.Run(t, locktest.Laws{
					Dialect: pgstore.Dialect(),
					Relay:   func() *sql.DB { return openDB(t, limited) },
					Others:  func() *sql.DB { return openDB(t, unlimited) },

					LockEvents:  "BEGIN; LOCK TABLE outbox_event",
					LockLetters: "BEGIN; LOCK TABLE outbox_dlq_event IN SHARE MODE", UnlockTable: "ROLLBACK", // as CREATE INDEX does
				}, len(settings) > 0)
			})
		}
	}
}

// A call takes the time it needs, whatever the role's limits are.
func TestACallMayTakeLongerThanTheRoleAllows(t *testing.T) {
	for server, setting := range map[string]string{testenv.Postgres15: "statement_timeout", testenv.Postgres18: "transaction_timeout"} {
		t.Run(server, func(t *testing.T) {
			limited, unlimited := locktest.Limited(t, server, setting, "100ms")
			db := openDB(t, unlimited)
			migrated(t, db)
			relay := openDB(t, limited)
			config := dialecttest.Unhurried()
			config.Relay = relay
			store, err := pgstore.New(db, config)
			if err != nil {
				t.Fatal(err)
			}
			writeOne(t, store)
			exec(t, db, `CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$
				BEGIN PERFORM pg_sleep(0.3); RETURN NULL; END $$;
				CREATE TRIGGER slow BEFORE UPDATE OR DELETE ON outbox_event EXECUTE FUNCTION slow()`)
			var cs []driver.Claimed
			locktest.Answered(t, "claim", func() (err error) {
				cs, err = store.Claim(t.Context(), driver.ClaimRequest{Owner: "a", Lease: time.Hour, Wants: []driver.Want{{Lane: "T", Rows: 1}}})
				return err
			})
			if len(cs) != 1 || cs[0].ClaimNo != 1 {
				t.Fatalf("claimed %v", cs)
			}
			locktest.Answered(t, "renew", func() error {
				lost, err := store.Renew(t.Context(), "a", time.Hour, []driver.Renewal{{Held: cs[0].Held}})
				if len(lost) > 0 {
					t.Errorf("lost %v", lost)
				}
				return err
			})
			locktest.Answered(t, "settle", func() error {
				stale, err := store.Settle(t.Context(), "a", []driver.Outcome{{Held: cs[0].Held, Kind: driver.Done}}, true)
				if len(stale) > 0 {
					t.Errorf("stale %v", stale)
				}
				return err
			})
			locktest.Swept(t, func() (int, error) { return store.Sweep(t.Context(), 0, 10) }, func() (n int) {
				if err := db.QueryRowContext(t.Context(), "SELECT count(*) FROM outbox_event").Scan(&n); err != nil {
					t.Fatal(err)
				}
				return n
			})
			if _, err := relay.ExecContext(t.Context(), "UPDATE outbox_event SET tenant_id = 'x'"); err == nil {
				t.Error("the role has no limit, so the test shows nothing")
			}
		})
	}
}

func writeOne(t *testing.T, store *pgstore.Store) {
	t.Helper()
	w := outbox.NewWriter(store)
	if err := w.InTx(t.Context(), func(ctx context.Context, tx *sql.Tx) error {
		_, err := w.Write(ctx, tx, outbox.Event{Type: "T", JSON: []byte("1")})
		return err
	}); err != nil {
		t.Fatal(err)
	}
}
