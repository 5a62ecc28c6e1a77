package bench

import (
	"log/slog"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/observe"
	"github.com/sendoff-go/outbox/relay"
)

// Config says what to measure. Zero values of the relay's settings are the
// relay's own defaults.
type Config struct {
	Events  int     // how many
	Payload int     // bytes of each
	Rate    float64 // transactions a second; Write without one: as many as can be
	Writers int     // transactions at once
	Relays  int     // relays in this process that share the work

	Workers    int  // of a relay
	Queue      int  // events of a lane in a relay's memory
	Batch      int  // rows of a claim
	DeleteDone bool // delete rows at settle in place of keeping them

	// Woken writes without the hot path and wakes the relay through the
	// database, as another process would.
	Woken bool

	// Orders and Event are the names of the tables as SQL has them.
	Orders, Event string
	// Progress is told in words what happens.
	Progress func(format string, args ...any)
	// Patience is how long nothing may arrive before the rest is given up.
	// Default 30 s.
	Patience time.Duration

	adjust func(*relay.Config) // so that a test is in no hurry
}

// Bounds of the payload: it carries its number, and no event may be larger
// than a megabyte.
const (
	MinPayload = 32
	MaxPayload = outbox.MaxPayload
)

func (c Config) withDefaults() Config {
	c.Writers = max(c.Writers, 1)
	c.Relays = max(c.Relays, 1)
	c.Payload = max(c.Payload, MinPayload)
	if c.Patience <= 0 {
		c.Patience = 30 * time.Second
	}
	return c
}

var quiet = slog.New(slog.DiscardHandler)

func (c Config) relayConfig(name string, hooks observe.Hooks, wakers []driver.Waker) relay.Config {
	rc := relay.Config{
		Name:   name,
		Lane:   relay.LaneConfig{Workers: c.Workers, HotQueue: c.Queue, ColdQueue: c.Queue, Batch: c.Batch},
		Hooks:  hooks,
		Wakers: wakers,
		Logger: quiet,
	}
	if c.DeleteDone {
		rc.Delivered = relay.DeleteAtSettle
	}
	if c.adjust != nil {
		c.adjust(&rc)
	}
	return rc
}
