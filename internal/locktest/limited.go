package locktest

import (
	"context"
	"net/url"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/sendoff-go/outbox/internal/testenv"
)

// Limited makes a database on PostgreSQL in which the role has settings, in
// pairs of name and value. It returns the URL where they apply, and one for
// sessions without limits, which bypasses a pooler.
func Limited(t testing.TB, server string, settings ...string) (limited, unlimited string) {
	t.Helper()
	limited = testenv.Database(t, server)
	unlimited = withoutLimits(t, server, limited)
	role := "ALTER ROLE CURRENT_USER IN DATABASE " + database(t, limited)
	t.Cleanup(func() { execute(t, unlimited, role+" RESET ALL") })
	for i := 0; i < len(settings); i += 2 {
		execute(t, unlimited, role+" SET "+settings[i]+" = '"+settings[i+1]+"'")
	}
	return limited, unlimited
}

// Tight are limits of a role that could change the meaning of calls, by what
// the role then does. All are shorter than [sqlstore.LockWait], but the time to
// work no more than need be. Since version 17, PostgreSQL has one more.
func Tight(server string) map[string][]string {
	tight := map[string][]string{
		"gives up waiting first": {"lock_timeout", "100ms", "statement_timeout", "2s"},
		"gives up working first": {"lock_timeout", "10s", "statement_timeout", "800ms", "idle_in_transaction_session_timeout", "800ms"},
	}
	if server == testenv.Postgres18 {
		for does := range tight {
			tight[does] = append(tight[does], "transaction_timeout", "800ms")
		}
	}
	return tight
}

func withoutLimits(t testing.TB, server, address string) string {
	t.Helper()
	if server == testenv.PgBouncer {
		address = onServer(t, testenv.URL(t, testenv.Postgres15), database(t, address))
	}
	u := parse(t, address)
	values := u.Query()
	for _, name := range []string{"lock_timeout", "statement_timeout", "idle_in_transaction_session_timeout"} {
		values.Set(name, "0")
	}
	if server == testenv.Postgres18 {
		values.Set("transaction_timeout", "0")
	}
	u.RawQuery = values.Encode()
	return u.String()
}

func onServer(t testing.TB, address, database string) string {
	t.Helper()
	u := parse(t, address)
	u.Path = "/" + database
	return u.String()
}

func database(t testing.TB, address string) string {
	t.Helper()
	return strings.TrimPrefix(parse(t, address).Path, "/")
}

func parse(t testing.TB, address string) *url.URL {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func execute(t testing.TB, address, statement string) {
	t.Helper()
	ctx := context.WithoutCancel(t.Context()) // the test may be ending
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(ctx) }() // nothing is left to report
	if _, err := conn.Exec(ctx, statement); err != nil {
		t.Errorf("%v, in: %s", err, statement)
	}
}
