package mysqlstore_test

import (
	"testing"

	"github.com/sendoff-go/outbox/internal/dialecttest"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

// BenchmarkDrain claims and settles what waits in one lane, with two workers and
// batches of 500 events of 200 bytes.
func BenchmarkDrain(b *testing.B) {
	for _, server := range servers {
		b.Run(server, func(b *testing.B) {
			store := migrated(b, openDB(b, with(b, testenv.Database(b, server), "interpolateParams", "true")))
			dialecttest.Backlog(b, store, "T")
			dialecttest.Drain(b, []*sqlstore.Store{store, store}, "T")
		})
	}
}
