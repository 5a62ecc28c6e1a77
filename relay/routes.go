package relay

import (
	"sync"
	"unicode/utf8"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/nearest"
	"github.com/sendoff-go/outbox/relay/core"
)

// routes caches lanes and destinations, so that the registry and the settings
// of a lane are asked only once, and without the relay's lock.
type routes struct {
	reg   *outbox.Registry
	cfgs  *laneConfigs
	every bool // types without a listener or route have lanes, too
	steps *stepper
	lanes sync.Map // of *route, by event type
	made  sync.Map // of *sync.Once, by event type
	dests sync.Map // of *core.Dest, by *outbox.Target
}

// route is a lane and all its settings, of which the core knows only some.
type route struct {
	lane *core.Lane
	cfg  LaneConfig
}

// lane returns the lane of that type, which it makes if necessary, or nil if
// this relay does not handle the type.
func (s *routes) lane(name string) *core.Lane {
	if l, ok := s.lanes.Load(name); ok {
		return l.(*route).lane
	}
	if !s.every && !s.reg.Covers(name) {
		return nil
	}
	once, _ := s.made.LoadOrStore(name, new(sync.Once))
	var complain func()
	once.(*sync.Once).Do(func() { complain = s.make(name) })
	if complain != nil {
		complain()
	}
	if l, ok := s.lanes.Load(name); ok {
		return l.(*route).lane
	}
	return nil // LaneFor ended its goroutine
}

// make makes a lane, and returns what complains of its settings, or nil. LaneFor, which
// it asks, is the user's code.
func (s *routes) make(name string) (complain func()) {
	cfg, complain := s.cfgs.of(name)
	var dests []*core.Dest
	for _, t := range s.reg.Targets(name) {
		dests = append(dests, s.dest(t))
	}
	s.steps.step(func(c *core.Core) {
		s.lanes.Store(name, &route{c.Lanes.Add(name, cfg.core(), dests), cfg}) // before others see the lane
	})
	return complain
}

// config returns the settings of a lane.
func (s *routes) config(lane string) *LaneConfig {
	l, _ := s.lanes.Load(lane)
	return &l.(*route).cfg
}

// similar returns a registered type with a similar name, or "".
func (s *routes) similar(eventType string) string {
	return nearest.To(eventType, min(utf8.RuneCountInString(eventType)/4, 2), s.reg.Types())
}

// find returns the destination of an event, or nil.
func (s *routes) find(e *outbox.Event) *core.Dest {
	return s.dest(s.reg.Lookup(e.AggregateType, e.Type))
}

func (s *routes) dest(t *outbox.Target) *core.Dest {
	if t == nil {
		return nil
	}
	if d, ok := s.dests.Load(t); ok {
		return d.(*core.Dest)
	}
	var d *core.Dest
	s.steps.step(func(c *core.Core) {
		if known, ok := s.dests.Load(t); ok {
			d = known.(*core.Dest)
			return
		}
		to := target{driver.DestinationOf(t), t}
		d = c.Dests.Add(t.Name(), to.Batches(), to.Check() != nil, to)
		s.dests.Store(t, d)
	})
	return d
}

// target is a destination, and what was registered for it.
type target struct {
	driver.Destination
	of *outbox.Target
}

// targetOf returns the target of a destination, or nil.
func targetOf(d *core.Dest) driver.Destination {
	if d == nil {
		return nil
	}
	return d.Target.(driver.Destination)
}

// registered returns what was registered for a destination, or nil.
func registered(d *core.Dest) *outbox.Target {
	if d == nil {
		return nil
	}
	return d.Target.(target).of
}
