package core

import (
	"fmt"
	"slices"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// rounds are what RunOnce does: a relay that has started does one, or polls until it
// ends.
type rounds struct {
	*world
	on, over bool
	began    time.Time
	tried    map[string]bool
	due      []*modelRow     // they could be delivered when the round began
	untried  map[string]bool // given back without a try: true if there was a reason
}

// maybe begins a round, in one of three starts.
func (rs *rounds) maybe() {
	rs.on, rs.over = false, false
	if rs.oneIn(3) {
		rs.begin()
	}
}

// begin begins a round with the probes that are due. There are no others in it.
func (rs *rounds) begin() {
	rs.say("begins a round")
	rs.saw["rounds"]++
	rs.loops.probe()
	rs.statements.answerAll(!rs.calm && rs.oneIn(4))
	rs.on, rs.began, rs.due = true, rs.now, nil
	rs.tried, rs.untried = map[string]bool{}, map[string]bool{}
	for _, r := range rs.store.pending {
		if !r.availableAt.After(rs.now) && r.claimable(rs.now) && rs.open(r) {
			rs.due = append(rs.due, r)
		}
	}
	rs.step(func(c *Core) { c.Claims.BeginRound() })
}

// next asks what to claim.
func (rs *rounds) next() (p Polling) {
	switch {
	case !rs.on:
		rs.step(func(c *Core) { p = c.Claims.Next() })
	case rs.over:
	default:
		rs.step(func(c *Core) {
			if p = c.Claims.NextOfRound(); len(p.Wants) == 0 && p.Wait == 0 {
				rs.over = true
				c.Drain()
			}
		})
	}
	return p
}

// failed ends the round: it reports the error.
func (rs *rounds) failed() {
	if rs.on && !rs.over {
		rs.over = true
		rs.step(func(c *Core) { c.Drain() })
	}
}

// runs checks that the round tries an event once.
func (rs *rounds) runs(it *Item) {
	if rs.on && !it.Hot && rs.tried[idAndSeq(it.held)] {
		rs.violated("%s runs twice in a round", it.held.EventID)
	}
}

// ends makes a step that ends a run, and notes which of its events go back to the table.
// If an outcome comes too late, what was delivered, or dead, may run again.
func (rs *rounds) ends(run *Run, f func(c *Core)) {
	ran := slices.DeleteFunc(slices.Clone(run.Items), func(it *Item) bool { return !it.state.runs() })
	rs.step(f)
	for _, it := range ran {
		if k := it.outcome.Kind; rs.on && (k == driver.Retry || k == driver.Release) {
			rs.tried[idAndSeq(it.held)] = true
		}
	}
}

func idAndSeq(h driver.Held) string { return fmt.Sprint(h.EventID, "/", h.Seq) }

// heal lets a round end. Each of those that follow does everything.
func (rs *rounds) heal() {
	if rs.on {
		rs.end()
	}
	for rs.restart(); rs.on; rs.restart() {
		rs.end()
		rs.checkAll()
	}
}

func (rs *rounds) end() {
	for end := rs.now.Add(healed); !rs.over || !rs.core.Quiet(true); rs.work() {
		if rs.now.After(end) {
			rs.violated("the round does not end")
		}
		rs.now = rs.now.Add(400 * time.Millisecond)
	}
}

// watch notes why events are given back without a try. What waits behind a run that does
// not end is put off.
func (rs *rounds) watch() {
	if !rs.on || !rs.calm {
		return
	}
	m := rs.core.mem
	for _, it := range m.book.items {
		id := idAndSeq(it.held)
		if _, known := rs.untried[id]; it.state == Unsettled && it.started.IsZero() && !known {
			rs.untried[id] = it.outcome.Delay == m.stuckDelay() || it.lane.shut() || it.Dest.breakerOrNil().shut()
		}
	}
}

// checkAll checks that nothing is left that was due and could be delivered.
func (rs *rounds) checkAll() {
	for _, r := range rs.due {
		id := idAndSeq(r.held())
		if rs.store.rows[r.event.ID] == r && !rs.tried[id] && !rs.untried[id] && rs.open(r) {
			rs.violated("%s of %s was due when the round began, and was not tried", r.event.ID, r.event.Type)
		}
	}
}

// open reports whether the event may run now: there is a worker that is not stuck, and a
// destination that is available.
func (rs *rounds) open(r *modelRow) bool {
	l := rs.core.Lanes.Named(r.event.Type)
	return !l.shut() && !l.away() && !rs.destOf(r.event.Type, r.event.ID).breakerOrNil().shut()
}
