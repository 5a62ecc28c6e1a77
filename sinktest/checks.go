package sinktest

import (
	"context"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

func checkLaws() []Law {
	return []Law{
		{
			Name:    "a check tells a server that answers from one that does not",
			Why:     "the relay uses it to find the end of an outage; a check that always passes sends events into the outage, one that never passes holds them forever",
			Applies: hasFaults,
			Check:   check(func(k *kit) { k.checkTells(k.test) }),
		},
		{
			Name:  "a check sends no message",
			Why:   "consumers would receive what nobody wrote",
			Check: check(func(k *kit) { k.checkSendsNothing(k.test) }),
		},
	}
}

// test calls the sink's check with a timeout of d.
func (k *kit) test(d time.Duration) error {
	k.Helper()
	return k.ask(d, k.Sink.(driver.Checker).Check)
}

// ask calls a check with a timeout of d.
func (k *kit) ask(d time.Duration, check func(context.Context) error) error {
	k.Helper()
	ctx, cancel := context.WithTimeout(k.ctx, d)
	defer cancel()
	answered := make(chan error, 1)
	go func() { answered <- check(ctx) }()
	select {
	case err := <-answered:
		return err
	case <-late(ctx):
		k.Fatalf("Check has not returned %s after the end of its context", grace)
		return nil
	}
}

func (k *kit) checkTells(test func(time.Duration) error) {
	k.Helper()
	passes := func() bool { return test(brief) == nil }
	k.until("the check of a healthy server passes", passes)
	k.Faults.Refuse()
	if test(brief) == nil {
		k.Error("the check passed while the server refused connections")
	}
	k.Faults.Pass()
	k.until("the check passes when the server is back", passes)
	k.Faults.Hang()
	if test(brief) == nil {
		k.Error("the check passed while the server hung")
	}
	k.Faults.Pass()
	k.until("the check passes when the server answers again", passes)
}

func (k *kit) checkSendsNothing(test func(time.Duration) error) {
	k.Helper()
	k.until("the check passes", func() bool { return test(brief) == nil })
	if as := k.Receive(1, quiet); len(as) > 0 {
		k.Errorf("a check sent %+v", as)
	}
}
