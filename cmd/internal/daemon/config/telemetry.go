package config

import (
	"net"
	"net/url"
	"strings"
)

// Telemetry is `outbox.telemetry`.
type Telemetry struct {
	Enabled     bool              `yaml:"enabled" default:"false" doc:"Send traces and metrics."`
	Protocol    string            `yaml:"protocol" enum:"grpc,http" doc:"Protocol of the collector. Empty: OTEL_EXPORTER_OTLP_PROTOCOL, or http."`
	Endpoint    string            `yaml:"endpoint" url:"true" doc:"Address of the collector: host:port, or a URL, whose scheme http means no TLS. Empty: OTEL_EXPORTER_OTLP_ENDPOINT, or port 4317 (grpc) or 4318 (http) on localhost."`
	Insecure    bool              `yaml:"insecure" default:"false" doc:"Use no TLS."`
	Headers     map[string]string `yaml:"headers" secret:"true" doc:"Headers of every request, for example Authorization."`
	ServiceName string            `yaml:"service-name" doc:"Name of this daemon in traces and metrics. Empty: OTEL_SERVICE_NAME, or outbox."`
	Traces      bool              `yaml:"traces" default:"true" doc:"Send traces: a span for each attempt to send an event, in the trace of the traceparent that its writer put into the headers."`
	Sample      float64           `yaml:"sample-ratio" default:"1" min:"0" max:"1" doc:"Share of events without a trace of their own that are traced. For the others the writer has decided. Not set: OTEL_TRACES_SAMPLER, or all."`
	Metrics     bool              `yaml:"metrics" default:"true" doc:"Send the metrics that /metrics shows."`
	Interval    Duration          `yaml:"metrics-interval" default:"1m" min:"1s" doc:"Time between two exports of metrics. Not set: OTEL_METRIC_EXPORT_INTERVAL, or 1m."`
}

func (l *loader) checkTelemetry() {
	t := l.config.Telemetry
	if t.Endpoint == "" || l.problems.within([]string{"outbox", "telemetry", "endpoint"}) {
		return
	}
	if _, _, err := net.SplitHostPort(t.Endpoint); err == nil && !strings.Contains(t.Endpoint, "/") {
		return
	}
	if u, err := url.Parse(t.Endpoint); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		l.wrong("telemetry.endpoint", "is neither host:port nor a URL with the scheme http or https: write http://localhost:4318")
	}
}

// unencrypted reports whether headers, which may be a login, leave this host
// without encryption.
func (t Telemetry) unencrypted() bool {
	if !t.Enabled || len(t.Headers) == 0 || t.Endpoint == "" {
		return false
	}
	host, plain := t.Endpoint, t.Insecure
	if u, err := url.Parse(t.Endpoint); err == nil && u.Host != "" {
		host, plain = u.Host, plain || u.Scheme == "http"
	}
	return plain && outside(host)
}
