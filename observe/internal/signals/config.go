package signals

import (
	"slices"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// Other is the label of event types that the configuration does not name.
const Other = "other"

// Config is what metrics are made of. The systems have one of the same fields.
type Config struct {
	// Types are the values of the label event_type. Default: none but [Other].
	Types []string
	// Label returns the value of the label for an event type: one of Types, or
	// [Other]. It is called concurrently. Default: the type itself if it is one
	// of Types.
	Label func(eventType string) string
	// Store counts what is in the database. Default: nothing is counted there.
	Store driver.StatsStore
	// Keep is how long a count serves further readings. Default 1 minute.
	Keep time.Duration
	// NoEvents and NoDead leave out the gauges of events and of dead letters.
	NoEvents, NoDead bool
}

func (c Config) withDefaults() Config {
	c.Types = slices.Compact(slices.Sorted(slices.Values(append(slices.Clone(c.Types), Other))))
	if c.Label == nil {
		known := c.Types
		c.Label = func(eventType string) string {
			if _, found := slices.BinarySearch(known, eventType); found {
				return eventType
			}
			return Other
		}
	}
	if c.Keep <= 0 {
		c.Keep = time.Minute
	}
	return c
}
