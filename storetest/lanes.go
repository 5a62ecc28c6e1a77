package storetest

import (
	"slices"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

func lanesLaws[Tx any]() []Law[Tx] {
	return []Law[Tx]{
		{
			Name:  "lanes with pending rows are listed in byte order, page by page",
			Why:   "a lane that is not found is never claimed",
			Check: check(lanesAreListed[Tx]),
		},
		{
			Name:  "the age of a lane is that of its earliest pending row",
			Why:   "the age reveals a lane that nobody claims",
			Check: check(lanesHaveAges[Tx]),
		},
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
				k.Fatalf("%d lanes, asked for %d", len(ls), limit)
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
