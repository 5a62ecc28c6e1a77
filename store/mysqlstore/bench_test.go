package mysqlstore_test

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

// BenchmarkDrain claims and settles what waits in one lane, with two workers and
// batches of 500 events of 200 bytes.
func BenchmarkDrain(b *testing.B) {
	for _, server := range servers {
		b.Run(server, func(b *testing.B) {
			db := openDB(b, with(b, testenv.Database(b, server), "interpolateParams", "true"))
			store := migrated(b, db)
			payload := `"` + strings.Repeat("x", 198) + `"`
			for n := 0; n < b.N; n += 500 {
				es := make([]outbox.Event, min(500, b.N-n))
				for i := range es {
					es[i] = outbox.Event{Type: "T", JSON: []byte(payload)}
				}
				writeAll(b, outbox.NewWriter(store), es...)
			}
			b.ResetTimer()
			var done atomic.Int64
			var wg sync.WaitGroup
			for range 2 {
				wg.Go(func() { drain(b, store, &done) })
			}
			wg.Wait()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "events/s")
		})
	}
}

func drain(b *testing.B, store *sqlstore.Store, done *atomic.Int64) {
	owner := driver.NewOwner("drain")
	want := driver.Want{Lane: "T", Rows: 500}
	for done.Load() < int64(b.N) && !b.Failed() {
		cs, err := store.Claim(b.Context(), driver.ClaimRequest{Owner: owner, Lease: time.Hour, Wants: []driver.Want{want}})
		if err != nil {
			b.Error(err)
			return
		}
		if len(cs) == 0 {
			want.After = driver.Position{}
			continue
		}
		outcomes := make([]driver.Outcome, len(cs))
		for i, c := range cs {
			outcomes[i] = driver.Outcome{Held: c.Held, Kind: driver.Done}
		}
		if stale, err := store.Settle(b.Context(), owner, outcomes, true); err != nil || len(stale) > 0 {
			b.Errorf("stale %v, error %v", stale, err)
		}
		want.After = cs[len(cs)-1].Position
		done.Add(int64(len(cs)))
	}
}
