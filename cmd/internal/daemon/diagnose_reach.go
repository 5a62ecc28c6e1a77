package daemon

import (
	"cmp"
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"

	"github.com/sendoff-go/outbox/cmd/internal/daemon/config"
	"github.com/sendoff-go/outbox/cmd/internal/doctor"
)

// reachChecks looks at what a daemon talks to beside brokers and its database.
// Events are delivered without it, so that none of it is a failure. Of a URL
// only the host is shown: the rest may be a secret.
func (d *Daemon) reachChecks() (checks []doctor.Check) {
	if d.webhook != nil {
		if u, err := url.Parse(d.config.Alerts.Webhook.URL); err == nil {
			checks = append(checks, connectCheck("alert-webhook", u, true,
				"see that the receiver is up, and that outbox.alerts.webhook.url is correct: alerts are only in the log until it answers"))
		}
	}
	if d.config.Telemetry.Enabled {
		for _, u := range endpoints(d.config.Telemetry) {
			checks = append(checks, connectCheck("telemetry", u, false,
				"see that the collector is up, and that outbox.telemetry.endpoint or OTEL_EXPORTER_OTLP_ENDPOINT is correct: traces and metrics are lost until it answers"))
		}
	}
	if d.issuer != nil {
		checks = append(checks, doctor.Check{Name: "oidc", Subject: d.config.Admin.OIDC.Issuer, Look: d.lookAtIssuer})
	}
	return checks
}

// connectCheck opens a connection and closes it again.
func connectCheck(name string, u *url.URL, secure bool, do string) doctor.Check {
	return doctor.Check{Name: name, Subject: hostPort(u), Look: func(ctx context.Context) (doctor.Answer, error) {
		seen, err := connect(ctx, u, secure, http.ProxyFromEnvironment)
		if err != nil {
			return doctor.Warn(do, "no connection: %v", err), nil
		}
		return doctor.Okay("%s", seen), nil
	}}
}

// connect opens a connection to the host of a URL, or to the proxy that requests
// to it go through, and says what answered. Nothing is sent but, with secure
// and the scheme https, the TLS handshake.
func connect(ctx context.Context, u *url.URL, secure bool, proxy func(*http.Request) (*url.URL, error)) (seen string, err error) {
	through, err := proxy(&http.Request{URL: u})
	if err != nil {
		return "", err
	}
	var dialer interface {
		DialContext(ctx context.Context, network, address string) (net.Conn, error)
	} = &net.Dialer{}
	address, seen := hostPort(u), "it answers"
	switch {
	case through != nil:
		address = hostPort(through)
		seen = "the proxy " + address + " answers; what is behind it was not asked"
	case secure && u.Scheme == "https":
		dialer = &tls.Dialer{}
	}
	conn, err := dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		return "", err
	}
	return seen, conn.Close()
}

// hostPort is the address of a URL.
func hostPort(u *url.URL) string {
	ports := map[string]string{"http": "80", "https": "443", "socks5": "1080", "socks5h": "1080"}
	return net.JoinHostPort(u.Hostname(), cmp.Or(u.Port(), ports[u.Scheme]))
}

// endpoints are where traces and metrics are sent, as the exporters find out.
func endpoints(t config.Telemetry) (all []*url.URL) {
	if os.Getenv("OTEL_SDK_DISABLED") == "true" {
		return nil
	}
	otherwise := "https://localhost:4318"
	if cmp.Or(t.Protocol, os.Getenv("OTEL_EXPORTER_OTLP_PROTOCOL")) == "grpc" {
		otherwise = "https://localhost:4317"
	}
	seen := map[string]bool{}
	for _, signal := range []string{"TRACES", "METRICS"} {
		on := t.Traces
		if signal == "METRICS" {
			on = t.Metrics
		}
		if !on || os.Getenv("OTEL_"+signal+"_EXPORTER") == "none" {
			continue
		}
		at := cmp.Or(t.Endpoint, os.Getenv("OTEL_EXPORTER_OTLP_"+signal+"_ENDPOINT"), os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT"), otherwise)
		if !strings.Contains(at, "://") {
			at = "https://" + at // it matters only to a proxy
		}
		u, err := url.Parse(at)
		if err != nil || u.Host == "" || seen[hostPort(u)] {
			continue // the exporters ignore it, too
		}
		seen[hostPort(u)] = true
		all = append(all, u)
	}
	return all
}

// lookAtIssuer fetches the discovery document of the provider of tokens.
func (d *Daemon) lookAtIssuer(ctx context.Context) (doctor.Answer, error) {
	err := d.issuer.Reach(ctx)
	if err == nil {
		return doctor.Okay("its discovery document is there"), nil
	}
	const most = 400 // it may quote a page
	return doctor.Warn("see that the provider is up, and that outbox.admin.oidc.issuer is the issuer of its /.well-known/openid-configuration",
		"%.*s", most, err.Error()), nil
}
