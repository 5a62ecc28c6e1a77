package tidbstore_test

import (
	"fmt"
	"testing"

	"github.com/sendoff-go/outbox/internal/dialecttest"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

// BenchmarkDrain compares relays that claim and settle what waits in one lane, 500
// events of 200 bytes at a time, with relays that have a lane each and never meet,
// and with a floor: one connection that marks and deletes the same rows by ranges
// of their key, and asks for nothing.
//
//	scripts/with-servers tidb -- go test ./store/tidbstore -run - -bench Drain -benchtime 20000x -count 5
func BenchmarkDrain(b *testing.B) {
	testenv.URL(b, testenv.TiDB) // or skip all of it
	b.Run("floor", func(b *testing.B) {
		db := openDB(b, testenv.Database(b, testenv.TiDB)+"?interpolateParams=true")
		backlog(b, newStore(db), "T")
		b.ResetTimer()
		for from := 0; from < b.N; from += 500 {
			for _, statement := range []string{
				"UPDATE outbox_event SET locked_by = 'floor', locked_until = UTC_TIMESTAMP(6) + INTERVAL 1 HOUR, claim_no = claim_no + 1 WHERE seq > ? AND seq <= ?",
				"DELETE FROM outbox_event WHERE seq > ? AND seq <= ?",
			} {
				if _, err := db.ExecContext(b.Context(), statement, from, from+500); err != nil {
					b.Fatal(err)
				}
			}
		}
		b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "events/s")
		var left int
		if err := db.QueryRowContext(b.Context(), "SELECT count(*) FROM outbox_event").Scan(&left); err != nil || left > 0 {
			b.Errorf("%d rows are left, error %v: the ranges are not those of the keys", left, err)
		}
	})
	for _, c := range []struct{ relays, lanes int }{{1, 1}, {2, 1}, {4, 1}, {2, 2}, {4, 4}} {
		b.Run(fmt.Sprintf("%d relays, %d lanes", c.relays, c.lanes), func(b *testing.B) {
			address := testenv.Database(b, testenv.TiDB) + "?interpolateParams=true"
			stores := make([]*sqlstore.Store, c.relays)
			for i := range stores {
				stores[i] = newStore(openDB(b, address))
			}
			lanes := make([]string, c.lanes)
			for i := range lanes {
				lanes[i] = fmt.Sprint("T", i)
			}
			backlog(b, stores[0], lanes...)
			dialecttest.Drain(b, stores, lanes...)
		})
	}
}

func backlog(b *testing.B, store *sqlstore.Store, lanes ...string) {
	b.Helper()
	if err := store.Migrate(b.Context()); err != nil {
		b.Fatal(err)
	}
	dialecttest.Backlog(b, store, lanes...)
}
