package sim

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay/core"
)

// ledger notes from outside what happens to every event, and what must not.
type ledger struct {
	w          *world
	events     map[string]*record
	order      []*record
	violations []string
	running    map[*process]map[string]int
	holds      map[*process]holds
	numbers    map[driver.Held]bool // of claims
	applied    map[outcomeKey]bool
}

// outcomeKey is one claim by one owner, which ends once.
type outcomeKey struct {
	owner driver.Owner
	held  driver.Held
}

// record is the life of one event.
type record struct {
	id, kind  string
	seq       int64
	key       outbox.Event
	wrote     time.Time
	committed time.Time // zero: not yet, or never
	undone    bool      // with its savepoint, or with its transaction
	failures  int       // answers of its destination before it accepts the event
	by        *process  // the process that was told about it; nil: none
	admitted  bool      // that has a hot slot for it
	tx        *transaction

	failed     int // attempts that its destination refused
	given      int // runs that were given up
	deliveries int
	first      time.Time // of its runs
	done       time.Time // first delivery
	hot        bool      // its first run came from memory
	claim      int       // number of the claim it came in
	dead       bool
	exempt     string // why it may come twice, or late
	locked     bool
	putOff     bool // it was given back, or failed, and will come again
	away       bool // its destination was unavailable for it
}

func newLedger(w *world) *ledger {
	return &ledger{w: w, events: map[string]*record{}, running: map[*process]map[string]int{}, holds: map[*process]holds{}, numbers: map[driver.Held]bool{}, applied: map[outcomeKey]bool{}}
}

func (l *ledger) violated(law, format string, args ...any) {
	text := fmt.Sprintf("%s: %s", law, fmt.Sprintf(format, args...))
	l.w.say("VIOLATED %s", text)
	l.violations = append(l.violations, fmt.Sprintf("at %s: %s", l.w.since(), text))
}

// calm reports whether neither the database nor a process fails in this schedule.
func (l *ledger) calm() bool { return l.w.plan.class <= Locks }

func (l *ledger) wrote(e outbox.Event, seq int64, tx *transaction, undone bool) {
	r := &record{id: e.ID, kind: e.Type, seq: seq, key: e.Clone(), wrote: l.w.now, undone: undone, by: tx.p, tx: tx}
	if isShaky(e.Type) && l.w.plan.class != Clean {
		switch l.w.rand.IntN(10) {
		case 0:
			r.failures = maxAttempts + 5
		case 1, 2, 3:
			r.failures = 1 + l.w.rand.IntN(2)
		}
	}
	l.events[e.ID] = r
	l.order = append(l.order, r)
}

// ended notes how the event's transaction ended.
func (l *ledger) transactionEnded(id string, committed bool) {
	r := l.events[id]
	if committed && !r.undone {
		r.committed = l.w.now
		l.w.say("%s (%s, key %q, seq %d) is committed", id, r.kind, r.key.AggregateID, r.seq)
		return
	}
	r.undone = true
}

func (l *ledger) claimed(p *process, h driver.Held, claim int) {
	r := l.events[h.EventID]
	r.claim = claim
	if p.round != nil && l.calm() && r.wrote.Sub(p.round.began) > travel {
		l.violated("a round leaves what is written after it began", "%s by %s", h.EventID, p.name)
	}
	if l.numbers[h] {
		l.violated("no number of a claim is used twice", "%s has %d", h.EventID, h.ClaimNo)
	}
	l.numbers[h] = true
}

// fence is the state of a row before a settle.
type fence struct {
	owner   driver.Owner
	no      int64
	pending bool
}

func (l *ledger) fences(rows []driver.Outcome) []fence {
	fs := make([]fence, len(rows))
	for i := range rows {
		fs[i].owner, _, fs[i].no, fs[i].pending, _ = l.w.store.Peek(rows[i].EventID)
	}
	return fs
}

// started is called when a run begins.
func (l *ledger) started(p *process, it *core.Item) {
	id := it.Held().EventID
	r := l.events[id]
	if l.running[p] == nil {
		l.running[p] = map[string]int{}
	}
	if l.running[p][id]++; l.running[p][id] > 1 {
		l.violated("an event never runs twice at once in one process", "%s in %s", id, p.name)
	}
	owner, until, no, pending, _ := l.w.store.Peek(id)
	h := it.Held()
	l.begins(p, h)
	if pending && no == h.ClaimNo && (owner == p.owner || h.ClaimNo == 0) && until.Sub(l.w.now) < margin-time.Millisecond && !r.locked {
		l.violated("no run starts without a margin of its lease", "%s in %s has %s left", id, p.name, until.Sub(l.w.now))
	}
	if slices.Contains(p.paused, r.kind) && it.Recovered < 3 { // a suspect may be about to run
		l.violated("what is paused gets nothing", "%s in %s", id, p.name)
	}
	if p.round != nil {
		l.onceInRound(p, it)
	}
	if r.first.IsZero() {
		r.first, r.hot = l.w.now, it.Hot
		l.inOrder(p, r)
	}
	l.w.say("%s: runs %s under %d, hot %t", p.name, id, it.Held().ClaimNo, it.Hot)
}

