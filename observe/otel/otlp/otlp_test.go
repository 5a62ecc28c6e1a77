package otlp_test

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	"go.uber.org/goleak"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/inbox"
	"github.com/sendoff-go/outbox/internal/await"
	"github.com/sendoff-go/outbox/observe/otel"
	"github.com/sendoff-go/outbox/observe/otel/otlp"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/sink/memsink"
	"github.com/sendoff-go/outbox/store/memstore"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// shop writes events in the handler of a request, sends them to a broker, and
// consumes them.
type shop struct {
	handler http.Handler
	relay   *relay.Relay
	broker  *memsink.Sink
	billing *inbox.Consumer[*memstore.Tx]
}

func newShop(t *testing.T, p *otlp.Providers) *shop {
	t.Helper()
	store := memstore.New(memstore.Config{})
	s, reg := &shop{}, outbox.NewRegistry()
	var err error
	if s.broker, err = memsink.New(memsink.Config{Capacity: 1000}); err != nil {
		t.Fatal(err)
	}
	reg.Route("OrderPlaced", s.broker, outbox.To("orders"))
	tel := otel.New(otel.Config{TracerProvider: p.TracerProvider, MeterProvider: p.MeterProvider, Types: reg.Types(), Store: store})
	if s.relay, err = relay.New(store, reg, tel.Relay(relay.Config{})); err != nil {
		t.Fatal(err)
	}
	if s.billing, err = inbox.New(memstore.New(memstore.Config{}), tel.Inbox(inbox.Config{Group: "billing"})); err != nil {
		t.Fatal(err)
	}
	w := outbox.NewWriter(store, tel.Writer())
	tracer := p.TracerProvider.Tracer("shop")
	s.handler = http.HandlerFunc(func(answer http.ResponseWriter, req *http.Request) {
		ctx, span := tracer.Start(req.Context(), "POST /orders", trace.WithSpanKind(trace.SpanKindServer))
		defer span.End()
		err := w.InTx(ctx, func(ctx context.Context, tx *memstore.Tx) error {
			_, err := w.Write(ctx, tx, outbox.Event{Type: "OrderPlaced", JSON: []byte(`{}`)})
			return err
		})
		if err != nil {
			http.Error(answer, err.Error(), http.StatusInternalServerError)
		}
	})
	return s
}

