package dialecttest

import (
	"time"

	"github.com/sendoff-go/outbox/store/sqlstore"
)

// Unhurried is the configuration of stores whose calls must succeed, however
// busy the machine is. A limit that a call must run into is only for that call.
func Unhurried() sqlstore.Config { return unhurried(sqlstore.Tables{}) }

func unhurried(tables sqlstore.Tables) sqlstore.Config {
	const limit = 90 * time.Second
	return sqlstore.Config{Tables: tables, StatementTimeout: limit, SweepTimeout: limit}
}
