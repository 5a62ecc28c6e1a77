package bench

import (
	"cmp"
	"context"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/relay"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var drivers = []dburl.Driver{dburl.PGX(), dburl.PostgresSQL(), dburl.MySQL(), dburl.SQLite()}

// open opens a database with tables of its own, and completes the config. What
// has to arrive may take as long as a machine that stands still.
func open(t *testing.T, address, driver string, cfg Config) (*dburl.Handle, Config) {
	t.Helper()
	scratch := dburl.NewScratch("outbox_bench", "")
	db, err := dburl.Open(t.Context(), drivers, address, dburl.Options{Driver: driver, Tables: scratch.Tables, Create: true, ConnectTimeout: patience, StatementTimeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	cfg.Orders, cfg.Event = db.Table(scratch.Name("orders")), db.Table(scratch.Tables.Event)
	cfg.Progress = t.Logf
	cfg.Patience = cmp.Or(cfg.Patience, patience)
	if cfg.adjust == nil {
		cfg.adjust = unhurried
	}
	return db, cfg
}

const patience = 5 * time.Minute

// unhurried keeps a relay from taking over what another has not yet ended, and
// from leaving what it has.
func unhurried(c *relay.Config) {
	c.Lease, c.HeadStart, c.DrainTimeout = 2*time.Minute, time.Minute, 2*time.Minute
}

func openFile(t *testing.T, cfg Config) (*dburl.Handle, Config) {
	return open(t, "sqlite://"+filepath.ToSlash(filepath.Join(t.TempDir(), "bench.db")), "", cfg)
}

type benchmark func(context.Context, *dburl.Handle, Config) (Result, error)

func TestEveryBenchmarkCountsEveryEventOnce(t *testing.T) {
	for name, c := range map[string]struct {
		measure benchmark
		cfg     Config
	}{
		"drain":               {Drain, Config{Events: 600}},
		"drain, two relays":   {Drain, Config{Events: 600, Relays: 2, DeleteDone: true, Workers: 2, Queue: 100, Batch: 10}},
		"latency":             {Latency, Config{Events: 20, Rate: 500, Writers: 4}},
		"write":               {Write, Config{Events: 60, Writers: 4}},
		"write, rows deleted": {Write, Config{Events: 60, Writers: 4, DeleteDone: true}},
	} {
		run := func(t *testing.T, db *dburl.Handle, cfg Config) {
			res, err := c.measure(t.Context(), db, cfg)
			if err != nil {
				t.Fatal(err)
			}
			if res.Events != int64(cfg.Events) || !res.Sound() {
				t.Errorf("got %+v", res)
			}
			if res.Seconds <= 0 || res.PerSecond <= 0 || res.P99 < res.P50 || res.Max < res.P99 || res.Max <= 0 {
				t.Errorf("the figures make no sense: %+v", res)
			}
			for _, table := range []string{cfg.Event, cfg.Orders, db.Table("outbox_consumed_event")} {
				if _, err := db.Text(t.Context(), "SELECT count(*) FROM "+table); err == nil {
					t.Errorf("the table %s is still there", table)
				}
			}
		}
		t.Run(name+" on SQLite", func(t *testing.T) {
			cfg := c.cfg
			cfg.Events = min(cfg.Events, 30) // the race detector slows it down a hundredfold
			db, cfg := openFile(t, cfg)
			run(t, db, cfg)
		})
		for _, driver := range []string{"pgx", "sql"} {
			t.Run(name+" on PostgreSQL, "+driver, func(t *testing.T) {
				db, cfg := open(t, testenv.Database(t, testenv.Postgres15), driver, c.cfg)
				run(t, db, cfg)
			})
		}
		for _, server := range []string{testenv.MySQL80, testenv.MariaDB} {
			t.Run(name+" on "+server, func(t *testing.T) {
				db, cfg := open(t, testenv.Database(t, server), "", c.cfg)
				run(t, db, cfg)
			})
		}
	}
}

func TestWakeUpsThroughTheDatabase(t *testing.T) {
	db, cfg := open(t, testenv.Database(t, testenv.Postgres15), "pgx", Config{
		Events: 20, Rate: 100, Writers: 2, Woken: true,
		adjust: func(c *relay.Config) { // it does not look by itself while the test lasts
			unhurried(c)
			c.Lane.Interval = time.Hour
		},
	})
	res, err := Latency(t.Context(), db, cfg)
	if err != nil || res.Events != 20 || !res.Sound() {
		t.Fatalf("got %+v, %v", res, err)
	}
}

// thief is a store that settles one event and never shows it to the relay.
type thief struct {
	dburl.Store
	stolen atomic.Bool
}

func (s *thief) Claim(ctx context.Context, req driver.ClaimRequest) ([]driver.Claimed, error) {
	rows, err := s.Store.Claim(ctx, req)
	if err != nil || len(rows) == 0 || s.stolen.Swap(true) {
		return rows, err
	}
	_, err = s.Settle(ctx, req.Owner, []driver.Outcome{{Held: rows[0].Held, Kind: driver.Done}}, true)
	return rows[1:], err
}

func TestALostEventIsFoundOut(t *testing.T) {
	var res Result
	var err error
	// More are given up where the machine stands still for longer than that.
	for patience := time.Second; res.Events < 19 && patience < 5*time.Minute; patience *= 8 {
		db, cfg := openFile(t, Config{Events: 20, Patience: patience})
		db.Store = &thief{Store: db.Store}
		res, err = Drain(t.Context(), db, cfg)
	}
	if err == nil || !strings.Contains(err.Error(), "nothing arrived") {
		t.Errorf("got the error %v", err)
	}
	if res.Lost != 1 || res.Events != 19 || res.Sound() {
		t.Errorf("got %+v, want one lost", res)
	}
}

func TestAFailingTransactionEndsTheBenchmark(t *testing.T) {
	db, cfg := openFile(t, Config{Events: 1_000_000, Rate: 10, Writers: 2})
	if err := db.Exec(t.Context(), "CREATE TABLE "+cfg.Orders+" (id VARCHAR(36) PRIMARY KEY)"); err != nil {
		t.Fatal(err)
	}
	if _, err := Write(t.Context(), db, cfg); err == nil || !strings.Contains(err.Error(), "create the tables") {
		t.Errorf("got %v", err)
	}
}

func TestEventsCarryTheirNumberAndSize(t *testing.T) {
	for _, n := range []int{0, 7, 1234567890} {
		for _, size := range []int{MinPayload, 200, MaxPayload} {
			e := newEvent(n, size)
			if numberOf(e) != n || len(e.JSON) != size {
				t.Errorf("event %d of %d bytes says it is %d, and has %d", n, size, numberOf(e), len(e.JSON))
			}
		}
	}
}
