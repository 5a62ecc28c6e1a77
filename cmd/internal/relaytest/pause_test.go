package relaytest_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/await"
	"github.com/sendoff-go/outbox/observe"
	"github.com/sendoff-go/outbox/outboxtest"
)

// inForce is two seconds, and more for a machine that stalls. Ticks count it, because
// there are none while the machine stands still.
const inForce, ticks = 10 * time.Second, 100

// Two relays with a destination each for two types; one of them is paused.
func TestAPausedDestinationGetsNothingFromAnyRelay(t *testing.T) {
	const each = 200
	onDatabases(t, func(t *testing.T, h *dburl.Handle) {
		paused, other := &outboxtest.FlakySink{}, newCounter(each)
		reg := outbox.NewRegistry()
		reg.Route("A", paused, outbox.To("orders"))
		reg.Handle("B", other.Handle)
		what := driver.PausableDestination(reg.Lookup("", "A").Name())
		told := make(chan observe.PausedInfo, 100)
		cfg := fast
		cfg.Hooks.Paused = func(i observe.PausedInfo) { told <- i }
		cfg.Hooks.Breaker = func(i observe.BreakerInfo) { t.Errorf("told as an outage: %+v", i) }
		r, _ := runRelay(t, h, reg, cfg)
		_, _ = runRelay(t, h, reg, cfg)
		set := func(value bool) {
			t.Helper()
			start := time.Now()
			if err := h.Store.SetPaused(t.Context(), what, value, "ann"); err != nil {
				t.Fatal(err)
			}
			tick := time.NewTicker(inForce / ticks)
			defer tick.Stop()
			for relays, n := 0, 0; relays < 2; {
				select {
				case i := <-told:
					if relays, n = relays+1, 0; i.Paused != value || i.Target != what.Name {
						t.Errorf("told %+v, expected %q paused: %t", i, what.Name, value)
					}
				case <-tick.C:
					if n++; n > ticks {
						t.Fatalf("paused: %t is not in force on both relays after %s", value, inForce)
					}
				}
			}
			t.Logf("paused: %t was in force on both after %s", value, time.Since(start))
		}
		set(true)
		hot := h.Writer(r.HotPath(), outbox.WithLogger(quietLog()))
		writeDB(t, hot, append(numbered("A", 0, each/2), numbered("B", 0, each/2)...)...)
		writeDB(t, h.Writer(), append(numbered("A", each/2, each), numbered("B", each/2, each)...)...)
		other.await(t)
		awaitSettled(t, h, "B")
		wantPaused(t, h, what.Name, each)
		if n := len(paused.Sent()); n != 0 || paused.Checks() != 0 {
			t.Errorf("%d were sent in the pause, after %d checks", n, paused.Checks())
		}
		set(false)
		awaitSettled(t, h, "A")
		if n := len(paused.Sent()); n != each {
			t.Errorf("%d of %d were sent", n, each)
		}
		if s, err := h.Store.Stats(t.Context()); err != nil || s.Done.N != 2*each || s.Dead.N != 0 {
			t.Errorf("%+v, %v", s, err)
		}
	})
}

// wantPaused expects that many events to wait without an attempt, and the
// database to say why.
func wantPaused(t *testing.T, h *dburl.Handle, name string, n int) {
	t.Helper()
	es, _, err := h.Store.ListEvents(t.Context(), driver.EventFilter{Lane: "A"}, nil, 2*n)
	if err != nil || len(es) != n {
		t.Errorf("%d events of %d wait, error %v", len(es), n, err)
	}
	for _, e := range es {
		if e.Attempts != 0 {
			t.Errorf("%s has %d attempts", e.Event.ID, e.Attempts)
		}
	}
	pauses, err := h.Store.Paused(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var relays []driver.Instance // which announce themselves beside their work
	await.Within(t, patience, "the database shows that "+name+" is paused on both relays", func() bool {
		if relays, err = h.Store.Instances(t.Context()); err != nil {
			t.Fatal(err)
		}
		return slices.ContainsFunc(admin.DestinationsOf(relays, pauses), func(d admin.Destination) bool {
			return d.Name == name && d.State == admin.DestinationPaused && d.PausedBy == "ann" && d.Relays == 2 && d.RelaysDown == 0
		})
	}, func() string { return fmt.Sprintf("%+v", relays) })
}
