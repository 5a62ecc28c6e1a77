package dialecttest

import (
	"context"
	"database/sql"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/internal/faultproxy"
	"github.com/sendoff-go/outbox/store/sqlstore"
	"github.com/sendoff-go/outbox/storetest"
)

// Trouble says how a database can be made to fail calls, for the laws about
// errors. What does not apply to it is left out.
type Trouble struct {
	// Distant opens a pool on an empty database through a proxy.
	Distant func(t testing.TB) (*sql.DB, *faultproxy.Proxy)
	// NoRights opens two pools on an empty database: one of a user who may do
	// anything, and one of a user who may connect and no more.
	NoRights func(t testing.TB) (all, none *sql.DB)
	// Refuse are statements that make the database refuse every change of an
	// event, and Allow undo them.
	Refuse, Allow []string
	// LockTable, sent in a session of its own, keeps all others from changing an
	// event until UnlockTable.
	LockTable, UnlockTable string
}

// Hasty is the configuration of stores whose calls end after a second and a half, by
// their own limits.
func Hasty() sqlstore.Config {
	const limit = 1500 * time.Millisecond
	return sqlstore.Config{StatementTimeout: limit, SweepTimeout: limit}
}

func (l Laws) hasty(t testing.TB, db *sql.DB) *sqlstore.Store {
	t.Helper()
	store, err := sqlstore.New(db, l.Dialect, Hasty())
	must(t, err)
	return store
}

// add gives a subject what makes trouble. Open opens a pool on its database.
func (l Laws) add(s *storetest.Subject[*sql.Tx], open func() *sql.DB) {
	t := l.Trouble
	if t.LockTable != "" {
		s.LockTable = func(tb testing.TB) func() { return HoldTable(tb, open(), t.LockTable, t.UnlockTable) }
		s.Hasty = func(tb testing.TB) storetest.Store[*sql.Tx] { return l.hasty(tb, open()) }
	}
	if t.Distant != nil {
		s.Silent = func(tb testing.TB) (storetest.Store[*sql.Tx], func() func()) {
			db, proxy := t.Distant(tb)
			store := l.hasty(tb, db)
			must(tb, store.Migrate(tb.Context()))
			return store, func() func() {
				proxy.Hang()
				return proxy.Pass
			}
		}
	}
	if t.NoRights != nil {
		s.NoRights = func(tb testing.TB) storetest.Store[*sql.Tx] {
			all, none := t.NoRights(tb)
			must(tb, l.store(tb, all).Migrate(tb.Context()))
			return l.store(tb, none)
		}
	}
	if len(t.Refuse) > 0 {
		s.Refuse = func(tb testing.TB) func() {
			db := open()
			allow := sync.OnceFunc(func() {
				for _, statement := range t.Allow {
					if _, err := db.ExecContext(context.WithoutCancel(tb.Context()), statement); err != nil {
						tb.Errorf("%v, in: %s", err, statement)
					}
				}
			})
			tb.Cleanup(allow) // others use the table too
			exec(tb, db, t.Refuse...)
			return allow
		}
	}
}

// HoldTable locks a table in a session of its own, until release or the end of the
// test.
func HoldTable(t testing.TB, db *sql.DB, lock, unlock string) (release func()) {
	t.Helper()
	conn, err := db.Conn(t.Context())
	must(t, err)
	release = func() {
		if _, err := conn.ExecContext(context.WithoutCancel(t.Context()), unlock); err != nil && !errors.Is(err, sql.ErrConnDone) {
			t.Error(err)
		}
		_ = conn.Close() // the second time does nothing
	}
	t.Cleanup(release)
	if _, err := conn.ExecContext(t.Context(), lock); err != nil {
		t.Fatalf("%v, in: %s", err, lock)
	}
	return release
}
