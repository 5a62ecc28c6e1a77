package otel

import (
	"context"
	"log/slog"
	"slices"

	"go.opentelemetry.io/otel/trace"
)

// LogHandler returns a handler that adds trace_id and span_id of the context to
// each record, outside of all groups, and leaves the rest to h. Log with a context
// (InfoContext and so on) to have them.
func LogHandler(h slog.Handler) slog.Handler { return &logHandler{Handler: h, base: h} }

type logHandler struct {
	slog.Handler              // with everything
	base         slog.Handler // before the first group
	within       []func(slog.Handler) slog.Handler
}

// Handle implements [slog.Handler].
func (h *logHandler) Handle(ctx context.Context, r slog.Record) error {
	span := trace.SpanContextFromContext(ctx)
	if !span.IsValid() {
		return h.Handler.Handle(ctx, r)
	}
	attrs := []slog.Attr{slog.String("trace_id", span.TraceID().String()), slog.String("span_id", span.SpanID().String())}
	if h.within == nil {
		r = r.Clone()
		r.AddAttrs(attrs...)
		return h.Handler.Handle(ctx, r)
	}
	to := h.base.WithAttrs(attrs)
	for _, add := range h.within {
		to = add(to)
	}
	return to.Handle(ctx, r)
}

// WithAttrs implements [slog.Handler].
func (h *logHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return h.with(func(to slog.Handler) slog.Handler { return to.WithAttrs(attrs) }, false)
}

// WithGroup implements [slog.Handler].
func (h *logHandler) WithGroup(name string) slog.Handler {
	if name == "" {
		return h
	}
	return h.with(func(to slog.Handler) slog.Handler { return to.WithGroup(name) }, true)
}

func (h *logHandler) with(add func(slog.Handler) slog.Handler, group bool) slog.Handler {
	next := &logHandler{Handler: add(h.Handler), base: h.base, within: h.within}
	if group || h.within != nil {
		next.within = append(slices.Clip(h.within), add)
	} else {
		next.base = next.Handler
	}
	return next
}
