package main

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/job"
	"github.com/sendoff-go/outbox/relay"
)

// The statements that make a million letters, in 50 groups of 20,000: of 5 types,
// 10 tenants and 100,000 aggregates, a tenth of them resolved.
const (
	postgresLetters = `INSERT INTO outbox_dlq_event (event_id, seq, event_type, aggregate_type, aggregate_id, tenant_id, payload, attempts, created_at,
	died_at, resolved_at, last_error, failures, claim_no, destination, group_id)
SELECT 'e' || n, n, 'type-' || n %% 5, 'Order', 'key-' || n %% 100000, 'tenant-' || n / 1000 %% 10, '{"order":4711,"note":"some payload of a usual length"}', 10, now(),
	now() - n * interval '10 milliseconds', CASE WHEN n / 50 %% 10 = 7 THEN now() END, 'gateway ' || n %% 50 || ' refused order ' || n, '[]', 1,
	'kafka#0:topic-' || n %% 5, 'group-' || n %% 50
FROM generate_series(1, %d) n`
	mysqlLetters = `INSERT INTO outbox_dlq_event (event_id, seq, event_type, aggregate_type, aggregate_id, tenant_id, payload, attempts, created_at,
	died_at, resolved_at, last_error, failures, claim_no, destination, group_id)
SELECT CONCAT('e', n), n, CONCAT('type-', n %% 5), 'Order', CONCAT('key-', n %% 100000), CONCAT('tenant-', n DIV 1000 %% 10), '{"order":4711,"note":"some payload of a usual length"}', 10, UTC_TIMESTAMP(6),
	UTC_TIMESTAMP(6) - INTERVAL n * 10000 MICROSECOND, IF(n DIV 50 %% 10 = 7, UTC_TIMESTAMP(6), NULL), CONCAT('gateway ', n %% 50, ' refused order ', n), '[]', 1,
	CONCAT('kafka#0:topic-', n %% 5), CONCAT('group-', n %% 50)
FROM (SELECT a.i + 10 * b.i + 100 * c.i + 1000 * d.i + 10000 * e.i + 100000 * f.i + 1 AS n
	FROM digits a, digits b, digits c, digits d, digits e, digits f) numbers WHERE n <= %d`
)

// BenchmarkDeadLetters measures what a person waits for with a million letters.
// LETTERS is another number of them.
func BenchmarkDeadLetters(b *testing.B) {
	n, err := strconv.Atoi(cmp.Or(os.Getenv("LETTERS"), "1000000"))
	if err != nil {
		b.Fatal(err)
	}
	for _, server := range []string{testenv.Postgres15, testenv.MySQL80} {
		b.Run(server, func(b *testing.B) {
			db, err := dburl.Open(b.Context(), drivers, testenv.Database(b, server), dburl.Options{Create: true, StatementTimeout: 10 * time.Minute})
			if err != nil {
				b.Fatal(err)
			}
			b.Cleanup(func() { _ = db.Close() })
			fillLetters(b, db, server, n)
			benchmarkPages(b, db)
			benchmarkRetry(b, db)
		})
	}
}

func fillLetters(b *testing.B, db *dburl.Handle, server string, n int) {
	b.Helper()
	if err := db.Schema.Migrate(b.Context()); err != nil {
		b.Fatal(err)
	}
	all := []string{fmt.Sprintf(postgresLetters, n), "VACUUM ANALYZE outbox_dlq_event"} // as autovacuum does soon
	if server == testenv.MySQL80 {
		all = []string{"CREATE TABLE digits (i INT)", "INSERT INTO digits VALUES (0),(1),(2),(3),(4),(5),(6),(7),(8),(9)", fmt.Sprintf(mysqlLetters, n), "ANALYZE TABLE outbox_dlq_event"}
	}
	for g := range 50 {
		all = append(all, fmt.Sprintf("INSERT INTO outbox_dlq_group (group_id, event_type, destination, reason) VALUES ('group-%d', 'type-%d', 'kafka#0:topic-%d', 'gateway # refused order #')", g, g%5, g%5))
	}
	for _, statement := range all {
		if err := db.Exec(b.Context(), statement); err != nil {
			b.Fatalf("%.60s: %v", statement, err)
		}
	}
}

