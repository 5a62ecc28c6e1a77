package storetest

import (
	"slices"
	"strings"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

func controlLaws[Tx any]() []Law[Tx] {
	return []Law[Tx]{
		{
			Name:  "lanes are paused and resumed for everyone",
			Why:   "a person pauses a lane once, not on every instance",
			Check: check(pausedForAll[Tx]),
		},
		{
			Name:  "a destination is paused apart from a lane of its name",
			Why:   "nothing keeps a lane from having the name of a destination, and pausing one must not stop the other",
			Check: check(destinationsArePaused[Tx]),
		},
		{
			Name:  "a pause says who began it, and when",
			Why:   "whoever repeats a pause must not hide how long it has lasted, or who knows the reason",
			Check: check(pauseKeepsItsBeginning[Tx]),
		},
		{
			Name:  "what cannot be paused is refused",
			Why:   "a pause that no relay can ever match would look as if it were in force",
			Check: check(refusedPauses[Tx]),
		},
	}
}

// control is the power that the laws of this file are about.
func (k *kit[Tx]) control() driver.ControlStore { return k.Store.(driver.ControlStore) }

func (k *kit[Tx]) pauses() []driver.Pause {
	k.Helper()
	all, err := k.client(1).(driver.ControlStore).Paused(k.ctx)
	k.must(err)
	return all
}

func (k *kit[Tx]) setPaused(what driver.Pausable, paused bool, by string) {
	k.Helper()
	k.must(k.control().SetPaused(k.ctx, what, paused, by))
}

// expectPaused expects these to be paused, in that order.
func (k *kit[Tx]) expectPaused(want ...driver.Pausable) {
	k.Helper()
	var got []driver.Pausable
	for _, p := range k.pauses() {
		got = append(got, p.Pausable)
	}
	if !slices.Equal(got, want) {
		k.Errorf("paused are %q, expected %q", got, want)
	}
}

func pausedForAll[Tx any](k *kit[Tx]) {
	all, one, other := driver.PausableLane("*"), driver.PausableLane(lane), driver.PausableLane("語")
	k.expectPaused()
	for range 2 { // pausing what is paused is no error
		k.setPaused(one, true, "ann")
		k.setPaused(other, true, "bob")
		k.setPaused(all, true, "cyd")
		k.expectPaused(all, one, other)
	}
	for range 2 {
		k.setPaused(all, false, "ann")
		k.setPaused(one, false, "ann")
		k.setPaused(driver.PausableLane("never paused"), false, "ann")
		k.expectPaused(other)
	}
	k.setPaused(one, true, "ann")
	k.expectPaused(one, other)
}

func destinationsArePaused[Tx any](k *kit[Tx]) {
	long := driver.PausableDestination(strings.Repeat("語", driver.MaxDestinationName))
	here, there := driver.PausableDestination(lane), driver.PausableLane(lane)
	k.setPaused(long, true, "ann")
	k.setPaused(there, true, "ann")
	k.setPaused(here, true, "ann")
	k.expectPaused(here, long, there)
	k.setPaused(there, false, "ann")
	k.expectPaused(here, long)
	k.setPaused(there, true, "ann")
	k.setPaused(here, false, "ann")
	k.setPaused(long, false, "ann")
	k.expectPaused(there)
}

func pauseKeepsItsBeginning[Tx any](k *kit[Tx]) {
	for _, what := range []driver.Pausable{driver.PausableLane(lane), driver.PausableDestination("kafkasink#0:orders")} {
		only := func() driver.Pause {
			k.Helper()
			ps := k.pauses()
			if len(ps) != 1 {
				k.Fatalf("%+v, expected one pause", ps)
			}
			return ps[0]
		}
		k.setPaused(what, true, "ann 語")
		first := only()
		if first.By != "ann 語" || first.At.IsZero() {
			k.Errorf("%+v, expected it by ann 語, with a time", first)
		}
		k.setPaused(what, true, "bob")
		if again := only(); again.By != first.By || !again.At.Equal(first.At) {
			k.Errorf("%+v after bob paused what %s had paused at %s", again, first.By, first.At)
		}
		k.eventually("a pause after a resume is later than the one before", func() bool {
			k.setPaused(what, false, "bob")
			k.setPaused(what, true, "cyd")
			return only().At.After(first.At)
		})
		if p := only(); p.By != "cyd" {
			k.Errorf("%+v, expected it by cyd, who paused after a resume", p)
		}
		k.setPaused(what, false, "cyd")
	}
}

func refusedPauses[Tx any](k *kit[Tx]) {
	for _, what := range []driver.Pausable{
		{Kind: "sink", Name: "x"}, {Name: "x"},
		driver.PausableLane(""), driver.PausableLane(strings.Repeat("x", outbox.MaxTypeLength+1)),
		driver.PausableDestination(""), driver.PausableDestination("a\x00b"), driver.PausableDestination("a\xffb"),
		driver.PausableDestination(strings.Repeat("x", driver.MaxDestinationName+1)),
	} {
		if err := k.control().SetPaused(k.ctx, what, true, "ann"); err == nil {
			k.Errorf("%.20q of kind %q was paused", what.Name, what.Kind)
		}
	}
	k.expectPaused()
}
