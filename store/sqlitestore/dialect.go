package sqlitestore

import (
	"embed"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

//go:embed sql/*.sql migrations/*.sql
var files embed.FS

// Dialect is SQLite's.
func Dialect() sqlstore.Dialect {
	return sqlstore.Dialect{
		Name:       "SQLite",
		SQL:        files,
		NoSchemas:  true,
		Quote:      func(name string) string { return `"` + name + `"` },
		Text:       func(_, table string) string { return table },
		Resolution: time.Millisecond,
		Time:       func(t time.Time) any { return t.UnixMicro() },
		Bind:       sqlstore.BindJSON,
		Fault:      fault,
		Answer:     answered,
		Embedded:   true,
		CheckPool:  checkPool,
		ConflictAdvice: "another transaction wrote first: run this one again, " +
			"and let transactions that read before they write take the write lock when they begin (_txlock=immediate, which sqlitestore.Open sets)",
		Insert: sqlstore.InsertOneByOne,
		Claim:  sqlstore.ClaimLaneByLane,
		Replay: sqlstore.ReplayInSteps,
		Settle: []sqlstore.SettleStep{
			{Kinds: []driver.OutcomeKind{driver.Retry}, Query: func(q *sqlstore.Queries) sqlstore.Query { return q.Retry }},
			{Kinds: []driver.OutcomeKind{driver.Release}, Query: func(q *sqlstore.Queries) sqlstore.Query { return q.Release }},
			{Kinds: []driver.OutcomeKind{driver.Dead}, Query: func(q *sqlstore.Queries) sqlstore.Query { return q.DeadCopy }, Silent: true},
			{Kinds: []driver.OutcomeKind{driver.Dead}, Query: func(q *sqlstore.Queries) sqlstore.Query { return q.DoneDelete }},
		},
		AdoptLocks: "whoever writes to the file waits until the end",
		Probe:      "SELECT sqlite_version()",
		Knows:      func(string) bool { return true },
	}
}
