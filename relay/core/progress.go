package core

import "time"

// Progress says how far the writing of outcomes is, for a round that waits for its end.
// While hot events are taken, which may go on forever, they count only if the round
// waits for them.
type Progress struct {
	Left   int // to write, or before a run that the database has to allow
	Ended  int // outcomes so far that are written, or left unwritten
	GaveUp int // outcomes so far that are left unwritten, of hot events too
	// Took is how long the longest statement took that failed, or is under way.
	Took time.Duration
}

// Progress returns it. What runs, or is told to the hooks, has no outcome to write yet;
// if there is any, nothing is left for now.
func (o *Outcomes) Progress() Progress {
	u, takes := &o.unsettled, o.phase == Working
	p := Progress{Ended: u.endedCold, GaveUp: u.gaveUp, Took: u.sent.longest(o.now)}
	if !takes {
		p.Ended += u.endedHot
	}
	hot := progress{waits: o.round != nil && len(o.round.left) > 0}
	for _, it := range o.book.items {
		switch {
		case takes && it.Hot:
			hot.add(it)
		case it.state.answers():
			p.Left = 0
			return p
		case it.state.needsDatabase():
			p.Left++
		case it.suspect() || it.state != Ready && it.state != Lined: // a suspect waits for others
		case o.load.full(it.lane, o.cfg.MaxUnsettled): // of outcomes, of hot events too
			hot.waits = true
		default:
			hot.waits, hot.held = true, true
		}
	}
	switch {
	case hot.held && hot.runs:
		p.Left = 0
	case hot.waits:
		p.Left += hot.left
	}
	return p
}

// progress is that of hot events, and whether a round waits for them.
type progress struct {
	runs  bool // one does
	left  int  // as in [Progress]
	waits bool // the round waits for room, or for an event to run
	held  bool // an event may run when one of them has
}

func (p *progress) add(it *Item) {
	switch {
	case it.state.answers():
		p.runs = true
	case it.state.needsDatabase():
		p.left++
	}
}

// ends counts an outcome that is written, or left unwritten.
func (u *unsettled) ends(it *Item) {
	if it.Hot {
		u.endedHot++
	} else {
		u.endedCold++
	}
}
