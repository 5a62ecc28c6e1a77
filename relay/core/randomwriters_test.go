package core

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sendoff-go/outbox"
)

// writers are transactions of this process.
type writers struct {
	*world
	ids  int
	open [][]outbox.Written
}

// write begins a transaction that writes up to three events, which ask for hot slots
// or do not.
func (ws *writers) write(hot bool) {
	var events []outbox.Event
	var items []Item
	for range 1 + ws.rand.IntN(3) {
		e := ws.event(events)
		events = append(events, e)
		items = append(items, NewHot(&e, ws.destOf(e.Type, e.ID)))
	}
	since, admitted := ws.now, false
	if hot {
		ws.step(func(c *Core) { admitted = c.Hot.Admit(since, events, items) })
	}
	var written []outbox.Written
	for i := range events {
		one := outbox.Written{Event: events[i], Seq: ws.store.nextSeq(), Since: since, Confirm: ws.oneIn(4)}
		if admitted {
			one.HeadStart = 5 * time.Second
			items[i].Event = &events[i]
		}
		ws.say("%s is written, seq %d, hot %t, of key %q, for %s", one.Event.ID, one.Seq, admitted, one.Event.AggregateID, nameOf(items[i].Dest))
		written = append(written, one)
	}
	ws.open = append(ws.open, written)
}

// event makes an event: most have one of five keys, and a few the id of one that is
// delivered or dead.
func (ws *writers) event(beside []outbox.Event) outbox.Event {
	ws.ids++
	e := outbox.Event{
		ID: fmt.Sprint("e", ws.ids), Type: fmt.Sprint("T", ws.rand.IntN(3)), TenantID: []string{"", "acme", "bolt"}[ws.rand.IntN(3)],
		JSON: []byte(`"` + strings.Repeat("x", ws.rand.IntN(500)) + `"`),
	}
	if k := ws.rand.IntN(6); k < 5 {
		e.AggregateType, e.AggregateID = "t", fmt.Sprint("k", k)
	}
	if ended := ws.store.ended; len(ended) > 0 && ws.oneIn(10) {
		if id := ended[ws.rand.IntN(len(ended))]; ws.free(id, beside) {
			e.ID = id
		}
	}
	ws.outages.born(e.ID)
	return e
}

// free reports whether an id may be written: no row has it, and no open transaction.
func (ws *writers) free(id string, beside []outbox.Event) bool {
	return ws.store.rows[id] == nil &&
		!slices.ContainsFunc(beside, func(e outbox.Event) bool { return e.ID == id }) &&
		!slices.ContainsFunc(ws.open, func(tx []outbox.Written) bool {
			return slices.ContainsFunc(tx, func(w outbox.Written) bool { return w.Event.ID == id })
		})
}

// end ends any of the transactions. The relay may not be told, or not know whether it
// was committed.
func (ws *writers) end() {
	if len(ws.open) == 0 {
		return
	}
	i := ws.rand.IntN(len(ws.open))
	tx := ws.open[i]
	ws.open = slices.Delete(ws.open, i, i+1)
	commits, known, told := ws.calm || !ws.oneIn(8), ws.calm || !ws.oneIn(20), ws.calm || !ws.oneIn(20)
	if commits {
		ws.commit(tx)
	}
	switch {
	case !told:
	case commits && known:
		ws.step(func(c *Core) { c.Hot.Committed(tx) })
	default:
		ws.step(func(c *Core) { c.Hot.Dropped(tx) })
	}
}

// commit stores the rows, except for what was rolled back with a savepoint. Relays
// have disappeared with some of them.
func (ws *writers) commit(tx []outbox.Written) {
	for i := range tx {
		w := &tx[i]
		if w.Confirm && ws.oneIn(2) {
			ws.say("%s was rolled back with a savepoint", w.Event.ID)
			continue
		}
		row := ws.store.insert(w)
		if w.HeadStart == 0 && ws.oneIn(6) {
			row.recovered = 2 + ws.rand.IntN(3)
		}
		ws.say("%s is committed", w.Event.ID)
	}
}
