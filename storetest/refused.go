package storetest

import (
	"context"
	"errors"
	"slices"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

func refusedLaws[Tx any]() []Law[Tx] {
	return []Law[Tx]{
		{
			Name:    "a change that the database refuses is no outage, and changes nothing",
			Why:     "a relay waits for a database that is down, and sends the same again: nobody would be told what to mend",
			Applies: func(s Subject[Tx]) bool { return s.Refuse != nil },
			Check:   check(refusedChanges[Tx]),
		},
		{
			Name:    "a right that is missing is no outage",
			Why:     "the error must name the right to somebody, instead of waiting for it to come",
			Applies: func(s Subject[Tx]) bool { return s.NoRights != nil },
			Check: check(func(k *kit[Tx]) {
				s := k.NoRights(k)
				for _, c := range coreCalls[Tx]() {
					k.refusal(c.name, c.do(k.ctx, s), outages...) // a table may be hidden from those without a right to it
				}
			}),
		},
	}
}

func refusedChanges[Tx any](k *kit[Tx]) {
	s := newScene(k)
	allow := k.Refuse(k)
	for _, c := range s.calls() {
		switch err := c.do(k.ctx, k.Store); {
		case !c.reads:
			k.refusal(c.name, err, slices.Concat(outages, []error{outbox.ErrSchema})...)
		case err != nil:
			k.Errorf("%s changes nothing: unexpected error %v", c.name, err)
		}
	}
	allow()
	s.unchanged(k)
}

// outages are errors that a relay sends a call again for, without a word of what
// the database said.
var outages = []error{outbox.ErrStoreDown, outbox.ErrCommitUnknown, context.DeadlineExceeded, context.Canceled}

// refusal expects an error that is none of the others, and names no rows.
func (k *kit[Tx]) refusal(name string, err error, others ...error) {
	k.Helper()
	if err == nil {
		k.Errorf("%s: no error, expected a refusal", name)
	}
	for _, other := range others {
		if errors.Is(err, other) {
			k.Errorf("%s: error %v, expected a refusal and not %q", name, err, other)
		}
	}
	if errors.As(err, new(*driver.LockedError)) {
		k.Errorf("%s: error %v names locked rows", name, err)
	}
}
