package storetest

import (
	"slices"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

func eventLaws[Tx any]() []Law[Tx] {
	return []Law[Tx]{
		{
			Name:  "an event is shown as it is stored, whatever its state",
			Why:   "somebody who asks where an event is must get the right answer",
			Check: check(eventsAreShown[Tx]),
		},
		{
			Name:  "events are listed latest first, in pages by key",
			Why:   "somebody who pages while events come must see each once",
			Check: check(eventsArePaged[Tx]),
		},
		{
			Name:  "a filter of events matches exactly what it names",
			Why:   "a list that leaves something out hides the event that is looked for",
			Check: check(eventsAreFiltered[Tx]),
		},
	}
}

// events is the power that the laws of this file are about.
func (k *kit[Tx]) events() driver.EventStore { return k.Store.(driver.EventStore) }

// shown reads one event that must be there.
func (k *kit[Tx]) shown(id string) driver.StoredEvent {
	k.Helper()
	e, found, err := k.client(1).(driver.EventStore).GetEvent(k.ctx, id)
	k.must(err)
	if !found {
		k.Fatalf("event %s is not in the outbox", id)
	}
	return e
}

// matching returns the ids of the events that a filter matches, page by page.
func (k *kit[Tx]) matching(f driver.EventFilter, page int) (ids []string) {
	k.Helper()
	var after *driver.EventCursor
	for {
		es, next, err := k.events().ListEvents(k.ctx, f, after, page)
		k.must(err)
		if len(es) > page {
			k.Fatalf("a page of %d, asked for %d", len(es), page)
		}
		for _, e := range es {
			ids = append(ids, e.Event.ID)
		}
		if len(ids) > 1000 {
			k.Fatalf("the pages do not end")
		}
		if after = next; after == nil {
			return ids
		}
	}
}

func eventsAreShown[Tx any](k *kit[Tx]) {
	a := driver.NewOwner("a")
	e := event(lane)
	e.TenantID, e.AggregateType, e.AggregateID = "acme", "Order", "42"
	e.Headers = map[string]string{"a": "語"}
	e.OccurredAt = time.Date(2001, 2, 3, 4, 5, 6, 7000000, time.UTC)
	e.ID = k.write(e)[0]
	s := k.shown(e.ID)
	if d := difference(s.Event, e, k.ClockResolution); d != "" || s.Problem != nil {
		k.Errorf("the event differs: %s, problem %v", d, s.Problem)
	}
	if s.Status != driver.EventWaiting || s.EventID != e.ID || s.Seq <= 0 || s.CreatedAt.IsZero() || s.AvailableAt.IsZero() || !s.DoneAt.IsZero() {
		k.Errorf("%+v, expected it to wait", s)
	}
	c := k.claimOne(a, long)
	if s = k.shown(e.ID); s.Status != driver.EventHeld || s.LockedBy != a || !s.LockedUntil.After(s.CreatedAt) || s.Held != c.Held {
		k.Errorf("%+v, expected it to be held as %+v", s, c.Held)
	}
	k.mustSettle(a, driver.Outcome{Held: c.Held, Kind: driver.Retry, Attempts: 1, Error: "busy",
		Failures: driver.AppendFailure(nil, driver.Failure{Attempt: 1, Error: "busy"})})
	if s = k.shown(e.ID); s.Status != driver.EventWaiting || s.Attempts != 1 || s.Error != "busy" || len(s.Failures) != 1 || s.LockedBy != "" {
		k.Errorf("%+v, expected it to wait after a failure", s)
	}
	c = k.claimSoon(a, long, 1)[0]
	k.mustSettle(a, driver.Outcome{Held: c.Held, Kind: driver.Done})
	if s = k.shown(e.ID); s.Status != driver.EventDone || s.DoneAt.Before(s.CreatedAt) || s.DoneAt.IsZero() {
		k.Errorf("%+v, expected it to be done", s)
	}
	if _, found, err := k.events().GetEvent(k.ctx, "unknown"); found || err != nil {
		k.Errorf("found %t, error %v", found, err)
	}
}

func eventsArePaged[Tx any](k *kit[Tx]) {
	var ids []string
	for range 5 {
		ids = append(ids, k.write(event(lane))...)
	}
	latest := slices.Clone(ids)
	slices.Reverse(latest)
	for _, f := range []driver.EventFilter{{}, {Lane: lane}} {
		for page := 1; page <= 6; page++ {
			if got := k.matching(f, page); !slices.Equal(got, latest) {
				k.Errorf("%v in pages of %d, expected %v", got, page, latest)
			}
		}
	}
	first, next, err := k.events().ListEvents(k.ctx, driver.EventFilter{}, nil, 2)
	k.must(err)
	k.write(event(lane)) // while somebody looks at the first page
	rest, end, err := k.events().ListEvents(k.ctx, driver.EventFilter{}, next, all)
	k.must(err)
	var got []string
	for _, e := range append(first, rest...) {
		got = append(got, e.Event.ID)
	}
	if !slices.Equal(got, latest) || end != nil {
		k.Errorf("%v, expected %v, each once; the next page starts at %v", got, latest, end)
	}
	if none, next, err := k.events().ListEvents(k.ctx, driver.EventFilter{}, nil, 0); len(none) > 0 || next != nil || err != nil {
		k.Errorf("%d events, next %v, error %v: asked for none", len(none), next, err)
	}
}

func eventsAreFiltered[Tx any](k *kit[Tx]) {
	a := driver.NewOwner("a")
	e := event("done")
	e.TenantID, e.AggregateType, e.AggregateID = "acme", "Order", "42"
	other := event("done")
	other.TenantID, other.AggregateType, other.AggregateID = "acme ", "Order", "4"
	done := k.write(e, other)
	for _, c := range k.claim(a, "done") {
		k.mustSettle(a, driver.Outcome{Held: c.Held, Kind: driver.Done})
	}
	held := k.write(event("held"))
	k.claim(a, "held")
	later := event("waiting")
	later.DeliverAfter = long
	waiting := k.write(later, outbox.Event{Type: "Waiting", Bytes: []byte{}})
	middle := k.shown(held[0]).CreatedAt
	everything := slices.Concat(done, held, waiting)
	for name, tt := range map[string]struct {
		f    driver.EventFilter
		want []string
	}{
		"all":               {driver.EventFilter{}, everything},
		"lane":              {driver.EventFilter{Lane: "waiting"}, waiting[:1]},
		"lane of bytes":     {driver.EventFilter{Lane: "Waiting"}, waiting[1:]},
		"no such lane":      {driver.EventFilter{Lane: "done "}, nil},
		"tenant":            {driver.EventFilter{Tenant: "acme"}, done[:1]},
		"tenant, space":     {driver.EventFilter{Tenant: "acme "}, done[1:]},
		"key":               {driver.EventFilter{Key: "4"}, done[1:]},
		"done":              {driver.EventFilter{Status: driver.EventDone}, done},
		"held":              {driver.EventFilter{Status: driver.EventHeld}, held},
		"waiting":           {driver.EventFilter{Status: driver.EventWaiting}, waiting},
		"dead":              {driver.EventFilter{Status: driver.EventDead}, nil},
		"done and key":      {driver.EventFilter{Status: driver.EventDone, Key: "42", Tenant: "acme", Lane: "done"}, done[:1]},
		"before all":        {driver.EventFilter{WrittenBefore: middle.Add(-long)}, nil},
		"within two hours":  {driver.EventFilter{WrittenAfter: middle.Add(-long), WrittenBefore: middle.Add(long)}, everything},
		"after all":         {driver.EventFilter{WrittenAfter: middle.Add(long)}, nil},
		"not at that time":  {driver.EventFilter{Lane: "held", WrittenAfter: middle}, nil},
		"not at its time":   {driver.EventFilter{Lane: "held", WrittenBefore: middle}, nil},
		"just at that time": {driver.EventFilter{Lane: "held", WrittenAfter: middle.Add(-k.ClockResolution), WrittenBefore: middle.Add(k.ClockResolution)}, held},
		"just before":       {driver.EventFilter{Lane: "held", WrittenBefore: middle.Add(time.Nanosecond)}, held},
	} {
		k.sameIDs(name, k.matching(tt.f, 2), tt.want)
		if n, err := k.events().CountEvents(k.ctx, tt.f); err != nil || n != (driver.Count{N: int64(len(tt.want))}) {
			k.Errorf("%s: counted %+v, error %v, expected %d", name, n, err, len(tt.want))
		}
	}
}
