package mysqlstore

import (
	"context"
	"database/sql"
	"embed"
	"regexp"
	"strings"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

//go:embed sql/*.sql migrations/*.sql
var files embed.FS

// Dialect is the dialect of MySQL and MariaDB.
func Dialect() sqlstore.Dialect {
	return sqlstore.Dialect{
		Name:        "MySQL",
		SQL:         files,
		Quote:       func(name string) string { return "`" + name + "`" },
		Text:        text,
		Positional:  true,
		HidesTables: true,
		Begin:       []string{"SET TRANSACTION ISOLATION LEVEL READ COMMITTED", "START TRANSACTION"},
		Resolution:  time.Microsecond,
		Time:        func(t time.Time) any { return t.UTC().Format("2006-01-02 15:04:05.000000") },
		Bind:        sqlstore.BindJSON,
		LaneByLane:  true,
		Fault:       fault,
		Answer:      answered,
		Insert:      sqlstore.InsertRows,
		Claim:       sqlstore.ClaimInSteps,
		Replay:      replay,
		Settle: []sqlstore.SettleStep{
			{Kinds: []driver.OutcomeKind{driver.Retry, driver.Release}, Query: func(q *sqlstore.Queries) sqlstore.Query { return q.SettleRest }},
			{Kinds: []driver.OutcomeKind{driver.Dead}, Query: func(q *sqlstore.Queries) sqlstore.Query { return q.DeadCopy }},
			{Kinds: []driver.OutcomeKind{driver.Dead}, Query: func(q *sqlstore.Queries) sqlstore.Query { return q.DoneDelete }},
		},
		AdoptLocks: "whoever writes it waits until the end",
		Probe:      "SELECT VERSION()",
		Knows:      knows,
	}
}

// text names a table to the catalog; without a schema it is in the
// connection's.
func text(schema, table string) string {
	if schema == "" {
		return table
	}
	return schema + "." + table
}

var version = regexp.MustCompile(`^\d+\.\d+\.\d+`)

// knows excludes TiDB, which speaks the same protocol but ignores SKIP LOCKED:
// two claimers would get the same rows.
func knows(answer string) bool {
	return version.MatchString(answer) && !strings.Contains(answer, "TiDB")
}

// replay is [sqlstore.ReplayInSteps], retried if another transaction wrote an
// event of the same id between its steps: then the first step sees it.
func replay(ctx context.Context, s *sqlstore.Session, keys []driver.DeadKey) ([]sqlstore.Grave, error) {
	status, err := sqlstore.ReplayInSteps(ctx, s, keys)
	if err != nil && fault(err) == sqlstore.FaultDuplicate {
		return nil, raced{err}
	}
	return status, err
}

// raced is a conflict with another transaction that the server reported as
// something else.
type raced struct{ error }

func (e raced) Unwrap() error { return e.error }

// Config changes a store. The zero value is the documented default.
type Config = sqlstore.Config

// New makes a store on a pool. It sends nothing to the database. The zero
// value of the configuration is the documented default. It fails only on invalid
// table names, with [github.com/sendoff-go/outbox/driver.ErrName].
func New(db *sql.DB, c Config) (*sqlstore.Store, error) {
	return sqlstore.New(db, Dialect(), c)
}
