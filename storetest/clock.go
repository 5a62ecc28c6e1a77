package storetest

import (
	"context"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

func clockLaws[Tx any]() []Law[Tx] {
	return []Law[Tx]{
		{
			Name:  "the caller's clock decides nothing",
			Why:   "application clocks may be hours apart; that must not lose, delay or reorder an event",
			Check: check(callersClock[Tx]),
		},
		{
			Name:  "times are the statement's, not the start of the transaction",
			Why:   "in a long transaction a delay or a head start counted from its beginning is over before it began",
			Check: check(realClock[Tx]),
		},
		{
			Name:  "a time in the past makes an event due at once",
			Why:   "backfills carry old times",
			Check: check(pastIsDue[Tx]),
		},
	}
}

func callersClock[Tx any](k *kit[Tx]) {
	var es []outbox.Event
	for _, skew := range []time.Duration{10 * time.Hour, -10 * time.Hour, 24 * 365 * time.Hour, 0} {
		e := event(lane)
		e.OccurredAt = time.Now().Add(skew)
		es = append(es, e)
	}
	ids := k.write(es...)
	cs := k.claim(driver.NewOwner("a"), lane)
	if len(cs) != len(ids) {
		k.Fatalf("claimed %d of %d events", len(cs), len(ids))
	}
	for i, c := range cs {
		if c.EventID != ids[i] {
			k.Errorf("event %d is %s, want %s", i, c.EventID, ids[i])
		}
		if d := c.CreatedAt.Sub(cs[0].CreatedAt); d < 0 || d > time.Hour {
			k.Errorf("created at %s and %s: the caller's clock got in", cs[0].CreatedAt, c.CreatedAt)
		}
	}
}

func realClock[Tx any](k *kit[Tx]) {
	const open, slack = 300 * time.Millisecond, 50 * time.Millisecond
	delayed := event("delayed")
	delayed.DeliverAfter = brief
	k.must(k.w.InTx(k.ctx, func(ctx context.Context, tx Tx) error {
		if _, err := k.w.Write(ctx, tx, event(lane)); err != nil {
			return err
		}
		k.pass(open)
		_, err := k.w.WriteAll(ctx, tx, []outbox.Event{event(lane), delayed}...)
		return err
	}))
	a := driver.NewOwner("a")
	cs := k.claim(a, lane)
	if len(cs) != 2 {
		k.Fatalf("claimed %d events, expected 2", len(cs))
	}
	if d := cs[1].CreatedAt.Sub(cs[0].CreatedAt); d < open-slack {
		k.Errorf("written %s apart in one transaction, created only %s apart", open, d)
	}
	if d := cs[1].Position.AvailableAt.Sub(cs[0].Position.AvailableAt); d < open-slack {
		k.Errorf("written %s apart in one transaction, due only %s apart", open, d)
	}
	var late []driver.Claimed
	k.eventually("the delayed event can be claimed", func() bool {
		late = k.claim(a, "delayed")
		return len(late) == 1
	})
	if d := late[0].Position.AvailableAt.Sub(cs[0].Position.AvailableAt); d < open-slack {
		k.Errorf("a delay asked for %s after the transaction began counts from %s after", open, d)
	}
}

func pastIsDue[Tx any](k *kit[Tx]) {
	old, now := event(lane), event(lane)
	old.AvailableAt = time.Now().Add(-time.Hour)
	ids := k.write(now, old)
	cs := k.claim(driver.NewOwner("a"), lane)
	if len(cs) != 2 || cs[0].EventID != ids[1] {
		k.Errorf("claimed %v, expected both, the one due an hour ago first", idsOf(cs))
	}
}
