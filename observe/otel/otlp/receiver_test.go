package otlp_test

import (
	"context"
	"encoding/hex"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	collmetrics "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	colltrace "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"

	"github.com/sendoff-go/outbox/observe/otel/otlp"
)

// receiver is a collector that keeps what it gets.
type receiver struct {
	protocol, endpoint string

	mu      sync.Mutex
	spans   map[string]*tracepb.Span // by name
	metrics map[string]*metricspb.Metric
	service string
	tokens  map[string]bool
}

// received starts a collector for each protocol and runs the test with it.
func received(t *testing.T, test func(t *testing.T, r *receiver)) {
	for protocol, start := range map[string]func(*receiver, *testing.T){otlp.GRPC: (*receiver).startGRPC, otlp.HTTP: (*receiver).startHTTP} {
		t.Run(protocol, func(t *testing.T) {
			r := &receiver{protocol: protocol, spans: map[string]*tracepb.Span{}, metrics: map[string]*metricspb.Metric{}, tokens: map[string]bool{}}
			start(r, t)
			test(t, r)
		})
	}
}

func (r *receiver) startHTTP(t *testing.T) {
	t.Helper()
	decode := func(into proto.Message, take func(), answer proto.Message) http.HandlerFunc {
		return func(w http.ResponseWriter, req *http.Request) {
			body, err := io.ReadAll(req.Body)
			if err = errors.Join(err, proto.Unmarshal(body, into)); err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
				return
			}
			r.token(req.Header.Get("x-token"))
			take()
			out, _ := proto.Marshal(answer)
			w.Header().Set("Content-Type", "application/x-protobuf")
			_, _ = w.Write(out)
		}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /base/v1/traces", func(w http.ResponseWriter, req *http.Request) {
		in := &colltrace.ExportTraceServiceRequest{}
		decode(in, func() { r.takeSpans(in) }, &colltrace.ExportTraceServiceResponse{})(w, req)
	})
	mux.HandleFunc("POST /base/v1/metrics", func(w http.ResponseWriter, req *http.Request) {
		in := &collmetrics.ExportMetricsServiceRequest{}
		decode(in, func() { r.takeMetrics(in) }, &collmetrics.ExportMetricsServiceResponse{})(w, req)
	})
	srv := httptest.NewServer(mux)
	t.Cleanup(srv.Close)
	r.endpoint = srv.URL + "/base"
}

func (r *receiver) startGRPC(t *testing.T) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv := grpc.NewServer()
	colltrace.RegisterTraceServiceServer(srv, traceService{r: r})
	collmetrics.RegisterMetricsServiceServer(srv, metricsService{r: r})
	ended := make(chan error, 1)
	go func() { ended <- srv.Serve(l) }()
	t.Cleanup(func() {
		srv.Stop()
		if err := <-ended; err != nil && !errors.Is(err, grpc.ErrServerStopped) {
			t.Error(err)
		}
	})
	r.endpoint = "http://" + l.Addr().String()
}

type traceService struct {
	colltrace.UnimplementedTraceServiceServer
	r *receiver
}

func (s traceService) Export(ctx context.Context, in *colltrace.ExportTraceServiceRequest) (*colltrace.ExportTraceServiceResponse, error) {
	s.r.tokenOf(ctx)
	s.r.takeSpans(in)
	return &colltrace.ExportTraceServiceResponse{}, nil
}

type metricsService struct {
	collmetrics.UnimplementedMetricsServiceServer
	r *receiver
}

func (s metricsService) Export(ctx context.Context, in *collmetrics.ExportMetricsServiceRequest) (*collmetrics.ExportMetricsServiceResponse, error) {
	s.r.tokenOf(ctx)
	s.r.takeMetrics(in)
	return &collmetrics.ExportMetricsServiceResponse{}, nil
}

func (r *receiver) tokenOf(ctx context.Context) {
	md, _ := metadata.FromIncomingContext(ctx)
	for _, token := range md.Get("x-token") {
		r.token(token)
	}
}

func (r *receiver) token(token string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tokens[token] = true
}

func (r *receiver) takeSpans(in *colltrace.ExportTraceServiceRequest) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, of := range in.ResourceSpans {
		r.of(of.Resource)
		for _, scope := range of.ScopeSpans {
			for _, span := range scope.Spans {
				r.spans[span.Name] = span
			}
		}
	}
}

func (r *receiver) takeMetrics(in *collmetrics.ExportMetricsServiceRequest) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, of := range in.ResourceMetrics {
		r.of(of.Resource)
		for _, scope := range of.ScopeMetrics {
			for _, m := range scope.Metrics {
				r.metrics[m.Name] = m
			}
		}
	}
}

func (r *receiver) of(resource *resourcepb.Resource) {
	for _, a := range resource.Attributes {
		if a.Key == "service.name" {
			r.service = a.Value.GetStringValue()
		}
	}
}

// span is a span that came, with its ids in hexadecimal.
func (r *receiver) span(t *testing.T, name string) (s *tracepb.Span, trace, id, parent string) {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	s = r.spans[name]
	if s == nil {
		t.Fatalf("no span is called %q", name)
	}
	return s, hex.EncodeToString(s.TraceId), hex.EncodeToString(s.SpanId), hex.EncodeToString(s.ParentSpanId)
}
