package sqlitestore_test

import (
	"database/sql"
	"errors"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/dialecttest"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/sqlitestore"
)

// The table is recreated, with everything of its own that can be recreated.
func TestAnAdoptedTableKeepsKeysIndexesAndDefaults(t *testing.T) {
	for _, name := range []string{"outbox_event", "Order"} {
		t.Run(name, func(t *testing.T) { keepsKeys(t, name) })
	}
}

func keepsKeys(t *testing.T, name string) {
	db := openDB(t, testenv.Database(t, testenv.SQLite))
	named := func(query string) string { return strings.ReplaceAll(query, "outbox_event", `"`+name+`"`) }
	table := dialecttest.SQLiteAdoptions()[0].Make
	table[0] = strings.Replace(table[0], "event_type", `"Own ""Key""" INT UNIQUE, shop TEXT NOT NULL DEFAULT ('main' || 1), event_type`, 1)
	for _, s := range table {
		exec(t, db, named(s))
	}
	exec(t, db, named("CREATE UNIQUE INDEX own_partial ON outbox_event (lower(shop), event_id) WHERE status = 0"))
	exec(t, db, named(`UPDATE outbox_event SET "Own ""Key""" = rowid, shop = 'x' WHERE event_id = 'new'`))
	config := dialecttest.Unhurried()
	config.Tables.Event = name
	store, err := sqlitestore.New(db, config)
	if err == nil {
		err = store.Migrate(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	var shop, key, fallback string
	row := db.QueryRowContext(t.Context(), named(`SELECT shop, "Own ""Key""" FROM outbox_event INDEXED BY own_partial WHERE lower(shop) = 'x' AND status = 0`))
	if err := row.Scan(&shop, &key); err != nil || shop != "x" || key != "1" {
		t.Errorf("shop %q, key %q, error %v", shop, key, err)
	}
	exec(t, db, named("INSERT INTO outbox_event (event_id, event_type, payload) VALUES ('bare', 'T', '{}')"))
	if err := db.QueryRowContext(t.Context(), named("SELECT shop FROM outbox_event WHERE event_id = 'bare'")).Scan(&fallback); err != nil || fallback != "main1" {
		t.Errorf("the default is %q, error %v", fallback, err)
	}
	if _, err := db.ExecContext(t.Context(), named(`UPDATE outbox_event SET "Own ""Key""" = 1 WHERE event_id = 'bare'`)); err == nil {
		t.Error("the unique column has a value twice")
	}
}

func TestATableThatCannotBeMadeAgainIsRefused(t *testing.T) {
	for name, c := range map[string]struct{ old, now, want string }{
		"a check":            {"attempts INT NOT NULL", "attempts INT NOT NULL CHECK(attempts < 9)", "CHECK constraint"},
		"a collation":        {"event_type VARCHAR(128)", "event_type VARCHAR(128) COLLATE NOCASE", "collation"},
		"a computed column":  {"locked_at DATETIME(6)", "locked_at DATETIME(6), n AS (attempts + 1)", "column n is computed"},
		"a foreign key":      {"tenant_id VARCHAR(64)", "tenant_id VARCHAR(64) REFERENCES tenant (id)", "foreign key to tenant"},
		"no row ids":         {"locked_at DATETIME(6))", "locked_at DATETIME(6)) WITHOUT ROWID", "WITHOUT ROWID"},
		"a conflict clause":  {"event_id VARCHAR(36) PRIMARY KEY", "event_id VARCHAR(36) PRIMARY KEY ON CONFLICT IGNORE", "conflict clause"},
		"another's sequence": {"tenant_id VARCHAR(64)", "tenant_id VARCHAR(64), seq INT", "column seq"},
	} {
		t.Run(name, func(t *testing.T) {
			db := openDB(t, testenv.Database(t, testenv.SQLite))
			ddl := strings.Replace(dialecttest.SQLiteAdoptions()[0].Make[0], c.old, c.now, 1)
			exec(t, db, ddl)
			err := testenv.Must(sqlitestore.New(db, dialecttest.Unhurried())).Migrate(t.Context())
			if !errors.Is(err, outbox.ErrSchema) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, expected %q", err, c.want)
			}
			if got := schemaOf(t, db); got != ddl {
				t.Errorf("the table is now %s", got)
			}
		})
	}
}

func schemaOf(t *testing.T, db *sql.DB) (ddl string) {
	t.Helper()
	if err := db.QueryRowContext(t.Context(), "SELECT sql FROM sqlite_schema WHERE name = 'outbox_event'").Scan(&ddl); err != nil {
		t.Fatal(err)
	}
	return ddl
}
