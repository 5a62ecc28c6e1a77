//go:build !race

package e2e

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	_ "github.com/go-sql-driver/mysql"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	_ "github.com/jackc/pgx/v5/stdlib"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/pgxstore"
)

// shop is an application with an outbox in its database.
type shop struct {
	url string
	db  *sql.DB
	// place stores an order and its event in one transaction. With fail that
	// transaction is rolled back after both were written.
	place func(ctx context.Context, eventType string, order int, fail bool) (id string, err error)

	mu      sync.Mutex
	placed  map[string]int // the order of each event that was committed
	unknown map[string]int // the same, if the answer to COMMIT was lost
	undone  []string       // events that were rolled back
}

// openShop makes a database with the tables of shop and outbox.
func openShop(t *testing.T, server string) *shop {
	t.Helper()
	url := testenv.Database(t, server)
	s := &shop{url: url, db: openSQL(t, url), placed: map[string]int{}, unknown: map[string]int{}}
	if strings.HasPrefix(url, "mysql:") {
		store, err := storeOf(t.Context(), s.db)
		must(t, err)
		must(t, store.Migrate(t.Context()))
		s.place = placer(outbox.NewWriter(store), func(ctx context.Context, tx *sql.Tx, order int) error {
			_, err := tx.ExecContext(ctx, "INSERT INTO orders (id) VALUES (?)", order)
			return err
		})
	} else {
		config, err := pgxpool.ParseConfig(url)
		must(t, err)
		config.MaxConns = writers
		pool, err := pgxpool.NewWithConfig(t.Context(), config)
		must(t, err)
		t.Cleanup(pool.Close)
		store := testenv.Must(pgxstore.New(pool, pgxstore.Config{}))
		t.Cleanup(store.Close)
		must(t, store.Migrate(t.Context()))
		s.place = placer(outbox.NewWriter(store), func(ctx context.Context, tx pgx.Tx, order int) error {
			_, err := tx.Exec(ctx, "INSERT INTO orders (id) VALUES ($1)", order)
			return err
		})
	}
	_, err := s.db.ExecContext(t.Context(), "CREATE TABLE orders (id BIGINT PRIMARY KEY)")
	must(t, err)
	return s
}

var errFail = errors.New("the business has changed its mind")

func placer[Tx any](w *outbox.Writer[Tx], insert func(ctx context.Context, tx Tx, order int) error) func(context.Context, string, int, bool) (string, error) {
	return func(ctx context.Context, eventType string, order int, fail bool) (id string, err error) {
		err = w.InTx(ctx, func(ctx context.Context, tx Tx) error {
			if err := insert(ctx, tx, order); err != nil {
				return err
			}
			number := strconv.Itoa(order)
			id, err = w.Write(ctx, tx, outbox.Event{
				Type: eventType, AggregateType: "Order", AggregateID: number,
				JSON: []byte(`{"order": ` + number + `}`),
			})
			if err == nil && fail {
				err = errFail
			}
			return err
		})
		return id, err
	}
}

// writers is the number of transactions that a shop has open at once.
const writers = 8

// placing is how long a shop may take to place its orders, which nothing is promised
// about: on a machine that does much else, one node of TiDB takes over five minutes.
const placing = 15 * time.Minute

// work begins to place orders 1 to n, at that many per second, and returns a
// function that waits until all are committed. Each twentieth order has a first
// try that is rolled back. Transactions that the database refuses are tried
// again.
func (s *shop) work(t *testing.T, eventType string, n, perSecond int) (wait func()) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), placing)
	start := time.Now()
	var next atomic.Int64
	var all sync.WaitGroup
	for range writers {
		all.Go(func() {
			for order := int(next.Add(1)); order <= n; order = int(next.Add(1)) {
				due := start.Add(time.Duration(order) * time.Second / time.Duration(perSecond))
				if !pass(ctx, time.Until(due)) || !s.sell(ctx, eventType, order) {
					return
				}
			}
		})
	}
	t.Cleanup(func() { cancel(); all.Wait() })
	return func() {
		t.Helper()
		all.Wait()
		s.mu.Lock()
		defer s.mu.Unlock()
		if got := len(s.placed) + len(s.unknown); got < n {
			t.Fatalf("only %d of %d orders were placed within %s", got, n, placing)
		}
		t.Logf("%d orders were placed in %s; %d were rolled back, of %d nobody knows",
			len(s.placed), time.Since(start).Round(100*time.Millisecond), len(s.undone), len(s.unknown))
	}
}

// killing kills a relay every second; if orders are placed more slowly than planned,
// no more often than once in perSecond orders. A relay that dies before it can do
// anything, three times and three times more, leaves events that look as if they
// were the cause.
func (s *shop) killing(perSecond int) killing {
	const more = 3 // kills, before the first order or after the last
	second := every(time.Second)
	return func(killed int) bool {
		s.mu.Lock()
		placed := len(s.placed) + len(s.unknown)
		s.mu.Unlock()
		return killed < placed/perSecond+more && second(killed)
	}
}

