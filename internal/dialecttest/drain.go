package dialecttest

import (
	"context"
	"database/sql"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

// drainRows is the number of rows that a claim of [Drain] asks for.
const drainRows = 500

// Backlog writes as many events of 200 bytes as the benchmark has steps, to one
// lane or several by turns.
func Backlog(b *testing.B, store *sqlstore.Store, lanes ...string) {
	b.Helper()
	payload := []byte(`"` + strings.Repeat("x", 198) + `"`)
	w := outbox.NewWriter(store)
	for n := 0; n < b.N; n += drainRows {
		es := make([]outbox.Event, min(drainRows, b.N-n))
		for i := range es {
			es[i] = outbox.Event{Type: lanes[(n+i)%len(lanes)], JSON: payload}
		}
		if err := w.InTx(b.Context(), func(ctx context.Context, tx *sql.Tx) error {
			_, err := w.WriteAll(ctx, tx, es...)
			return err
		}); err != nil {
			b.Fatal(err)
		}
	}
}

// Drain measures how fast relays claim and settle what [Backlog] wrote. Each has a
// store and a lane, which another one may have too.
func Drain(b *testing.B, stores []*sqlstore.Store, lanes ...string) {
	b.Helper()
	b.ResetTimer()
	var done atomic.Int64
	var wg sync.WaitGroup
	for i, store := range stores {
		wg.Go(func() { drain(b, store, lanes[i%len(lanes)], &done) })
	}
	wg.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "events/s")
}

func drain(b *testing.B, store *sqlstore.Store, lane string, done *atomic.Int64) {
	owner := driver.NewOwner("drain")
	want := driver.Want{Lane: lane, Rows: drainRows}
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
