package dialecttest

import (
	"context"
	"database/sql"
	"strings"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/store/memstore"
	"github.com/sendoff-go/outbox/store/sqlstore"
	"github.com/sendoff-go/outbox/storetest"
)

// Laws says how the stores of a dialect are opened for package storetest.
type Laws struct {
	Dialect sqlstore.Dialect
	// Fresh makes an empty database and returns a function that opens a pool on
	// it.
	Fresh func(t testing.TB) (open func() *sql.DB)
	// Down opens a pool whose database cannot be reached.
	Down    func(t testing.TB) *sql.DB
	Trouble Trouble
	// Past is a time long ago, in SQL.
	Past string
	// ClockResolution and OneTransaction are those of [storetest.Subject].
	ClockResolution time.Duration
	OneTransaction  bool
}

// RunLaws tests the stores of a dialect against the laws of package storetest.
// They share one database, one after the other: emptying tables takes
// milliseconds, creating them a good part of a second.
func RunLaws(t *testing.T, l Laws) {
	t.Helper()
	storetest.Run(t, l.opener(t), Oracle)
	if l.Trouble.Distant != nil {
		t.Run("calls end in time although the database falls silent at COMMIT", l.silentAtCommit)
		t.Run("calls end in time although the database falls silent at ROLLBACK", l.silentAtRollback)
	}
}

// Oracle is the model that stores are compared with.
func Oracle(testing.TB) storetest.Subject[*memstore.Tx] {
	s := memstore.New(memstore.Config{})
	return storetest.Subject[*memstore.Tx]{Store: s, Expire: s.Expire}
}

// Empty returns the statements that delete all rows of a store whose tables
// have their default names after that prefix.
func Empty(prefix string) []string {
	var statements []string
	for _, table := range []string{"event", "dlq_event", "control", "instance", "consumed_event", "audit", "alert", "job", "destination"} {
		statements = append(statements, "DELETE FROM "+prefix+"outbox_"+table)
	}
	return statements
}

func (l Laws) opener(t testing.TB) storetest.Open[*sql.Tx] {
	open := l.Fresh(t)
	db := open()
	store := l.store(t, db)
	must(t, store.Migrate(t.Context()))
	exec(t, db, "CREATE TABLE business (n INTEGER)")
	var clients []*sqlstore.Store
	return func(tb testing.TB) storetest.Subject[*sql.Tx] {
		exec(tb, db, append(Empty(""), "DELETE FROM business")...)
		given := 0
		s := l.subject(db)
		s.Store = store
		l.add(&s, open)
		s.Client = func(testing.TB) storetest.Store[*sql.Tx] {
			if given++; given > len(clients) {
				pool := db // where only one connection can write, the pool has only that one
				if !l.OneTransaction {
					pool = open()
				}
				clients = append(clients, l.store(t, pool))
			}
			return clients[given-1]
		}
		return s
	}
}

func (l Laws) store(t testing.TB, db *sql.DB) *sqlstore.Store {
	t.Helper()
	store, err := sqlstore.New(db, l.Dialect, Unhurried()) // no law is about a busy machine
	must(t, err)
	return store
}

func (l Laws) subject(db *sql.DB) storetest.Subject[*sql.Tx] {
	run := func(ctx context.Context, query string) error {
		_, err := db.ExecContext(ctx, query)
		return err
	}
	inTx := func(ctx context.Context, tx *sql.Tx, query string) error {
		_, err := tx.ExecContext(ctx, query)
		return err
	}
	return storetest.Subject[*sql.Tx]{
		Change: func(ctx context.Context, tx *sql.Tx) error { return inTx(ctx, tx, "INSERT INTO business VALUES (1)") },
		Changes: func(ctx context.Context) (n int, err error) {
			return n, db.QueryRowContext(ctx, "SELECT count(*) FROM business").Scan(&n)
		},
		Savepoint: func(ctx context.Context, tx *sql.Tx, name string) error { return inTx(ctx, tx, "SAVEPOINT "+name) },
		RollbackTo: func(ctx context.Context, tx *sql.Tx, name string) error {
			return inTx(ctx, tx, "ROLLBACK TO SAVEPOINT "+name)
		},
		Expire: func(ctx context.Context, ids ...string) error {
			return run(ctx, "UPDATE outbox_event SET locked_until = "+l.Past+
				" WHERE locked_until IS NOT NULL AND event_id IN ('"+strings.Join(ids, "','")+"')")
		},
		Exec: run,
		Down: func(t testing.TB) storetest.Store[*sql.Tx] { return l.store(t, l.Down(t)) },
		NoSchema: func(t testing.TB) storetest.Store[*sql.Tx] {
			return l.store(t, l.Fresh(t)())
		},
		ClockResolution: l.ClockResolution,
		OneTransaction:  l.OneTransaction,
	}
}
