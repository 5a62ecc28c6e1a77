package core

// Dest is a destination of events. Those of one name share a breaker.
type Dest struct {
	Name    string
	Batches bool // it takes many events at once
	// Target belongs to the caller.
	Target any

	breaker *Breaker
}

// AddDest adds a destination. Checks means that it can be probed without an
// event.
func (c *Core) AddDest(name string, batches, checks bool, target any) *Dest {
	return &Dest{Name: name, Batches: batches, Target: target, breaker: c.breakers.of(name, checks, target)}
}

// Dests returns the names of the destinations, in the order they were added.
func (c *Core) Dests() (names []string) {
	for _, b := range c.breakers.list {
		names = append(names, b.Name)
	}
	return names
}

func (d *Dest) breakerOrNil() *Breaker {
	if d == nil {
		return nil
	}
	return d.breaker
}

// JustChecked reports whether a check of the destination has passed and no
// event was answered since.
func (d *Dest) JustChecked() bool { return d != nil && d.breaker.trying() }

// breakers holds one breaker for each name.
type breakers struct {
	named  map[string]*Breaker
	list   []*Breaker // in the order of arrival
	paused map[string]bool
}

func newBreakers() breakers { return breakers{named: map[string]*Breaker{}} }

func (bs *breakers) of(name string, checks bool, target any) *Breaker {
	b := bs.named[name]
	if b == nil {
		b = &Breaker{Name: name, Target: target, checks: checks, paused: bs.paused[name]}
		bs.named[name] = b
		bs.list = append(bs.list, b)
	}
	return b
}
