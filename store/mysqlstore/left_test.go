package mysqlstore_test

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/await"
	"github.com/sendoff-go/outbox/internal/dialecttest"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/mysqlstore"
)

// A server that waits for a table does not notice that its client is gone. The session
// would stay for as long as the table is locked, and counts towards max_connections.
func TestCallsBesideALockedTableLeaveOneSessionAtMost(t *testing.T) {
	onEach(t, func(t *testing.T, server string) {
		address := testenv.Database(t, server)
		db, watch := openDB(t, address), openDB(t, address)
		migrated(t, db)
		hasty := testenv.Must(mysqlstore.New(db, dialecttest.Hasty()))
		waiting := func() int { return len(waitingForTable(t, watch)) }
		calls := map[string]func() error{
			"claim": func() error {
				_, err := hasty.Claim(t.Context(), driver.ClaimRequest{Owner: "a", Lease: time.Hour, Wants: []driver.Want{{Lane: "T", Rows: 1}}})
				return err
			},
			"settle": func() error {
				_, err := hasty.Settle(t.Context(), "a", []driver.Outcome{{Held: driver.Held{EventID: "x", Seq: 1, ClaimNo: 1}, Kind: driver.Done}}, true)
				return err
			},
		}
		release := dialecttest.HoldTable(t, watch, "LOCK TABLES outbox_event WRITE", "UNLOCK TABLES")
		for range 2 {
			for name, call := range calls {
				answer := make(chan error, 1)
				go func() { answer <- call() }()
				await.Until(t, "the server waits for the table", func() bool { return waiting() > 0 })
				if err := <-answer; !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, outbox.ErrStoreDown) {
					t.Errorf("%s: error %v, expected ErrStoreDown, and that it took too long", name, err)
				}
			}
		}
		await.Until(t, "one session at most is left", func() bool { return waiting() <= 1 })
		release()
		for name, call := range calls {
			if err := call(); err != nil {
				t.Errorf("%s, afterwards: %v", name, err)
			}
		}
	})
}

// A relay that shuts down ends its calls, and so does whoever looks at a page and
// leaves it.
func TestCallsThatTheirCallerEndsBesideALockedTableLeaveOneSessionAtMost(t *testing.T) {
	onEach(t, func(t *testing.T, server string) {
		address := testenv.Database(t, server)
		db, watch := openDB(t, address), openDB(t, address)
		migrated(t, db)
		// The call must not end by itself before it is ended.
		store := testenv.Must(mysqlstore.New(db, mysqlstore.Config{StatementTimeout: 5 * time.Second}))
		dialecttest.HoldTable(t, watch, "LOCK TABLES outbox_event WRITE", "UNLOCK TABLES")
		for range 2 {
			await.Until(t, "one session at most is left", func() bool { return len(waitingForTable(t, watch)) <= 1 })
			left := waitingForTable(t, watch)
			ctx, cancel := context.WithCancel(t.Context())
			answer := make(chan error, 1)
			go func() {
				_, err := store.Claim(ctx, driver.ClaimRequest{Owner: "a", Lease: time.Hour, Wants: []driver.Want{{Lane: "T", Rows: 1}}})
				answer <- err
			}()
			await.Until(t, "the server waits for the table", func() bool {
				isNew := func(id int64) bool { return !slices.Contains(left, id) } // those that are left may go
				return slices.ContainsFunc(waitingForTable(t, watch), isNew) || len(answer) > 0
			})
			cancel()
			if err := <-answer; !errors.Is(err, context.Canceled) {
				t.Errorf("error %v, expected that it was canceled", err)
			}
		}
		await.Until(t, "one session at most is left", func() bool { return len(waitingForTable(t, watch)) <= 1 })
	})
}

// waitingForTable returns the ids of the sessions of a database that wait for a table.
func waitingForTable(t *testing.T, db *sql.DB) (ids []int64) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), `SELECT id FROM information_schema.processlist
		WHERE db = DATABASE() AND state LIKE 'Waiting for table%'`)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }() // Err reports the same error
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return ids
}
