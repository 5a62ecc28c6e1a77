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
	Problem      bool // the figures could not be read
}

func (c *Console) menu() menu {
	s, known, err := c.recorder.state()
	m := menu{Known: known, Dead: s.Dead, Types: len(s.Types), Destinations: len(s.Destinations), Relays: len(s.Relays), Problem: err != nil}
	for _, d := range s.Destinations {
		if d.State == admin.DestinationDown {
			m.Down++
		}
	}
	return m
}
