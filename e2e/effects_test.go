//go:build !race

package e2e

import (
	"bufio"
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/internal/testenv"
)

// effects is the consumers' side: a second database, and the processes that
// work on it.
type effects struct {
	*crew
	db       *sql.DB
	receipts string
}

// startEffects makes the second database and starts two consumers. The first
// two die by themselves, each at its worst moment; those that come after them
// are killed, one at every interval.
func startEffects(t *testing.T, server string, b broker, interval time.Duration) *effects {
	t.Helper()
	url := testenv.Database(t, server)
	e := &effects{db: openSQL(t, url), receipts: filepath.Join(t.TempDir(), "receipts")}
	config := b.consumer()
	config.Driver, config.DSN = driver(t, url)
	config.Receipts = e.receipts
	must(t, os.WriteFile(e.receipts, nil, 0o600))
	ledger, err := storeOf(t.Context(), e.db)
	must(t, err)
	must(t, ledger.Migrate(t.Context()))
	for _, statement := range []string{
		"CREATE TABLE effect (event_id VARCHAR(36) NOT NULL, order_no BIGINT NOT NULL)",
		"CREATE TABLE account (orders BIGINT NOT NULL)",
		"INSERT INTO account VALUES (0)",
	} {
		_, err := e.db.ExecContext(t.Context(), statement)
		must(t, err)
	}
	var started atomic.Int64
	e.crew = startCrew(t, 2, 2, every(interval), func(log *tail) (*process, error) {
		c := config
		switch started.Add(1) {
		case 1:
			c.Die, c.DieIn = beforeCommit, 5
		case 2:
			c.Die, c.DieIn = beforeAck, 10
		}
		told, err := json.Marshal(c)
		if err != nil {
			return nil, err
		}
		return startProcess(log, []string{consumerVariable + "=" + string(told)}, os.Args[0])
	})
	return e
}

// wantOnce waits until each of the orders has had its effect, and fails the
// test if one has had it twice, or one that was not placed.
func (e *effects) wantOnce(t *testing.T, placed map[string]int) {
	t.Helper()
	eventually(t, fmt.Sprintf("%d orders have had their effect", len(placed)), func() bool {
		return count(t, e.db, "SELECT orders FROM account") >= len(placed)
	}, func() string {
		return fmt.Sprintf("%d effects\n%s", count(t, e.db, "SELECT count(*) FROM effect"), e.log)
	})
	e.end() // so that nothing more is added
	rows, err := e.db.QueryContext(t.Context(), "SELECT event_id, order_no FROM effect")
	must(t, err)
	defer rows.Close()
	had := map[string]int{}
	for rows.Next() {
		var id string
		var order int
		must(t, rows.Scan(&id, &order))
		if _, twice := had[id]; twice {
			t.Errorf("event %s has had its effect twice", id)
		}
		had[id] = order
	}
	must(t, rows.Err())
	if !maps.Equal(had, placed) {
		t.Errorf("%d events have had an effect, and %d orders were placed: they are not the same", len(had), len(placed))
	}
	if n := count(t, e.db, "SELECT orders FROM account"); n != len(placed) {
		t.Errorf("the account has counted %d orders of %d", n, len(placed))
	}
	came, fresh := e.read(t)
	t.Logf("consumers were killed %d times and killed themselves %d times; of %d messages that they finished %d were new",
		e.killed, e.ended.Load(), came, fresh)
}

// read adds up the receipts.
func (e *effects) read(t *testing.T) (came, fresh int) {
	t.Helper()
	f, err := os.Open(e.receipts)
	must(t, err)
	defer func() { _ = f.Close() }()
	for s := bufio.NewScanner(f); s.Scan(); {
		var a, b int
		if _, err := fmt.Sscan(s.Text(), &a, &b); err != nil {
			t.Fatal(err)
		}
		came, fresh = came+a, fresh+b
	}
	return came, fresh
}
