package mysqlstore_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/internal/dialecttest"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/mysqlstore"
)

// soon migrates, and fails if the lock of another one is in the way.
func soon(t *testing.T, db *sql.DB) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	if err := testenv.Must(mysqlstore.New(db, dialecttest.Unhurried())).Migrate(ctx); err != nil {
		t.Error(err)
	}
}

// The lock is the connection's, and the connection goes back to the pool.
func TestARefusedMigrationReleasesItsLock(t *testing.T) {
	onEach(t, func(t *testing.T, server string) {
		address := testenv.Database(t, server)
		db, name := openDB(t, address), databaseName(t, address)
		user := "u" + name[max(0, len(name)-20):]
		exec(t, db, fmt.Sprintf("CREATE USER '%s'@'%%'", user))
		t.Cleanup(func() {
			_, _ = db.ExecContext(context.WithoutCancel(t.Context()), fmt.Sprintf("DROP USER '%s'@'%%'", user))
		})
		exec(t, db, fmt.Sprintf("GRANT SELECT ON %s.* TO '%s'@'%%'", name, user))
		weak := openDB(t, strings.Replace(address, "root@", user+"@", 1))
		if err := testenv.Must(mysqlstore.New(weak, dialecttest.Unhurried())).Migrate(t.Context()); err == nil {
			t.Fatal("a user without rights migrated")
		}
		soon(t, db)
	})
}

func TestAMigrationWhoseContextEndsReleasesItsLock(t *testing.T) {
	onEach(t, func(t *testing.T, server string) {
		address := testenv.Database(t, server)
		db := openDB(t, address)
		for _, s := range adoption("", false, "IGNORED", "").Make {
			exec(t, db, s)
		}
		reader, err := db.BeginTx(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = reader.Rollback() }() // it only reads
		if _, err := reader.ExecContext(t.Context(), "SELECT COUNT(*) FROM outbox_event"); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := testenv.Must(mysqlstore.New(db, dialecttest.Unhurried())).Migrate(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("error %v: the reader was to keep it waiting", err)
		}
		if err := reader.Rollback(); err != nil {
			t.Fatal(err)
		}
		soon(t, openDB(t, address))
	})
}

func TestAFailedAdoptionLeavesTheSessionAsItWas(t *testing.T) {
	onEach(t, func(t *testing.T, server string) {
		db := openDB(t, with(t, testenv.Database(t, server), "sql_mode", "'ANSI'", "time_zone", "'-07:00'"))
		db.SetMaxOpenConns(1)
		for _, s := range adoption("", false, "IGNORED", "").Make {
			exec(t, db, s)
		}
		exec(t, db, "CREATE INDEX outbox_event_pending ON outbox_event (tenant_id)") // the name of one of ours
		settings := func() (all string) {
			const query = "SELECT CONCAT_WS(' ', @@sql_mode, @@time_zone, @@group_concat_max_len)"
			if err := db.QueryRowContext(t.Context(), query).Scan(&all); err != nil {
				t.Fatal(err)
			}
			return all
		}
		before := settings()
		if err := testenv.Must(mysqlstore.New(db, dialecttest.Unhurried())).Migrate(t.Context()); err == nil {
			t.Fatal("there are two indexes of one name")
		}
		if after := settings(); after != before {
			t.Errorf("the settings are %s, and were %s", after, before)
		}
		exec(t, db, "DROP INDEX outbox_event_pending ON outbox_event")
		soon(t, db)
		if after := settings(); after != before {
			t.Errorf("after adopting, the settings are %s, and were %s", after, before)
		}
	})
}
