package otel

import (
	"context"
	"errors"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// The attributes that no semantic convention defines.
const (
	keyEventType = attribute.Key("outbox.event_type")
	keyAttempt   = attribute.Key("outbox.attempt")
	keyPath      = attribute.Key("outbox.path")
	keyFresh     = attribute.Key("outbox.fresh")
	keyFailed    = attribute.Key("outbox.failed")
)

var (
	systemOutbox          = semconv.MessagingSystemKey.String("outbox")
	operationWrite        = semconv.MessagingOperationName("write")
	operationDeliver      = semconv.MessagingOperationName("deliver")
	operationDeliverBatch = semconv.MessagingOperationName("deliver_batch")
	operationConsume      = semconv.MessagingOperationName("consume")
)

// named is the name of a span: the operation, and the destination if it is one.
func named(operation, destination string) string {
	if destination == "" {
		return operation
	}
	return operation + " " + destination
}

// maxError bounds the text of an error in a span, in characters.
const maxError = 1000

// finish ends a span with its error, or nil.
func finish(span trace.Span, err error) {
	if err != nil && span.IsRecording() {
		span.SetStatus(codes.Error, driver.CleanText(err.Error(), maxError))
		span.SetAttributes(errorType(err))
	}
	span.End()
}

// errorType is the class that the relay puts an error in, if it has one.
func errorType(err error) attribute.KeyValue {
	switch {
	case outbox.IsUnavailable(err):
		return semconv.ErrorTypeKey.String("unavailable")
	case outbox.IsPermanent(err):
		return semconv.ErrorTypeKey.String("permanent")
	case errors.Is(err, context.DeadlineExceeded):
		return semconv.ErrorTypeKey.String("timeout")
	case errors.Is(err, context.Canceled):
		return semconv.ErrorTypeKey.String("canceled")
	}
	return semconv.ErrorType(err)
}
