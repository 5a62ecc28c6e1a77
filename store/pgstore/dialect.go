package pgstore

import (
	"crypto/sha256"
	"database/sql"
	"embed"
	"encoding/hex"
	"strings"
	"time"

	"github.com/sendoff-go/outbox"
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
		Fault:         fault,
		Insert:        sqlstore.InsertTogether,
		Claim:         sqlstore.ClaimTogether,
		Replay:        sqlstore.ReplayTogether,
		Settle: []sqlstore.SettleStep{{
			Kinds: []outbox.OutcomeKind{outbox.Retry, outbox.Release, outbox.Dead},
			Query: func(q *sqlstore.Queries) sqlstore.Query { return q.SettleRest },
		}},
		Channel: channel,
		Probe:   "SELECT version()",
		Knows:   func(answer string) bool { return strings.HasPrefix(answer, "PostgreSQL") },
	}
}

func quote(name string) string { return `"` + name + `"` }

// maxChannel is the longest name that PostgreSQL takes for a channel.
const maxChannel = 63

// channel is the table's full name, or a hash of it where that is too long.
func channel(schema, table string) string {
	name := schema + "." + table
	if len(name) <= maxChannel {
		return name
	}
	sum := sha256.Sum256([]byte(name))
	return "outbox." + hex.EncodeToString(sum[:16])
}
