package sim

import "github.com/sendoff-go/outbox/driver"

// holds are the events that a process has run, or runs, and has not settled.
type holds map[string]*hold

type hold struct {
	driver.Held
	ended bool // its run
}

// begins is called when a run begins.
func (l *ledger) begins(p *process, h driver.Held) {
	if l.holds[p] == nil {
		l.holds[p] = holds{}
	}
	unsettled, own := 0, 0 // own: of its type, which may always have one
	for id, held := range l.holds[p] {
		if !held.ended {
			continue
		}
		if unsettled++; l.events[id].kind == l.events[h.EventID].kind {
			own++
		}
	}
	if unsettled >= l.w.plan.maxUnsettled && own > 0 {
		l.violated("nothing runs while too much is unsettled", "%s runs %s with %d", p.name, h.EventID, unsettled)
	}
	l.holds[p][h.EventID] = &hold{Held: h}
}

// ends is called when a run ends.
func (l *ledger) ends(p *process, id string) {
	if h := l.holds[p][id]; h != nil {
		h.ended = true
	}
}

// settles is called when an outcome is written, or found to be late.
func (l *ledger) settles(p *process, id string) { delete(l.holds[p], id) }

// forgets is called when a process no longer knows what it holds.
func (l *ledger) forgets(p *process) { delete(l.holds, p) }

// claims is called when the database has executed a claim.
func (l *ledger) claims(p *process, rows []driver.Claimed) {
	if l.w.plan.class != Recoveries {
		return
	}
	for i := range rows {
		id := rows[i].EventID
		h := l.holds[p][id]
		if h != nil && l.events[id].exempt == "" && h.Seq == rows[i].Seq && h.ClaimNo+1 == rows[i].ClaimNo {
			l.violated("a relay claims nothing that it has run and not settled", "%s by %s as %d", id, p.name, rows[i].ClaimNo)
		}
	}
}
