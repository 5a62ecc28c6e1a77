package console

import "github.com/sendoff-go/outbox/admin"

// menu is what the entries of the menu show beside their names.
type menu struct {
	Known        bool
	Dead         admin.Count
	Types        int
	Destinations int
	Down         int
	Relays       int
	Alerts       int  // open and not muted
	Jobs         int  // that have not ended
	Problem      bool // the figures could not be read
}

// menu has the figures of a state, so that they are those of the page beside it. Nil
// is the last that was recorded.
func (c *Console) menu(of *admin.Status) menu {
	s, known, err := c.recorder.state()
	if of != nil {
		s, known, err = *of, true, nil
	}
	open := c.recorder.openNow()
	m := menu{Known: known, Alerts: open.alerts, Jobs: open.jobs, Dead: s.Dead, Types: len(typesOf(s)), Destinations: len(s.Destinations), Relays: len(s.Relays), Problem: err != nil}
	for _, d := range s.Destinations {
		if d.State == admin.DestinationDown {
			m.Down++
		}
	}
	return m
}
