package storetest

import (
	"context"
	"slices"
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
	// ask is do, and returns the names of what the answer has. It must have others,
	// even if the event that the call meets is locked.
	ask    ask[Tx]
	others []string
}

type ask[Tx any] = func(ctx context.Context, to Store[Tx]) (names []string, err error)

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
	asking := func(name, meets string, others []string, ask ask[Tx]) sceneCall[Tx] {
		do := func(ctx context.Context, to Store[Tx]) error {
			_, err := ask(ctx, to)
			return err
		}
		return sceneCall[Tx]{call: call[Tx]{name, do}, meets: meets, ask: ask, others: others}
	}
	reading := func(name, meets string, others []string, ask ask[Tx]) sceneCall[Tx] {
		c := asking(name, meets, others, ask)
		c.reads = true
		return c
	}
	naming := func(name string, of []driver.Held, ask ask[Tx]) sceneCall[Tx] {
		c := asking(name, of[0].EventID, nil, ask)
		c.names = of[:1]
		return c
	}
	return []sceneCall[Tx]{
		reading("Lanes", s.waiting[0], []string{waitingLane}, func(ctx context.Context, to Store[Tx]) (names []string, err error) {
			ls, err := to.Lanes(ctx, "", 10)
			for _, l := range ls {
				names = append(names, l.Lane)
			}
			return names, err
		}),
		reading("Confirm", s.hot[0].EventID, eventIDs(s.hot), func(ctx context.Context, to Store[Tx]) ([]string, error) {
			committed, err := to.Confirm(ctx, s.hot)
			return eventIDs(committed), err
		}),
		asking("Claim", s.waiting[0], s.waiting[1:], func(ctx context.Context, to Store[Tx]) ([]string, error) {
			cs, err := to.Claim(ctx, driver.ClaimRequest{Owner: s.owner, Lease: long, Wants: wants(waitingLane)})
			return idsOf(cs), err
		}),
		asking("Take", s.hot[0].EventID, eventIDs(s.hot[1:]), func(ctx context.Context, to Store[Tx]) ([]string, error) {
			taken, err := to.Take(ctx, s.owner, long, s.hot)
			return eventIDs(taken), err
		}),
		naming("Renew", s.renewed, func(ctx context.Context, to Store[Tx]) ([]string, error) {
			_, err := to.Renew(ctx, s.owner, long, []driver.Renewal{{Held: s.renewed[0]}, {Held: s.renewed[1]}})
			return nil, err
		}),
		naming("Settle", s.settled, func(ctx context.Context, to Store[Tx]) ([]string, error) {
			outcomes := []driver.Outcome{{Held: s.settled[0], Kind: driver.Done}, {Held: s.settled[1], Kind: driver.Done}}
			_, err := to.Settle(ctx, s.owner, outcomes, false)
			return nil, err
		}),
		asking("Sweep", s.done[0], []string{aRow}, func(ctx context.Context, to Store[Tx]) ([]string, error) {
			n, err := to.Sweep(ctx, 0, all)
			return slices.Repeat([]string{aRow}, n), err
		}),
		asking(writing, s.waiting[0], nil, func(ctx context.Context, to Store[Tx]) ([]string, error) {
			w := outbox.NewWriter[Tx](to)
			return nil, w.InTx(ctx, func(ctx context.Context, tx Tx) error {
				_, err := w.Write(ctx, tx, event(waitingLane))
				return err
			})
		}),
	}
}

// aRow stands for one of those that a call only counts.
const aRow = "a row"

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

// eachAtOnce makes calls at the same time, since each takes all the time it has, and
// reports what do complains of. It ends the test if one of them does not return.
func eachAtOnce[Tx, Call any](k *kit[Tx], calls []Call, do func(c Call) error) {
	k.Helper()
	complaints := make(chan error, len(calls)) // a call may return when the test has ended
	for _, c := range calls {
		go func() { complaints <- do(c) }()
	}
	over := time.After(patience + hurried)
	for range calls {
		select {
		case complaint := <-complaints:
			if complaint != nil {
				k.Error(complaint)
			}
		case <-over:
			k.Fatalf("a call has not returned, %s after its time was over", patience)
		}
	}
}
