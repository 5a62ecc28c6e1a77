package demo

import (
	"net"
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
	// Console is where the console and the REST API are served, without a login:
	// make it with [Listen]. The demo closes it. Default: nowhere.
	Console net.Listener
	// Version is the version of the program. Default: none.
	Version string

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

// relayConfig is the default, except that retries are quick enough to watch, and
// mails have few.
func (c Config) relayConfig(hooks observe.Hooks) relay.Config {
	return relay.Config{
		Name:      "demo",
		Version:   c.Version,
		Lane:      relay.LaneConfig{Retry: c.retry},
		Lanes:     map[string]relay.LaneConfig{mailRequested.Type(): {MaxAttempts: mailAttempts}},
		Delivered: relay.KeepForRetention, // so that people can look at delivered events
		Hooks:     hooks,
		Logger:    quiet,
	}
}
