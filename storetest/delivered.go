package storetest

import (
	"context"
	"maps"
	"slices"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

func replayDoneLaws[Tx any]() []Law[Tx] {
	return []Law[Tx]{
		{
			Name:  "a delivered event waits again, as if it were new",
			Why:   "an outcome that comes late must not end what nobody has delivered",
			Check: check(deliveredWaitAgain[Tx]),
		},
		{
			Name:  "a copy of a delivered event waits under an id of its own",
			Why:   "a consumer that skips what it had must see the copy, and whose it is",
			Check: check(deliveredAreCopied[Tx]),
		},
	}
}

func eraseLaws[Tx any]() []Law[Tx] {
	return []Law[Tx]{
		{
			Name:  "what an erased event said is gone, and it is still there",
			Why:   "a person's data must go, and the numbers must still add up",
			Check: check(eventsAreErased[Tx]),
		},
		{
			Name:  "what an erased letter said is gone, and it is resolved",
			Why:   "a retry would deliver an event that says nothing",
			Check: check(lettersAreErased[Tx]),
		},
		{
			Name:  "no group says what erased letters said, and others still do",
			Why:   "an error may quote a name, and the reason of its group with it",
			Check: check(groupsAreErased[Tx]),
		},
	}
}

// deliver writes events and delivers them, and returns their claims.
func (k *kit[Tx]) deliver(owner driver.Owner, es ...outbox.Event) []driver.Claimed {
	k.Helper()
	k.write(es...)
	cs := k.claim(owner, lane)
	for _, c := range cs {
		k.mustSettle(owner, driver.Outcome{Held: c.Held, Kind: driver.Done})
	}
	return cs
}

// statuses are what happened to each id of a bulk call.
func (k *kit[Tx]) statuses(rs []driver.DeadResult, err error) (all []driver.DeadStatus) {
	k.Helper()
	k.must(err)
	for _, r := range rs {
		all = append(all, r.Status)
	}
	return all
}

func deliveredWaitAgain[Tx any](k *kit[Tx]) {
	replays := k.Store.(driver.ReplayStore)
	a := driver.NewOwner("a")
	done := k.deliver(a, events(lane, 2)...)
	waiting := k.write(event("other"))[0]
	got := k.statuses(replays.ReplayDone(k.ctx, []driver.Replay{{EventID: done[0].EventID}, {EventID: waiting}, {EventID: "unknown"}}))
	if !slices.Equal(got, []driver.DeadStatus{driver.DeadApplied, driver.DeadNotFound, driver.DeadNotFound}) {
		k.Errorf("%v, expected the delivered one alone", got)
	}
	k.mustBeStale(a, driver.Outcome{Held: done[0].Held, Kind: driver.Done})
	again := k.claimOne(driver.NewOwner("b"), long)
	if again.EventID != done[0].EventID || again.ClaimNo <= done[0].ClaimNo || again.Attempts != 0 || again.Recovered != 0 {
		k.Errorf("claimed %+v, expected %s as if it were new", again, done[0].EventID)
	}
	k.earlier(again, true)
	if got := k.statuses(replays.ReplayDone(k.ctx, []driver.Replay{{EventID: done[0].EventID}})); got[0] != driver.DeadNotFound {
		k.Errorf("%v, but it is held", got)
	}
	hot := hotHeld(k.writeHot(long, event(lane))[0])
	k.mustSettle(a, driver.Outcome{Held: hot, Kind: driver.Done})
	k.must(second(replays.ReplayDone(k.ctx, []driver.Replay{{EventID: hot.EventID}})))
	k.mustBeStale(a, driver.Outcome{Held: hot, Kind: driver.Done})
	k.claimOne(driver.NewOwner("b"), long)
}

// second returns the error of a call.
func second[T any](_ T, err error) error { return err }

func deliveredAreCopied[Tx any](k *kit[Tx]) {
	a := driver.NewOwner("a")
	full := outbox.Event{
		Type: lane, AggregateType: "Order", AggregateID: "7", TenantID: "acme", CorrelationID: "c", TraceID: "t",
		JSON: []byte(`{"a":"語"}`), Headers: map[string]string{"x": "it's \"1\""},
	}
	plain := outbox.Event{Type: lane, Bytes: []byte{0, 1, 255}}
	done := k.deliver(a, full, plain)
	var replays []driver.Replay
	for _, c := range done {
		replays = append(replays, driver.Replay{EventID: c.EventID, NewID: outbox.NewID()})
	}
	got := k.statuses(k.Store.(driver.ReplayStore).ReplayDone(k.ctx, replays))
	if !slices.Equal(got, []driver.DeadStatus{driver.DeadApplied, driver.DeadApplied}) {
		k.Fatalf("%v, expected both", got)
	}
	copies := map[string]driver.Claimed{}
	for _, c := range k.claim(driver.NewOwner("b"), lane) {
		copies[c.EventID] = c
	}
	if len(copies) != 2 {
		k.Fatalf("%v wait, expected the copies alone", slices.Collect(maps.Keys(copies)))
	}
	for i, c := range done {
		e := copies[replays[i].NewID].Event
		want := c.Event.Clone()
		want.ID, want.OccurredAt = e.ID, e.OccurredAt
		if want.Headers == nil {
			want.Headers = map[string]string{}
		}
		want.Headers[driver.ReplayOf] = c.EventID
		if e.Type != want.Type || e.AggregateType != want.AggregateType || e.AggregateID != want.AggregateID || e.TenantID != want.TenantID ||
			e.CorrelationID != want.CorrelationID || e.TraceID != want.TraceID || string(e.JSON) != string(want.JSON) || string(e.Bytes) != string(want.Bytes) ||
			!maps.Equal(e.Headers, want.Headers) {
			k.Errorf("the copy is %+v, expected %+v", e, want)
		}
	}
	k.kept(done[0].EventID, done[1].EventID)
}

func eventsAreErased[Tx any](k *kit[Tx]) {
	erase := k.Store.(driver.EraseStore)
	done := k.deliver(driver.NewOwner("a"),
		outbox.Event{Type: lane, AggregateID: "7", TenantID: "acme", JSON: []byte(`{"secret":1}`), Headers: map[string]string{"secret": "2"}},
		outbox.Event{Type: lane, Bytes: []byte("secret")}, event(lane))
	waiting := k.write(event("other"))[0]
	got := k.statuses(erase.EraseDone(k.ctx, []string{done[0].EventID, waiting, "unknown", done[1].EventID}))
	if !slices.Equal(got, []driver.DeadStatus{driver.DeadApplied, driver.DeadConflict, driver.DeadNotFound, driver.DeadApplied}) {
		k.Errorf("%v, expected the delivered ones alone", got)
	}
	if replays, ok := k.Store.(driver.ReplayStore); ok {
		got := k.statuses(replays.ReplayDone(k.ctx, []driver.Replay{{EventID: done[0].EventID}, {EventID: done[1].EventID, NewID: outbox.NewID()}}))
		if !slices.Equal(got, []driver.DeadStatus{driver.DeadNotFound, driver.DeadNotFound}) || len(k.claim(driver.NewOwner("b"), lane)) > 0 {
			k.Errorf("%v, but there is nothing left of them to deliver", got)
		}
	}
	if cs := k.claim(driver.NewOwner("b"), "other"); len(cs) != 1 || string(cs[0].Event.JSON) != `{"n":1}` {
		k.Errorf("claimed %+v, expected it as it was written", cs)
	}
	if _, ok := k.Store.(driver.EventStore); !ok {
		return
	}
	blank := map[string]string{driver.Erased: "true"}
	first, second, other := k.shown(done[0].EventID), k.shown(done[1].EventID), k.shown(done[2].EventID)
	if string(first.Event.JSON) != "null" || !maps.Equal(first.Event.Headers, blank) || first.Event.TenantID != "acme" || first.Event.AggregateID != "7" || first.Problem != nil {
		k.Errorf("%+v, expected its payload and headers to be blank", first)
	}
	if second.Event.JSON != nil || len(second.Event.Bytes) != 0 || !maps.Equal(second.Event.Headers, blank) || second.Problem != nil {
		k.Errorf("%+v, expected its payload and headers to be blank", second)
	}
	if string(other.Event.JSON) != `{"n":1}` {
		k.Errorf("%+v, which nobody erased", other)
	}
	left := driver.EventFilter{Unerased: true, Status: driver.EventDone}
	if ids := k.matching(left, 2); !slices.Equal(ids, []string{done[2].EventID}) {
		k.Errorf("%v are not erased, expected %s", ids, done[2].EventID)
	}
	if n, err := k.events().CountEvents(k.ctx, left); err != nil || n.N != 1 {
		k.Errorf("counted %+v that are not erased, error %v, expected 1", n, err)
	}
}

func lettersAreErased[Tx any](k *kit[Tx]) {
	if !has(k.Subject, DeadLetters) {
		return
	}
	ids := k.kill("the \"secret\"", outbox.Event{Type: lane, TenantID: "acme", JSON: []byte(`{"secret":1}`), Headers: map[string]string{"secret": "2"}}, event(lane))
	ctx := driver.WithAct(k.ctx, driver.Act{By: "ann"})
	got := k.statuses(k.Store.(driver.EraseStore).EraseDead(ctx, driver.DeadIDs(ids[0], "unknown")))
	if !slices.Equal(got, []driver.DeadStatus{driver.DeadApplied, driver.DeadNotFound}) {
		k.Errorf("%v, expected the first alone", got)
	}
	k.audited(driver.Act{By: "ann"}, driver.AuditErase, ids[:1])
	l := k.letter(ids[0])
	if string(l.Event.JSON) != "null" || !maps.Equal(l.Event.Headers, map[string]string{driver.Erased: "true"}) || l.Error != "" || len(l.Failures) != 0 || l.ResolvedAt.IsZero() || l.Event.TenantID != "acme" {
		k.Errorf("%+v, expected it to be blank and resolved", l)
	}
	if got := k.statuses(k.Store.(driver.DeadLetterStore).ReplayDead(k.ctx, driver.DeadIDs(ids[0]))); got[0] != driver.DeadNotFound || len(k.claim(driver.NewOwner("b"), lane)) > 0 {
		k.Errorf("%v, but there is nothing left of it to deliver", got)
	}
	if l := k.letter(ids[1]); string(l.Event.JSON) != `{"n":1}` || !l.ResolvedAt.IsZero() {
		k.Errorf("%+v, which nobody erased", l)
	}
	_, err := k.letters().ResolveDead(k.ctx, driver.DeadIDs(ids[1]))
	k.must(err)
	for unerased, want := range map[bool]int64{false: 2, true: 1} {
		f := driver.DeadFilter{Resolved: true, Unerased: unerased}
		ls, _, err := k.letters().ListDead(k.ctx, f, nil, all)
		k.must(err)
		n, err := k.letters().CountDead(k.ctx, f)
		k.must(err)
		if int64(len(ls)) != want || n.N != want || unerased && ls[0].Event.ID != ids[1] {
			k.Errorf("with Unerased %t, %d are listed and %d counted, expected %d", unerased, len(ls), n.N, want)
		}
	}
}

func groupsAreErased[Tx any](k *kit[Tx]) {
	if !has(k.Subject, DeadLetters) || !has(k.Subject, Groups) {
		return
	}
	erase, letters := k.Store.(driver.EraseStore), k.Store.(driver.DeadLetterStore)
	reason := func(id string) string {
		k.Helper()
		g, found, err := k.client(1).(driver.GroupStore).GetGroup(k.ctx, id)
		if k.must(err); !found {
			k.Fatalf("there is no group %s", id)
		}
		return g.Reason
	}
	const alone, shared, back = "no customer Ann Lee", "the bank is closed", "no customer Bob Ray"
	owned := k.kill(alone, events(lane, 3)...)
	some := k.kill(shared, events(lane, 2)...)
	gone := k.kill(back, event(lane))
	ids := map[string]string{}
	for _, g := range k.grouped() {
		ids[g.Reason] = g.ID
	}
	if len(ids) != 3 {
		k.Fatalf("%v, expected three groups", ids)
	}
	if found, err := k.groups().MarkGroup(k.ctx, ids[alone], driver.GroupMark{State: driver.GroupInvestigating, By: "bob", Note: "asking"}); err != nil || !found {
		k.Fatalf("found %t, error %v", found, err)
	}
	k.statuses(erase.EraseDead(k.ctx, driver.DeadIDs(owned[0], some[0])))
	if got := reason(ids[alone]); got != alone {
		k.Errorf("%q, but letters that nobody erased still say it", got)
	}
	k.statuses(letters.ResolveDead(k.ctx, driver.DeadIDs(owned[1])))
	k.statuses(erase.EraseDead(k.ctx, driver.DeadIDs(owned[1], owned[2])))
	if got := reason(ids[alone]); got != "" {
		k.Errorf("the group still says %q", got)
	}
	if got := reason(ids[shared]); got != shared {
		k.Errorf("%q, but a letter that nobody erased still says it", got)
	}
	// A letter that went back and was delivered left its reason behind.
	k.statuses(letters.ReplayDead(k.ctx, driver.DeadIDs(gone...)))
	a := driver.NewOwner("a")
	for _, c := range k.claim(a, lane) {
		_, err := k.Store.Settle(k.ctx, a, []driver.Outcome{{Held: c.Held, Kind: driver.Done}}, true)
		k.must(err)
	}
	k.statuses(erase.EraseDone(k.ctx, gone))
	if got := reason(ids[back]); got != "" {
		k.Errorf("the group still says %q", got)
	}
	k.kill(alone, event(lane))
	for _, g := range k.grouped() {
		if g.ID == ids[alone] && (g.Reason != alone || g.State != driver.GroupInvestigating || g.Open.N != 1) {
			k.Errorf("%+v, expected its reason with its next letter", g)
		}
	}
}

// replayDoneCalls are the methods of [driver.ReplayStore].
func replayDoneCalls[Tx any]() []call[Tx] {
	return []call[Tx]{{"ReplayDone", func(ctx context.Context, s Store[Tx]) error {
		return second(s.(driver.ReplayStore).ReplayDone(ctx, []driver.Replay{{EventID: "x"}}))
	}}}
}

// eraseCalls are the methods of [driver.EraseStore].
func eraseCalls[Tx any]() []call[Tx] {
	return []call[Tx]{
		{"EraseDone", func(ctx context.Context, s Store[Tx]) error {
			return second(s.(driver.EraseStore).EraseDone(ctx, []string{"x"}))
		}},
		{"EraseDead", func(ctx context.Context, s Store[Tx]) error {
			return second(s.(driver.EraseStore).EraseDead(ctx, driver.DeadIDs("x")))
		}},
	}
}
