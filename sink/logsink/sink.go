package logsink

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"sync/atomic"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// Config says what is logged. It has a useful zero value.
type Config struct {
	// Logger is where messages go. Default: [slog.Default], as it is at New.
	Logger *slog.Logger
	// Level of the messages, which are logged even if the logger's own level is
	// higher. Default: Info.
	Level slog.Level
	// Payload is how many bytes of each payload are logged at most. Default: none.
	Payload int
	// Headers logs the headers as well. Default: off.
	Headers bool
}

// Sink logs. It is safe for concurrent use.
type Sink struct {
	cfg    Config
	closed atomic.Bool
}

var (
	_ outbox.Sink    = (*Sink)(nil)
	_ driver.Checker = (*Sink)(nil)
)

var errClosed = errors.New("logsink: the sink was closed: make a new one")

// New makes a sink.
func New(cfg Config) (*Sink, error) {
	if cfg.Payload < 0 {
		return nil, errors.New("logsink: Payload must not be negative: leave it zero to log no payload")
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.Default()
	}
	return &Sink{cfg: cfg}, nil
}

// Send implements [outbox.Sink]. It ignores the level of the logger: a message
// below it would be lost.
func (s *Sink) Send(ctx context.Context, batch []outbox.Message) []error {
	err := s.Check(ctx)
	var errs []error
	for i := range batch {
		one := err
		if one == nil {
			one = s.log(ctx, &batch[i])
		}
		if one != nil {
			if errs == nil {
				errs = make([]error, len(batch))
			}
			errs[i] = one
		}
	}
	return errs
}

func (s *Sink) log(ctx context.Context, m *outbox.Message) error {
	attrs := append(make([]slog.Attr, 0, 10),
		slog.String("event_id", m.Event.ID),
		slog.String("event_type", m.Event.Type),
		slog.String("destination", driver.DestinationName(m.Destination)))
	for _, a := range [...][2]string{
		{"key", m.Key}, {"aggregate_type", m.Event.AggregateType}, {"aggregate_id", m.Event.AggregateID},
		{"tenant_id", m.Event.TenantID}, {"correlation_id", m.Event.CorrelationID},
	} {
		if a[1] != "" {
			attrs = append(attrs, slog.String(a[0], a[1]))
		}
	}
	payload := m.Payload()
	attrs = append(attrs, slog.Int("bytes", len(payload)))
	if s.cfg.Payload > 0 {
		attrs = append(attrs, slog.String("payload", driver.CleanText(string(payload[:min(len(payload), s.cfg.Payload)]), s.cfg.Payload)))
	}
	if s.cfg.Headers {
		attrs = append(attrs, slog.Any("headers", maps.Clone(m.Headers)))
	}
	record := slog.NewRecord(time.Now(), s.cfg.Level, "outbox: event", 0)
	record.AddAttrs(attrs...)
	if err := s.cfg.Logger.Handler().Handle(ctx, record); err != nil {
		return outbox.Unavailable(fmt.Errorf("logsink: the log cannot be written: %w", err))
	}
	return nil
}

// Check implements [driver.Checker]. It fails only after Close.
func (s *Sink) Check(ctx context.Context) error {
	if s.closed.Load() {
		return outbox.Unavailable(errClosed)
	}
	if ctx.Err() != nil {
		return outbox.Unavailable(context.Cause(ctx))
	}
	return nil
}

// Close makes every later Send unavailable. It may be called more than once and
// returns nil.
func (s *Sink) Close() error {
	s.closed.Store(true)
	return nil
}
