package core

import (
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// stuckRuns are events that were settled while their run goes on, by id. They do
// not run here before it has ended.
type stuckRuns map[string]stuckRun

type stuckRun struct {
	it      *Item
	earlier bool // since before the last start
}

func (s stuckRuns) add(it *Item) { s[it.held.EventID] = stuckRun{it: it} }

// end forgets an event whose run has ended after all.
func (s stuckRuns) end(it *Item) { delete(s, it.held.EventID) }

func (s stuckRuns) has(id string) bool {
	_, ok := s[id]
	return ok
}

// age notes that all of them began before this start.
func (s stuckRuns) age() {
	for id, r := range s {
		s[id] = stuckRun{r.it, true}
	}
}

// none reports whether none of them began since the start.
func (s stuckRuns) none() bool {
	for _, r := range s {
		if !r.earlier {
			return false
		}
	}
	return true
}

// count adds those that began since the start, by event type.
func (s stuckRuns) count(since map[string]int) {
	for _, r := range s {
		if !r.earlier {
			since[r.it.lane.Name]++
		}
	}
}

// hold reserves the keys of their events in new lines, so that nothing of a key
// runs beside them.
func (s stuckRuns) hold(lines lines) {
	for _, r := range s {
		if ln := r.it.line; ln != nil {
			r.it.line = lines.of(ln.key)
			r.it.line.stick()
		}
	}
}

// stuckGrace is how long a run may go on after its context has ended before
// its event is settled without it.
const stuckGrace = time.Second

// GiveUp settles the events of a run that ignores the end of its context, with
// these answers. The run keeps its worker, and its events do not run again here
// before it has ended.
func (rs *Runs) GiveUp(run *Run, answers []Answer) {
	goesOn := false
	for i, it := range run.Items {
		if !it.state.runs() { // it has just ended
			continue
		}
		goesOn = true
		rs.note(Note{Kind: NoteStuck, Lane: it.lane.Name, EventID: it.held.EventID, N: 1, Wait: answers[i].Took})
		settle := rs.detach(it)
		for _, behind := range it.line.getStuck() { // they may run elsewhere and make room for others
			rs.giveBack(behind, rs.stuckDelay())
		}
		rs.decisions.decide(settle, answers[i], partlyUnavailable(answers))
		if rs.phase == Stopping && settle.outcome.Kind == driver.Release { // no other relay may run it while this run goes on
			settle.outcome.Delay = rs.stuckDelay()
		}
	}
	if goesOn {
		rs.loseWorker(run)
	}
}

// detach makes the event that is settled while the run goes on with its own.
func (m *memory) detach(it *Item) *Item {
	settle := it.detached()
	m.move(&settle, Detached)
	if it.state == Cancelled {
		m.move(&settle, Cancelled)
	}
	m.book.remove(it)
	it.next = nil
	m.book.add(&settle)
	m.suspects.replace(it, &settle)
	m.move(it, Stuck)
	m.stuck.add(it)
	return &settle
}

// loseWorker counts a run that keeps its worker although its events are
// settled. When the lane has no worker left, its events are for other relays.
func (rs *Runs) loseWorker(run *Run) {
	l := run.lane
	if l == nil || run.abandoned {
		return
	}
	run.abandoned = true
	if l.work.lose(); l.shut() {
		rs.giveBackWaiting(func(it *Item) bool { return it.lane == l })
	}
}

// regainWorker notes that an abandoned run has ended.
func (rs *Runs) regainWorker(run *Run) {
	if run.abandoned {
		run.abandoned = false
		run.lane.work.regain()
		rs.poller.wakeLane(run.lane)
	}
}

// rest empties the book. What runs is stuck from then on, so that it does not run
// twice at once.
func (rs *Runs) rest() {
	for len(rs.book.items) > 0 {
		it := rs.book.items[len(rs.book.items)-1]
		it.next = nil
		rs.book.remove(it)
		if it.state.runs() && it.run != nil {
			it.Dest.breakerOrNil().release(it) // nobody takes its answer
			rs.move(it, Stuck)
			rs.stuck.add(it)
			rs.loseWorker(it.run)
		} else {
			rs.move(it, Gone)
		}
	}
}
