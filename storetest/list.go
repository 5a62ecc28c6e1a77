package storetest

import (
	"time"

	"github.com/sendoff-go/outbox/driver"
)

func listLaws[Tx any]() []Law[Tx] {
	return []Law[Tx]{
		{
			Name:  "letters are listed latest first, in pages by key",
			Why:   "pages by offset show letters twice or skip them while others come and go",
			Check: check(lettersArePaged[Tx]),
		},
		{
			Name:  "letters are filtered by lane, error text, time and resolution",
			Why:   "bulk actions take the same filter, so what it shows is what they change",
			Check: check(lettersAreFiltered[Tx]),
		},
	}
}

func lettersArePaged[Tx any](k *kit[Tx]) {
	const n = 23
	a := driver.NewOwner("a")
	k.write(events(lane, n)...)
	cs := k.claim(a, lane)
	var outcomes []driver.Outcome
	for _, c := range cs[:n/2] { // half of them die at one moment
		outcomes = append(outcomes, driver.Outcome{Held: c.Held, Kind: driver.Dead})
	}
	k.mustSettle(a, outcomes...)
	for _, c := range cs[n/2:] {
		k.mustSettle(a, driver.Outcome{Held: c.Held, Kind: driver.Dead})
	}
	var seen []string
	var after *driver.DeadCursor
	var last time.Time
	for page := 0; ; page++ {
		ls, next, err := k.letters().ListDead(k.ctx, driver.DeadFilter{}, after, 5)
		k.must(err)
		if len(ls) > 5 || page > n {
			k.Fatalf("page %d has %d letters, asked for 5", page, len(ls))
		}
		for i, l := range ls {
			if (page > 0 || i > 0) && l.DiedAt.After(last) {
				k.Fatalf("a letter of %s after one of %s: expected the latest first", l.DiedAt, last)
			}
			last = l.DiedAt
			if l.Event.Type == lane {
				seen = append(seen, l.Event.ID)
			}
		}
		if after = next; next == nil {
			break
		}
		// While one pages, a letter of this page goes and a new one comes.
		_, err = k.letters().DeleteDead(k.ctx, driver.DeadIDs(ls[0].Event.ID))
		k.must(err)
		k.kill("meanwhile", event("other"))
	}
	k.sameIDs("listed", seen, idsOf(cs))
}

func lettersAreFiltered[Tx any](k *kit[Tx]) {
	order := k.kill("connection refused: 50% of_it", event("order"), event("order"))
	invoice := k.kill("bad payload", event("invoice"))
	k.kill("Connection", event("Order"))
	_, err := k.letters().ResolveDead(k.ctx, driver.DeadIDs(order[1:]...))
	k.must(err)
	died := k.letter(invoice[0]).DiedAt
	for _, tt := range []struct {
		name   string
		filter driver.DeadFilter
		want   []string
	}{
		{"lane", driver.DeadFilter{Lane: "order"}, order[:1]},
		{"resolved", driver.DeadFilter{Resolved: true}, order[1:]},
		{"resolved of another lane", driver.DeadFilter{Resolved: true, Lane: "invoice"}, nil},
		{"error text", driver.DeadFilter{Error: "payload"}, invoice},
		{"error text with a percent sign", driver.DeadFilter{Error: "50% of"}, order[:1]},
		{"error text with an underscore", driver.DeadFilter{Error: "of_it"}, order[:1]},
		{"an underscore is not a wildcard", driver.DeadFilter{Error: "bad_payload"}, nil},
		{"a percent sign is not a wildcard", driver.DeadFilter{Error: "bad%payload"}, nil},
		{"quotes", driver.DeadFilter{Error: `' OR ''='`}, nil},
		{"died before", driver.DeadFilter{DiedBefore: died.Add(-time.Hour)}, nil},
		{"died after", driver.DeadFilter{DiedAfter: died.Add(time.Hour)}, nil},
		{"died between", driver.DeadFilter{Lane: "invoice", DiedAfter: died.Add(-time.Hour), DiedBefore: died.Add(time.Hour)}, invoice},
		{"died just before", driver.DeadFilter{Lane: "invoice", DiedBefore: died.Add(time.Nanosecond)}, invoice},
	} {
		ls, _, err := k.letters().ListDead(k.ctx, tt.filter, nil, all)
		k.must(err)
		var got []string
		for _, l := range ls {
			got = append(got, l.Event.ID)
		}
		k.sameIDs(tt.name, got, tt.want)
		n, err := k.letters().CountDead(k.ctx, tt.filter)
		k.must(err)
		if n != (driver.Count{N: int64(len(tt.want))}) {
			k.Errorf("%s: counted %+v, listed %d", tt.name, n, len(tt.want))
		}
	}
}