// sell handles n requests and delivers what they wrote.
func (s *shop) sell(t *testing.T, n int) {
	t.Helper()
	for range n {
		answer := httptest.NewRecorder()
		s.handler.ServeHTTP(answer, httptest.NewRequest(http.MethodPost, "/orders", http.NoBody))
		if answer.Code != http.StatusOK {
			t.Fatal(answer.Body)
		}
	}
	for got := 0; got < n; {
		rep, err := s.relay.RunOnce(t.Context())
		if err != nil || rep.Delivered == 0 {
			t.Fatalf("%+v %v", rep, err)
		}
		got += rep.Delivered
	}
	for range n {
		err := s.billing.Consume(t.Context(), memsink.Message(<-s.broker.Messages()), func(_ context.Context, tx *memstore.Tx) error {
			return tx.Put("invoice", "open")
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// sold sells one order and sends all that is recorded of it, however long a busy
// machine takes for that.
func sold(t *testing.T, c otlp.Config) {
	t.Helper()
	for _, name := range []string{"OTEL_EXPORTER_OTLP_TIMEOUT", "OTEL_BSP_EXPORT_TIMEOUT", "OTEL_METRIC_EXPORT_TIMEOUT"} {
		t.Setenv(name, "120000")
	}
	p, err := otlp.Start(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	newShop(t, p).sell(t, 1)
	if err := otlp.Unhurried(p).Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestOneTraceAndTheMetricsArriveOverOTLP(t *testing.T) {
	received(t, func(t *testing.T, r *receiver) {
		sold(t, otlp.Config{Protocol: r.protocol, Endpoint: r.endpoint, Headers: map[string]string{"x-token": "t"}, ServiceName: "shop"})
		_, trace, request, _ := r.span(t, "POST /orders")
		_, of, write, parent := r.span(t, "write OrderPlaced")
		if of != trace || parent != request {
			t.Error("the write is no child of the request")
		}
		for _, name := range []string{"deliver orders", "consume OrderPlaced"} {
			if _, of, _, parent := r.span(t, name); of != trace || parent != write {
				t.Errorf("%s is no child of the write", name)
			}
		}
		for name, want := range map[string]int64{"outbox.entries_written": 1, "outbox.entries_delivered": 1, "outbox.entries_failed": 0} {
			var sum int64
			for _, point := range r.metrics[name].GetSum().GetDataPoints() {
				sum += point.GetAsInt()
			}
			if r.metrics[name] == nil || sum != want {
				t.Errorf("%s is %d, want %d", name, sum, want)
			}
		}
		if r.metrics["outbox.publish_duration"].GetHistogram() == nil || r.metrics["outbox.events"].GetGauge() == nil {
			t.Error("there is no histogram or no gauge")
		}
		if r.service != "shop" || !r.tokens["t"] || len(r.tokens) != 1 {
			t.Errorf("service %q, tokens %v", r.service, r.tokens)
		}
	})
}

func TestTheEnvironmentSaysWhatTheConfigurationLeavesOpen(t *testing.T) {
	received(t, func(t *testing.T, r *receiver) {
		t.Setenv("OTEL_EXPORTER_OTLP_PROTOCOL", r.protocol)
		t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", r.endpoint)
		t.Setenv("OTEL_EXPORTER_OTLP_HEADERS", "x-token=env")
		t.Setenv("OTEL_SERVICE_NAME", "named by the environment")
		t.Setenv("OTEL_METRICS_EXPORTER", "none")
		sold(t, otlp.Config{})
		r.span(t, "deliver orders")
		if r.service != "named by the environment" || !r.tokens["env"] || len(r.metrics) != 0 {
			t.Errorf("service %q, tokens %v, %d metrics", r.service, r.tokens, len(r.metrics))
		}
	})
}

func TestASDKThatIsDisabledSendsNothing(t *testing.T) {
	received(t, func(t *testing.T, r *receiver) {
		t.Setenv("OTEL_SDK_DISABLED", "true")
		sold(t, otlp.Config{Protocol: r.protocol, Endpoint: r.endpoint})
		if len(r.spans) != 0 || len(r.metrics) != 0 {
			t.Errorf("%d spans and %d metrics came", len(r.spans), len(r.metrics))
		}
	})
}

func TestTheSamplerDecidesForNewTraces(t *testing.T) {
	received(t, func(t *testing.T, r *receiver) {
		sold(t, otlp.Config{Protocol: r.protocol, Endpoint: r.endpoint, Sampler: sdktrace.ParentBased(sdktrace.TraceIDRatioBased(0)), NoMetrics: true})
		if len(r.spans) != 0 {
			t.Errorf("%d spans came", len(r.spans))
		}
	})
}

// silent accepts connections and never answers.
func silent(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		var held []net.Conn
		for {
			c, err := l.Accept()
			if err != nil {
				for _, c := range held {
					_ = c.Close()
				}
				return
			}
			held = append(held, c)
		}
	}()
	t.Cleanup(func() {
		_ = l.Close()
		<-ended
	})
	return l.Addr().String()
}

func TestACollectorThatIsDownDelaysNothing(t *testing.T) {
	for _, protocol := range []string{otlp.GRPC, otlp.HTTP} {
		for name, endpoint := range map[string]func(*testing.T) string{
			"silent": silent, "closed": func(*testing.T) string { return "127.0.0.1:1" },
		} {
			t.Run(fmt.Sprint(protocol, " ", name), func(t *testing.T) {
				t.Setenv("OTEL_BSP_MAX_QUEUE_SIZE", "8")
				t.Setenv("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "4")
				t.Setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "500") // so that nothing outlives the test for long
				leavesNothing(t)
				at := endpoint(t)
				// A machine that stands still makes one end late, and not each of several.
				took := endsWithoutACollector(t, protocol, at, 100*time.Millisecond)
				for try := 1; took > otlp.FlushTimeout && try < 10; try++ {
					took = endsWithoutACollector(t, protocol, at, 100*time.Millisecond)
				}
				if took > otlp.FlushTimeout {
					t.Errorf("the end took %s", took)
				}
			})
		}
	}
}

// leavesNothing waits, once what the test starts from now on has been cleaned up, until
// nothing of it runs any more.
func leavesNothing(t *testing.T) {
	t.Helper()
	before := goleak.IgnoreCurrent()
	t.Cleanup(func() {
		await.Until(t, "nothing runs any more", func() bool { return goleak.Find(before) == nil })
	})
}

// endsWithoutACollector is how long the end takes after more was recorded than fits in
// the queue.
func endsWithoutACollector(t *testing.T, protocol, endpoint string, patience time.Duration) time.Duration {
	t.Helper()
	p, err := otlp.Start(t.Context(), otlp.Config{Protocol: protocol, Endpoint: endpoint, Insecure: true, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	newShop(t, p).sell(t, 200) // 800 spans
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	began := time.Now()
	if err := p.Shutdown(ctx); err == nil || !strings.Contains(err.Error(), "may be lost") {
		t.Errorf("the end is %v", err)
	}
	return time.Since(began)
}

func TestAnEndWithoutAnyTimeLeavesNothingRunning(t *testing.T) {
	t.Setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "500")
	for _, protocol := range []string{otlp.GRPC, otlp.HTTP} {
		t.Run(protocol, func(t *testing.T) {
			leavesNothing(t)
			endsWithoutACollector(t, protocol, "127.0.0.1:1", 0)
		})
	}
}

func TestAConfigurationThatCannotWorkIsRefused(t *testing.T) {
	for name, c := range map[string]otlp.Config{
		"protocol": {Protocol: "carrier pigeon"}, "interval": {Interval: -1},
		"a name": {Endpoint: "collector"}, "a scheme": {Endpoint: "ftp://collector"}, "no URL": {Endpoint: "http://%zz"},
	} {
		if _, err := otlp.Start(t.Context(), c); err == nil || !strings.HasPrefix(err.Error(), "otlp: Protocol is") && !strings.HasPrefix(err.Error(), "otlp: Interval is") && !strings.HasPrefix(err.Error(), "otlp: Endpoint is") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
