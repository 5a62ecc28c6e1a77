package otel

import (
	"time"

	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/observe/internal/signals"
)

// Other is the label of event types that the configuration does not name.
const Other = signals.Other

// Config has a useful zero value.
type Config struct {
	// TracerProvider makes the tracer. Default: the global one, also if it is set
	// later.
	TracerProvider trace.TracerProvider
	// MeterProvider makes the meter. Default: the global one, also if it is set
	// later.
	MeterProvider metric.MeterProvider
	// Baggage stores the baggage of the writer's context with the event, and gives
	// it to listeners and consumers. Whoever reads the events reads it, and it
	// counts towards the 64 KiB of headers. Default: false.
	Baggage bool

	// Types are the values of the metrics' attribute event_type. Default: none but
	// [Other].
	Types []string
	// Label returns the value of the attribute for an event type: one of Types,
	// or [Other]. It must be safe for concurrent use. Default: the type itself
	// if it is one of Types.
	Label func(eventType string) string
	// Store counts what is in the database. Default: nothing is counted there.
	Store driver.StatsStore
	// Keep is how long a count serves further readings. Default 1 minute.
	Keep time.Duration
	// NoEvents and NoDead leave out the gauges of events and of dead letters.
	NoEvents, NoDead bool
}

func (c Config) signals() signals.Config {
	return signals.Config{Types: c.Types, Label: c.Label, Store: c.Store, Keep: c.Keep, NoEvents: c.NoEvents, NoDead: c.NoDead}
}
