package tidbstore

import (
	"database/sql"
	"embed"
	"strings"

	"github.com/sendoff-go/outbox/store/mysqlstore"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

//go:embed sql/*.sql migrations/*.sql
var files embed.FS

// Dialect is the dialect of TiDB: that of MySQL with other tables, other claims,
// and batches that stand in the text of statements.
func Dialect() sqlstore.Dialect {
	d := mysqlstore.Dialect()
	d.Name = "TiDB"
	d.SQL = layers{files, d.SQL}
	d.Bind, d.Spelled = nil, true
	d.NoSkip = true
	d.Claim = sqlstore.ClaimWithoutSkip
	d.AdoptLocks = ""
	d.Knows = func(answer string) bool { return strings.Contains(answer, "-TiDB-") }
	return d
}

// Config changes a store. The zero value is the documented default.
type Config = sqlstore.Config

// New makes a store on a pool. It sends nothing to the database. The zero
// value of the configuration is the documented default. It fails only on invalid
// table names, with [github.com/sendoff-go/outbox/driver.ErrName].
func New(db *sql.DB, c Config) (*sqlstore.Store, error) {
	return sqlstore.New(db, Dialect(), c)
}
