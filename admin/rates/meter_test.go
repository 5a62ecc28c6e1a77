package rates_test

import (
	"math"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/admin/rates"
	"github.com/sendoff-go/outbox/driver"
)

var start = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

// above and below are the bounds of a bucket of ages.
var above, below = driver.AgeBounds(driver.AgeBucket(10 * time.Millisecond))

func at(seconds int) time.Time { return start.Add(time.Duration(seconds) * time.Second) }

// relay returns a relay that announced n deliveries and f failed attempts.
func relay(owner string, started, seen int, n, f int64) admin.Relay {
	return admin.Relay{
		Owner: owner, StartedAt: at(started), SeenAt: at(seen), Types: []string{"a"},
		Figures: admin.Figures{Workers: 4, Busy: float64(n) / 10, Types: []admin.TypeFigures{{
			Type: "a", Delivered: n, Hot: n / 2, Failed: f, Ages: []admin.AgeBucket{{Below: below.Seconds(), N: n}},
		}}},
	}
}

func state(waiting int64, relays ...admin.Relay) admin.Status {
	return admin.Status{Lane: admin.Lane{Type: "*", Waiting: admin.Count{N: waiting}}, Relays: relays}
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-9 {
		t.Errorf("%s is %v, expected %v", what, got, want)
	}
}

func TestAStepUsesTheRatesOfTheLastAnnouncements(t *testing.T) {
	var m rates.Meter
	if _, ok := m.Add(state(10, relay("one", -60, 0, 1000, 0), relay("two", -60, 0, 50, 0)), at(0)); ok {
		t.Error("the first state is compared with nothing")
	}
	if _, ok := m.Add(state(10, relay("one", -60, 0, 1000, 0), relay("two", -60, 0, 50, 0)), at(2)); ok {
		t.Error("no relay has announced itself again, and the rates are known")
	}
	step, ok := m.Add(state(30, relay("one", -60, 5, 1100, 5), relay("two", -60, 5, 60, 0)), at(6))
	if !ok || step.Took != 4*time.Second {
		t.Fatalf("got %v after %s", ok, step.Took)
	}
	near(t, "the rate", step.PerSecond(step.Total.Delivered), 22)
	near(t, "that of the type", step.PerSecond(step.Types["a"].Delivered), 22)
	near(t, "that right after the commit", step.PerSecond(step.Total.Hot), 11)
	near(t, "failing", step.PerSecond(step.Total.Failed), 1)
	near(t, "in", step.In(), 22+20.0/4)
	near(t, "busy", step.Busy, 4*2.2)
	if p := step.Total.Percentile(0.99); p < above || p > below {
		t.Errorf("p99 is %s", p)
	}
	// Nobody announced anything: what they did before goes on.
	if step, ok = m.Add(state(30, relay("one", -60, 5, 1100, 5), relay("two", -60, 5, 60, 0)), at(8)); !ok {
		t.Fatal("the rates are forgotten")
	}
	near(t, "the rate", step.PerSecond(step.Total.Delivered), 22)
	if busy := m.Relays()["one"].Busy; busy != 2 {
		t.Errorf("busy %v a second", busy)
	}
}

func TestARelayThatJustStartedCountsFromItsStart(t *testing.T) {
	var m rates.Meter
	m.Add(state(0), at(0))
	step, ok := m.Add(state(0, relay("new", 0, 4, 40, 0)), at(5))
	if !ok {
		t.Fatal("not ok")
	}
	near(t, "the rate", step.PerSecond(step.Total.Delivered), 10)
}

func TestARelayThatFellSilentDoesNotHideTheOthers(t *testing.T) {
	var m rates.Meter
	gone := relay("gone", -600, -20, 7, 0)
	m.Add(state(0, gone, relay("one", -600, 0, 0, 0)), at(0))
	if _, ok := m.Add(state(0, gone, relay("one", -600, 5, 50, 0)), at(6)); ok {
		t.Error("it may still announce itself")
	}
	step, ok := m.Add(state(0, gone, relay("one", -600, 15, 150, 0)), at(16))
	if !ok {
		t.Fatal("the rates are hidden")
	}
	near(t, "the rate", step.PerSecond(step.Total.Delivered), 10)
}

