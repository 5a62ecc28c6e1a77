package ledgertest

import (
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"
	_ "github.com/jackc/pgx/v5/stdlib" // the driver of PostgreSQL
	_ "modernc.org/sqlite"             // the driver of SQLite

	"github.com/sendoff-go/outbox/internal/dialecttest"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/mysqlstore"
	"github.com/sendoff-go/outbox/store/pgstore"
	"github.com/sendoff-go/outbox/store/sqlitestore"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

// database is one of those that docs/inbox.md has SQL for.
type database struct {
	name, server string
	dialect      sqlstore.Dialect
	open         func(t *testing.T, address string) (*sql.DB, error)
	old          string // a time long ago
}

func databases() []database {
	viaMySQL := func(t *testing.T, address string) (*sql.DB, error) {
		return sql.Open("mysql", testenv.MySQLDSN(t, address))
	}
	return []database{
		{"PostgreSQL", testenv.Postgres15, pgstore.Dialect(),
			func(_ *testing.T, address string) (*sql.DB, error) { return sql.Open("pgx", address) }, "'2020-01-01'"},
		{"MySQL", testenv.MySQL80, mysqlstore.Dialect(), viaMySQL, "'2020-01-01'"},
		{"MySQL", testenv.MariaDB, mysqlstore.Dialect(), viaMySQL, "'2020-01-01'"},
		{"SQLite", testenv.SQLite, sqlitestore.Dialect(),
			func(_ *testing.T, address string) (*sql.DB, error) { return sqlitestore.Open("sqlite", address) }, "1577836800000"},
	}
}

// A foreign consumer does what the page says, and a Go consumer of the same
// group respects it.
func TestTheDocumentedSQLWorks(t *testing.T) {
	for _, d := range databases() {
		t.Run(d.server, func(t *testing.T) {
			db, err := d.open(t, testenv.Database(t, d.server))
			must(t, err)
			defer func() { must(t, db.Close()) }()
			for _, statement := range strings.Split(documented(t, d.name+": create"), ";\n\n") {
				_, err := db.ExecContext(t.Context(), strings.TrimSuffix(statement, ";"))
				must(t, err)
			}
			store, err := sqlstore.New(db, d.dialect, dialecttest.Unhurried())
			must(t, err)
			must(t, store.Migrate(t.Context())) // takes the table as it is
			checkForeign(t, d, db, store)
		})
	}
}

func checkForeign(t *testing.T, d database, db *sql.DB, store *sqlstore.Store) {
	t.Helper()
	record := strings.TrimSuffix(documented(t, d.name+": record"), ";")
	consume := func(id string, commit bool) (fresh bool) {
		t.Helper()
		tx, err := db.BeginTx(t.Context(), nil)
		must(t, err)
		defer func() { _ = tx.Rollback() }() // after a commit it has nothing to do
		result, err := tx.ExecContext(t.Context(), record, "billing", id)
		var answer *mysql.MySQLError
		if errors.As(err, &answer) && answer.Number == 1062 {
			return false
		}
		must(t, err)
		n, err := result.RowsAffected()
		must(t, err)
		if n == 1 && commit {
			must(t, tx.Commit())
		}
		return n == 1
	}
	if got := []bool{consume("a", false), consume("a", true), consume("a", true)}; !got[0] || !got[1] || got[2] {
		t.Errorf("rolled back, committed, repeated: new %v", got)
	}
	tx, commit, _, err := store.Begin(t.Context())
	must(t, err)
	fresh, err := store.Record(t.Context(), tx, "billing", []string{"b", "a"})
	must(t, err)
	must(t, commit())
	if !fresh[0] || fresh[1] {
		t.Errorf("in Go: new %v, expected the first alone", fresh)
	}
	if consume("b", true) {
		t.Error("what Go consumed was new")
	}
	if d.name == "PostgreSQL" {
		var id string
		must(t, db.QueryRowContext(t.Context(), documented(t, d.name+": record many"), "billing", "{a,b,c}").Scan(&id))
		known, err := store.Known(t.Context(), "billing", []string{"c"})
		must(t, err)
		if id != "c" || !known[0] {
			t.Errorf("of many, %q is new, known %v: expected c", id, known)
		}
	}
	_, err = db.ExecContext(t.Context(), "UPDATE outbox_consumed_event SET consumed_at = "+d.old+" WHERE event_id = 'a'")
	must(t, err)
	_, err = db.ExecContext(t.Context(), strings.TrimSuffix(documented(t, d.name+": forget"), ";"), "billing")
	must(t, err)
	known, err := store.Known(t.Context(), "billing", []string{"a", "b"})
	must(t, err)
	if known[0] || !known[1] {
		t.Errorf("after forgetting, known %v, expected the young one alone", known)
	}
}

func TestTheDocumentedTablesAreTheMigratedOnes(t *testing.T) {
	comment := regexp.MustCompile(`(?m)^--.*\n`)
	for _, d := range databases() {
		text, err := fs.ReadFile(d.dialect.SQL, "migrations/0002_consumed.up.sql")
		must(t, err)
		if got, want := documented(t, d.name+": create"), strings.TrimSpace(comment.ReplaceAllString(string(text), "")); got != want {
			t.Errorf("%s: the page has\n%s\nthe migration\n%s", d.name, got, want)
		}
	}
}

// documented is the block of docs/inbox.md that begins with that comment.
func documented(t *testing.T, title string) string {
	t.Helper()
	page, err := os.ReadFile("../../docs/inbox.md")
	must(t, err)
	_, block, found := strings.Cut(string(page), "```sql\n-- "+title+"\n")
	if !found {
		t.Fatalf("docs/inbox.md has no block %q", title)
	}
	block, _, _ = strings.Cut(block, "\n```")
	return block
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
