package storetest

import (
	"github.com/sendoff-go/outbox/driver"
)

func controlLaws[Tx any]() []Law[Tx] {
	return []Law[Tx]{
		{
			Name:  "lanes are paused and resumed for everyone",
			Why:   "a person pauses a lane once, not on every instance",
			Check: check(pausedForAll[Tx]),
		},
	}
}

// control is the power that the law of this file is about.
func (k *kit[Tx]) control() driver.ControlStore { return k.Store.(driver.ControlStore) }

func pausedForAll[Tx any](k *kit[Tx]) {
	expect := func(want ...string) {
		k.Helper()
		got, err := k.client(1).(driver.ControlStore).Paused(k.ctx)
		k.must(err)
		k.sameIDs("paused", got, want)
	}
	expect()
	for range 2 { // pausing what is paused is no error
		k.must(k.control().SetPaused(k.ctx, lane, true, "ann"))
		k.must(k.control().SetPaused(k.ctx, "語", true, "bob"))
		k.must(k.control().SetPaused(k.ctx, "*", true, "cyd"))
		expect("*", lane, "語")
	}
	for range 2 {
		k.must(k.control().SetPaused(k.ctx, "*", false, "ann"))
		k.must(k.control().SetPaused(k.ctx, lane, false, "ann"))
		k.must(k.control().SetPaused(k.ctx, "never paused", false, "ann"))
		expect("語")
	}
	k.must(k.control().SetPaused(k.ctx, lane, true, "ann"))
	expect(lane, "語")
}
