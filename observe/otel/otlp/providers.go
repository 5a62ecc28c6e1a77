package otlp

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	api "go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/metric"
	nometric "go.opentelemetry.io/otel/metric/noop"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"
	notrace "go.opentelemetry.io/otel/trace/noop"
)

// FlushTimeout bounds [Providers.Shutdown], unless its context ends earlier.
const FlushTimeout = 5 * time.Second

// Providers send what is recorded with them. They are safe for concurrent use.
type Providers struct {
	TracerProvider trace.TracerProvider
	MeterProvider  metric.MeterProvider

	flush time.Duration // bounds Shutdown

	mu       sync.Mutex
	shutdown []func(context.Context) error // none: it was shut down
}

// Start makes providers and begins to send. It does not wait for a connection:
// its error is about the configuration. Call [Providers.Shutdown] at the end.
func Start(ctx context.Context, c Config) (*Providers, error) {
	c, err := c.withDefaults()
	if err != nil {
		return nil, err
	}
	p := &Providers{TracerProvider: notrace.NewTracerProvider(), MeterProvider: nometric.NewMeterProvider(), flush: FlushTimeout}
	of, err := c.resource(ctx)
	if err != nil {
		return nil, err
	}
	if c.Logger != nil {
		api.SetErrorHandler(&complaints{log: c.Logger})
	}
	if !c.NoTraces {
		if err := p.startTraces(ctx, c, of); err != nil {
			return nil, err
		}
	}
	if !c.NoMetrics {
		if err := p.startMetrics(ctx, c, of); err != nil {
			return nil, errors.Join(err, p.Shutdown(ctx))
		}
	}
	return p, nil
}

func (p *Providers) startTraces(ctx context.Context, c Config, of *resource.Resource) error {
	exporter, err := c.spans(ctx)
	if err != nil {
		return fmt.Errorf("otlp: traces: %w", err)
	}
	batcher := sdktrace.NewBatchSpanProcessor(exporter)
	opts := []sdktrace.TracerProviderOption{sdktrace.WithSpanProcessor(batcher), sdktrace.WithResource(of)}
	if c.Sampler != nil {
		opts = append(opts, sdktrace.WithSampler(c.Sampler))
	}
	made := sdktrace.NewTracerProvider(opts...)
	p.TracerProvider, p.shutdown = made, append(p.shutdown, func(ctx context.Context) error {
		err := made.Shutdown(ctx)
		if err != nil {
			_ = batcher.Shutdown(ctx)  // the provider leaves it running if ctx has ended
			_ = exporter.Shutdown(ctx) // the batcher would go on to send what is left
		}
		return err
	})
	return nil
}

func (p *Providers) startMetrics(ctx context.Context, c Config, of *resource.Resource) error {
	exporter, err := c.metrics(ctx)
	if err != nil {
		return fmt.Errorf("otlp: metrics: %w", err)
	}
	var opts []sdkmetric.PeriodicReaderOption
	if c.Interval > 0 {
		opts = append(opts, sdkmetric.WithInterval(c.Interval))
	}
	made := sdkmetric.NewMeterProvider(sdkmetric.WithReader(sdkmetric.NewPeriodicReader(exporter, opts...)), sdkmetric.WithResource(of))
	p.MeterProvider, p.shutdown = made, append(p.shutdown, made.Shutdown)
	return nil
}

// resource describes the source of the signals. Later attributes take
// precedence.
func (c Config) resource(ctx context.Context) (*resource.Resource, error) {
	own := c.Attributes
	if c.ServiceName != "" {
		own = append(own[:len(own):len(own)], semconv.ServiceName(c.ServiceName))
	}
	of, err := resource.New(ctx,
		resource.WithAttributes(semconv.ServiceName("outbox")), resource.WithTelemetrySDK(), resource.WithHost(), resource.WithFromEnv(), resource.WithAttributes(own...))
	if errors.Is(err, resource.ErrPartialResource) || errors.Is(err, resource.ErrSchemaURLConflict) {
		err = nil // what could not be found out is left out
	}
	if err != nil {
		return nil, fmt.Errorf("otlp: the resource: %w", err)
	}
	return of, nil
}

// Shutdown sends what is left, for at most [FlushTimeout], and ends. Its error
// says that something may have been lost. Further calls do nothing.
func (p *Providers) Shutdown(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, p.flush)
	defer cancel()
	p.mu.Lock()
	all := p.shutdown
	p.shutdown = nil
	p.mu.Unlock()
	ended := make(chan error, len(all))
	for _, shutdown := range all {
		go func() { ended <- shutdown(ctx) }()
	}
	var errs []error
	for range all {
		errs = append(errs, <-ended)
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("otlp: the last traces and metrics may be lost: %w", err)
	}
	return nil
}
