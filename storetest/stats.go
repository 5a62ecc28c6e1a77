package storetest

import (
	"slices"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

func statsLaws[Tx any]() []Law[Tx] {
	return []Law[Tx]{
		{
			Name:  "stats count what waits, is held, is done and is dead, per lane",
			Why:   "people decide by these numbers",
			Check: check(statsCount[Tx]),
		},
		{
			Name:  "stats tell how long the oldest due event waits",
			Why:   "alerts hang on it, and an event for tomorrow is no lag",
			Check: check(statsTellLag[Tx]),
		},
		{
			Name:  "lanes with pending rows are listed in byte order, page by page",
			Why:   "a lane that is not found is never claimed",
			Check: check(lanesAreListed[Tx]),
		},
		{
			Name:  "the age of a lane is that of its earliest pending row",
			Why:   "a lane that nobody claims is reported by its age",
			Check: check(lanesHaveAges[Tx]),
		},
	}
}

func statsCount[Tx any](k *kit[Tx]) {
	k.nothingStored()
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
	resolved := k.kill("no", event("resolved"))
	_, err := k.Store.ResolveDead(k.ctx, resolved)
	k.must(err)

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

// about leaves room for slow tests and for clocks that differ a little.
func about(got, want time.Duration) bool { return (got - want).Abs() < 10*time.Minute }

func lanesAreListed[Tx any](k *kit[Tx]) {
	names := []string{"A", "B", "Z", "_", "a", "b", "bb", "é", "語", "🙂"}
	for _, name := range []string{"b", "Z", "🙂", "a", "_", "B", "語", "bb", "A", "é"} {
		k.write(events(name, 3)...)
	}
	a := driver.NewOwner("a")
	k.claimWants(a, long, driver.Want{Lane: "Z", Rows: 3}) // held rows are pending too
	done := k.write(event("done"))
	k.mustSettle(a, driver.Outcome{Held: k.claim(a, "done")[0].Held, Kind: driver.Done})
	k.kill("no", event("dead"))
	for _, limit := range []int{1, 3, 100} {
		var got []string
		after := ""
		for range len(names) + 1 {
			ls, err := k.Store.Lanes(k.ctx, after, limit)
			k.must(err)
			if len(ls) > limit {
				k.Fatalf("%d lanes, asked were %d", len(ls), limit)
			}
			if len(ls) == 0 {
				break
			}
			for _, l := range ls {
				got = append(got, l.Lane)
			}
			after = got[len(got)-1]
		}
		if !slices.Equal(got, names) {
			k.Errorf("in pages of %d: %q, expected %q (without that of %v, which is done)", limit, got, names, done)
		}
	}
}

func lanesHaveAges[Tx any](k *kit[Tx]) {
	old, older, tomorrow := event("old"), event("old"), event("tomorrow")
	old.AvailableAt, older.AvailableAt = time.Now().Add(-2*time.Hour), time.Now().Add(-3*time.Hour)
	tomorrow.DeliverAfter = 24 * time.Hour
	k.write(event("old"), old, older, tomorrow)
	ls, err := k.Store.Lanes(k.ctx, "", 10)
	k.must(err)
	if len(ls) != 2 || !about(ls[0].Age, 3*time.Hour) || !about(ls[1].Age, -24*time.Hour) {
		k.Errorf("lanes %+v, expected ages of about 3h and -24h", ls)
	}
}
