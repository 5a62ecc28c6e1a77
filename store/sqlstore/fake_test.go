package sqlstore

import (
	"context"
	sqldriver "database/sql/driver"
	"errors"
	"io"
	"reflect"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// server is a database whose faults a test places exactly. Statements find and
// change nothing.
type server struct {
	mu     sync.Mutex
	opened int // connections so far; the first has number 1
	closed []int
	sent   []string

	prepared, ran []string // texts of statements

	prepare func(text string) error // nil: it prepares nothing
	begin   func(conn int) error
	query   func(ctx context.Context, conn int, query string) error
	commit  func(conn int) error
}

// The errors that the fake dialect tells apart.
var (
	errAnswer    = errors.New("an answer of the server")
	errConflict  = errors.New("deadlock")
	errLocked    = errors.New("lock timeout")
	errLimit     = errors.New("statement timeout")
	errReadOnly  = errors.New("read-only")
	errDuplicate = errors.New("duplicate")
	errMissing   = errors.New("no such table")
	errLost      = errors.New("connection reset")
)

func fakeFault(err error) Fault {
	for known, fault := range map[error]Fault{
		errAnswer: FaultOther, errConflict: FaultConflict, errReadOnly: FaultReadOnly,
		errDuplicate: FaultDuplicate, errMissing: FaultMissing, errLocked: FaultLocked, errLimit: FaultLimit,
	} {
		if errors.Is(err, known) {
			return fault
		}
	}
	return FaultLost
}

// fakeDialect has every statement, each with its own name as its text.
func fakeDialect() Dialect {
	files := fstest.MapFS{"migrations/0001_create.up.sql": {Data: []byte("CREATE;\n")}}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[Queries]()) {
		name, option, _ := strings.Cut(field.Tag.Get("sql"), ",")
		if option != "optional" {
			files["sql/"+name+".sql"] = &fstest.MapFile{Data: []byte(name)}
		}
	}
	return Dialect{
		Name:       "fake",
		SQL:        files,
		Quote:      func(name string) string { return `"` + name + `"` },
		Text:       func(_, table string) string { return table },
		Resolution: time.Microsecond,
		Time:       func(t time.Time) any { return t },
		Bind:       func(b Batch) ([]any, error) { return []any{int64(b.Rows())}, nil },
		Fault:      fakeFault,
		Insert:     InsertTogether,
		Claim:      ClaimTogether,
		Replay:     ReplayTogether,
	}
}

// unhurried is longer than a busy machine stands still.
const unhurried = 2 * time.Minute

// newFake is a store on a fake server, whose calls have all the time they need.
func newFake(t *testing.T, s *server) *Store {
	t.Helper()
	return newTimed(t, s, unhurried)
}

// claim is any call of the relay.
func claim(ctx context.Context, s *Store) error {
	_, err := s.Claim(ctx, driver.ClaimRequest{Owner: "a", Lease: time.Second, Wants: []driver.Want{{Lane: "l", Rows: 1}}})
	return err
}

func (s *server) Connect(context.Context) (sqldriver.Conn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.opened++
	return &fakeConn{server: s, number: s.opened}, nil
}

func (s *server) Driver() sqldriver.Driver { return nil }

type fakeConn struct {
	server *server
	number int
}

func (c *fakeConn) Begin() (sqldriver.Tx, error) { return nil, errors.New("no context") }

func (c *fakeConn) Close() error {
	c.server.mu.Lock()
	defer c.server.mu.Unlock()
	c.server.closed = append(c.server.closed, c.number)
	return nil
}

func (c *fakeConn) BeginTx(context.Context, sqldriver.TxOptions) (sqldriver.Tx, error) {
	if c.server.begin != nil {
		if err := c.server.begin(c.number); err != nil {
			return nil, err
		}
	}
	return fakeTx{c}, nil
}

func (c *fakeConn) QueryContext(ctx context.Context, query string, _ []sqldriver.NamedValue) (sqldriver.Rows, error) {
	return noRows{}, c.send(ctx, query)
}

func (c *fakeConn) ExecContext(ctx context.Context, query string, _ []sqldriver.NamedValue) (sqldriver.Result, error) {
	return sqldriver.RowsAffected(0), c.send(ctx, query)
}

func (c *fakeConn) send(ctx context.Context, query string) error {
	c.server.mu.Lock()
	c.server.sent = append(c.server.sent, query)
	c.server.mu.Unlock()
	if c.server.query == nil {
		return nil
	}
	return c.server.query(ctx, c.number, query)
}

type fakeTx struct{ conn *fakeConn }

func (tx fakeTx) Rollback() error { return nil }

func (tx fakeTx) Commit() error {
	if tx.conn.server.commit == nil {
		return nil
	}
	return tx.conn.server.commit(tx.conn.number)
}

type noRows struct{}

func (noRows) Columns() []string            { return nil }
func (noRows) Close() error                 { return nil }
func (noRows) Next([]sqldriver.Value) error { return io.EOF }
