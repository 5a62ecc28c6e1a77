package otlp

import (
	"context"

	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetricgrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

// pick returns the options of what is set: the exporters take the rest from the
// environment.
func pick[O any](c Config, a address, endpoint, path func(string) O, insecure func() O, headers func(map[string]string) O) (opts []O) {
	if a.host != "" {
		opts = append(opts, endpoint(a.host))
		if path != nil {
			opts = append(opts, path(a.path))
		}
	}
	if a.insecure {
		opts = append(opts, insecure())
	}
	if len(c.Headers) > 0 {
		opts = append(opts, headers(c.Headers))
	}
	return opts
}

func (c Config) spans(ctx context.Context) (sdktrace.SpanExporter, error) {
	a, err := c.address("traces")
	if err != nil {
		return nil, err
	}
	if c.Protocol == GRPC {
		return otlptracegrpc.New(ctx, pick(c, a, otlptracegrpc.WithEndpoint, nil, otlptracegrpc.WithInsecure, otlptracegrpc.WithHeaders)...)
	}
	return otlptracehttp.New(ctx, pick(c, a, otlptracehttp.WithEndpoint, otlptracehttp.WithURLPath, otlptracehttp.WithInsecure, otlptracehttp.WithHeaders)...)
}

func (c Config) metrics(ctx context.Context) (sdkmetric.Exporter, error) {
	a, err := c.address("metrics")
	if err != nil {
		return nil, err
	}
	if c.Protocol == GRPC {
		return otlpmetricgrpc.New(ctx, pick(c, a, otlpmetricgrpc.WithEndpoint, nil, otlpmetricgrpc.WithInsecure, otlpmetricgrpc.WithHeaders)...)
	}
	return otlpmetrichttp.New(ctx, pick(c, a, otlpmetrichttp.WithEndpoint, otlpmetrichttp.WithURLPath, otlpmetrichttp.WithInsecure, otlpmetrichttp.WithHeaders)...)
}
