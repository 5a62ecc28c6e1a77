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
			Why:     "the relay asks it when an outage is over; one that always passes sends events into outages, one that never passes keeps them for ever",
			Applies: func(s Subject) bool { return hasFaults(s) && isChecker(s) },
			Check:   check(checkTells),
		},
		{
			Name:    "a check sends no message",
			Why:     "consumers would receive what nobody wrote",
			Applies: isChecker,
			Check:   check(checkSendsNothing),
		},
	}
}

func isChecker(s Subject) bool {
	_, ok := s.Sink.(driver.Checker)
	return ok
}

// test calls the sink's check with that much time.
func (k *kit) test(d time.Duration) error {
	k.Helper()
	ctx, cancel := context.WithTimeout(k.ctx, d)
	defer cancel()
	answered := make(chan error, 1)
	go func() { answered <- k.Sink.(driver.Checker).Check(ctx) }()
	select {
	case err := <-answered:
		return err
	case <-late(ctx):
		k.Fatalf("Check has not returned %s after the end of its context", grace)
		return nil
	}
}

func checkTells(k *kit) {
	passes := func() bool { return k.test(brief) == nil }
	k.until("the check of a server that is there passes", passes)
	k.Faults.Refuse()
	if k.test(brief) == nil {
		k.Error("the check passed while the server refused connections")
	}
	k.Faults.Pass()
	k.until("the check passes when the server is back", passes)
	k.Faults.Hang()
	if k.test(brief) == nil {
		k.Error("the check passed while the server hung")
	}
	k.Faults.Pass()
	k.until("the check passes when the server answers again", passes)
}

func checkSendsNothing(k *kit) {
	k.until("the check passes", func() bool { return k.test(brief) == nil })
	if as := k.Receive(1, quiet); len(as) > 0 {
		k.Errorf("a check sent %+v", as)
	}
}
