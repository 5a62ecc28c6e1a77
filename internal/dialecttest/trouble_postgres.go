package dialecttest

import (
	"context"
	"database/sql"
	"net/url"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox"
)

// PostgresRefusals are Refuse and Allow of [Trouble] on PostgreSQL.
func PostgresRefusals(table string) (refuse, allow []string) {
	return []string{
		"CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE check_violation; END $$",
		"CREATE TRIGGER refuse BEFORE INSERT OR UPDATE OR DELETE ON " + table + " FOR EACH ROW EXECUTE FUNCTION refuse()",
	}, []string{"DROP FUNCTION refuse CASCADE"}
}

// PostgresStranger creates a role that may log in and no more, and returns the URL
// of that database for it.
func PostgresStranger(t testing.TB, db *sql.DB, address string) string {
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
