package consoletest

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/alert"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/job"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/retry"
	"github.com/sendoff-go/outbox/store/pgstore"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

// hostile is what somebody writes who wants their script to run in the browser of
// whoever is on call.
const hostile = `<script>window.pwned=1</script><img src=x onerror="window.pwned=1">'"` + "`${window.pwned=1}`" + `{{.}}</textarea></pre>`

// shop is an outbox with something on every page.
type shop struct {
	t      *testing.T
	db     *sql.DB
	store  *sqlstore.Store
	writer *outbox.Writer[*sql.Tx]
	mended atomic.Bool // what failed succeeds from now on
	away   atomic.Bool // one destination is down
	text   string      // in payloads, headers and errors
}

// openShop opens a shop whose relay, jobs and alerts run until the test ends.
func openShop(t *testing.T) *shop { return openShopOf(t, hostile) }

func openShopOf(t *testing.T, text string) *shop {
	t.Helper()
	db, err := sql.Open("pgx", testenv.Database(t, testenv.Postgres15))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() }) // its database is dropped next
	s := &shop{t: t, db: db, text: text, store: testenv.Must(pgstore.New(db, pgstore.Config{StatementTimeout: time.Minute}))}
	if err := s.store.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.away.Store(true)
	r := testenv.Must(relay.New(s.store, s.registry(), relay.Config{
		Name: "relay-1", Version: "1.4.0", Logger: silent(), Delivered: relay.KeepForRetention, SweepInterval: 500 * time.Millisecond,
		Lane: relay.LaneConfig{MaxAttempts: 2, Retry: retry.Fixed(10 * time.Millisecond), Interval: 100 * time.Millisecond},
	}))
	s.writer = outbox.NewWriter(s.store, r.HotPath(), outbox.WithLogger(silent()))
	runner := testenv.Must(job.NewRunner(job.Config{Store: s.store, Interval: 100 * time.Millisecond, Logger: silent()}))
	watcher := testenv.Must(alert.New(alert.Config{Store: s.store, Interval: 500 * time.Millisecond, Logger: silent(), Notifiers: []alert.Notifier{},
		Rules: alert.Rules{DeadLetters: 1, DestinationDown: time.Second, Unclaimed: time.Second}}))
	ctx, cancel := context.WithCancel(context.Background())
	var parts sync.WaitGroup
	parts.Go(func() {
		if err := r.Run(ctx); err != nil {
			t.Error(err)
		}
	})
	parts.Go(func() { runner.Run(ctx) })
	parts.Go(func() { watcher.Run(ctx) })
	t.Cleanup(func() { cancel(); parts.Wait() })
	return s
}

func silent() *slog.Logger { return slog.New(slog.NewTextHandler(io.Discard, nil)) }

func (s *shop) registry() *outbox.Registry {
	reg := outbox.NewRegistry()
	reg.Handle("OrderPlaced", func(context.Context, outbox.Event) error { return nil })
	reg.Handle("PaymentCaptured", func(_ context.Context, e outbox.Event) error {
		if s.mended.Load() {
			return nil
		}
		return outbox.Permanent(fmt.Errorf("422 Unprocessable Entity: currency %q is not known, order %s", "BTC", e.AggregateID))
	})
	reg.Handle("MailRequested", func(context.Context, outbox.Event) error {
		if s.mended.Load() {
			return nil
		}
		return errors.New("template not found: " + s.text)
	})
	reg.Handle("ReportReady", func(context.Context, outbox.Event) error {
		if s.away.Load() {
			return outbox.Unavailable(errors.New("dial tcp 10.0.0.7:9092: connection refused"))
		}
		return nil
	})
	return reg
}

// write writes n events of a type.
func (s *shop) write(eventType string, n int) {
	s.t.Helper()
	es := make([]outbox.Event, n)
	for i := range es {
		payload, err := json.Marshal(map[string]any{
			"order": fmt.Sprintf("A-%d", i), "amount": 129.9, "currency": "BTC", "lines": []map[string]any{{"sku": "X1", "count": 2}}, "note": s.text,
		})
		if err != nil {
			s.t.Fatal(err)
		}
		es[i] = outbox.Event{
			Type: eventType, JSON: payload, AggregateType: "Order", AggregateID: fmt.Sprintf("A-%d", i), TenantID: "acme",
			TraceID: "4bf92f3577b34da6a3ce929d0e0e4736", Headers: map[string]string{"source": s.text},
		}
	}
	err := s.writer.InTx(s.t.Context(), func(ctx context.Context, tx *sql.Tx) error {
		_, err := s.writer.WriteAll(ctx, tx, es...)
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
}

// fill puts something on every page, and waits until it is there.
func (s *shop) fill() {
	s.t.Helper()
	s.write("OrderPlaced", 40)
	s.write("PaymentCaptured", 12)
	s.write("MailRequested", 5)
	s.write("ReportReady", 8)
	s.write("NobodyListens", 3)
	s.until("dead letters are in groups", func() bool {
		return s.count("SELECT count(*) FROM outbox_dlq_event WHERE group_id IS NOT NULL AND resolved_at IS NULL") == 17
	})
	s.until("the relay has told its types and destinations", func() bool { return s.count("SELECT count(*) FROM outbox_instance") > 0 })
	s.exec("INSERT INTO outbox_consumed_event (consumer_group, event_id) VALUES ('billing', 'e-1'), ('billing', 'e-2')")
}

// count returns the number that a query selects.
func (s *shop) count(query string, args ...any) (n int64) {
	s.t.Helper()
	if err := s.db.QueryRowContext(s.t.Context(), query, args...).Scan(&n); err != nil {
		s.t.Fatal(err)
	}
	return n
}

func (s *shop) exec(query string, args ...any) {
	s.t.Helper()
	if _, err := s.db.ExecContext(s.t.Context(), query, args...); err != nil {
		s.t.Fatal(err)
	}
}

// until waits for a condition.
func (s *shop) until(what string, ok func() bool) {
	s.t.Helper()
	limit := time.After(time.Minute)
	for !ok() {
		select {
		case <-limit:
			s.t.Fatalf("not within a minute: %s", what)
		case <-time.After(50 * time.Millisecond):
		}
	}
}
