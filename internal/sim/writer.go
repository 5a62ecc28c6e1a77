package sim

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/relay/core"
	"github.com/sendoff-go/outbox/store/memstore"
)

// write begins a transaction with a few events, with or without a relay in the
// writer's process. Those of one key are written one after the other.
func (w *world) write(n int) {
	p := w.living()
	if w.chance(0.3) || w.plan.elsewhere {
		p = nil
	}
	t := w.begin(p)
	t.left = n
	t.next()
}

// begin begins a transaction.
func (w *world) begin(p *process) *transaction {
	tx, err := w.store.BeginTx(context.Background())
	must(err)
	w.writers++
	return &transaction{w: w, p: p, tx: tx, key: fmt.Sprintf("k%d", w.rand.IntN(6))}
}

// transaction is an open one of a writer.
type transaction struct {
	w       *world
	p       *process // its relay; nil: none
	tx      *memstore.Tx
	key     string
	shares  bool // all of its events have that key
	left    int
	ended   bool
	written []outbox.Written
}

// next writes the next event, or ends the transaction.
func (t *transaction) next() {
	w := t.w
	if t.left == 0 {
		wait := w.between(0, 20*time.Millisecond)
		if w.chance(0.1) {
			wait = w.between(time.Second, 12*time.Second) // longer than the head start at times
		}
		w.after(wait, t.end)
		return
	}
	t.left--
	w.after(w.between(0, 2*time.Millisecond), func() {
		t.insert()
		t.next()
	})
}

// anyType returns the type of the next event: often one that shares its keys, and
// beside locked rows often one whose runs are long.
func (w *world) anyType() *eventType {
	typ := types[w.rand.IntN(len(types))]
	switch {
	case w.chance(0.4):
		return types[w.rand.IntN(2)]
	case w.plan.class == Locks && w.chance(0.2):
		return slow
	case typ.name == "foreign" && !w.plan.foreign:
		return types[0]
	}
	return typ
}

func (t *transaction) insert() {
	w := t.w
	typ := w.anyType()
	if t.shares {
		typ = types[w.rand.IntN(2)]
	}
	e := outbox.Event{ID: fmt.Sprintf("e%03d", len(w.ledger.events)), Type: typ.name, AggregateType: outbox.GlobalAggregate}
	w.fill(&e)
	switch {
	case typ.name == "placed" || typ.name == "cancelled": // in order with each other
		e.AggregateID = t.key
	case !typ.quick && w.chance(0.5):
		e.AggregateID = typ.name + t.key
	}
	e.TenantID = tenantOf(e, len(w.ledger.events))
	req := outbox.InsertRequest{Events: []outbox.Event{e}}
	since := w.now
	if t.p != nil && !t.p.dead && !w.now.Before(t.p.thaws) {
		since = t.p.now()
		items := []core.Item{core.NewHot(&e, t.p.dests[e.Type])}
		t.p.step(func(c *core.Core) {
			if c.Hot.Admit(since, req.Events, items) {
				req.HeadStart = headStart
				event := e.Clone()
				items[0].Event = &event
			}
		})
		if req.HeadStart > 0 {
			w.ledger.admitted(t.p, typ)
		}
	}
	savepoint := w.chance(0.1)
	if savepoint {
		must(t.tx.Savepoint("s"))
	}
	answer, err := w.store.Insert(context.Background(), t.tx, req)
	must(err)
	undo := savepoint && w.chance(0.5)
	if undo {
		must(t.tx.RollbackTo("s"))
	}
	w.ledger.wrote(e, answer[0].Seq, t, undo)
	w.ledger.events[e.ID].admitted = req.HeadStart > 0
	w.say("%s is written, head start %s, savepoint %t", e.ID, req.HeadStart, savepoint)
	t.written = append(t.written, outbox.Written{
		Event: e, Seq: answer[0].Seq, HeadStart: req.HeadStart, Since: since, Confirm: !answer[0].TopLevel,
	})
}

// end commits or rolls back, and tells the relay, unless its process is gone or
// never gets to it.
func (t *transaction) end() {
	w := t.w
	w.writers--
	t.ended = true
	committed := !w.chance(0.1)
	if committed {
		must(t.tx.Commit())
	} else {
		must(t.tx.Rollback())
	}
	for _, wr := range t.written {
		w.ledger.transactionEnded(wr.Event.ID, committed)
	}
	if t.p == nil {
		return
	}
	if w.chance(0.02) {
		w.say("no relay is told of that")
		w.ledger.untold(t)
		return
	}
	t.p.after(w.between(0, time.Millisecond), func() {
		t.p.step(func(c *core.Core) {
			if committed {
				c.Hot.Committed(t.written)
			} else {
				c.Hot.Dropped(t.written)
			}
		})
	})
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// writeAll writes events that no relay is told about, and returns their ids.
func (w *world) writeAll(es ...outbox.Event) (ids []string) {
	tx, err := w.store.BeginTx(context.Background())
	must(err)
	untold := &transaction{}
	for _, e := range es {
		e.ID, e.AggregateType = fmt.Sprintf("e%03d", len(w.ledger.events)), outbox.GlobalAggregate
		w.fill(&e)
		e.TenantID = tenantOf(e, len(w.ledger.events))
		answer, err := w.store.Insert(context.Background(), tx, outbox.InsertRequest{Events: []outbox.Event{e}})
		must(err)
		w.ledger.wrote(e, answer[0].Seq, untold, false)
		ids = append(ids, e.ID)
	}
	must(tx.Commit())
	for _, id := range ids {
		w.ledger.transactionEnded(id, true)
	}
	return ids
}

// writeStuck writes an event whose run never ends, and many of its key behind
// it, which may never run either. Others of their type must not wait for that.
func (w *world) writeStuck() {
	ids := w.writeAll(slices.Repeat([]outbox.Event{{Type: "stuck", AggregateID: "jammed"}}, 50)...)
	w.plan.stuck = ids[0]
	for _, id := range ids {
		w.ledger.excuse(id, "never")
	}
	others := func() { w.writeAll(slices.Repeat([]outbox.Event{{Type: "stuck"}}, 5)...) }
	others()
	w.after(20*time.Second, others)
}

// writeJam does the same with one whose run ends after a long time: those of its key
// wait, in more places than there are for others.
func (w *world) writeJam() {
	ids := w.writeAll(slices.Repeat([]outbox.Event{{Type: "quick", AggregateID: "behind a long one"}}, 30)...)
	w.plan.jam = ids[0]
	w.writeAll(slices.Repeat([]outbox.Event{{Type: "quick"}}, 5)...)
}

// writePoison writes an event that ends its processes, among others.
func (w *world) writePoison() {
	w.writeAll(slices.Repeat([]outbox.Event{{Type: "deadly"}}, 10)...)
	w.plan.poison = w.writeAll(outbox.Event{Type: "deadly"})[0]
	w.writeAll(slices.Repeat([]outbox.Event{{Type: "deadly"}}, 10)...)
}

// writeBacklog writes events of every type before any relay runs.
func (w *world) writeBacklog() {
	for _, t := range types {
		if t.name == "foreign" && !w.plan.foreign {
			continue
		}
		w.writeAll(slices.Repeat([]outbox.Event{{Type: t.name}}, 25)...)
	}
}
