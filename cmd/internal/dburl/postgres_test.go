package dburl

import (
	"errors"
	"net/url"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

func TestPostgresProblems(t *testing.T) {
	address := testenv.Database(t, testenv.Postgres15)
	admin := open(t, address, Options{})
	if err := admin.Exec(t.Context(), `CREATE ROLE outbox_dburl_test LOGIN`); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := admin.Exec(t.Context(), `DROP ROLE outbox_dburl_test`); err != nil {
			t.Error(err)
		}
	}()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	for _, driver := range []string{"pgx", "sql"} {
		missing := *u
		missing.Path = "/ob_none"
		_, err := Open(t.Context(), allDrivers, missing.String(), Options{Driver: driver})
		want(t, err, Down, "does not exist", "create it")

		nobody := *u
		nobody.User = url.User("nobody_of_that_name")
		_, err = Open(t.Context(), allDrivers, nobody.String(), Options{Driver: driver})
		want(t, err, Refused, "nobody_of_that_name", "user and password")

		poor := *u
		poor.User = url.User("outbox_dburl_test")
		h := open(t, poor.String(), Options{Driver: driver})
		want(t, h.Problem("migrate", h.Schema.Migrate(t.Context())), Refused, "permission denied", "docs/schema.md")
	}
}

func TestASearchPathDoesNotNameTheSchema(t *testing.T) {
	address, err := url.Parse(testenv.Database(t, testenv.Postgres15))
	if err != nil {
		t.Fatal(err)
	}
	for parameter, value := range map[string]string{"search_path": "app", "options": "-c statement_timeout=9s -c search_path=app"} {
		query := address.Query()
		query.Set(parameter, value)
		with := *address
		with.RawQuery = strings.ReplaceAll(query.Encode(), "+", "%20") // which libpq and pgx do not take for a space
		for _, driver := range []string{"pgx", "sql"} {
			_, err := Open(t.Context(), allDrivers, with.String(), Options{Driver: driver})
			want(t, err, Usage, "sets search_path to app,", "--schema", "outbox.tables.schema", "app or public")
			for _, tables := range []sqlstore.Tables{{Schema: "public"}, {Event: "public.outbox_event"}} {
				open(t, with.String(), Options{Driver: driver, Tables: tables})
			}
		}
	}
}

// want checks the kind and the words of a problem.
func want(t *testing.T, err error, kind Kind, words ...string) {
	t.Helper()
	var p *Problem
	if !errors.As(err, &p) || p.Kind != kind {
		t.Errorf("%v is not of kind %d", err, kind)
		return
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%q lacks %q", err, w)
		}
	}
}

func TestNumbered(t *testing.T) {
	if got := numbered("INSERT INTO x VALUES (?, ?)"); got != "INSERT INTO x VALUES ($1, $2)" {
		t.Error(got)
	}
}
