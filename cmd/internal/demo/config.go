package demo

import (
	"time"

	"github.com/sendoff-go/outbox/observe"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/retry"
)

// Config says how the demo runs.
type Config struct {
	// Rate is the number of orders a second. Default 25.
	Rate float64
	// For is how long orders are placed, and Limit how many. Default for both:
	// until the context is done.
	For   time.Duration
	Limit int
	// Orders is the table of orders, and Events that of the events, as SQL
	// names them. Defaults: orders and outbox_event.
	Orders, Events string
	// Keep leaves the tables in the database.
	Keep bool
	// Drain is how long the last events may take after the last order, retries
	// included. Default 30 s.
	Drain time.Duration

	retry retry.Policy // so that a test can wait for ever
}

func (c Config) withDefaults() Config {
	if c.Rate <= 0 {
		c.Rate = 25
	}
	if c.Orders == "" {
		c.Orders = "orders"
	}
	if c.Events == "" {
		c.Events = "outbox_event"
	}
	if c.Drain <= 0 {
		c.Drain = 30 * time.Second
	}
	if c.retry == nil {
		c.retry = retry.Exponential{Max: 2 * time.Second}
	}
	return c
}

// hands is the number of orders that are served at once.
const hands = 4

// relayConfig is the default, but for retries that would take too long to watch.
func (c Config) relayConfig(hooks observe.Hooks) relay.Config {
	return relay.Config{
		Name:   "demo",
		Lane:   relay.LaneConfig{Retry: c.retry},
		Hooks:  hooks,
		Logger: quiet,
	}
}
