package sim

import "github.com/sendoff-go/outbox/driver"

// holds are the claims of the events that a process has run and not settled yet.
type holds map[string]driver.Held

// begins is called when a run begins.
func (l *ledger) begins(p *process, h driver.Held) {
	if l.holds[p] == nil {
		l.holds[p] = holds{}
	}
	l.holds[p][h.EventID] = h
}

// forgets is called when a process no longer knows what it holds.
func (l *ledger) forgets(p *process) { delete(l.holds, p) }

// claims is called when the database has executed a claim.
func (l *ledger) claims(p *process, rows []driver.Claimed) {
	if l.w.plan.class != Recoveries {
		return
	}
	for i := range rows {
		id := rows[i].EventID
		h, held := l.holds[p][id]
		if held && l.events[id].exempt == "" && h.Seq == rows[i].Seq && h.ClaimNo+1 == rows[i].ClaimNo {
			l.violated("a relay claims nothing that it has run and not settled", "%s by %s as %d", id, p.name, rows[i].ClaimNo)
		}
	}
}
