package sinktest

import (
	"context"
	"errors"
	"time"
)

func contextLaws() []Law {
	return []Law{
		{
			Name:  "a cancelled context ends a Send at once",
			Why:   "a stopping relay waits for its sinks",
			Check: check(cancelledBefore),
		},
		{
			Name:    "a waiting Send ends when its context is cancelled",
			Why:     "a lost lease cancels the run, and the worker is needed elsewhere",
			Applies: hasFaults,
			Check:   check(cancelledDuring),
		},
		{
			Name:    "a Send without a deadline ends by the sink's own limit",
			Why:     "a server that hangs would hold the worker forever",
			Applies: func(s Subject) bool { return s.Faults != nil && s.Hasty != nil },
			Check:   check(ownLimit),
		},
	}
}

func hasFaults(s Subject) bool { return s.Faults != nil }

func cancelledBefore(k *kit) {
	k.send(k.messages(event("order"))) // connected
	ctx, cancel := context.WithCancel(k.ctx)
	cancel()
	for _, err := range k.answers(ctx, k.messages(events("order", 3)...)) {
		if err != nil { // one may be delivered before the cancellation is noticed
			k.unavailable(err)
		}
	}
	ms := k.messages(event("order"))
	k.deliver(ms)
	k.atLeast(ms)
}

func cancelledDuring(k *kit) {
	k.send(k.messages(event("order")))
	k.Faults.Hang()
	ctx, cancel := context.WithCancel(k.ctx)
	defer time.AfterFunc(quiet, cancel).Stop()
	k.allUnavailable(k.answers(ctx, k.messages(events("order", 3)...)))
	k.Faults.Pass()
	ms := k.messages(event("order"))
	k.deliver(ms)
	k.atLeast(ms)
}

func ownLimit(k *kit) {
	sink := k.Hasty(k.TB)
	k.until("the sink is connected", func() bool {
		return errors.Join(sink.Send(k.ctx, k.messages(event("order")))...) == nil
	})
	k.Faults.Hang()
	ms := k.messages(events("order", 3)...)
	answered := make(chan []error, 1)
	go func() { answered <- sink.Send(context.WithoutCancel(k.ctx), ms) }()
	select {
	case errs := <-answered:
		if len(errs) != len(ms) {
			k.Fatalf("%d answers for %d messages", len(errs), len(ms))
		}
		k.allUnavailable(errs)
	case <-time.After(k.SendTimeout + grace):
		k.Errorf("Send has not returned %s after its own limit of %s", grace, k.SendTimeout)
	}
	k.Faults.Pass()
}
