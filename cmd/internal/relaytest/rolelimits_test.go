package relaytest_test

import (
	"context"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/internal/testenv"
)

// limitedRole returns a database in which the role has settings, opened without
// them.
func limitedRole(t *testing.T, settings ...string) (address string, free *dburl.Handle) {
	t.Helper()
	address = testenv.Database(t, testenv.Postgres15)
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	own := u.Query()
	for _, s := range settings {
		name, _, _ := strings.Cut(s, " ")
		own.Set(name, "0")
	}
	unlimited := *u
	unlimited.RawQuery = own.Encode()
	free = openDatabase(t, unlimited.String(), dburl.Options{})
	alter := func(ctx context.Context, what string) error {
		return free.Writer().InTx(ctx, func(ctx context.Context, tx dburl.Tx) error {
			return tx.Exec(ctx, "ALTER ROLE CURRENT_USER IN DATABASE "+strings.TrimPrefix(u.Path, "/")+" "+what)
		})
	}
	t.Cleanup(func() {
		if err := alter(context.WithoutCancel(t.Context()), "RESET ALL"); err != nil {
			t.Error(err)
		}
	})
	for _, s := range settings {
		name, value, _ := strings.Cut(s, " ")
		if err := alter(t.Context(), "SET "+name+" = '"+value+"'"); err != nil {
			t.Fatal(err)
		}
	}
	return address, free
}

// An administrator's limits end a statement that waits for the locked row in
// ways that look like an outage or a refusal.
func TestLimitsOfTheRoleDoNotMakeALockedRowHarmOthers(t *testing.T) {
	if testing.Short() {
		t.Skip("outlives a lease: run without -short")
	}
	t.Parallel() // it is time that passes
	all := map[string]*amongRunning{}
	for name, settings := range map[string][]string{
		"lock_timeout":      {"lock_timeout 100ms", "statement_timeout 5s"},
		"statement_timeout": {"lock_timeout 10s", "statement_timeout 500ms"},
	} {
		for driver, o := range map[string]dburl.Options{"pgx": {}, "database-sql": {Driver: "sql"}} {
			address, free := limitedRole(t, settings...)
			all[name+"/"+driver] = lockAmongRunning(t, openTables(t, address, o), free)
		}
	}
	<-time.After(outlived * 5 / 4)
	for name, l := range all {
		t.Run(name, func(t *testing.T) {
			l.seen.wantOnce(t, 0)
			l.open()
			awaitDone(t, l.free, l.n-1)
			l.seen.wantOnce(t, 0)
			l.release()
			awaitDone(t, l.free, l.n)
			l.seen.wantOnce(t, 1) // the one that was locked, if its lease was over
		})
	}
}
