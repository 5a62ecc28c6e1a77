package doctor_test

import (
	"context"
	"crypto/rand"
	"net/url"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/cmd/internal/doctor"
	"github.com/sendoff-go/outbox/internal/testenv"
)

// limited makes a user who may only read: all tables, or those that are named.
func limited(t *testing.T, db *dburl.Handle, at string, tables ...string) *dburl.Handle {
	t.Helper()
	name := "u_" + strings.ToLower(rand.Text()[:10])
	u, err := url.Parse(at)
	if err != nil {
		t.Fatal(err)
	}
	create, grant, drop := "CREATE ROLE "+name+" LOGIN PASSWORD 'x'", "GRANT SELECT ON ALL TABLES IN SCHEMA public TO "+name, "DROP OWNED BY "+name+"; DROP ROLE "+name
	if db.Dialect().Name == "MySQL" {
		create, grant, drop = "CREATE USER "+name+" IDENTIFIED BY 'x'", "GRANT SELECT ON "+strings.TrimPrefix(u.Path, "/")+".* TO "+name, "DROP USER "+name
	}
	exec(t, db, create)
	t.Cleanup(func() {
		for s := range strings.SplitSeq(drop, "; ") {
			if err := db.Exec(context.WithoutCancel(t.Context()), s); err != nil {
				t.Error(err)
			}
		}
	})
	if len(tables) == 0 {
		exec(t, db, grant)
	}
	for _, table := range tables {
		exec(t, db, "GRANT SELECT ON "+table+" TO "+name)
	}
	u.User = url.UserPassword(name, "x")
	return open(t, u.String(), dburl.Options{})
}

func TestMissingPrivilegesAreFound(t *testing.T) {
	onEach(t, three, func(t *testing.T, db *dburl.Handle, at string) {
		user := limited(t, db, at)
		wants(t, user, "privileges", doctor.Options{Parts: []string{"reader"}}, doctor.OK, "all that the role reader needs")
		f := wants(t, user, "privileges", doctor.Options{}, doctor.Failure, "UPDATE on ")
		if strings.Contains(f.Seen, "SELECT") {
			t.Errorf("a right that the user has is missed: %s", f.Seen)
		}
		for _, role := range []string{"writer", "consumer", "operator"} {
			wants(t, user, "privileges", doctor.Options{Parts: []string{role}}, doctor.Failure, "INSERT")
		}
		n, err := user.Text(t.Context(), "SELECT COUNT(*) FROM outbox_event")
		if err != nil || n != "0" {
			t.Errorf("%s rows, error %v", n, err)
		}
	})
}

func TestWhatAUserMayNotSeeIsSkipped(t *testing.T) {
	for _, server := range []string{testenv.MySQL80, testenv.MariaDB} {
		t.Run(server, func(t *testing.T) {
			db, at := migrated(t, server)
			wants(t, limited(t, db, at), "long-transactions", doctor.Options{}, doctor.Skipped, "PROCESS")
		})
	}
	t.Run(testenv.Postgres15, func(t *testing.T) {
		db, at := migrated(t, testenv.Postgres15)
		user := limited(t, db, at)
		release := hold(t, at, insert)
		wants(t, user, "long-transactions", doctor.Options{}, doctor.Skipped, "hidden from this user")
		release()
	})
}
