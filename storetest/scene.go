package storetest

import (
	"context"
	"sync"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// scene has events in each state that a relay's calls are about, two of each.
// Calls that fail must be about rows that exist: a call about others may return
// before it needs them.
type scene[Tx any] struct {
	owner   driver.Owner
	waiting []string      // due, in a lane of their own
	hot     []driver.Held // with a head start
	renewed []driver.Held // claimed, to be renewed
	settled []driver.Held // claimed, to be settled
	done    []string      // delivered and kept
}

// sceneCall is a call about the events of a scene.
type sceneCall[Tx any] struct {
	call[Tx]
	meets string        // the id of an event that it is about, or stands behind
	names []driver.Held // that event, if the call names those that are locked
	reads bool          // it changes nothing
}

const waitingLane = "OrderWaiting"

func newScene[Tx any](k *kit[Tx]) scene[Tx] {
	k.Helper()
	s := scene[Tx]{owner: driver.NewOwner("a")}
	k.write(events(lane, 6)...)
	cs := k.claim(s.owner, lane) // those of earlier scenes are not free
	for _, c := range cs[:2] {
		k.mustSettle(s.owner, driver.Outcome{Held: c.Held, Kind: driver.Done})
		s.done = append(s.done, c.EventID)
	}
	s.renewed, s.settled = heldOf(cs[2:4]), heldOf(cs[4:])
	for _, w := range k.writeHot(long, events(lane, 2)...) {
		s.hot = append(s.hot, hotHeld(w))
	}
	s.waiting = k.write(events(waitingLane, 2)...)
	return s
}

// calls are those of every store.
func (s scene[Tx]) calls() []sceneCall[Tx] {
	type do = func(ctx context.Context, to Store[Tx]) error
	changing := func(name, meets string, do do) sceneCall[Tx] {
		return sceneCall[Tx]{call: call[Tx]{name, do}, meets: meets}
	}
	naming := func(name string, of []driver.Held, do do) sceneCall[Tx] {
		return sceneCall[Tx]{call: call[Tx]{name, do}, meets: of[0].EventID, names: of[:1]}
	}
	reading := func(name, meets string, do do) sceneCall[Tx] {
		return sceneCall[Tx]{call: call[Tx]{name, do}, meets: meets, reads: true}
	}
	return []sceneCall[Tx]{
		reading("Lanes", s.waiting[0], func(ctx context.Context, to Store[Tx]) error {
			_, err := to.Lanes(ctx, "", 10)
			return err
		}),
		reading("Confirm", s.hot[0].EventID, func(ctx context.Context, to Store[Tx]) error {
			_, err := to.Confirm(ctx, s.hot)
			return err
		}),
		changing("Claim", s.waiting[0], func(ctx context.Context, to Store[Tx]) error {
			_, err := to.Claim(ctx, driver.ClaimRequest{Owner: s.owner, Lease: long, Wants: wants(waitingLane)})
			return err
		}),
		changing("Take", s.hot[0].EventID, func(ctx context.Context, to Store[Tx]) error {
			_, err := to.Take(ctx, s.owner, long, s.hot)
			return err
		}),
		naming("Renew", s.renewed, func(ctx context.Context, to Store[Tx]) error {
			_, err := to.Renew(ctx, s.owner, long, []driver.Renewal{{Held: s.renewed[0]}, {Held: s.renewed[1]}})
			return err
		}),
		naming("Settle", s.settled, func(ctx context.Context, to Store[Tx]) error {
			outcomes := []driver.Outcome{{Held: s.settled[0], Kind: driver.Done}, {Held: s.settled[1], Kind: driver.Done}}
			_, err := to.Settle(ctx, s.owner, outcomes, false)
			return err
		}),
		changing("Sweep", s.done[0], func(ctx context.Context, to Store[Tx]) error {
			_, err := to.Sweep(ctx, 0, all)
			return err
		}),
		changing(writing, s.waiting[0], func(ctx context.Context, to Store[Tx]) error {
			w := outbox.NewWriter[Tx](to)
			return w.InTx(ctx, func(ctx context.Context, tx Tx) error {
				_, err := w.Write(ctx, tx, event(waitingLane))
				return err
			})
		}),
	}
}

// writing is the one call that is the writer's. It has no time limit but that of
// its context.
const writing = "a write"

// unchanged expects the events to be as they were, by what the calls return.
func (s scene[Tx]) unchanged(k *kit[Tx]) {
	k.Helper()
	k.sameHeld("lost", k.renew(s.owner, long, s.renewed...), nil)
	taken, err := k.Store.Take(k.ctx, s.owner, long, s.hot)
	k.must(err)
	if len(taken) != len(s.hot) {
		k.Errorf("took %v, expected both of %v", taken, s.hot)
	}
	k.sameIDs("claimed", idsOf(k.claim(s.owner, waitingLane)), s.waiting)
	for _, h := range s.settled {
		k.mustSettle(s.owner, driver.Outcome{Held: h, Kind: driver.Release})
	}
	k.sweepAll(len(s.done))
}

// eachAtOnce makes calls at the same time, since each takes all the time it has. It
// ends the test if one of them does not return.
func eachAtOnce[Tx, Call any](k *kit[Tx], calls []Call, do func(c Call)) {
	k.Helper()
	var wg sync.WaitGroup
	for _, c := range calls {
		wg.Go(func() { do(c) })
	}
	all := make(chan struct{})
	go func() {
		wg.Wait()
		close(all)
	}()
	select {
	case <-all:
	case <-time.After(patience + hurried):
		k.Fatalf("a call has not returned, %s after its time was over", patience)
	}
}