func TestARelayThatWasKilledDeliversNothingMore(t *testing.T) {
	var m rates.Meter
	m.Add(state(0, relay("one", -600, 0, 0, 0)), at(0))
	killed := relay("one", -600, 5, 500, 0)
	for now := 5; now <= 60; now += 5 { // as long as it is listed
		step, ok := m.Add(state(0, killed), at(now))
		if !ok {
			t.Fatalf("not ok after %d s", now)
		}
		want := 100.0
		if now > 5+12 {
			want = 0
		}
		near(t, "the rate", step.PerSecond(step.Total.Delivered), want)
		near(t, "in", step.In(), want)
		near(t, "busy", m.Relays()["one"].Busy, want/10)
	}
	step, _ := m.Add(state(0, relay("one", -600, 65, 560, 0)), at(65)) // it was only slow
	near(t, "the rate", step.PerSecond(step.Total.Delivered), 1)
}

func TestAfterAGapNothingIsAssumed(t *testing.T) {
	var m rates.Meter
	m.Add(state(0, relay("one", 0, 0, 0, 0)), at(0))
	m.Skip()
	if _, ok := m.Add(state(500, relay("one", 0, 60, 600, 0)), at(60)); ok {
		t.Error("a gap is taken for a step")
	}
	if _, ok := m.Add(state(500, relay("one", 0, 65, 650, 0)), at(65)); !ok {
		t.Error("it does not go on")
	}
}

func TestARelayThatStartedAnewIsAnotherOne(t *testing.T) {
	var m rates.Meter
	m.Add(state(0, relay("one", 0, 5, 500, 9)), at(5))
	step, ok := m.Add(state(0, relay("two", 6, 10, 20, 0)), at(10))
	if !ok || step.Total.Delivered < 0 || step.Total.Failed != 0 {
		t.Errorf("got %v: %+v", ok, step.Total)
	}
	near(t, "the rate", step.PerSecond(step.Total.Delivered), 5)
}

func TestInIsUnknownWhereMoreWaitThanAreCounted(t *testing.T) {
	var m rates.Meter
	m.Add(state(0), at(0))
	s := state(10000)
	s.Waiting.More = true
	step, ok := m.Add(s, at(5))
	if !ok || !math.IsNaN(step.In()) {
		t.Errorf("got %v, %v", ok, step.In())
	}
	sum := rates.Sum([]rates.Step{step})
	if !math.IsNaN(sum.In()) || sum.Took != 5*time.Second {
		t.Errorf("got %v in %s", sum.In(), sum.Took)
	}
	if none := rates.Sum(nil); !math.IsNaN(none.PerSecond(1)) {
		t.Error("a rate of no time is known")
	}
}

func TestATypeHasTheFirstStateThatApplies(t *testing.T) {
	s := admin.Status{
		Types: []admin.Lane{
			{Type: "a", Waiting: admin.Count{N: 1}, OldestDue: 31},
			{Type: "b", Waiting: admin.Count{N: 1}, OldestDue: 40},
			{Type: "lost", Waiting: admin.Count{N: 1}, OldestDue: 1},
			{Type: "stopped", Waiting: admin.Count{N: 1}, OldestDue: 50},
			{Type: "put off", Waiting: admin.Count{N: 1}, OldestDue: 60},
		},
		Relays: []admin.Relay{{Types: []string{"a", "b", "fine", "stopped", "put off"}}},
		Destinations: []admin.Destination{
			{Name: "x", State: admin.DestinationDown, Types: []string{"b", "stopped", "unknown"}},
			{Name: "y", State: admin.DestinationPaused, Types: []string{"put off"}},
		},
		Paused: []string{"stopped"},
	}
	want := []struct{ name, state string }{
		{"put off", rates.Paused}, {"stopped", rates.Paused}, {"b", rates.Down}, {"a", rates.Behind}, {"lost", rates.Unclaimed}, {"fine", rates.OK},
	}
	got := rates.ByType(s, rates.Step{})
	for i, w := range want {
		if i >= len(got) || got[i].Type != w.name || got[i].State != w.state {
			t.Fatalf("row %d: got %+v, expected %+v", i, got, w)
		}
	}
	if len(got) != len(want) || !math.IsNaN(got[0].Out) || len(got[2].Destinations) != 1 {
		t.Errorf("got %+v", got)
	}
	s.Paused = []string{"*"}
	for _, row := range rates.ByType(s, rates.Step{}) {
		if row.State != rates.Paused {
			t.Errorf("everything is paused, and %s is %s", row.Type, row.State)
		}
	}
}
