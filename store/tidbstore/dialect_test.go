package tidbstore_test

import (
	"database/sql"
	"io/fs"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox/internal/dialecttest"
	"github.com/sendoff-go/outbox/internal/locktest"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/mysqlstore"
	"github.com/sendoff-go/outbox/store/tidbstore"
)

func TestDialect(t *testing.T) {
	testenv.URL(t, testenv.TiDB) // or skip all of it
	dialecttest.Run(t, dialecttest.Subject{
		Dialect: tidbstore.Dialect(), Fresh: fresh, NoAdoption: true, Analyze: "ANALYZE TABLE outbox_event",
		Large: 4 << 20, // a row has at most 6 MiB by default, and its embedded store takes no more
	})
}

func TestTheLawsOfLocksHold(t *testing.T) {
	address := testenv.Database(t, testenv.TiDB)
	open := func() *sql.DB { return openDB(t, address) }
	locktest.Run(t, locktest.Laws{Dialect: tidbstore.Dialect(), Relay: open, Others: open}, false)
}

func TestDialectKnowsItsServers(t *testing.T) {
	for answer, known := range map[string]bool{
		"8.0.11-TiDB-v8.5.1":         true,
		"5.7.25-TiDB-v6.5.0-alpha":   true,
		"8.0.15":                     false,
		"10.11.14-MariaDB-0+deb12u2": false,
	} {
		if got := tidbstore.Dialect().Knows(answer); got != known {
			t.Errorf("%q: %t, expected %t", answer, got, known)
		}
		if known && mysqlstore.Dialect().Knows(answer) {
			t.Errorf("%q: MySQL's dialect knows it too", answer)
		}
	}
}

// A file that MySQL's dialect does not have is a statement of this one alone, or
// a misspelt name that takes the place of nothing.
func TestFilesTakeThePlaceOfThoseOfMySQL(t *testing.T) {
	own := map[string]bool{"sql/claim_ahead.sql": true, "sql/dlq_where_key.sql": true, "sql/held_where.sql": true, "sql/hot_where.sql": true, "sql/sweep_marked_which.sql": true}
	err := fs.WalkDir(tidbstore.Files, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || own[path] {
			return err
		}
		if _, err := fs.Stat(mysqlstore.Dialect().SQL, path); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		text, err := fs.ReadFile(tidbstore.Files, path)
		if strings.Contains(string(text), "SKIP LOCKED") {
			t.Errorf("%s says SKIP LOCKED", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
