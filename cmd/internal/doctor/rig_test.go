package doctor_test

import (
	"context"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/cmd/internal/doctor"
	"github.com/sendoff-go/outbox/internal/await"
	"github.com/sendoff-go/outbox/internal/testenv"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var drivers = []dburl.Driver{dburl.PGX(), dburl.PostgresSQL(), dburl.MySQL(), dburl.SQLite()}

const patience = await.Patience

// servers are those that the findings are provoked on.
var servers = []string{testenv.Postgres15, testenv.MySQL80, testenv.MariaDB, testenv.SQLite}

// address is that of an empty database.
func address(t *testing.T, server string) string {
	t.Helper()
	if server == testenv.SQLite {
		return "sqlite://" + filepath.ToSlash(filepath.Join(t.TempDir(), "shop.db"))
	}
	return testenv.Database(t, server)
}

// with adds a parameter to a URL.
func with(address, parameter string) string {
	if strings.Contains(address, "?") {
		return address + "&" + parameter
	}
	return address + "?" + parameter
}

func open(t *testing.T, address string, o dburl.Options) *dburl.Handle {
	t.Helper()
	o.Create, o.ConnectTimeout, o.StatementTimeout = true, patience, time.Minute
	db, err := dburl.Open(t.Context(), drivers, address, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// migrated opens an empty database and makes the tables.
func migrated(t *testing.T, server string) (*dburl.Handle, string) {
	t.Helper()
	at := address(t, server)
	db := open(t, at, dburl.Options{})
	if err := db.Schema.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return db, at
}

// onEach runs a test on tables of each server.
func onEach(t *testing.T, names []string, f func(t *testing.T, db *dburl.Handle, address string)) {
	t.Helper()
	for _, server := range names {
		t.Run(server, func(t *testing.T) {
			db, at := migrated(t, server)
			f(t, db, at)
		})
	}
}

func exec(t *testing.T, db *dburl.Handle, statement string) {
	t.Helper()
	if err := db.Exec(t.Context(), statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

// find runs one check.
func find(t *testing.T, db *dburl.Handle, name string, o doctor.Options) doctor.Finding {
	t.Helper()
	d := doctor.NewDatabase(db, o)
	for _, c := range append(d.Server(), d.Tables()...) {
		if c.Name == name {
			return doctor.Run(t.Context(), []doctor.Check{c}, patience, 1)[0]
		}
	}
	t.Fatalf("there is no check %s", name)
	return doctor.Finding{}
}

// wants fails the test unless the check finds that.
func wants(t *testing.T, db *dburl.Handle, name string, o doctor.Options, state doctor.State, seen string) doctor.Finding {
	t.Helper()
	f := find(t, db, name, o)
	if f.State != state || !strings.Contains(f.Seen, seen) {
		t.Errorf("%s is %s: %s; expected %s: %s", name, f.State, f.Seen, state, seen)
	}
	if (state == doctor.Warning || state == doctor.Failure) && f.Do == "" {
		t.Errorf("%s does not say what to do", name)
	}
	return f
}

// until waits until the check finds that. InnoDB does not refresh its list of
// transactions for whoever asks ten times a second.
func until(t *testing.T, db *dburl.Handle, name string, o doctor.Options, state doctor.State, seen string) {
	t.Helper()
	tick := time.NewTicker(250 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(patience); ; <-tick.C {
		f := find(t, db, name, o)
		if f.State == state && strings.Contains(f.Seen, seen) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s is %s: %s; expected %s: %s", name, f.State, f.Seen, state, seen)
		}
	}
}

// hold executes a statement in a transaction on a connection of its own, and
// keeps that open until the test ends or release is called.
func hold(t *testing.T, address, statement string) (release func()) {
	t.Helper()
	db := open(t, address, dburl.Options{Conns: 1})
	ctx, cancel := context.WithCancel(t.Context())
	began, ended := make(chan struct{}), make(chan error, 1)
	go func() {
		ended <- db.Writer().InTx(ctx, func(ctx context.Context, tx dburl.Tx) error {
			if err := tx.Exec(ctx, statement); err != nil {
				return err
			}
			close(began)
			<-ctx.Done()
			return ctx.Err()
		})
	}()
	release = sync.OnceFunc(func() {
		cancel()
		<-ended
	})
	t.Cleanup(release)
	select {
	case <-began:
	case err := <-ended:
		ended <- nil
		t.Fatal(err)
	}
	return release
}

const insert = "INSERT INTO outbox_event (event_type, payload) VALUES ('order-placed', '{}')"
