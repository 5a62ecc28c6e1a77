package core

import "time"

// Progress says how far the writing of outcomes is. While hot events are taken, which
// may go on forever, they count only if they stay unwritten.
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
	if takes {
		p.Left = u.failedHot()
	} else {
		p.Ended += u.endedHot
	}
	for _, it := range o.book.items {
		switch {
		case takes && it.Hot:
		case it.state.runs() || it.state == Decided:
			p.Left = 0
			return p
		case it.state == Unsettled, it.state == Settling:
			p.Left++
		case it.state == Lapsed, it.state == Taking, it.state == Confirming: // waits for the database, too
			p.Left++
		}
	}
	return p
}

// ends counts an outcome that is written, or left unwritten.
func (u *unsettled) ends(it *Item) {
	if it.Hot {
		u.endedHot++
	} else {
		u.endedCold++
	}
}

// failedHot is how many outcomes of hot events wait because a statement has failed.
func (u *unsettled) failedHot() (n int) {
	count := func(b *Batch) {
		for _, it := range b.Items {
			if it.Hot {
				n++
			}
		}
	}
	for _, bs := range [][]*Batch{u.again, u.apart} {
		for _, b := range bs {
			count(b)
		}
	}
	for b := range u.sent.sent {
		if b.Repeated {
			count(b)
		}
	}
	return n
}
