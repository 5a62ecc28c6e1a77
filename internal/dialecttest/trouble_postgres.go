package dialecttest

import (
	"context"
	"database/sql"
	"net/url"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/faultproxy"
)

// PostgresTrouble is what can keep PostgreSQL from doing what it is told. Fresh
// returns the URL of an empty database, and open opens a pool on one.
func PostgresTrouble(fresh func(t testing.TB) string, open func(t testing.TB, address string) *sql.DB) Trouble {
	trouble := Trouble{
		Distant: func(t testing.TB) (*sql.DB, *faultproxy.Proxy) {
			proxy, address := faultproxy.ByURL(t, fresh(t))
			return open(t, address), proxy
		},
		NoRights: func(t testing.TB) (all, none *sql.DB) {
			address := fresh(t)
			db := open(t, address)
			return db, open(t, postgresStranger(t, db, address))
		},
		LockTable: "BEGIN; LOCK TABLE outbox_event", UnlockTable: "ROLLBACK",
	}
	trouble.Refuse, trouble.Allow = PostgresRefusals("outbox_event")
	return trouble
}

// PostgresRefusals are Refuse and Allow of [Trouble] on PostgreSQL.
func PostgresRefusals(table string) (refuse, allow []string) {
	return []string{
		"CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE check_violation; END $$",
		"CREATE TRIGGER refuse BEFORE INSERT OR UPDATE OR DELETE ON " + table + " FOR EACH ROW EXECUTE FUNCTION refuse()",
	}, []string{"DROP FUNCTION refuse CASCADE"}
}

// postgresStranger creates a role that may log in and no more, and returns the URL
// of that database for it.
func postgresStranger(t testing.TB, db *sql.DB, address string) string {
	t.Helper()
	u, err := url.Parse(address)
	must(t, err)
	role := "stranger_" + strings.ToLower(outbox.NewID())
	exec(t, db, "CREATE ROLE "+role+" LOGIN")
	t.Cleanup(func() {
		if _, err := db.ExecContext(context.WithoutCancel(t.Context()), "DROP ROLE "+role); err != nil {
			t.Error(err)
		}
	})
	u.User = url.User(role)
	return u.String()
}
