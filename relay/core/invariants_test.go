package core

import (
	"slices"

	"github.com/sendoff-go/outbox/driver"
)

// laws hold for each event in memory after every step.
var laws = []struct {
	wrong  string
	broken func(m *memory, it *Item) bool
}{
	{"waits in a line that is forgotten", func(m *memory, it *Item) bool {
		return it.state.waits() && it.line != nil && m.lines[it.line.key] != it.line
	}},
	{"waits and is not in its line", func(_ *memory, it *Item) bool {
		return it.state.waits() && it.line != nil && it.line.lead != it && !stands(&it.line.behind, it)
	}},
	{"leads its line and does not go on", func(_ *memory, it *Item) bool {
		return it.state == Lined && it.line.lead == it
	}},
	{"waits behind nothing", func(_ *memory, it *Item) bool {
		return it.state == Lined && it.line.lead == nil && it.line.running == 0
	}},
	{"is ready and another one of its key is next", func(_ *memory, it *Item) bool {
		return it.state == Ready && !it.line.goesFirst(it)
	}},
	{"is ready and in no queue from which it would run", func(m *memory, it *Item) bool {
		return it.state == Ready && !queued(it) && !(it.suspect() && stands(&m.suspects.queue, it))
	}},
	{"waits in a lane that is paused or has no worker left", func(_ *memory, it *Item) bool {
		return it.state.waits() && it.lane.shut() && it.state != Taking && it.state != Confirming // which follow after the answer
	}},
	{"runs and has no run", func(_ *memory, it *Item) bool {
		return (it.state == Running || it.state == Cancelled) && it.run == nil
	}},
	{"has a payload that does not count, or counts one that it has not", func(_ *memory, it *Item) bool {
		return (it.Event == nil) != (it.size == 0)
	}},
	{"is ready beside an idle worker", func(m *memory, it *Item) bool {
		l := it.lane
		switch {
		case it.state != Ready || !m.starts():
			return false
		case stands(&m.suspects.queue, it) && it.suspect():
			return m.suspects.lone == nil
		case m.round != nil && slices.ContainsFunc(l.dests, func(d *Dest) bool { return d.breaker.isTrying() }): // it may wait for that
			return false
		}
		return !l.paused && l.work.runs < l.cfg.Workers && !m.load.full(l, m.cfg.MaxUnsettled) && !it.Dest.breakerOrNil().isTrying()
	}},
}

// check checks what must hold after a step.
func (w *world) check() {
	m := w.core.mem
	for _, it := range m.book.items {
		for _, law := range laws {
			if law.broken(m, it) {
				w.violated("%s of %s is %s: it %s", it.held.EventID, it.lane.Name, it.state, law.wrong)
			}
		}
	}
	for _, l := range m.lanes.list {
		w.checkTurns(l, &l.queued.hot)
		w.checkTurns(l, &l.queued.cold)
	}
	for _, b := range w.core.Dests.list {
		if it := m.book.byID[b.trial.by]; b.state == trying && (it == nil || it.state != Running && it.state != Cancelled) {
			w.violated("%s is tried by %s, which does not run", b.Name, b.trial.by)
		}
	}
	if lone := m.suspects.lone; lone != nil && m.book.byID[lone.held.EventID] != lone {
		w.violated("no suspect can run: %s did, and is not in memory any more", lone.held.EventID)
	}
	w.checkUnsettled()
	w.recount()
}

// checkUnsettled checks that each outcome that is not under way waits in one place.
func (w *world) checkUnsettled() {
	u := &w.core.mem.unsettled
	waits := map[*Item]int{}
	for _, it := range u.fresh {
		waits[it]++
	}
	for _, b := range slices.Concat(u.again, u.apart) {
		for _, it := range b.Items {
			waits[it]++
		}
	}
	for _, it := range w.core.mem.book.items {
		if want := count(it.state == Unsettled); waits[it] != want {
			w.violated("%s is %s, and waits to be written in %d places", it.held.EventID, it.state, waits[it])
		}
	}
}

// checkTurns checks that each tenant with events has one turn.
func (w *world) checkTurns(l *Lane, r *rotation) {
	turns := r.turns.items[r.turns.head:]
	if len(turns) != len(r.byTenant) {
		w.violated("%d tenants of %s have %d turns", len(r.byTenant), l.Name, len(turns))
	}
	for _, q := range turns {
		if r.byTenant[q.tenant] != q {
			w.violated("tenant %q of %s has a turn and is not known", q.tenant, l.Name)
		}
	}
}

// checkTurn checks that no earlier event of its key waits when an event starts. Those
// before it start with it.
func (w *world) checkTurn(it *Item, before []*Item) {
	if it.Event == nil {
		w.violated("%s runs and has no payload", it.held.EventID)
	}
	if it.line == nil {
		return
	}
	for _, other := range slices.Concat(before, w.core.mem.book.items) {
		first := other.held.Seq < it.held.Seq
		if other.line == it.line && (other.state.waits() && first || slices.Contains(before, other) && !first) {
			w.violated("%s, seq %d, starts before %s, seq %d, of the same key", it.held.EventID, it.held.Seq, other.held.EventID, other.held.Seq)
		}
	}
}

// checkAlone checks that no event, and no key, of a run that begins is in another one.
func (w *world) checkAlone(run *Run) {
	for _, other := range w.deliveries.live {
		for _, a := range other.Items {
			for _, b := range run.Items {
				switch {
				case a.held.EventID == b.held.EventID:
					w.violated("%s runs twice at once", a.held.EventID)
				case a.line != nil && b.line != nil && a.line.key == b.line.key:
					w.violated("%s and %s of one key run at once", a.held.EventID, b.held.EventID)
				}
			}
		}
	}
}

// checkOutcomes checks outcomes before they are written.
func (w *world) checkOutcomes(held []driver.Held, outcomes []Outcome) {
	if most := w.core.mem.cfg.SettleBatch; len(outcomes) > most {
		w.violated("%d outcomes in a statement, at most %d expected", len(outcomes), most)
	}
	for i, o := range outcomes {
		switch {
		case o.Kind == driver.Done && !w.store.wasDelivered(held[i]):
			w.violated("%s is done and was not delivered", held[i].EventID)
		case (o.Event != nil) != (o.Kind == driver.Dead && w.core.mem.cfg.KeepDead):
			w.violated("the outcome %s of %s has the payload: %t", o.Kind, held[i].EventID, o.Event != nil)
		}
	}
}

// queued reports whether an event stands in a queue of its lane.
func queued(it *Item) bool {
	r := it.lane.queued.of(it)
	if !r.fair {
		return stands(&r.one, it)
	}
	q := r.byTenant[it.Event.TenantID]
	return q != nil && stands(&q.queue, it)
}

func stands(q *queue, it *Item) bool { return slices.Contains(q.items[q.head:], it) }