// inOrder looks for events of the same key that were written before and have
// not begun, although the relay knew of them: they were written through it, or
// came in the same claim.
func (l *ledger) inOrder(p *process, r *record) {
	if !l.calm() || p.clock.forward || l.w.plan.relays > 1 || r.key.AggregateID == "" || r.exempt != "" {
		return
	}
	for _, o := range l.order {
		if o == r || o.key.AggregateID != r.key.AggregateID || o.seq > r.seq || o.committed.IsZero() || !o.first.IsZero() || o.locked || o.putOff {
			continue
		}
		if slices.Contains(p.paused, o.kind) { // it is being given back
			continue
		}
		together := !r.hot && r.claim > 0 && o.claim == r.claim
		before := o.tx == r.tx || (!o.committed.After(r.wrote) && r.wrote.Sub(o.committed) < headStart-time.Second)
		overtaken := r.hot && o.by == p && r.by == p && before
		if together || overtaken {
			l.violated("events of one aggregate run in the order of writing", "%s before %s", r.id, o.id)
		}
	}
}

func (l *ledger) ended(p *process, id string) {
	l.running[p][id]--
	l.ends(p, id)
}

// fails reports whether the destination refuses the event this time.
func (l *ledger) fails(id string) bool { return l.events[id].failed < l.events[id].failures }

func (l *ledger) failed(id string) { l.events[id].failed++ }

func (l *ledger) delivered(p *process, id string) {
	r := l.events[id]
	if r.deliveries++; r.deliveries == 1 {
		r.done = l.w.now
	}
	l.w.say("%s: %s is delivered", p.name, id)
	if r.committed.IsZero() {
		l.violated("only what was committed is delivered", "%s by %s", id, p.name)
	}
	if r.deliveries > 1 && l.calm() && r.exempt == "" {
		l.violated("no event comes twice without a failure", "%s by %s", id, p.name)
	}
}

// settled is called when the database has executed a settle.
func (l *ledger) settled(p *process, rows []driver.Outcome, before []fence, stale []driver.Held, err error) {
	locked, err := lockedRows(err)
	if err != nil {
		return
	}
	for i, o := range rows {
		if slices.Contains(locked, o.Held) {
			continue
		}
		l.settles(p, o.EventID)
		if slices.Contains(stale, o.Held) {
			continue
		}
		r := l.events[o.EventID]
		if f := before[i]; !f.pending || f.no != o.ClaimNo || (f.no > 0 && f.owner != p.owner) {
			l.violated("no outcome of an earlier claim changes a row", "%s by %s under %d, the row had %d of %s", o.EventID, p.name, o.ClaimNo, f.no, f.owner)
		}
		key := outcomeKey{p.owner, o.Held}
		if l.applied[key] {
			l.violated("an outcome sent twice is applied once", "%s by %s under %d", o.EventID, p.name, o.ClaimNo)
		}
		l.applied[key] = true
		l.w.say("%s: %s is settled as %s under %d", p.name, o.EventID, o.Kind, o.ClaimNo)
		switch o.Kind {
		case driver.Retry, driver.Release:
			r.putOff = true
		case driver.Done:
			if r.deliveries == 0 {
				l.violated("nothing is done that was not delivered", "%s by %s", o.EventID, p.name)
			}
		case driver.Dead:
			r.dead = true
			if l.calm() && r.id != l.w.plan.poison && o.Attempts < attemptsOf(r.kind) {
				l.violated("an event has all of its attempts", "%s by %s: dead after %d", o.EventID, p.name, o.Attempts)
			}
			if r.failed+r.given == 0 && r.id != l.w.plan.poison {
				l.violated("outages and the relay's own doing kill nothing", "%s by %s: %s", o.EventID, p.name, o.Error)
			}
			if l.calm() && r.exempt == "" && o.Attempts != r.failed+r.given {
				l.violated("a dead event shows the attempts that were made", "%s: %d, made were %d", o.EventID, o.Attempts, r.failed+r.given)
			}
		}
	}
}

// shutDown is called when a relay has shut down in an orderly way.
func (l *ledger) shutDown(p *process) {
	if l.w.plan.class > Destinations {
		return
	}
	for _, r := range l.order {
		owner, until, _, pending, found := l.w.store.Peek(r.id)
		if found && pending && owner == p.owner && until.After(l.w.now) && l.running[p][r.id] == 0 && r.given == 0 {
			l.violated("a shutdown leaves nothing claimed", "%s by %s", r.id, p.name)
		}
	}
}

// finished reports whether nothing is left to deliver or write.
func (l *ledger) finished() bool {
	for _, r := range l.order {
		if r.committed.IsZero() || r.dead || r.exempt == "never" {
			continue
		}
		if _, _, _, pending, _ := l.w.store.Peek(r.id); r.deliveries == 0 || pending {
			return false
		}
	}
	return l.w.writers == 0
}

// final is called at the end.
func (l *ledger) final() {
	l.roundsEnded()
	for _, r := range l.order {
		if r.committed.IsZero() || r.exempt == "never" {
			continue
		}
		_, _, _, pending, _ := l.w.store.Peek(r.id)
		switch {
		case r.id == l.w.plan.poison && !r.dead:
			l.violated("an event that ends its processes is dead in the end", "%s", r.id)
		case r.deliveries == 0 && !r.dead:
			l.violated("every committed event is delivered or dead", "%s (%s)", r.id, r.kind)
		case pending && !r.dead:
			l.violated("every outcome is written in the end", "%s (%s)", r.id, r.kind)
		case r.failures >= maxAttempts && l.calm() && !r.dead:
			l.violated("an event that always fails is dead in the end", "%s", r.id)
		}
		l.inTime(r)
	}
}

var errViolated = errors.New("a law is violated")
