package daemon

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/sendoff-go/outbox/cmd/internal/doctor"
	"github.com/sendoff-go/outbox/internal/oidctest"
	"github.com/sendoff-go/outbox/internal/testenv"
)

// reaching is a configuration with a webhook, a collector and an issuer.
func reaching(webhook, collector, issuer string) string {
	return fmt.Sprintf(`outbox:
  alerts: {enabled: true, webhook: {url: %q, secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"}}
  telemetry: {enabled: true, endpoint: %q, headers: {Authorization: hidden-header}}
  admin: {addr: "127.0.0.1:0", oidc: {issuer: %q, audience: outbox, roles: {on-call: operator}}}
`, webhook, collector, issuer)
}

func TestWhateverADaemonTalksToIsDiagnosed(t *testing.T) {
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	var asked atomic.Int32
	hook := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	defer hook.Close()
	at, issuer := hook.Listener.Addr().String(), oidctest.New(t)
	found := diagnosed(t, reaching(hook.URL+"/hidden-path", at, issuer.URL))
	wantFinding(t, found, "alert-webhook "+at, doctor.OK, "it answers")
	wantFinding(t, found, "telemetry "+at, doctor.OK, "it answers")
	wantFinding(t, found, "oidc "+issuer.URL, doctor.OK, "discovery")
	if n := asked.Load(); n > 0 {
		t.Errorf("%d requests were sent", n)
	}
}

func TestWhateverADaemonCannotReachIsDiagnosed(t *testing.T) {
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	dead := testenv.Address(t)
	found := diagnosed(t, reaching("http://user:hidden-password@"+dead+"/hidden-path?key=hidden-query", "http://"+dead, "http://"+dead))
	wantFinding(t, found, "alert-webhook "+dead, doctor.Warning, "refused")
	wantFinding(t, found, "telemetry "+dead, doctor.Warning, "refused")
	wantFinding(t, found, "oidc http://"+dead, doctor.Warning, "refused")
	if text := fmt.Sprint(found); strings.Contains(text, "hidden") || strings.Contains(text, "MfKQ9r8") {
		t.Errorf("a secret is shown: %s", text)
	}
}

func TestAnIssuerThatAnswersOtherwiseIsDiagnosed(t *testing.T) {
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNotFound)
		_, _ = w.Write([]byte(strings.Repeat("<p>no such page</p>\n", 1000)))
	}))
	defer other.Close()
	found := diagnosed(t, reaching(other.URL, other.Listener.Addr().String(), other.URL))
	wantFinding(t, found, "oidc "+other.URL, doctor.Warning, "404")
	if n := len(found["oidc "+other.URL].Seen); n > 1000 {
		t.Errorf("the finding has %d bytes", n)
	}
}

func TestAWebhookWithAnUnknownCertificateIsDiagnosed(t *testing.T) {
	hook := httptest.NewTLSServer(http.NotFoundHandler())
	defer hook.Close()
	found := diagnosed(t, fmt.Sprintf("outbox: {alerts: {enabled: true, webhook: {url: %q}}}", hook.URL))
	wantFinding(t, found, "alert-webhook "+hook.Listener.Addr().String(), doctor.Warning, "certificate")
}

func TestWhatIsOffIsNotDiagnosed(t *testing.T) {
	found := diagnosed(t, fmt.Sprintf("outbox: {alerts: {webhook: {url: 'http://%s'}}, telemetry: {endpoint: '%[1]s'}}", testenv.Address(t)))
	for name := range found {
		if strings.HasPrefix(name, "alert-webhook") || strings.HasPrefix(name, "telemetry") || strings.HasPrefix(name, "oidc") {
			t.Errorf("%s is diagnosed", name)
		}
	}
}

func TestTheCollectorsOfTheEnvironmentAreDiagnosed(t *testing.T) {
	for _, c := range []struct {
		name, config string
		environment  map[string]string
		want         []string
	}{
		{"default", "", nil, []string{"localhost:4318"}},
		{"grpc", "protocol: grpc", nil, []string{"localhost:4317"}},
		{"grpc of the environment", "", map[string]string{"OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}, []string{"localhost:4317"}},
		{"one for both", "", map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "https://a.example/x"}, []string{"a.example:443"}},
		{"one for each", "", map[string]string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://a.example:1", "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT": "http://b.example"}, []string{"a.example:1", "b.example:80"}},
		{"the file counts first", "endpoint: c.example:1", map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://a.example"}, []string{"c.example:1"}},
		{"no traces", "traces: false", map[string]string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://a.example"}, []string{"localhost:4318"}},
		{"none", "", map[string]string{"OTEL_SDK_DISABLED": "true"}, nil},
		{"no exporter", "", map[string]string{"OTEL_TRACES_EXPORTER": "none", "OTEL_METRICS_EXPORTER": "none"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			for name, value := range c.environment {
				t.Setenv(name, value)
			}
			got := endpoints(readConfig(t, "outbox: {telemetry: {enabled: true, "+c.config+"}}").Telemetry)
			var hosts []string
			for _, u := range got {
				hosts = append(hosts, hostPort(u))
			}
			if fmt.Sprint(hosts) != fmt.Sprint(c.want) {
				t.Errorf("%v, expected %v", hosts, c.want)
			}
		})
	}
}

func TestBehindAProxyTheProxyIsDiagnosed(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	through := func(*http.Request) (*url.URL, error) {
		return &url.URL{Scheme: "http", User: url.UserPassword("me", "hidden"), Host: l.Addr().String()}, nil
	}
	target := &url.URL{Scheme: "https", Host: "hooks.invalid"}
	seen, err := connect(context.WithoutCancel(t.Context()), target, true, through)
	if err != nil || !strings.Contains(seen, "the proxy "+l.Addr().String()) || strings.Contains(seen, "hidden") {
		t.Errorf("%q, error %v", seen, err)
	}
}
