package core

import "time"

// Dest is a destination of events. Those of one name share a breaker.
type Dest struct {
	Name    string
	Batches bool // it takes many events at once
	// Target belongs to the caller.
	Target any

	breaker *Breaker
}

func (d *Dest) breakerOrNil() *Breaker {
	if d == nil {
		return nil
	}
	return d.breaker
}

// Dests are the destinations of a relay: one breaker for each name.
type Dests struct {
	*memory
	named  map[string]*Breaker
	list   []*Breaker // in the order of arrival
	paused map[string]bool
}

// Add adds a destination. Checks means that it can be probed without an event.
func (ds *Dests) Add(name string, batches, checks bool, target any) *Dest {
	b := ds.named[name]
	if b == nil {
		b = &Breaker{Name: name, Target: target, probes: probes{checks: checks}, pause: destPause{on: ds.paused[name]}, base: ds.base}
		ds.named[name] = b
		ds.list = append(ds.list, b)
	}
	return &Dest{Name: name, Batches: batches, Target: target, breaker: b}
}

// Names returns the names of the destinations, in the order they were added.
func (ds *Dests) Names() (names []string) {
	for _, b := range ds.list {
		names = append(names, b.Name)
	}
	return names
}

// Tried returns when an event last tried each destination that is half-open: now, if
// one does.
func (ds *Dests) Tried() map[string]time.Time {
	tried := map[string]time.Time{}
	for _, b := range ds.list {
		switch b.state {
		case trying:
			tried[b.Name] = ds.now
		case halfOpen:
			tried[b.Name] = b.trial.began
		case closed, open, probing:
		}
	}
	return tried
}

// answered passes an answer on to the breaker of the event's destination, unless
// the relay has ended the run. It reports whether an unavailable destination is
// the event's own failure, or else how long the event stays away. A destination
// that was unavailable for another event of the run is not back because of this one.
func (ds *Dests) answered(it *Item, a Answer, ended, partly bool) (guilty bool, aside time.Duration) {
	b := it.Dest.breakerOrNil()
	var t turn
	switch {
	case !ended && a.Kind == Unavailable:
		t, guilty, aside = b.unavailable(it, a.Inferred, ds.now)
	case ended || a.Unasked:
		t = b.unasked(it)
	case partly:
		b.answeredInPart(it)
	default:
		t = b.answered(it)
	}
	ds.turned(b, t, a.Err)
	return guilty, aside
}

// turned notes the change and lets the events that wait for the destination go
// on.
func (ds *Dests) turned(b *Breaker, t turn, err error) {
	switch t {
	case asBefore:
		return
	case wentAway:
		ds.noteTurn(Note{Kind: NoteAway, Target: b.Name, Err: err, Wait: b.probes.wait})
		ds.giveBackWaiting(func(it *Item) bool { return it.Dest.breakerOrNil() == b })
		ds.wake(ProbeLoop)
		return
	case cameBack:
		ds.noteTurn(Note{Kind: NoteBack, Target: b.Name})
	case inVain:
		ds.noteTurn(Note{Kind: NoteInVain, Target: b.Name, Err: err})
		ds.wake(ProbeLoop)
	case proved:
		ds.noteTurn(Note{Kind: NoteHalfOpen, Target: b.Name})
	case freed:
	}
	for _, l := range ds.lanes.list {
		if l.reaches(b) {
			ds.touch(l)
			ds.poller.wakeLane(l)
		}
	}
}

// fail takes a destination down that its check says is unavailable.
func (ds *Dests) fail(b *Breaker, err error) {
	if b.shut() || ds.phase != Working {
		return
	}
	b.fail(ds.now)
	ds.turned(b, wentAway, err)
}
