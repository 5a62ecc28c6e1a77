package pgstore

import (
	"database/sql"
	"embed"
	"strings"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

//go:embed sql/*.sql migrations/*.sql
var files embed.FS

// Dialect is PostgreSQL's.
func Dialect() sqlstore.Dialect {
	return sqlstore.Dialect{
		Name:          "PostgreSQL",
		SQL:           files,
		DefaultSchema: "public",
		Quote:         quote,
		Text:          func(schema, table string) string { return quote(schema) + "." + quote(table) },
		Isolation:     sql.LevelReadCommitted,
		Resolution:    time.Microsecond,
		Time:          func(t time.Time) any { return timestamp(t) },
		Bind:          bind,
		ChecksJSON:    true,
		KeyIsID:       true,
		Fault:         fault,
		Detail:        detail,
		Answer:        answered,
		Advice:        advice,
		Insert:        sqlstore.InsertTogether,
		Claim:         sqlstore.ClaimTogether,
		Replay:        sqlstore.ReplayTogether,
		Settle: []sqlstore.SettleStep{{
			Kinds: []driver.OutcomeKind{driver.Retry, driver.Release, driver.Dead},
			Query: func(q *sqlstore.Queries) sqlstore.Query { return q.SettleRest },
		}},
		Notify: func(schema, table string, lanes []string) []any {
			return []any{channel(schema, table), NotifyPayload(lanes)}
		},
		AdoptLocks: "whoever reads or writes it waits until the end",
		Probe:      "SELECT version()",
		Knows:      func(answer string) bool { return strings.HasPrefix(answer, "PostgreSQL") },
	}
}

func quote(name string) string { return `"` + name + `"` }
