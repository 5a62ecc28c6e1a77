package pgstore_test

import (
	"context"
	"database/sql"
	"errors"
	"net/url"
	"slices"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/locktest"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/pgstore"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

// tight are limits of a role, in pairs of name and value, under which a call
// would mean something else.
var tight = map[string][]string{
	"has no limits":          nil,
	"gives up waiting first": {"lock_timeout", "100ms", "statement_timeout", "2s"},
	"gives up working first": {"lock_timeout", "10s", "statement_timeout", "300ms", "idle_in_transaction_session_timeout", "300ms"},
}

func TestTheLawsOfLocksHoldForARoleThat(t *testing.T) {
	for _, server := range []string{testenv.Postgres15, testenv.Postgres18, testenv.PgBouncer} {
		for does, settings := range tight {
			t.Run(does+" on "+server, func(t *testing.T) {
				if server == testenv.Postgres18 && len(settings) > 0 {
					settings = append(slices.Clone(settings), "transaction_timeout", "300ms")
				}
				address := underLimits(t, server, settings...)
				locktest.Run(t, locktest.Laws{
					Dialect: pgstore.Dialect(),
					Open:    func() *sql.DB { return openDB(t, through(t, server, address)) },
					Locker:  func() *sql.DB { return openDB(t, unlimited(t, server, address)) },
				}, len(settings) > 0)
			})
		}
	}
}

// underLimits gives a database in which the role has settings.
func underLimits(t *testing.T, server string, settings ...string) string {
	t.Helper()
	address := testenv.Database(t, server)
	db := openDB(t, through(t, server, address))
	role := "ALTER ROLE CURRENT_USER IN DATABASE " + databaseName(t, address)
	t.Cleanup(func() {
		if _, err := db.ExecContext(context.Background(), role+" RESET ALL"); err != nil {
			t.Error(err)
		}
	})
	for i := 0; i < len(settings); i += 2 {
		exec(t, db, role+" SET "+settings[i]+" = '"+settings[i+1]+"'")
	}
	// A pooler may have opened a session before.
	exec(t, db, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`)
	return address
}

// through makes an address work with a pooler, if the server is one.
func through(t *testing.T, server, address string) string {
	if server == testenv.PgBouncer {
		return with(t, address, "default_query_exec_mode", "simple_protocol")
	}
	return address
}

// unlimited is the address for sessions without limits, past a pooler.
func unlimited(t *testing.T, server, address string) string {
	direct := server
	if server == testenv.PgBouncer {
		direct = testenv.Postgres15
	}
	limits := []string{"lock_timeout", "0", "statement_timeout", "0", "idle_in_transaction_session_timeout", "0"}
	if server == testenv.Postgres18 {
		limits = append(limits, "transaction_timeout", "0")
	}
	u, err := url.Parse(testenv.URL(t, direct))
	if err != nil {
		t.Fatal(err)
	}
	u.Path = "/" + databaseName(t, address)
	return with(t, u.String(), limits...)
}

// A call takes the time that it needs, whatever the role's limits are.
func TestACallMayTakeLongerThanTheRoleAllows(t *testing.T) {
	for server, setting := range map[string]string{testenv.Postgres15: "statement_timeout", testenv.Postgres18: "transaction_timeout"} {
		t.Run(server, func(t *testing.T) {
			db := openDB(t, underLimits(t, server, setting, "100ms"))
			store := migrated(t, db)
			w := outbox.NewWriter(store, nil)
			if err := w.InTx(t.Context(), func(ctx context.Context, tx *sql.Tx) error {
				_, err := w.Write(ctx, tx, outbox.NewJSON("T", "1"))
				return err
			}); err != nil {
				t.Fatal(err)
			}
			exec(t, db, `CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$
				BEGIN PERFORM pg_sleep(0.3); RETURN NULL; END $$;
				CREATE TRIGGER slow BEFORE UPDATE OR DELETE ON outbox_event EXECUTE FUNCTION slow()`)
			cs, err := store.Claim(t.Context(), outbox.ClaimRequest{Owner: "a", Lease: time.Hour, Wants: []outbox.Want{{Lane: "T", Rows: 1}}})
			if err != nil || len(cs) != 1 || cs[0].ClaimNo != 1 {
				t.Fatalf("claimed %v, error %v", cs, err)
			}
			if lost, err := store.Renew(t.Context(), "a", time.Hour, []outbox.Renewal{{Held: cs[0].Held}}); err != nil || len(lost) > 0 {
				t.Errorf("lost %v, error %v", lost, err)
			}
			if stale, err := store.Settle(t.Context(), "a", []outbox.Outcome{{Held: cs[0].Held, Kind: outbox.Done}}, true); err != nil || len(stale) > 0 {
				t.Errorf("stale %v, error %v", stale, err)
			}
			if n, err := store.Sweep(t.Context(), 0, 10); err != nil || n != 1 {
				t.Errorf("swept %d, error %v", n, err)
			}
			if _, err := db.ExecContext(t.Context(), "UPDATE outbox_event SET tenant_id = 'x'"); err == nil {
				t.Error("the role has no limit, so that the test shows nothing")
			}
		})
	}
}

// Somebody has locked the table and not a row: no call can name what is locked.
func TestALockedTableIsAnOutage(t *testing.T) {
	db := openDB(t, testenv.Database(t, testenv.Postgres15))
	migrated(t, db)
	store, err := pgstore.NewWith(db, sqlstore.Config{StatementTimeout: 2 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	tx, err := db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }() // its end is the database's
	if _, err := tx.ExecContext(t.Context(), "LOCK TABLE outbox_event"); err != nil {
		t.Fatal(err)
	}
	stale, err := store.Settle(t.Context(), "a", []outbox.Outcome{{Held: outbox.Held{EventID: "x", Seq: 1, ClaimNo: 1}, Kind: outbox.Done}}, true)
	if !errors.Is(err, outbox.ErrStoreDown) || errors.As(err, new(*outbox.LockedError)) || len(stale) > 0 {
		t.Errorf("stale %v, error %v, expected ErrStoreDown", stale, err)
	}
}
