package daemon

import (
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	collmetrics "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	colltrace "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/sendoff-go/outbox/observe/otel/otlp"
)

// collector receives OTLP over HTTP.
type collector struct {
	*httptest.Server
	mu      sync.Mutex
	spans   []*tracepb.Span
	metrics map[string]int64 // sums of counters
	service map[string]bool
}

func newCollector(t *testing.T) *collector {
	t.Helper()
	c := &collector{metrics: map[string]int64{}, service: map[string]bool{}}
	take := func(in proto.Message, keep func()) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			c.mu.Lock()
			defer c.mu.Unlock()
			if err := proto.Unmarshal(body, in); err != nil || r.Header.Get("Authorization") != "Bearer t0ken" {
				w.WriteHeader(http.StatusBadRequest)
				return
			}
			keep()
			w.Header().Set("Content-Type", "application/x-protobuf")
		}
	}
	traces, metrics := &colltrace.ExportTraceServiceRequest{}, &collmetrics.ExportMetricsServiceRequest{}
	mux := http.NewServeMux()
	mux.HandleFunc("/v1/traces", take(traces, func() {
		for _, of := range traces.ResourceSpans {
			for _, a := range of.Resource.Attributes {
				c.service[a.Key+"="+a.Value.GetStringValue()] = true
			}
			for _, scope := range of.ScopeSpans {
				c.spans = append(c.spans, scope.Spans...)
			}
		}
	}))
	mux.HandleFunc("/v1/metrics", take(metrics, func() {
		for _, of := range metrics.ResourceMetrics {
			for _, scope := range of.ScopeMetrics {
				for _, m := range scope.Metrics {
					c.metrics[m.Name] = 0
					for _, p := range m.GetSum().GetDataPoints() {
						c.metrics[m.Name] += p.GetAsInt()
					}
				}
			}
		}
	}))
	c.Server = httptest.NewServer(mux)
	t.Cleanup(c.Close)
	return c
}

const parentTrace, parentSpan = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"

// traced is a daemon that logs events and sends telemetry to an endpoint.
func traced(t *testing.T, endpoint, more string) *rig {
	t.Helper()
	file := newFile(t)
	load(t, file, "outbox: {}").once()
	r := load(t, file, fmt.Sprintf(`
outbox:
  publisher: {sender: {type: log}, events: {order-created: {topic: orders}}}
  telemetry: {enabled: true, protocol: http, endpoint: %q, headers: {Authorization: Bearer t0ken}, service-name: shop-relay%s}
`, endpoint, more))
	r.do(`INSERT INTO outbox_event (event_id, event_type, payload, headers) VALUES ('1', 'order-created', '{}', ?)`,
		fmt.Sprintf(`{"traceparent": "00-%s-%s-01"}`, parentTrace, parentSpan))
	return r
}

func TestTheDaemonContinuesTheTraceOfAnINSERT(t *testing.T) {
	c := newCollector(t)
	r := traced(t, c.URL, "")
	if got := r.once(); got != "1 delivered" {
		t.Fatal(got)
	}
	if len(c.spans) != 1 {
		t.Fatalf("%d spans came", len(c.spans))
	}
	s := c.spans[0]
	if s.Name != "deliver orders" || s.Kind != tracepb.Span_SPAN_KIND_CLIENT || hex.EncodeToString(s.TraceId) != parentTrace || hex.EncodeToString(s.ParentSpanId) != parentSpan {
		t.Errorf("the span is %v", s)
	}
	system := ""
	for _, a := range s.Attributes {
		if a.Key == "messaging.system" {
			system = a.Value.GetStringValue()
		}
	}
	if system != "log" || !c.service["service.name=shop-relay"] {
		t.Errorf("system %q, resource %v", system, c.service)
	}
	if c.metrics["outbox.entries_delivered"] != 1 {
		t.Errorf("the metrics are %v", c.metrics)
	}
	if log := r.log.String(); !strings.Contains(log, "trace_id="+parentTrace+" span_id="+hex.EncodeToString(s.SpanId)) {
		t.Errorf("the log of the event has no trace id:\n%s", log)
	}
}

func TestOneOfTracesAndMetricsCanBeLeftOut(t *testing.T) {
	for more, want := range map[string][2]bool{", traces: false": {false, true}, ", metrics: false": {true, false}} {
		c := newCollector(t)
		traced(t, c.URL, more).once()
		if got := [2]bool{len(c.spans) > 0, len(c.metrics) > 0}; got != want {
			t.Errorf("%s: %v, want %v", more, got, want)
		}
	}
}

func TestTheDaemonTracesAShareOfWhatHasNoTrace(t *testing.T) {
	c := newCollector(t)
	r := traced(t, c.URL, ", sample-ratio: 0")
	r.insert("order-created", 1)
	r.once()
	if len(c.spans) != 1 || hex.EncodeToString(c.spans[0].TraceId) != parentTrace {
		t.Errorf("%d spans came, expected the one that its writer wants traced", len(c.spans))
	}
}

func TestTheDaemonDeliversAndEndsWithoutItsCollector(t *testing.T) {
	t.Setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "500")
	r := traced(t, "http://127.0.0.1:1", "")
	began := time.Now()
	if got := r.once(); got != "1 delivered" {
		t.Fatal(got)
	}
	if took := time.Since(began); took > patience {
		t.Errorf("it took %s, with %s to send what is left", took, otlp.FlushTimeout)
	}
	if !strings.Contains(r.log.String(), "could not send all telemetry") {
		t.Errorf("the log does not tell:\n%s", r.log)
	}
}

func TestARunningDaemonSendsWhatIsLeftAtItsEnd(t *testing.T) {
	c := newCollector(t)
	r := traced(t, c.URL, "")
	stop := r.run()
	r.until("it is delivered", func() bool { return r.count("SELECT count(*) FROM outbox_event WHERE status = 1") == 1 })
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	if len(c.spans) != 1 || c.metrics["outbox.entries_delivered"] != 1 {
		t.Errorf("%d spans, metrics %v", len(c.spans), c.metrics)
	}
}
