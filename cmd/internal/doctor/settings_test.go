package doctor_test

import (
	"context"
	"net/url"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/cmd/internal/doctor"
	"github.com/sendoff-go/outbox/internal/testenv"
)

func TestShortTimeoutsOfTheRoleAreFound(t *testing.T) {
	db, at := migrated(t, testenv.Postgres15)
	wants(t, db, "timeouts", doctor.Options{}, doctor.OK, "statement_timeout none")
	u, err := url.Parse(at)
	if err != nil {
		t.Fatal(err)
	}
	role := "ALTER ROLE CURRENT_USER IN DATABASE " + strings.TrimPrefix(u.Path, "/")
	exec(t, db, role+" SET statement_timeout = '500ms'")
	t.Cleanup(func() {
		if err := db.Exec(context.WithoutCancel(t.Context()), role+" RESET ALL"); err != nil {
			t.Error(err)
		}
	})
	wants(t, open(t, at, dburl.Options{}), "timeouts", doctor.Options{}, doctor.Warning, "statement_timeout 500ms is shorter")
}

func TestShortTimeoutsOfASessionAreFound(t *testing.T) {
	for server, limit := range map[string]string{testenv.MySQL80: "max_execution_time=100", testenv.MariaDB: "max_statement_time=0.1"} {
		t.Run(server, func(t *testing.T) {
			db, at := migrated(t, server)
			wants(t, db, "timeouts", doctor.Options{}, doctor.OK, "innodb_lock_wait_timeout")
			name, _, _ := strings.Cut(limit, "=")
			wants(t, open(t, with(at, limit), dburl.Options{}), "timeouts", doctor.Options{}, doctor.Warning, name+" 100ms ends")
			wants(t, open(t, with(at, "wait_timeout=5"), dburl.Options{}), "timeouts", doctor.Options{}, doctor.Warning, "wait_timeout 5s closes")
		})
	}
}

func TestSurprisingSettingsAreFound(t *testing.T) {
	for _, c := range []struct {
		server, parameter string
		state             doctor.State
		seen              string
	}{
		{testenv.Postgres15, "default_transaction_read_only=on", doctor.Failure, "read-only"},
		{testenv.Postgres15, "synchronous_commit=off", doctor.Warning, "synchronous_commit"},
		{testenv.MySQL80, "sql_mode=" + url.QueryEscape("''"), doctor.Warning, "without strict mode"},
		{testenv.MariaDB, "sql_mode=" + url.QueryEscape("''"), doctor.Warning, "without strict mode"},
		{testenv.MySQL80, "transaction_isolation=" + url.QueryEscape("'SERIALIZABLE'"), doctor.Warning, "transaction_isolation is \"SERIALIZABLE\""},
		{testenv.MariaDB, "tx_isolation=" + url.QueryEscape("'SERIALIZABLE'"), doctor.Warning, "transaction_isolation is \"SERIALIZABLE\""},
	} {
		t.Run(c.server+" "+c.seen, func(t *testing.T) {
			_, at := migrated(t, c.server)
			wants(t, open(t, with(at, c.parameter), dburl.Options{}), "settings", doctor.Options{}, c.state, c.seen)
		})
	}
}

func TestAFileWithoutTheWriteAheadLogIsFound(t *testing.T) {
	db, _ := migrated(t, testenv.SQLite)
	wants(t, db, "settings", doctor.Options{}, doctor.OK, "")
	exec(t, db, "PRAGMA journal_mode = DELETE")
	wants(t, db, "settings", doctor.Options{}, doctor.Warning, "readers and writers block")
}
