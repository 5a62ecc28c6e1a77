package demo

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/retry"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var drivers = []dburl.Driver{dburl.PGX(), dburl.PostgresSQL(), dburl.MySQL(), dburl.SQLite()}

func openFile(t *testing.T) *dburl.Handle {
	db := openURL(t, "sqlite://"+filepath.ToSlash(filepath.Join(t.TempDir(), "shop.db")), dburl.Options{Create: true})
	// A commit can take seconds where others use the disk, and statements behind it would
	// end as in an outage.
	if err := db.Exec(t.Context(), "PRAGMA synchronous = OFF"); err != nil {
		t.Fatal(err)
	}
	return db
}

// patience is how long something may take that must come.
const patience = 5 * time.Minute

func openURL(t *testing.T, address string, o dburl.Options) *dburl.Handle {
	t.Helper()
	o.ConnectTimeout, o.StatementTimeout = patience, time.Minute
	db, err := dburl.Open(t.Context(), drivers, address, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// expected is the summary of the first orders.
func expected(orders int) Summary {
	var s Summary
	for n := range orders {
		s.Written++ // placed
		if mailed(n) {
			s.Written++
		}
		if misaddressed(n) {
			s.Dead++
		}
		if unknownTemplate(n) {
			s.Dead++
			s.Retried += mailAttempts - 1
		}
		if declined(n) {
			s.RolledBack++
			if invoiced(n) {
				s.RolledBack++
			}
			continue
		}
		if invoiced(n) {
			s.Written++
		}
		s.Written += 2 // paid, shipped
		s.Retried += int64(failures(n))
		if unshippable(n) {
			s.Dead++
		}
	}
	s.Delivered = s.Written - s.Dead
	return s
}

func TestEveryEventArrivesOnceAndEveryFateShows(t *testing.T) {
	const orders = 30
	want := expected(orders)
	if want.Retried == 0 || want.Dead == 0 || want.RolledBack == 0 {
		t.Fatalf("%d orders do not show everything: %+v", orders, want)
	}
	run := func(t *testing.T, db *dburl.Handle) {
		var out strings.Builder
		got, err := Plain(t.Context(), New(db, Config{Rate: 1000, Limit: orders, Drain: patience}), &out)
		if err != nil {
			t.Fatal(err)
		}
		if got.P50 <= 0 || got.P99 < got.P50 || got.Max < got.P99 || got.Seconds <= 0 {
			t.Errorf("the latencies make no sense: %+v", got)
		}
		got.P50, got.P99, got.Max, got.Seconds = 0, 0, 0, 0
		if got != want {
			t.Errorf("got  %+v\nwant %+v\n%s", got, want, out.String())
		}
		if !got.Sound() {
			t.Error("the summary is not sound")
		}
	}
	t.Run("SQLite", func(t *testing.T) { run(t, openFile(t)) })
	for _, driver := range []string{"pgx", "sql"} {
		t.Run("PostgreSQL "+driver, func(t *testing.T) {
			run(t, openURL(t, testenv.Database(t, testenv.Postgres15), dburl.Options{Driver: driver}))
		})
	}
	for _, server := range []string{testenv.MySQL80, testenv.MariaDB} {
		t.Run(server, func(t *testing.T) { run(t, openURL(t, testenv.Database(t, server), dburl.Options{})) })
	}
}

func TestAnAbandonedDemoTellsWhatWaits(t *testing.T) {
	db := openFile(t)
	d := New(db, Config{Rate: 1000, Limit: 10, retry: retry.Fixed(time.Hour)})
	d.Abandon() // before the last retries
	sum, err := d.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	// Orders 3 and 9 are retried later; on a slow machine others wait too.
	if sum.Waiting < 2 || !sum.Abandoned || sum.Lost != 0 || sum.Written != sum.Delivered+sum.Dead+sum.Waiting {
		t.Errorf("got %+v", sum)
	}
}

func TestTheContextEndsTheShop(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	d := New(openFile(t), Config{Rate: 50, Drain: patience})
	ended := make(chan Summary, 1)
	go func() {
		sum, err := d.Run(ctx)
		if err != nil {
			t.Error(err)
		}
		ended <- sum
	}()
	for d.State().Total.Written == 0 {
		<-time.After(time.Millisecond)
	}
	cancel()
	if sum := <-ended; sum.Written == 0 || sum.Lost != 0 || sum.Waiting != 0 {
		t.Errorf("got %+v", sum)
	}
	if st := d.State(); st.Phase != Ended {
		t.Errorf("the phase is %q", st.Phase)
	}
}

func TestAnErrorThatWillNotMendEndsTheDemo(t *testing.T) {
	db := openFile(t)
	if err := db.Exec(t.Context(), "CREATE TABLE orders (id VARCHAR(36) PRIMARY KEY)"); err != nil {
		t.Fatal(err)
	}
	_, err := New(db, Config{}).Run(t.Context())
	if err == nil || !strings.Contains(err.Error(), "create the table of orders") {
		t.Errorf("got %v", err)
	}
}

func TestADuplicateIsForgivenOnlyAfterAnOutage(t *testing.T) {
	for _, c := range []struct {
		s    Summary
		want bool
	}{
		{Summary{}, true},
		{Summary{Lost: 1, Outage: true}, false},
		{Summary{Phantoms: 1, Outage: true}, false},
		{Summary{Duplicates: 1}, false},
		{Summary{Duplicates: 1, Outage: true}, true},
	} {
		if c.s.Sound() != c.want {
			t.Errorf("%+v is sound: %v", c.s, c.s.Sound())
		}
	}
}

func TestTheDemoSitsOutACrashOfTheDatabase(t *testing.T) {
	server := testenv.Control(t, testenv.Postgres15)
	address := testenv.Database(t, testenv.Postgres15)
	db := openURL(t, address, dburl.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	d := New(db, Config{Rate: 50, Drain: patience})
	ended := make(chan Summary, 1)
	go func() {
		sum, err := d.Run(ctx)
		if err != nil {
			t.Error(err)
		}
		ended <- sum
	}()
	until := func(what string, holds func(State) bool) {
		t.Helper()
		for deadline := time.Now().Add(patience); !holds(d.State()); <-time.After(5 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("never %s: %+v", what, d.State())
			}
		}
	}
	until("delivered", func(st State) bool { return st.Total.Delivered > 20 })
	server.Crash()
	until("failed", func(st State) bool { return st.Failed > 0 })
	server.Start()
	before := d.State().Total.Delivered
	until("came back", func(st State) bool { return st.Total.Delivered > before+20 })
	cancel()
	sum := <-ended
	if sum.Lost != 0 || sum.Waiting != 0 || sum.Phantoms != 0 || !sum.Outage || !sum.Sound() {
		t.Errorf("got %+v", sum)
	}
}
