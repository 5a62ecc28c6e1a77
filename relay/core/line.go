package core

import "github.com/sendoff-go/outbox"

// Key identifies events that run one at a time.
type Key struct{ AggregateType, AggregateID string }

func keyOf(e *outbox.Event) Key { return Key{e.AggregateType, e.AggregateID} }

// lines has a line for each key with an event in memory that is not yet
// decided.
type lines map[Key]*line

// of returns the line of a key, which it makes if necessary.
func (ls lines) of(key Key) *line {
	ln := ls[key]
	if ln == nil {
		ln = &line{key: key}
		ls[key] = ln
	}
	return ln
}

// drop forgets a line that is empty.
func (ls lines) drop(ln *line) { delete(ls, ln.key) }

// line is the events of one key, in the order of seq. One runs, or is the next
// to run, and the others wait behind it. The line of an event without a key is
// nil.
type line struct {
	key     Key
	lead    *Item // the next to run; nil while one runs
	running int   // one, or a batch of them
	stuck   int   // runs that go on although their events are settled
	behind  queue // by seq
}

// join adds an event and reports whether it is the next to run. It may have
// been written before the one that was next, which then steps back.
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

// unstart makes a started event wait again, and reports whether it is the next to
// run: an earlier one may have come meanwhile.
func (ln *line) unstart(it *Item) (next bool) {
	if ln == nil {
		return true
	}
	ln.running--
	if first := ln.behind.peek(isWaiting); first != nil && first.held.Seq < it.held.Seq {
		ln.behind.insert(it)
		return false
	}
	ln.lead = it
	return true
}

// leave reports whether the event was the next to run, and if so forgets it.
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

// stick counts a run that was stuck before the last start.
func (ln *line) stick() { ln.stuck++ }

func (ln *line) unstick() {
	if ln != nil {
		ln.stuck--
	}
}

// getStuck reserves the key for a run that does not end. It returns the events
// that wait behind it; one that is being taken follows after the answer.
func (ln *line) getStuck() (behind []*Item) {
	if ln == nil {
		return nil
	}
	ln.running--
	ln.stuck++
	var taking queue
	for _, it := range ln.behind.items[ln.behind.head:] {
		if it.state == Lined {
			behind = append(behind, it)
		} else if it.state.waits() {
			taking.push(it)
		}
	}
	ln.behind = taking // the run may never end, and must not keep the others in memory
	return behind
}

// isStuck reports whether a run of the key does not end.
func (ln *line) isStuck() bool { return ln != nil && ln.stuck > 0 }

// goesFirst reports whether no event of its key keeps the event from running.
func (ln *line) goesFirst(it *Item) bool { return ln == nil || ln.lead == it }

// advance makes the next event the lead, if none runs.
func (ln *line) advance() *Item {
	if ln == nil || ln.lead != nil || ln.running > 0 {
		return nil
	}
	ln.lead = ln.behind.pop(isWaiting)
	return ln.lead
}

func (ln *line) empty() bool { return ln.lead == nil && ln.running == 0 && ln.stuck == 0 }

// follower removes the next event behind those that start, if may accepts it.
func (ln *line) follower(may func(*Item) bool) *Item {
	if ln == nil {
		return nil
	}
	if next := ln.behind.peek(isWaiting); next == nil || next.state != Lined || !may(next) {
		return nil
	}
	return ln.behind.pop(isWaiting)
}
