package doctor_test

import (
	"testing"
	"time"

	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/cmd/internal/doctor"
	"github.com/sendoff-go/outbox/driver"
)

func announce(t *testing.T, db *dburl.Handle, owner, version string, lanes ...string) {
	t.Helper()
	if err := db.Store.Announce(t.Context(), driver.Instance{Owner: driver.Owner(owner), Version: version, Lanes: lanes}); err != nil {
		t.Fatal(err)
	}
}

func TestAnEventTypeThatNobodyClaimsIsFound(t *testing.T) {
	onEach(t, servers, func(t *testing.T, db *dburl.Handle, _ string) {
		soon := doctor.Options{Limits: doctor.Limits{Unclaimed: time.Millisecond}}
		wants(t, db, "relays", soon, doctor.Warning, "no relay is alive; no event is due")
		exec(t, db, insert)
		until(t, db, "relays", soon, doctor.Failure, "no relay is alive, and an event has waited")
		announce(t, db, "relay/1", "1", "order-paid")
		until(t, db, "lanes", soon, doctor.Failure, "no live relay claims: order-placed for")
		wants(t, db, "lanes", doctor.Options{Limits: doctor.Limits{Unclaimed: time.Hour}}, doctor.OK, "")
		if err := db.Store.SetPaused(t.Context(), driver.PausableLane("order-placed"), true, "ann"); err != nil {
			t.Fatal(err)
		}
		wants(t, db, "lanes", soon, doctor.Warning, "paused events are waiting: order-placed")
		if err := db.Store.SetPaused(t.Context(), driver.PausableLane("order-placed"), false, "ann"); err != nil {
			t.Fatal(err)
		}
		announce(t, db, "relay/2", "1", "order-placed")
		wants(t, db, "lanes", soon, doctor.OK, "1 event type has")
		if err := db.Store.SetPaused(t.Context(), driver.PausableDestination("kafkasink#0:orders"), true, "ann"); err != nil {
			t.Fatal(err)
		}
		wants(t, db, "lanes", soon, doctor.Warning, "events are waiting while destinations are paused: kafkasink#0:orders")
		if err := db.Store.SetPaused(t.Context(), driver.PausableDestination("kafkasink#0:orders"), false, "ann"); err != nil {
			t.Fatal(err)
		}
		wants(t, db, "relays", soon, doctor.OK, "2 relays are alive")
		announce(t, db, "relay/3", "2", "order-placed")
		wants(t, db, "relays", soon, doctor.Warning, "3 relays of the versions 1, 2")
	})
}

func TestAWrongClockIsFound(t *testing.T) {
	onEach(t, three, func(t *testing.T, db *dburl.Handle, _ string) {
		for _, off := range []time.Duration{time.Hour, -time.Hour} {
			f := wants(t, db, "clock", doctor.Options{Now: func() time.Time { return time.Now().Add(off) }}, doctor.Warning, "differ by")
			t.Log(f.Seen)
		}
		wants(t, db, "clock", doctor.Options{Limits: doctor.Limits{Clock: time.Minute}}, doctor.OK, "")
	})
}
