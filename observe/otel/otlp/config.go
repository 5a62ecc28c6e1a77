package otlp

import (
	"cmp"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"os"
	"path"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

// The protocols.
const (
	GRPC = "grpc"
	HTTP = "http/protobuf"
)

// Config has a useful zero value. A field that is not set is taken from the
// environment variables of OpenTelemetry, or else has its default.
type Config struct {
	// Protocol is [GRPC] or [HTTP]. Default: OTEL_EXPORTER_OTLP_PROTOCOL, or HTTP.
	Protocol string
	// Endpoint is the address of the collector: host:port, or a URL, to whose path
	// HTTP adds v1/traces and v1/metrics. With the scheme http it is Insecure.
	// Default: OTEL_EXPORTER_OTLP_ENDPOINT, or the protocol's port on localhost.
	Endpoint string
	// Insecure uses no TLS. Default: false, or OTEL_EXPORTER_OTLP_INSECURE.
	Insecure bool
	// Headers go with every request, for example for a token. Default:
	// OTEL_EXPORTER_OTLP_HEADERS.
	Headers map[string]string

	// ServiceName is the resource's service.name. Default: OTEL_SERVICE_NAME or
	// OTEL_RESOURCE_ATTRIBUTES, or "outbox".
	ServiceName string
	// Attributes are further ones of the resource. Default: none.
	Attributes []attribute.KeyValue
	// Sampler decides which traces are recorded. Default: OTEL_TRACES_SAMPLER, or
	// as the parent says and otherwise all.
	Sampler sdktrace.Sampler
	// Interval is the time between two exports of metrics. Default:
	// OTEL_METRIC_EXPORT_INTERVAL, or 1 minute.
	Interval time.Duration
	// NoTraces and NoMetrics leave one of them out, as do OTEL_TRACES_EXPORTER and
	// OTEL_METRICS_EXPORTER with the value none.
	NoTraces, NoMetrics bool

	// Logger gets the errors of exporters, at most one a minute; for that, the
	// global error handler of OpenTelemetry is replaced. Default: the handler
	// stays as it is.
	Logger *slog.Logger
}

// withDefaults fills in what the exporters do not find by themselves.
func (c Config) withDefaults() (Config, error) {
	off := os.Getenv("OTEL_SDK_DISABLED") == "true"
	c.NoTraces = c.NoTraces || off || os.Getenv("OTEL_TRACES_EXPORTER") == "none"
	c.NoMetrics = c.NoMetrics || off || os.Getenv("OTEL_METRICS_EXPORTER") == "none"
	c.Protocol = cmp.Or(c.Protocol, os.Getenv("OTEL_EXPORTER_OTLP_PROTOCOL"), HTTP)
	if c.Protocol != GRPC && c.Protocol != HTTP {
		return c, fmt.Errorf("otlp: Protocol is %q: use %s or %s", c.Protocol, GRPC, HTTP)
	}
	if c.Interval < 0 {
		return c, fmt.Errorf("otlp: Interval is %s: give a positive time, or none", c.Interval)
	}
	_, err := c.address("")
	return c, err
}

// address is where one kind of signal is sent.
type address struct {
	host     string // empty: as the environment says
	path     string
	insecure bool
}

func (c Config) address(signal string) (address, error) {
	a := address{insecure: c.Insecure, path: path.Join("/v1", signal)}
	if c.Endpoint == "" {
		return a, nil
	}
	if _, _, err := net.SplitHostPort(c.Endpoint); err == nil && !strings.Contains(c.Endpoint, "/") {
		a.host = c.Endpoint
		return a, nil
	}
	u, err := url.Parse(c.Endpoint)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return a, fmt.Errorf("otlp: Endpoint is neither host:port nor a URL with the scheme http or https, such as http://localhost:4318")
	}
	a.host, a.insecure = u.Host, c.Insecure || u.Scheme == "http"
	a.path = path.Join("/", u.Path, "v1", signal)
	return a, nil
}
