package otel_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"reflect"
	"testing"
	"testing/slogtest"

	"go.opentelemetry.io/otel/trace"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/observe/otel"
	"github.com/sendoff-go/outbox/relay"
)

func TestLogHandlerIsAHandler(t *testing.T) {
	var out bytes.Buffer
	slogtest.Run(t, func(*testing.T) slog.Handler {
		out.Reset()
		return otel.LogHandler(slog.NewJSONHandler(&out, nil))
	}, func(t *testing.T) map[string]any { return decoded(t, out.Bytes()) })
}

func decoded(t *testing.T, line []byte) (record map[string]any) {
	t.Helper()
	if err := json.Unmarshal(line, &record); err != nil {
		t.Fatal(err)
	}
	return record
}

func TestARecordHasTheTraceOfItsContextOutsideOfGroups(t *testing.T) {
	span := trace.NewSpanContext(trace.SpanContextConfig{TraceID: trace.TraceID{1}, SpanID: trace.SpanID{2}})
	ctx := trace.ContextWithSpanContext(t.Context(), span)
	var out bytes.Buffer
	log := slog.New(otel.LogHandler(slog.NewJSONHandler(&out, &slog.HandlerOptions{ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
		if len(groups) == 0 && (a.Key == "time" || a.Key == "level" || a.Key == "msg") {
			return slog.Attr{}
		}
		return a
	}})))
	own := map[string]any{"trace_id": span.TraceID().String(), "span_id": span.SpanID().String()}
	with := func(more map[string]any) map[string]any {
		for k, v := range own {
			more[k] = v
		}
		return more
	}
	for i, c := range []struct {
		ctx  context.Context
		log  *slog.Logger
		want map[string]any
	}{
		{t.Context(), log, map[string]any{"a": "b"}},
		{ctx, log, with(map[string]any{"a": "b"})},
		{ctx, log.With("x", "y"), with(map[string]any{"a": "b", "x": "y"})},
		{ctx, log.WithGroup(""), with(map[string]any{"a": "b"})},
		{ctx, log.With("x", "y").WithGroup("g").With("p", "q"), with(map[string]any{"x": "y", "g": map[string]any{"a": "b", "p": "q"}})},
		{t.Context(), log.WithGroup("g"), map[string]any{"g": map[string]any{"a": "b"}}},
	} {
		out.Reset()
		c.log.InfoContext(c.ctx, "text", "a", "b")
		if got := decoded(t, out.Bytes()); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%d: %v, want %v", i, got, c.want)
		}
	}
}

func TestThePanicOfAListenerIsLoggedInItsTrace(t *testing.T) {
	var out bytes.Buffer
	log := slog.New(otel.LogHandler(slog.NewJSONHandler(&out, nil)))
	r := newRig(t, otel.Config{}, relay.Config{Logger: log}, func(r *rig) {
		r.reg.Handle("OrderPlaced", func(context.Context, outbox.Event) error { panic("no") })
	})
	if err := r.write(t.Context(), placed("1")); err != nil {
		t.Fatal(err)
	}
	r.once()
	trace := r.one("deliver OrderPlaced").SpanContext.TraceID().String()
	for line := range bytes.Lines(out.Bytes()) { // the panic, and that the event is tried again
		if record := decoded(t, line); record["trace_id"] != trace {
			t.Errorf("%s has the trace id %v, want %s", record["msg"], record["trace_id"], trace)
		}
	}
	if n := bytes.Count(out.Bytes(), []byte("\n")); n != 2 {
		t.Errorf("there are %d records: %s", n, out.String())
	}
}
