package main

import (
	"context"
	"database/sql"
	"fmt"
	"net/http"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/sendoff-go/outbox/internal/testenv"
)

// insertSQLite writes one event as another program would.
func insertSQLite(t *testing.T, file string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+file+"?_pragma=busy_timeout(60000)")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	if _, err := db.Exec("INSERT INTO outbox_event (event_type, payload) VALUES ('a', '{}')"); err != nil {
		t.Fatal(err)
	}
}

// held is a daemon with one event under way, whose answer waits for release.
func held(t *testing.T, env ...string) (p *daemonProcess, h *webhook, release func()) {
	t.Helper()
	arrived, gate := make(chan struct{}, 10), make(chan struct{})
	h = newWebhook(t, func() { arrived <- struct{}{}; <-gate })
	file := filepath.ToSlash(filepath.Join(t.TempDir(), "shop.db"))
	p = startDaemon(t, "sqlite://"+file, h.URL, env...)
	p.awaitReady(http.StatusOK)
	insertSQLite(t, file)
	select {
	case <-arrived:
	case <-time.After(patience):
		t.Fatalf("nothing was sent\n%s", p.text())
	}
	open := true
	release = func() {
		if open {
			open = false
			close(gate)
		}
	}
	t.Cleanup(release)
	return p, h, release
}

func TestSIGTERMLetsTheDaemonFinishWhatWasBegun(t *testing.T) {
	p, h, release := held(t)
	p.signal(syscall.SIGTERM)
	p.awaitShutdown()
	release()
	if code := p.ended(); code != exitOK {
		t.Errorf("exit code %d\n%s", code, p.text())
	}
	if n, all := h.counts(); n != 1 || all != 1 {
		t.Errorf("%d events in %d requests", n, all)
	}
	if !strings.Contains(p.text(), "outbox: drained") {
		t.Errorf("the log is\n%s", p.text())
	}
}

func TestASecondSIGTERMEndsTheDaemonAtOnce(t *testing.T) {
	p, _, _ := held(t, "OUTBOX_DRAIN_TIMEOUT=1h")
	p.signal(syscall.SIGTERM)
	p.awaitShutdown()
	p.signal(syscall.SIGTERM)
	if code := p.ended(); code != 128+int(syscall.SIGTERM) {
		t.Errorf("exit code %d\n%s", code, p.text())
	}
}

func TestASendThatOutlivesTheDrainTimeoutIsToldByTheExitCode(t *testing.T) {
	p, _, _ := held(t, "OUTBOX_DRAIN_TIMEOUT=500ms")
	p.signal(syscall.SIGTERM)
	if code := p.ended(); code != exitFailure || !strings.Contains(p.text(), "1 of the sends did not finish within outbox.drain-timeout (500ms)") {
		t.Errorf("exit code %d\n%s", code, p.text())
	}
}

func TestTheDaemonWaitsForItsDatabaseAtTheStartAndLater(t *testing.T) {
	database := testenv.Database(t, testenv.Postgres15)
	c, err := pgx.ParseConfig(database)
	if err != nil {
		t.Fatal(err)
	}
	direct := fmt.Sprintf("%s:%d", c.Host, c.Port)
	way := newDetour(t, direct)
	h := newWebhook(t, nil)
	p := startDaemon(t, strings.Replace(database, direct, way.addr, 1), h.URL)
	p.awaitReady(http.StatusServiceUnavailable)
	eventually(t, "it waits", func() bool { _, text := p.ready(); return strings.Contains(text, "waiting for the database") }, p.text)

	way.open()
	p.awaitReady(http.StatusOK)
	insertPostgres(t, database, 1)
	eventually(t, "the first event arrives", func() bool { n, _ := h.counts(); return n == 1 }, p.text)

	way.shut()
	p.awaitReady(http.StatusServiceUnavailable)
	insertPostgres(t, database, 1)
	way.open()
	p.awaitReady(http.StatusOK)
	eventually(t, "the second event arrives", func() bool { n, all := h.counts(); return n == 2 && all == 2 }, p.text)
}

// insertPostgres writes n events in one transaction.
func insertPostgres(t *testing.T, database string, n int) {
	t.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, database)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(ctx) }()
	if _, err := conn.Exec(ctx, "INSERT INTO outbox_event (event_type, payload) SELECT 'a', '{}' FROM generate_series(1, $1)", n); err != nil {
		t.Fatal(err)
	}
}

