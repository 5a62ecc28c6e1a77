package otel

import (
	"context"

	api "go.opentelemetry.io/otel"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/inbox"
	"github.com/sendoff-go/outbox/observe"
	"github.com/sendoff-go/outbox/observe/internal/signals"
	"github.com/sendoff-go/outbox/relay"
)

const scope = "github.com/sendoff-go/outbox/observe/otel"

// Telemetry makes spans and metrics. Make one with [New] for all writers, relays
// and consumers of a process; it is safe for concurrent use.
type Telemetry struct {
	tracer  trace.Tracer
	stored  stored
	targets targets
	state   *signals.State
	meter   *meter
}

// New makes telemetry. An instrument that the meter refuses is reported to the
// error handler of OpenTelemetry, and is not recorded.
func New(c Config) *Telemetry {
	if c.TracerProvider == nil {
		c.TracerProvider = api.GetTracerProvider()
	}
	if c.MeterProvider == nil {
		c.MeterProvider = api.GetMeterProvider()
	}
	t := &Telemetry{
		tracer: c.TracerProvider.Tracer(scope, trace.WithSchemaURL(semconv.SchemaURL)),
		stored: stored{baggage: c.Baggage},
		state:  signals.New(c.signals()),
	}
	t.meter = newMeter(c.MeterProvider, t.state)
	return t
}

// Close ends the reading of metrics. Providers are shut down by whoever made
// them.
func (t *Telemetry) Close() error { return t.meter.close() }

// CountIn counts in that store from now on, for programs that have none yet
// when they call [New].
func (t *Telemetry) CountIn(s driver.StatsStore) { t.state.CountIn(s) }

// Writer traces and counts what a writer writes. It is [Telemetry.WriteHook] as
// an option.
func (t *Telemetry) Writer() outbox.WriterOption { return outbox.WithWriteHooks(t.WriteHook()) }

// Relay returns the configuration with tracing and metrics added. Its own
// interceptors run within the span of the delivery.
func (t *Telemetry) Relay(c relay.Config) relay.Config {
	c.Hooks = observe.Tee(c.Hooks, t.Hooks())
	c.Interceptors = append([]outbox.Interceptor{t.Interceptor()}, c.Interceptors...)
	return c
}

// Inbox returns the configuration of a consumer with tracing and metrics added.
// Its own Around runs within the span.
func (t *Telemetry) Inbox(c inbox.Config) inbox.Config {
	c.Hooks = observe.Tee(c.Hooks, t.Hooks())
	group, within := c.Group, c.Around
	c.Around = func(ctx context.Context, ms []outbox.Received) (context.Context, func(int, error)) {
		ctx, end := t.Consume(ctx, group, ms...)
		if within == nil {
			return ctx, end
		}
		ctx, endWithin := within(ctx, ms)
		return ctx, func(fresh int, err error) {
			if endWithin != nil {
				endWithin(fresh, err)
			}
			end(fresh, err)
		}
	}
	return c
}

// Hooks count for a relay, and for consumers of package inbox. [Telemetry.Relay]
// and [Telemetry.Inbox] add them.
func (t *Telemetry) Hooks() observe.Hooks { return t.state.Hooks(t.meter) }