// sell places one order, with as many tries as it takes. It returns false if
// ctx ended.
func (s *shop) sell(ctx context.Context, eventType string, order int) bool {
	if order%20 == 0 {
		if id, err := s.place(ctx, eventType, order, true); errors.Is(err, errFail) {
			s.mu.Lock()
			s.undone = append(s.undone, id)
			s.mu.Unlock()
		}
	}
	for {
		id, err := s.place(ctx, eventType, order, false)
		s.mu.Lock()
		switch {
		case err == nil:
			s.placed[id] = order
		case errors.Is(err, outbox.ErrCommitUnknown):
			s.unknown[id] = order
		}
		s.mu.Unlock()
		if err == nil || errors.Is(err, outbox.ErrCommitUnknown) {
			return true
		}
		if !pass(ctx, 100*time.Millisecond) {
			return false
		}
	}
}

// more places one more order.
func (s *shop) more(t *testing.T, eventType string, order int) error {
	t.Helper()
	id, err := s.place(t.Context(), eventType, order, false)
	if err == nil {
		s.placed[id] = order
	}
	return err
}

// expire lets the leases of relays that have ended run out.
func (s *shop) expire(t *testing.T) {
	t.Helper()
	_, err := s.db.ExecContext(t.Context(), "UPDATE outbox_event SET locked_until = now() WHERE locked_by IS NOT NULL")
	must(t, err)
}

// settled reports whether no event waits.
func (s *shop) settled(t *testing.T) func() bool {
	return func() bool {
		t.Helper()
		return s.count(t, "SELECT count(*) FROM outbox_event WHERE status <> 1") == 0
	}
}

// reason is why some event is dead.
func (s *shop) reason(t *testing.T) (text string) {
	t.Helper()
	const query = "SELECT max(concat(attempts, ' attempts, ', coalesce(last_error, ''), ' ', coalesce(failures, ''))) FROM outbox_dlq_event"
	must(t, s.db.QueryRowContext(t.Context(), query).Scan(&text))
	return text
}

// count is a number that a query finds.
func (s *shop) count(t *testing.T, query string) int { t.Helper(); return count(t, s.db, query) }

// wantSettled fails the test unless every event of the table was delivered,
// without a failed attempt, and none is dead. An event that three relays died
// with runs alone, and that run is counted beforehand: it is no failure, and is
// only reported.
func (s *shop) wantSettled(t *testing.T) {
	t.Helper()
	eventually(t, "all is settled", s.settled(t), s.describe(t))
	if n := s.count(t, "SELECT count(*) FROM outbox_dlq_event"); n != 0 {
		t.Errorf("%d dead letters, one of them after %s\n%s", n, s.reason(t), s.describe(t)())
	}
	if n := s.count(t, "SELECT count(*) FROM outbox_event WHERE last_error IS NOT NULL"); n != 0 {
		t.Errorf("%d events have an attempt that was spent\n%s", n, s.describe(t)())
	}
	t.Logf("%d events ran alone because three relays had died with them", s.count(t, "SELECT count(*) FROM outbox_event WHERE attempts <> 0"))
}

// describe describes the state of the table.
func (s *shop) describe(t *testing.T) func() string {
	return func() string {
		var text strings.Builder
		rows, err := s.db.QueryContext(context.WithoutCancel(t.Context()),
			"SELECT status, attempts, count(*), coalesce(max(last_error), '') FROM outbox_event GROUP BY status, attempts")
		if err != nil {
			return err.Error()
		}
		defer rows.Close()
		for rows.Next() {
			var status, attempts, n int
			var last string
			if err := rows.Scan(&status, &attempts, &n, &last); err != nil {
				return err.Error()
			}
			fmt.Fprintf(&text, "%d events have status %d after %d attempts: %s\n", n, status, attempts, last)
		}
		if err := rows.Err(); err != nil {
			return err.Error()
		}
		return text.String()
	}
}

// openSQL opens a database whose URL may be of either kind.
func openSQL(t *testing.T, url string) *sql.DB {
	t.Helper()
	db, err := sql.Open(driver(t, url))
	must(t, err)
	db.SetMaxIdleConns(writers)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// driver is what opens a URL with database/sql.
func driver(t *testing.T, url string) (name, dsn string) {
	t.Helper()
	if strings.HasPrefix(url, "mysql:") {
		return "mysql", testenv.MySQLDSN(t, url)
	}
	return "pgx", url
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func count(t *testing.T, db *sql.DB, query string) (n int) {
	t.Helper()
	if err := db.QueryRowContext(t.Context(), query).Scan(&n); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return n
}
