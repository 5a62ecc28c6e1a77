package daemon

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/sendoff-go/outbox/cmd/internal/daemon/config"
	"github.com/sendoff-go/outbox/internal/testenv"
)

// The sum that docs/deployment.md gives: the pool, four of the relay, and one that
// listens.
func TestADaemonOnPostgresOpensAsManyConnectionsAsDocumented(t *testing.T) {
	const pool = 2
	database, log := testenv.Database(t, testenv.Postgres15), &logs{}
	h := newHook(t)
	addr := testenv.Address(t)
	c, _, err := config.Read("outbox.yaml", fmt.Appendf(nil, `
outbox:
  database: {connections: %d}
  admin: {addr: "%s", anonymous: viewer}
  publisher:
    sender: {type: http, url: "%s"}
    events: {"order-*": {}}
`, pool, addr, h.URL), []string{"OUTBOX_DATABASE_URL=" + database})
	if err != nil {
		t.Fatal(err)
	}
	unhurried(c)
	d, err := New(c, Options{Drivers: drivers, Database: patient, Logger: slog.New(slog.NewTextHandler(log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{t: t, log: log, d: d}
	stop := r.run()

	db, err := pgx.Connect(t.Context(), database)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close(context.WithoutCancel(t.Context())) }()
	if _, err := db.Exec(t.Context(), `INSERT INTO outbox_event (event_type, payload) SELECT 'order-' || g % 20, '{}' FROM generate_series(1, 2000) g`); err != nil {
		t.Fatal(err)
	}
	var most, listening int
	r.until("all are delivered, and it listens", func() bool {
		var asking sync.WaitGroup
		for range 2 * pool {
			asking.Go(func() {
				if answer, err := http.Get("http://" + addr + "/api/v1/status"); err == nil { // more of them than the pool has
					_ = answer.Body.Close()
				}
			})
		}
		var open int
		err := db.QueryRow(t.Context(), `SELECT count(*), count(*) FILTER (WHERE query ILIKE 'listen%') FROM pg_stat_activity
			WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`).Scan(&open, &listening)
		asking.Wait()
		if err != nil {
			t.Fatal(err)
		}
		most = max(most, open)
		return h.got() == 2000 && listening > 0
	})
	t.Logf("at most %d connections at once", most)
	if most > pool+5 || most <= pool || listening != 1 {
		t.Errorf("%d connections, of which %d listen; the pool has %d", most, listening, pool)
	}
	http.DefaultClient.CloseIdleConnections()
	if err := stop(); err != nil {
		t.Error(err)
	}
}
