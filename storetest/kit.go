package storetest

import (
	"context"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// Leases with a fixed effect: one does not end during a test, the other is over
// by the next statement.
const (
	long  = time.Hour
	brief = time.Millisecond
)

// patience is how long a test waits for something that must happen: longer than
// a busy machine stands still. It is used up only if a law is violated, so the
// suite's own tests shorten it.
var patience = 2 * time.Minute

// lane is the event type of tests that need only one.
const lane = "OrderPlaced"

// all is more rows than any test writes into one lane.
const all = 100_000

// kit is a store under test with the helpers of the laws. Its methods fail the
// test on any error.
type kit[Tx any] struct {
	testing.TB
	Subject[Tx]
	ctx     context.Context
	w       *outbox.Writer[Tx] // without a hook: ordinary rows
	clients []Store[Tx]
}

func newKit[Tx any](t testing.TB, s Subject[Tx]) *kit[Tx] {
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	t.Cleanup(cancel)
	return &kit[Tx]{TB: t, Subject: s.withDefaults(), ctx: ctx, w: outbox.NewWriter[Tx](s.Store, nil), clients: []Store[Tx]{s.Store}}
}

// client is one of the clients of the store; the store itself is the first. It
// is only for the goroutine of the test.
func (k *kit[Tx]) client(i int) Store[Tx] {
	k.Helper()
	for len(k.clients) <= i {
		k.clients = append(k.clients, k.Client(k))
	}
	return k.clients[i]
}

func (k *kit[Tx]) must(err error) {
	k.Helper()
	if err != nil {
		k.Fatalf("unexpected error: %v", err)
	}
}

// event is a valid event of that lane.
func event(lane string) outbox.Event {
	return outbox.Event{Type: lane, JSON: []byte(`{"n":1}`)}
}

func events(lane string, n int) []outbox.Event {
	es := make([]outbox.Event, n)
	for i := range es {
		es[i] = event(lane)
	}
	return es
}

// inTx runs f in a transaction and commits it.
func (k *kit[Tx]) inTx(f func(tx Tx) error) {
	k.Helper()
	k.must(k.w.InTx(k.ctx, func(_ context.Context, tx Tx) error { return f(tx) }))
}

// write commits events as ordinary rows.
func (k *kit[Tx]) write(es ...outbox.Event) (ids []string) {
	k.Helper()
	k.inTx(func(tx Tx) (err error) {
		ids, err = k.w.WriteAll(k.ctx, tx, es...)
		return err
	})
	return ids
}

// writeHot commits events with a head start.
func (k *kit[Tx]) writeHot(headStart time.Duration, es ...outbox.Event) []outbox.Written {
	k.Helper()
	hook := &recordingHook{headStart: headStart}
	w := outbox.NewWriter[Tx](k.Store, outbox.WithCommitHook(hook))
	k.must(w.InTx(k.ctx, func(ctx context.Context, tx Tx) error {
		_, err := w.WriteAll(ctx, tx, es...)
		return err
	}))
	if len(hook.committed) != len(es) {
		k.Fatalf("wrote %d events in a tracked transaction, the hook was told of %d", len(es), len(hook.committed))
	}
	return hook.committed
}

// hotHeld names a row as the process that wrote it holds it.
func hotHeld(w outbox.Written) driver.Held {
	return driver.Held{EventID: w.Event.ID, Seq: w.Seq}
}

func wants(lanes ...string) []driver.Want {
	ws := make([]driver.Want, len(lanes))
	for i, l := range lanes {
		ws[i] = driver.Want{Lane: l, Rows: all}
	}
	return ws
}

// claim claims everything due in those lanes, for a long time.
func (k *kit[Tx]) claim(owner driver.Owner, lanes ...string) []driver.Claimed {
	k.Helper()
	return k.claimWants(owner, long, wants(lanes...)...)
}

func (k *kit[Tx]) claimWants(owner driver.Owner, lease time.Duration, ws ...driver.Want) []driver.Claimed {
	k.Helper()
	cs, err := k.Store.Claim(k.ctx, driver.ClaimRequest{Owner: owner, Lease: lease, Wants: ws})
	k.must(err)
	return cs
}

// claimOne takes the one event that is due in the lane.
func (k *kit[Tx]) claimOne(owner driver.Owner, lease time.Duration) driver.Claimed {
	k.Helper()
	cs := k.claimWants(owner, lease, wants(lane)...)
	if len(cs) != 1 {
		k.Fatalf("claimed %d rows, expected the one that is due", len(cs))
	}
	return cs[0]
}

// claimNothing fails the test if anything is due.
func (k *kit[Tx]) claimNothing(why string, lanes ...string) {
	k.Helper()
	if cs := k.claim(driver.NewOwner("nobody"), lanes...); len(cs) > 0 {
		k.Fatalf("claimed %v: %s", heldOf(cs), why)
	}
}

// claimSoon takes rows as soon as there are n of them, for owner.
func (k *kit[Tx]) claimSoon(owner driver.Owner, lease time.Duration, n int) []driver.Claimed {
	k.Helper()
	var got []driver.Claimed
	k.eventually("rows can be claimed", func() bool {
		got = append(got, k.claimWants(owner, lease, wants(lane)...)...)
		return len(got) >= n
	})
	if len(got) != n {
		k.Fatalf("claimed %v, expected %d rows", heldOf(got), n)
	}
	return got
}

func (k *kit[Tx]) settle(owner driver.Owner, outcomes ...driver.Outcome) (stale []driver.Held) {
	k.Helper()
	stale, err := k.Store.Settle(k.ctx, owner, outcomes, true)
	k.must(err)
	return stale
}

// mustSettle expects every claim to be still held.
func (k *kit[Tx]) mustSettle(owner driver.Owner, outcomes ...driver.Outcome) {
	k.Helper()
	if stale := k.settle(owner, outcomes...); len(stale) > 0 {
		k.Fatalf("the outcomes of %v were refused as stale, but those claims were held", stale)
	}
}

// mustBeStale expects no claim to be held, and each to be reported.
func (k *kit[Tx]) mustBeStale(owner driver.Owner, outcomes ...driver.Outcome) {
	k.Helper()
	var sent []driver.Held
	for _, o := range outcomes {
		sent = append(sent, o.Held)
	}
	k.sameHeld("stale outcomes", k.settle(owner, outcomes...), sent)
}

func (k *kit[Tx]) renew(owner driver.Owner, lease time.Duration, held ...driver.Held) (lost []driver.Held) {
	k.Helper()
	rows := make([]driver.Renewal, len(held))
	for i, h := range held {
		rows[i].Held = h
	}
	lost, err := k.Store.Renew(k.ctx, owner, lease, rows)
	k.must(err)
	return lost
}

// kill writes events that die, in that order.
func (k *kit[Tx]) kill(reason string, es ...outbox.Event) []string {
	k.Helper()
	a := driver.NewOwner("killer")
	ids := k.write(es...)
	for _, e := range es {
		for _, c := range k.claim(a, e.Type) {
			k.mustSettle(a, driver.Outcome{Held: c.Held, Kind: driver.Dead, Attempts: 10, Error: reason,
				Failures: driver.AppendFailure(nil, driver.Failure{Attempt: 10, Error: reason})})
		}
	}
	return ids
}

// eventually polls until f is true.
func (k *kit[Tx]) eventually(what string, f func() bool) {
	k.Helper()
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !f() {
		select {
		case <-tick.C:
		case <-deadline.C:
			k.Fatalf("waited %s in vain for: %s", patience, what)
		}
	}
}

// pass lets time go by, for the few laws that need it.
func (k *kit[Tx]) pass(d time.Duration) {
	k.Helper()
	select {
	case <-time.After(d):
	case <-k.ctx.Done():
		k.Fatalf("the test took too long")
	}
}