func TestARollingRestartOfTwoDaemonsLosesAndDoublesNothing(t *testing.T) {
	database := testenv.Database(t, testenv.Postgres15)
	h := newWebhook(t, func() { <-time.After(2 * time.Millisecond) }) // so that something is always under way
	two := [2]*daemonProcess{startDaemon(t, database, h.URL), startDaemon(t, database, h.URL)}
	for _, p := range two {
		p.awaitReady(http.StatusOK)
	}
	written, seen := 0, 0
	for round := range 6 {
		insertPostgres(t, database, 300)
		written += 300
		eventually(t, "more arrive", func() bool { n, _ := h.counts(); return n > seen }, two[0].text)
		old := two[round%2]
		old.signal(syscall.SIGTERM)
		next := startDaemon(t, database, h.URL)
		if code := old.ended(); code != exitOK {
			t.Fatalf("exit code %d\n%s", code, old.text())
		}
		next.awaitReady(http.StatusOK)
		two[round%2] = next
		seen, _ = h.counts()
	}
	eventually(t, "all arrive", func() bool { n, _ := h.counts(); return n == written }, two[0].text)
	for _, p := range two {
		p.signal(syscall.SIGTERM)
		if code := p.ended(); code != exitOK {
			t.Errorf("exit code %d\n%s", code, p.text())
		}
	}
	if n, all := h.counts(); n != written || all != written {
		t.Errorf("%d were written, %d arrived, in %d requests", written, n, all)
	}
}

func TestARowThatPsqlInsertsIsDelivered(t *testing.T) {
	database := testenv.Database(t, testenv.Postgres15)
	psql, err := exec.LookPath("psql")
	if err != nil {
		t.Skip("psql is not installed")
	}
	t.Setenv("OUTBOX_DATABASE_URL", database)
	t.Setenv("OUTBOX_PUBLISHER_SENDER_TYPE", "log")
	t.Setenv("OUTBOX_PUBLISHER_EVENTS", "{Order*: {topic: orders}}")
	if code, out, errs := call(t.Context(), "relay", "--once"); code != exitOK {
		t.Fatalf("exit code %d: %s %s", code, out, errs)
	}
	script := `
BEGIN;
CREATE TABLE orders (id int, total int);
INSERT INTO orders VALUES (42, 5);
INSERT INTO outbox_event (event_type, payload) VALUES ('OrderPlaced', '{"id": 42}');
INSERT INTO outbox_event (event_id, event_type, aggregate_type, aggregate_id,
  tenant_id, payload, headers, status, attempts, available_at, created_at)
VALUES ('01J0ZZZZZZZZZZZZZZZZZZZZZZ', 'OrderPaid', 'Order', '42', NULL, '{}', '{"a": "b"}', 0, 0, now(), now());
COMMIT;
BEGIN;
INSERT INTO outbox_event (event_type, payload) VALUES ('OrderLost', '{}');
ROLLBACK;
`
	if out, err := exec.Command(psql, "-v", "ON_ERROR_STOP=1", "-d", database, "-c", script).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	code, out, errs := call(t.Context(), "relay", "--once", "-o", "json")
	if code != exitOK || !strings.Contains(out, `"delivered":2`) {
		t.Errorf("exit code %d: %s\n%s", code, out, errs)
	}
	if !strings.Contains(errs, "event_id=01J0ZZZZZZZZZZZZZZZZZZZZZZ event_type=OrderPaid destination=orders key=42") {
		t.Errorf("the log is\n%s", errs)
	}
}

func TestAWrongPasswordEndsTheDaemonWithAHint(t *testing.T) {
	u := testenv.PasswordDatabase(t, testenv.Postgres15)
	u.User = url.UserPassword(u.User.Username(), "wrong-4711")
	p := startDaemon(t, u.String(), "http://127.0.0.1:1")
	if code := p.ended(); code != exitRefused {
		t.Errorf("exit code %d, want %d", code, exitRefused)
	}
	if text := p.text(); !strings.Contains(text, "check user and password in the URL") || strings.Contains(text, "wrong-4711") {
		t.Errorf("want a hint, without the password:\n%s", text)
	}
}
