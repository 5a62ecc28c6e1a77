package storetest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

func tableLockLaws[Tx any]() []Law[Tx] {
	return []Law[Tx]{
		{
			Name:    "a call ends in time though another session has locked the table",
			Why:     "a relay would hang while somebody changes the table, and report locked rows where it must wait",
			Applies: func(s Subject[Tx]) bool { return s.LockTable != nil },
			Check:   check(endsBesideTableLock[Tx]),
		},
		{
			Name:    "without a deadline, too, a call ends though another session has locked the table",
			Why:     "most calls have no deadline, and the relay must see that one of them took too long",
			Applies: func(s Subject[Tx]) bool { return s.LockTable != nil && s.Hasty != nil },
			Check:   check(endsByItselfBesideTableLock[Tx]),
		},
	}
}

// hurried is a deadline that a call runs into.
const hurried = time.Second

func endsBesideTableLock[Tx any](k *kit[Tx]) {
	s := newScene(k)
	release := k.LockTable(k)
	eachAtOnce(k, s.calls(), func(c sceneCall[Tx]) error {
		ctx, cancel := context.WithTimeout(k.ctx, hurried)
		defer cancel()
		return overTime(c, c.do(ctx, k.Store))
	})
	release()
	k.worksAgain(s, k.Store)
}

func endsByItselfBesideTableLock[Tx any](k *kit[Tx]) {
	hasty := k.Hasty(k)
	s := newScene(k)
	release := k.LockTable(k)
	eachAtOnce(k, s.calls(), func(c sceneCall[Tx]) error {
		if c.name == writing {
			return nil
		}
		ctx, cancel := context.WithTimeout(k.ctx, patience) // longer than any limit of its own
		defer cancel()
		err := c.do(ctx, hasty)
		if err != nil && !errors.Is(err, outbox.ErrStoreDown) {
			return fmt.Errorf("%s: error %w, expected ErrStoreDown", c.name, err)
		}
		if k.OneTransaction { // a lock of all there is
			return nil
		}
		return overTime(c, err)
	})
	release()
	k.worksAgain(s, hasty)
}

// overTime complains unless err is that of a call whose time is over. A call that
// changes nothing may be answered beside the lock.
func overTime[Tx any](c sceneCall[Tx], err error) error {
	switch {
	case err == nil && c.reads:
	case !errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%s: error %v, expected that it took too long", c.name, err) //nolint:errorlint // it may be nil
	case errors.As(err, new(*driver.LockedError)):
		return fmt.Errorf("%s: error %w names rows", c.name, err)
	}
	return nil
}

// worksAgain makes the calls until they are answered: what the server still had to
// do may take a moment, and what it has done is not known.
func (k *kit[Tx]) worksAgain(s scene[Tx], to Store[Tx]) {
	k.Helper()
	for _, c := range s.calls() {
		k.eventually(c.name+" is answered", func() bool {
			err := c.do(k.ctx, to)
			locked := errors.As(err, new(*driver.LockedError))
			if err != nil && !locked && !errors.Is(err, outbox.ErrStoreDown) && !errors.Is(err, outbox.ErrCommitUnknown) {
				k.Fatalf("%s, afterwards: %v", c.name, err)
			}
			return err == nil
		})
	}
}
