// Package otlp makes providers that send traces and metrics over OTLP, for
// programs that have none of their own:
//
//	p, err := otlp.Start(ctx, otlp.Config{ServiceName: "shop"})
//	...
//	defer p.Shutdown(context.Background())
//	t := otel.New(otel.Config{TracerProvider: p.TracerProvider, MeterProvider: p.MeterProvider})
//
// Whatever the configuration leaves open is taken from the environment variables
// of OpenTelemetry, OTEL_EXPORTER_OTLP_ENDPOINT and so on.
//
// A collector that is down delays nothing: spans wait in a bounded queue, and are
// dropped when it is full. Shutdown is bounded, too.
package otlp