func benchmarkPages(b *testing.B, db *dburl.Handle) {
	now := time.Now()
	for _, c := range []struct {
		name   string
		filter driver.DeadFilter
	}{
		{"all", driver.DeadFilter{}},
		{"resolved", driver.DeadFilter{Resolved: true}},
		{"type", driver.DeadFilter{Lane: "type-3"}},
		{"group", driver.DeadFilter{Group: "group-33"}},
		{"destination", driver.DeadFilter{Destination: "kafka#0:topic-4"}},
		{"tenant", driver.DeadFilter{Tenant: "tenant-9"}},
		{"key", driver.DeadFilter{Key: "key-99998"}},
		{"key of nobody", driver.DeadFilter{Key: "none"}},
		{"tenant of nobody", driver.DeadFilter{Tenant: "none"}},
		{"text in most", driver.DeadFilter{Error: "refused"}},
		{"text in none", driver.DeadFilter{Error: "no such text"}},
		{"a time", driver.DeadFilter{DiedBefore: now.Add(-time.Hour), DiedAfter: now.Add(-2 * time.Hour)}},
		{"group and text in none", driver.DeadFilter{Group: "group-33", Error: "no such text"}},
	} {
		b.Run("page by "+c.name, func(b *testing.B) {
			for b.Loop() {
				if _, _, err := db.Store.ListDead(b.Context(), c.filter, nil, 50); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	for _, c := range []struct {
		name   string
		filter driver.GroupFilter
		want   int
	}{{"groups", driver.GroupFilter{}, 50}, {"groups by type and reason", driver.GroupFilter{Lane: "type-3", Reason: "refused"}, 10}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				if gs, _, err := db.Store.ListGroups(b.Context(), c.filter, nil, 50); err != nil || len(gs) != c.want {
					b.Fatalf("%d groups, error %v", len(gs), err)
				}
			}
		})
	}
}

// benchmarkRetry retries the letters of one type since a time, and then those of one
// tenant: each a tenth of all.
func benchmarkRetry(b *testing.B, db *dburl.Handle) {
	r, err := job.NewRunner(job.Config{Store: db.Store, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		filter job.Filter
	}{
		{"retry a tenth by type", job.Filter{Type: "type-1", After: time.Now().Add(-5600 * time.Second)}}, // 100,000 of a million
		{"retry a tenth by tenant", job.Filter{Tenant: "tenant-0"}},                                       // without those
	} {
		b.Run(c.name, func(b *testing.B) {
			for range b.N {
				j, err := job.Start(b.Context(), db.Store, job.Spec{Action: job.Retry, Filter: c.filter}, driver.Act{By: "ann"})
				if err == nil {
					j, err = r.RunJob(b.Context(), j.ID, nil)
				}
				if err != nil || j.Applied == 0 {
					b.Fatalf("%+v, error %v", j, err)
				}
				b.ReportMetric(float64(j.Applied), "letters")
			}
		})
	}
}

// BenchmarkDrainBesideARetry measures how much of its drain rate a relay keeps while
// a job retries 5,000 letters a second beside it: in turn without and with the job,
// the ratio of the two, and how many letters the job really moved.
func BenchmarkDrainBesideARetry(b *testing.B) {
	const events, letters, rate = 100_000, 100_000, 5000
	for _, server := range []string{testenv.Postgres15, testenv.MySQL80} {
		b.Run(server, func(b *testing.B) {
			var alone, beside, moved float64
			for range b.N {
				for _, retry := range []bool{false, true} {
					took, gone := drainBeside(b, server, events, letters, rate, retry)
					if b.Logf("retry %t: %.0f events a second", retry, events/took.Seconds()); retry {
						beside += events / took.Seconds()
						moved += float64(gone) / took.Seconds()
					} else {
						alone += events / took.Seconds()
					}
				}
			}
			b.ReportMetric(alone/float64(b.N), "events/s-alone")
			b.ReportMetric(beside/alone, "of-it-beside")
			b.ReportMetric(moved/float64(b.N), "letters/s")
		})
	}
}

// drainBeside drains events of a type while letters of another go back. It returns
// how long that takes, and how many letters go back meanwhile.
func drainBeside(b *testing.B, server string, events, letters, rate int, retry bool) (took time.Duration, gone int64) {
	b.Helper()
	db, err := dburl.Open(b.Context(), drivers, testenv.Database(b, server), dburl.Options{Create: true, StatementTimeout: 10 * time.Minute})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = db.Close() }() // the figures are taken
	fillLetters(b, db, server, letters)
	fill := fmt.Sprintf(`INSERT INTO outbox_event (event_type, payload) SELECT 'live', '{"order":4711,"note":"some payload of a usual length"}' FROM outbox_dlq_event WHERE seq <= %d`, events)
	if err := db.Exec(b.Context(), fill); err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(b.Context())
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	reg, done, n := outbox.NewRegistry(), make(chan struct{}), atomic.Int64{}
	reg.Handle("live", func(context.Context, outbox.Event) error {
		if n.Add(1) == int64(events) {
			close(done)
		}
		return nil
	})
	var applied atomic.Int64
	quiet := slog.New(slog.DiscardHandler)
	r, err := relay.New(db.Store, reg, relay.Config{Logger: quiet})
	if err != nil {
		b.Fatal(err)
	}
	if retry {
		runner, err := job.NewRunner(job.Config{Store: db.Store, Logger: quiet})
		if err != nil {
			b.Fatal(err)
		}
		j, err := job.Start(ctx, db.Store, job.Spec{Action: job.Retry, All: true, Rate: rate}, driver.Act{By: "ann"})
		if err != nil {
			b.Fatal(err)
		}
		begun, once := make(chan struct{}), sync.Once{}
		running.Go(func() {
			_, _ = runner.RunJob(ctx, j.ID, func(j driver.Job) { // ends with ctx
				applied.Store(j.Applied)
				once.Do(func() { close(begun) })
			})
		})
		<-begun
	}
	start, before := time.Now(), applied.Load()
	running.Go(func() { _ = r.Run(ctx) }) // ends with ctx
	<-done
	return time.Since(start), applied.Load() - before
}
