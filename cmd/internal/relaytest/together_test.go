package relaytest_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/internal/relaykit"
	"github.com/sendoff-go/outbox/internal/testenv"
)

// Scenario 70, with a real server outage.
func TestAServerOutageOfThreeLeasesRepeatsOnlyUnsettledEvents(t *testing.T) {
	if testing.Short() {
		t.Skip("keeps a server away for three leases: run without -short")
	}
	// A machine that stands still for as long as the lease repeats more of them.
	const relays, total, lease = 3, 3000, 20 * time.Second
	server := testenv.Control(t, testenv.Postgres15)
	url := testenv.Database(t, testenv.Postgres15)
	var o relaykit.Outage
	var started atomic.Int64
	half := make(chan struct{})
	reg := outbox.NewRegistry()
	reg.Handle("A", func(ctx context.Context, e outbox.Event) error {
		o.Run(e.ID)
		if started.Add(1) == total/3 {
			close(half)
		}
		select {
		case <-time.After(20 * time.Millisecond):
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	cfg := fast
	cfg.Lease = lease
	cfg.Hooks.Settled = o.Settled
	h := openDatabase(t, url, dburl.Options{})
	for i := 0; i < total; i += 500 {
		writeDB(t, h.Writer(), numbered("A", i, i+500)...)
	}
	var stops []func()
	for i := range relays {
		one := openDatabase(t, url, dburl.Options{Driver: []string{"pgx", "sql"}[i%2]})
		c := cfg
		c.Name = fmt.Sprint("relay-", i)
		_, stop := runRelay(t, one, reg, c)
		stops = append(stops, stop)
	}
	<-half
	server.Crash()
	<-time.After(3 * lease)
	inHand := o.InHand()
	server.Start()
	awaitDone(t, h, total)
	for _, stop := range stops {
		stop()
	}
	extra, seen := o.Extra()
	t.Logf("%d in hand as the server came back; %d runs too many", inHand, extra)
	if seen != total || extra > inHand {
		t.Errorf("%d of %d events ran, %d times too often; allowed are the %d in hand", seen, total, extra, inHand)
	}
	if s, err := h.Store.Stats(t.Context()); err != nil || s.Waiting.N+s.Held.N+s.Dead.N != 0 {
		t.Errorf("left behind: %+v, %v", s, err)
	}
}
