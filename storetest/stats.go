package storetest

import (
	"context"
	"slices"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

func statsLaws[Tx any]() []Law[Tx] {
	return []Law[Tx]{
		{
			Name:  "stats count what waits, is held, is done and is dead, per lane",
			Why:   "operators decide by these numbers",
			Check: check(statsCount[Tx]),
		},
		{
			Name:    "stats leave out resolved letters",
			Why:     "an alert that nothing can silence is ignored",
			Applies: func(s Subject[Tx]) bool { return has(s, DeadLetters) },
			Check:   check(statsLeaveOutResolved[Tx]),
		},
		{
			Name:  "stats work while claimers, writers and a sweeper run",
			Why:   "metrics ask all the time, and must neither fail nor stop the others",
			Check: check(func(k *kit[Tx]) { k.allAtOnce(lookAtStats[Tx]) }),
		},
		{
			Name:  "stats report how long the oldest due event waits",
			Why:   "alerts depend on it, and an event for tomorrow is not lag",
			Check: check(statsTellLag[Tx]),
		},
	}
}

func (k *kit[Tx]) stats() driver.Stats {
	k.Helper()
	st, err := k.Store.(driver.StatsStore).Stats(k.ctx)
	k.must(err)
	return st
}

func lookAtStats[Tx any](ctx context.Context, s Store[Tx]) error {
	_, err := s.(driver.StatsStore).Stats(ctx)
	return err
}

func statsCount[Tx any](k *kit[Tx]) {
	if st := k.stats(); st.Waiting.N+st.Held.N+st.Done.N+st.Dead.N != 0 || len(st.Lanes) > 0 {
		k.Errorf("%+v of an empty store", st)
	}
	a := driver.NewOwner("a")
	late := event("b")
	late.DeliverAfter = long
	k.write(append(events("a", 6), event("b"), late, event("C"))...)
	cs := k.claimWants(a, long, driver.Want{Lane: "a", Rows: 5})
	k.mustSettle(a,
		driver.Outcome{Held: cs[0].Held, Kind: driver.Done},
		driver.Outcome{Held: cs[1].Held, Kind: driver.Dead},
		driver.Outcome{Held: cs[2].Held, Kind: driver.Retry, Delay: long})
	k.mustSettle(a, driver.Outcome{Held: k.claim(a, "C")[0].Held, Kind: driver.Dead})
	k.writeHot(long, event("b"))
	done := k.write(event("done"))
	k.mustSettle(a, driver.Outcome{Held: k.claim(a, "done")[0].Held, Kind: driver.Done})
	st := k.stats()
	if st.Waiting.N != 4 || st.Held.N != 3 || st.Done.N != 2 || st.Dead.N != 2 {
		k.Errorf("%+v: expected 4 waiting, 3 held, 2 done (%v among them), 2 dead", st, done)
	}
	want := []driver.LaneStats{
		{Lane: "C", Dead: driver.Count{N: 1}},
		{Lane: "a", Waiting: driver.Count{N: 2}, Held: driver.Count{N: 2}, Dead: driver.Count{N: 1}},
		{Lane: "b", Waiting: driver.Count{N: 2}, Held: driver.Count{N: 1}},
	}
	for i := range st.Lanes {
		st.Lanes[i].OldestDue = 0
	}
	if !slices.Equal(st.Lanes, want) {
		k.Errorf("lanes %+v, expected %+v", st.Lanes, want)
	}
}

func statsLeaveOutResolved[Tx any](k *kit[Tx]) {
	ids := k.kill("no", events(lane, 3)...)
	_, err := k.letters().ResolveDead(k.ctx, driver.DeadIDs(ids[:2]...))
	k.must(err)
	if st := k.stats(); st.Dead.N != 1 || len(st.Lanes) != 1 || st.Lanes[0].Dead.N != 1 {
		k.Errorf("%+v: expected one unresolved dead letter", st)
	}
}

func statsTellLag[Tx any](k *kit[Tx]) {
	tomorrow := event("tomorrow")
	tomorrow.DeliverAfter = 24 * time.Hour
	k.write(tomorrow)
	if st := k.stats(); st.OldestDue != 0 {
		k.Errorf("the oldest due event waits %s, but none is due", st.OldestDue)
	}
	old := event(lane)
	old.AvailableAt = time.Now().Add(-2 * time.Hour)
	k.write(event(lane), old)
	st := k.stats()
	if !about(st.OldestDue, 2*time.Hour) {
		k.Errorf("the oldest due event waits %s, expected about 2h", st.OldestDue)
	}
	for _, l := range st.Lanes {
		if l.Lane == lane && !about(l.OldestDue, 2*time.Hour) || l.Lane == "tomorrow" && l.OldestDue != 0 {
			k.Errorf("in lane %s it waits %s", l.Lane, l.OldestDue)
		}
	}
}
