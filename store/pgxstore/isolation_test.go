package pgxstore_test

import (
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/pgxstore"
	"github.com/sendoff-go/outbox/storetest"
)

// serializable gives a database in which every role's default isolation is
// SERIALIZABLE.
func serializable(t *testing.T, server, mode string) string {
	address := testenv.Database(t, server)
	pool := openPool(t, address, mode)
	exec(t, pool, "ALTER DATABASE "+pool.Config().ConnConfig.Database+" SET default_transaction_isolation = 'serializable'")
	// A pooler may have opened a session before.
	exec(t, pool, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`)
	return address
}

func TestTheRelayRunsInReadCommittedWhateverTheDefaultIs(t *testing.T) {
	pool := openPool(t, serializable(t, testenv.Postgres15, ""), "")
	store := openStore(t, pool, pgxstore.Config{})
	migrate(t, store)
	exec(t, pool, `CREATE TABLE seen (isolation text);
		CREATE FUNCTION see() RETURNS trigger LANGUAGE plpgsql AS $$
		BEGIN INSERT INTO seen VALUES (current_setting('transaction_isolation')); RETURN NULL; END $$;
		CREATE TRIGGER see AFTER UPDATE OR DELETE ON outbox_event EXECUTE FUNCTION see()`)
	write(t, store, event("a"), event("b"))
	owner := driver.NewOwner("a")
	cs := claim(t, store, owner, 2)
	_, err := store.Renew(t.Context(), owner, long, []driver.Renewal{{Held: cs[0].Held}, {Held: cs[1].Held, Attempts: 1}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.Settle(t.Context(), owner, []driver.Outcome{{Held: cs[0].Held, Kind: driver.Done}, {Held: cs[1].Held, Kind: driver.Dead}}, true); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Sweep(t.Context(), 0, 10); err != nil {
		t.Fatal(err)
	}
	all := queryInt(t, pool, "SELECT count(*) FROM seen")
	right := queryInt(t, pool, "SELECT count(*) FROM seen WHERE isolation = 'read committed'")
	if right < 6 || right != all {
		t.Errorf("%d of %d statements ran in READ COMMITTED", right, all)
	}
	if got := pool.QueryRow(t.Context(), "SELECT current_setting('transaction_isolation')"); scanText(t, got) != "serializable" {
		t.Error("the default is not SERIALIZABLE, so this test shows nothing")
	}
}

func scanText(t testing.TB, row pgx.Row) (s string) {
	t.Helper()
	if err := row.Scan(&s); err != nil {
		t.Fatal(err)
	}
	return s
}

// The laws about concurrent clients are those that another isolation would break.
func TestTheLawsOfConcurrencyHoldUnderASerializableDefault(t *testing.T) {
	for _, tt := range []struct{ server, mode string }{
		{testenv.Postgres15, "cache_statement"},
		{testenv.PgBouncer, "exec"},
	} {
		t.Run(tt.server+" "+tt.mode, func(t *testing.T) {
			open := subject(t, serializable(t, tt.server, tt.mode), tt.mode)
			for _, law := range storetest.Laws[pgx.Tx]() {
				if strings.Contains(law.Name, "concurrent") {
					t.Run(law.Name, func(t *testing.T) { law.Check(t, open(t)) })
				}
			}
		})
	}
}
