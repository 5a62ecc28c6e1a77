package relaytest_test

import (
	"context"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
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
	for name, settings := range map[string][]string{
		"lock_timeout":      {"lock_timeout 100ms", "statement_timeout 5s"},
		"statement_timeout": {"lock_timeout 10s", "statement_timeout 500ms"},
	} {
		for driver, o := range map[string]dburl.Options{"pgx": {}, "database-sql": {Driver: "sql"}} {
			t.Run(name+"/"+driver, func(t *testing.T) {
				t.Parallel() // it is time that passes
				address, free := limitedRole(t, settings...)
				lockedAmongRunning(t, openDatabase(t, address, o), free)
			})
		}
	}
}

// lockedAmongRunning locks one of thirty rows that run for longer than a lease,
// while a second relay runs.
func lockedAmongRunning(t *testing.T, h, free *dburl.Handle) {
	const n, lease = 30, 12 * time.Second
	c, gate := newCounter(n), make(chan struct{})
	open := sync.OnceFunc(func() { close(gate) })
	reg := outbox.NewRegistry()
	reg.Handle("A", func(ctx context.Context, e outbox.Event) error {
		_ = c.Handle(ctx, e) // at the start
		<-gate
		return nil
	})
	writeDB(t, free.Writer(), numbered("A", 0, n)...)
	cfg := fast
	cfg.Lease = lease
	cfg.Lane.Workers = n
	runRelay(t, h, reg, cfg)
	t.Cleanup(open)
	c.await(t)
	release := lockRow(t, free, numbered("A", 0, n)[n/2].ID)
	runRelay(t, h, reg, cfg)
	t.Cleanup(open)
	<-time.After(lease * 5 / 4)
	c.wantOnce(t, 0)
	open()
	awaitDone(t, free, n-1, 30*time.Second)
	c.wantOnce(t, 0)
	release()
	awaitDone(t, free, n, 30*time.Second)
	c.wantOnce(t, 1) // the one that was locked, if its lease was over
}
