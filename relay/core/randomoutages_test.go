package core

import (
	"slices"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// outages are of the database: for everybody, or for the statements with some events,
// which end the connection, or take too long, each time.
type outages struct {
	*world
	until   time.Time
	most    int // killers; fewer than half of the outcomes that may wait
	killers map[string]bool
	kill    SettleError
}

func newOutages(w *world) *outages {
	return &outages{world: w, most: []int{0, 0, 2, 3, 6}[w.rand.IntN(5)], killers: map[string]bool{}, kill: []SettleError{SettleDown, SettleSlow}[w.rand.IntN(2)]}
}

// begin begins one for some seconds.
func (o *outages) begin() {
	o.until = o.now.Add(o.upTo(10 * time.Second))
	o.say("the database is away for %s", o.until.Sub(o.now))
	o.saw["outages"]++
}

// born decides whether the outcome of a new event is to be a killer.
func (o *outages) born(id string) {
	if len(o.killers) < o.most && o.oneIn(30) {
		o.say("the statement with the outcome of %s will fail each time", id)
		o.killers[id] = true
	}
}

// fails returns how a statement with these outcomes fails, if it does.
func (o *outages) fails(held []driver.Held) SettleError {
	if !o.calm && o.now.Before(o.until) {
		return SettleDown
	}
	if slices.ContainsFunc(held, func(h driver.Held) bool { return o.killers[h.EventID] }) {
		o.saw["killed statements"]++
		return o.kill
	}
	return SettleWritten
}

// heal lets everything be delivered but the killers, and then ends those.
func (o *outages) heal() {
	for end := o.now.Add(healed); !o.rounds.on && o.other() != nil; o.work() {
		if o.now.After(end) {
			o.violated("outcomes that fail each time hold up %s for %s", o.other().event.ID, healed)
		}
		o.now = o.now.Add(400 * time.Millisecond)
	}
	clear(o.killers)
}

// other returns a row that is not a killer, if there are killers; nil: none is left.
func (o *outages) other() *modelRow {
	for _, r := range o.store.pending {
		if len(o.killers) > 0 && !o.killers[r.event.ID] {
			return r
		}
	}
	return nil
}
