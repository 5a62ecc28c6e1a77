package admin_test

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/driver"
)

func TestDestinationsAreDeliveringPausedOrDown(t *testing.T) {
	seen := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	relays := []driver.Instance{
		{SeenAt: seen, Destinations: []driver.InstanceDestination{{Name: "b", Down: time.Minute, Reason: "late"}, {Name: "d", Down: time.Second, Reason: "gone"}, {Name: "a", Lanes: []string{"z", "x"}, More: true}}},
		{SeenAt: seen, Destinations: []driver.InstanceDestination{{Name: "a", Lanes: []string{"x", "y"}}, {Name: "b", Down: time.Hour, Reason: "refused"}}},
		{SeenAt: seen, Destinations: []driver.InstanceDestination{{Name: "b"}}},
	}
	pauses := []driver.Pause{
		{Pausable: driver.PausableDestination("c"), By: "ann", At: seen}, {Pausable: driver.PausableDestination("d"), By: "bob", At: seen},
		{Pausable: driver.PausableLane("a"), By: "cyd", At: seen},
	}
	ago := func(d time.Duration) *time.Time { at := seen.Add(-d); return &at }
	want := []admin.Destination{
		{Name: "a", State: "delivering", Types: []string{"x", "y", "z"}, MoreTypes: true, Relays: 2},
		{Name: "b", State: "down", DownSince: ago(time.Hour), Reason: "refused", Relays: 3, RelaysDown: 2},
		{Name: "c", State: "paused", PausedBy: "ann", PausedAt: ago(0)},
		{Name: "d", State: "paused", PausedBy: "bob", PausedAt: ago(0), DownSince: ago(time.Second), Reason: "gone", Relays: 1, RelaysDown: 1},
	}
	got := admin.DestinationsOf(relays, pauses)
	same := func(a, b *time.Time) bool { return (a == nil) == (b == nil) && (a == nil || a.Equal(*b)) }
	if !slices.EqualFunc(got, want, func(a, b admin.Destination) bool {
		ok := same(a.PausedAt, b.PausedAt) && same(a.DownSince, b.DownSince) && slices.Equal(a.Types, b.Types)
		a.PausedAt, b.PausedAt, a.DownSince, b.DownSince, a.Types, b.Types = nil, nil, nil, nil, nil, nil
		return ok && reflect.DeepEqual(a, b)
	}) {
		t.Errorf("%+v\nexpected\n%+v", got, want)
	}
}

func TestADestinationIsPausedAndResumed(t *testing.T) {
	r := newRig(t)
	if err := r.store.Announce(t.Context(), driver.Instance{Owner: "relay/1", Destinations: []driver.InstanceDestination{{Name: "kafkasink#0:orders"}}}); err != nil {
		t.Fatal(err)
	}
	var list struct{ Destinations []admin.Destination }
	state := func() admin.Destination {
		t.Helper()
		r.want(200, r.send(admin.Viewer, "GET", "/api/v1/destinations", ""), &list)
		if len(list.Destinations) != 1 {
			t.Fatalf("%+v", list)
		}
		return list.Destinations[0]
	}
	if d := state(); d.State != admin.DestinationDelivering || d.Relays != 1 || d.PausedAt != nil {
		t.Errorf("at first %+v", d)
	}
	var out struct{ Paused, Destinations []string }
	r.want(200, r.send(admin.Operator, "POST", "/api/v1/pause", `{"destinations":["kafkasink#0:orders"],"note":"mended"}`), &out)
	if len(out.Paused) != 0 || !slices.Equal(out.Destinations, []string{"kafkasink#0:orders"}) {
		t.Errorf("paused are %+v", out)
	}
	if d := state(); d.State != admin.DestinationPaused || d.PausedBy != "olga" || d.PausedAt == nil {
		t.Errorf("paused %+v", d)
	}
	var s admin.Status
	if r.want(200, r.send(admin.Viewer, "GET", "/api/v1/status", ""), &s); len(s.Paused) != 0 || len(s.Destinations) != 1 || s.Destinations[0].State != admin.DestinationPaused {
		t.Errorf("the status is %+v", s)
	}
	r.want(200, r.send(admin.Operator, "POST", "/api/v1/resume", `{"destinations":["kafkasink#0:orders"]}`), &out)
	if d := state(); d.State != admin.DestinationDelivering || len(out.Destinations) != 0 {
		t.Errorf("resumed %+v, paused are %+v", d, out)
	}
	var log struct{ Entries []admin.AuditEntry }
	r.want(200, r.send(admin.Viewer, "GET", "/api/v1/audit", ""), &log)
	if es := log.Entries; len(es) != 2 || es[0].Action != "resume-destination" || es[1].Action != "pause-destination" || es[1].Note != "mended" || es[1].By != "olga" || es[1].Subjects[0] != "kafkasink#0:orders" {
		t.Errorf("audited %+v", es)
	}
}
