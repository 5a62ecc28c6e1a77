package daemon

import (
	"context"
	"maps"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"

	"github.com/sendoff-go/outbox/cmd/internal/daemon/config"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/observe/otel"
	"github.com/sendoff-go/outbox/observe/otel/otlp"
	"github.com/sendoff-go/outbox/relay"
)

// telemetry sends traces and metrics over OTLP. Its methods do nothing if it is
// nil.
type telemetry struct {
	*otel.Telemetry
	providers *otlp.Providers
	daemon    *Daemon
}

// startTelemetry begins to send, if that is configured. It waits for no
// connection.
func (d *Daemon) startTelemetry(ctx context.Context) error {
	c := d.config.Telemetry
	if !c.Enabled {
		return nil
	}
	p, err := otlp.Start(ctx, d.otlp(c))
	if err != nil {
		return err
	}
	g := d.metrics.config
	d.traces = &telemetry{daemon: d, providers: p, Telemetry: otel.New(otel.Config{
		TracerProvider: p.TracerProvider, MeterProvider: p.MeterProvider,
		Types: g.Types, Label: g.Label, Keep: g.Keep, NoEvents: g.NoEvents, NoDead: g.NoDead,
	})}
	d.log.Info("outbox: sending telemetry over OTLP", "traces", c.Traces, "metrics", c.Metrics)
	return nil
}

func (d *Daemon) otlp(t config.Telemetry) otlp.Config {
	c := otlp.Config{
		Protocol: map[string]string{"grpc": otlp.GRPC, "http": otlp.HTTP}[t.Protocol], Endpoint: t.Endpoint, Insecure: t.Insecure, Headers: maps.Clone(t.Headers),
		ServiceName: t.ServiceName, NoTraces: !t.Traces, NoMetrics: !t.Metrics, Logger: d.log,
	}
	if d.options.Version != "" {
		c.Attributes = append(c.Attributes, semconv.ServiceVersion(d.options.Version))
	}
	if d.config.Was("telemetry.sample-ratio") {
		c.Sampler = sdktrace.ParentBased(sdktrace.TraceIDRatioBased(t.Sample))
	}
	if d.config.Was("telemetry.metrics-interval") {
		c.Interval = t.Interval.Std()
	}
	return c
}

// relay adds tracing and metrics to a configuration.
func (t *telemetry) relay(c relay.Config) relay.Config {
	if t == nil {
		return c
	}
	return t.Relay(c)
}

func (t *telemetry) countIn(s driver.StatsStore) {
	if t != nil {
		t.CountIn(s)
	}
}

// shutdown sends what is left. A collector that is down is no failure of the
// daemon.
func (t *telemetry) shutdown() {
	if t == nil {
		return
	}
	if err := t.providers.Shutdown(context.Background()); err != nil {
		t.daemon.log.Warn("outbox: could not send all telemetry before the end", "error", err)
	}
}
