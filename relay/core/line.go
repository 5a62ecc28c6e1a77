package core

import "github.com/sendoff-go/outbox"

// Key is what runs one at a time.
type Key struct{ AggregateType, AggregateID string }

func keyOf(e *outbox.Event) Key { return Key{e.AggregateType, e.AggregateID} }

// lines has a line for each key of which an event is in memory and does not wait
// for its settle.
type lines map[Key]*line

// of is the line of a key, made if need be.
func (ls lines) of(key Key) *line {
	ln := ls[key]
	if ln == nil {
		ln = &line{key: key}
		ls[key] = ln
	}
	return ln
}

// line is the events of one key, in the order of seq. One runs, or is the next
// to run, and the others wait behind it. A nil line is that of an event without
// a key.
type line struct {
	key     Key
	lead    *Item // the next to run; nil while one runs
	running int   // one, or a batch of them
	stuck   int   // runs that go on although their events are settled
	behind  queue // by seq
}

// join takes an event in and reports whether it is the next to run. Then it may
// have been written before the one that was, which steps back.
func (ln *line) join(it *Item) (next bool, back *Item) {
	switch {
	case ln.lead == nil && ln.running == 0:
	case ln.lead != nil && it.held.Seq < ln.lead.held.Seq:
		back = ln.lead
		ln.behind.insert(back)
	default:
		ln.behind.insert(it)
		return false, nil
	}
	ln.lead = it
	return true, back
}

// start counts an event as running.
func (ln *line) start(it *Item) {
	if ln == nil {
		return
	}
	if ln.lead == it {
		ln.lead = nil
	}
	ln.running++
}

// unstart makes one that was started the next to run again.
func (ln *line) unstart(it *Item) {
	if ln != nil {
		ln.running--
		ln.lead = it
	}
}

// leave reports whether the event was the next to run, and forgets it then.
func (ln *line) leave(it *Item) bool {
	if ln == nil || ln.lead != it {
		return false
	}
	ln.lead = nil
	return true
}

// ran counts a run that has ended, and unstick one that was stuck.
func (ln *line) ran() {
	if ln != nil {
		ln.running--
	}
}

func (ln *line) unstick() {
	if ln != nil {
		ln.stuck--
	}
}

// getStuck keeps the key to a run that does not end. What it returns waits
// behind it; one that is being taken follows after the answer.
func (ln *line) getStuck() (behind []*Item) {
	if ln == nil {
		return nil
	}
	ln.running--
	ln.stuck++
	for _, it := range ln.behind.items[ln.behind.head:] {
		if it.state == Lined {
			behind = append(behind, it)
		}
	}
	return behind
}

// isStuck reports that a run of the key does not end.
func (ln *line) isStuck() bool { return ln != nil && ln.stuck > 0 }

// goesFirst reports that nothing of its key keeps the event from running.
func (ln *line) goesFirst(it *Item) bool { return ln == nil || ln.lead == it }

// advance lets the next one come forward, if none runs.
func (ln *line) advance() *Item {
	if ln == nil || ln.lead != nil || ln.running > 0 {
		return nil
	}
	ln.lead = ln.behind.pop(isWaiting)
	return ln.lead
}

func (ln *line) empty() bool { return ln.lead == nil && ln.running == 0 && ln.stuck == 0 }

// follower takes the next one behind those that start, if the condition holds
// for it.
func (ln *line) follower(may func(*Item) bool) *Item {
	if ln == nil {
		return nil
	}
	if next := ln.behind.peek(isWaiting); next == nil || next.state != Lined || !may(next) {
		return nil
	}
	return ln.behind.pop(isWaiting)
}
