package sqlstore

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"testing"

	"github.com/sendoff-go/outbox/internal/await"
)

// ending is a driver whose connections are lost with their transaction, as all are
// that cannot reset a session. It says when one is being rolled back.
type ending struct{ rolls chan struct{} }

func (e ending) Connect(context.Context) (driver.Conn, error) { return e, nil }
func (e ending) Driver() driver.Driver                        { return e }
func (e ending) Open(string) (driver.Conn, error)             { return e, nil }
func (ending) Prepare(string) (driver.Stmt, error)            { return nil, driver.ErrBadConn }
func (ending) Close() error                                   { return nil }
func (e ending) Begin() (driver.Tx, error)                    { return e, nil }
func (ending) Commit() error                                  { return nil }
func (e ending) Rollback() error                              { e.rolls <- struct{}{}; return nil }

// Without care, database/sql panics here under the race detector. Without it, no panic
// was seen in 150,000 turns.
func TestAConnectionThatIsLostWhileItIsReleasedDoesNotPanic(t *testing.T) {
	e := ending{make(chan struct{})}
	db := sql.OpenDB(e)
	defer func() { _ = db.Close() }() // nothing is open
	for i := range 50_000 {
		conn, err := db.Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		c := &connection{conn: conn}
		if c.own, err = conn.BeginTx(ctx, nil); err != nil {
			t.Fatal(err)
		}
		cancel()
		<-e.rolls
		c.Rollback(ctx)
		if i%2 == 0 {
			_ = c.Send(ctx, "RESTORE") // fails
		}
		c.Release(true)
	}
	await.Until(t, "all connections are closed", func() bool { return db.Stats().OpenConnections == 0 })
}
