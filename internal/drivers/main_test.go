package drivers_test

import (
	"database/sql"
	"testing"

	"github.com/sendoff-go/outbox/internal/dialecttest"
)

func TestMain(m *testing.M) { dialecttest.Main(m) }

// closed closes a pool when the test ends.
func closed(t testing.TB, db *sql.DB, err error) *sql.DB {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}
