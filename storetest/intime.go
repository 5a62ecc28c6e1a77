package storetest

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

func inTimeLaws[Tx any]() []Law[Tx] {
	return []Law[Tx]{
		{
			Name:    "no call is late because another session has locked a row",
			Why:     "renewals have a third of a lease: beside a row that somebody is looking at, all leases would end, and all events wait",
			Applies: func(s Subject[Tx]) bool { return s.LockRow != nil },
			Check:   check(inTimeBesideLock[Tx]),
		},
	}
}

// answerTime is how long a call may take that meets a locked row: twice the
// deadline of the renewals of a relay with the default lease. A store waits for a
// fifth of it at most.
var answerTime = 10 * time.Second

// answerTries is how often a call is made that took longer. A machine that stands
// still does so at another time; a store that waits does so each time.
const answerTries = 5

func inTimeBesideLock[Tx any](k *kit[Tx]) {
	for i := range newScene(k).calls() {
		c, err := k.inTime(i)
		if c.names == nil {
			if err != nil {
				k.Errorf("%s: unexpected error: %v", c.name, err)
			}
			continue
		}
		var locked *driver.LockedError
		if !errors.As(err, &locked) || !slices.Equal(locked.Rows, c.names) {
			k.Errorf("%s: error %v, expected one that names %v", c.name, err, c.names[0])
		}
	}
}

// inTime makes a call of a scene, which must be answered within [answerTime] although
// its event is locked, and whose answer must have the others. Each try has a scene of
// its own: the server may still be at an earlier one.
func (k *kit[Tx]) inTime(i int) (c sceneCall[Tx], err error) {
	k.Helper()
	for try := 1; ; try++ {
		c = newScene(k).calls()[i]
		release := k.LockRow(k, c.meets)
		ctx, cancel := context.WithTimeout(k.ctx, answerTime)
		var names []string
		names, err = c.ask(ctx, k.Store)
		late := ctx.Err() != nil
		cancel()
		release()
		missing := err == nil && slices.ContainsFunc(c.others, func(name string) bool { return !slices.Contains(names, name) })
		switch {
		case !late && !missing:
			return c, err
		case try < answerTries:
		case late:
			k.Fatalf("%s took more than %s, %d times: it waits for a row that is locked; the last error: %v", c.name, answerTime, try, err)
		default:
			k.Fatalf("%s found %q, expected it to find %q too beside a row that is locked, %d times", c.name, names, c.others, try)
		}
	}
}
