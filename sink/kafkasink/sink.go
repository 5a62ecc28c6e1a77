package kafkasink

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/sink/internal/failed"
)

// Sink sends to Kafka. It is safe for concurrent use.
type Sink struct {
	client  *kgo.Client
	owned   bool
	timeout time.Duration
	gate    gate
	reach   reach
	failed  failed.Destinations
	handing chan struct{}    // held while handing records to the client
	now     func() time.Time // the timestamp of records
	logger  *slog.Logger

	closing sync.Once
	closed  chan struct{}
}

// New makes a sink. It checks the configuration and does not connect: the
// brokers may come up later. Close ends it.
func New(cfg Config) (*Sink, error) {
	err := cfg.ofTheClient()
	cfg = cfg.withDefaults()
	if err := errors.Join(err, cfg.validate()); err != nil {
		return nil, err
	}
	client := cfg.Client
	if client == nil {
		if client, err = cfg.client(); err != nil {
			return nil, err
		}
	}
	s := &Sink{
		client: client, owned: cfg.Client == nil, timeout: cfg.Timeout, gate: newGate(),
		reach: reach{patience: 2 * cfg.DialTimeout}, closed: make(chan struct{}),
		handing: make(chan struct{}, 1), now: time.Now, logger: slog.New(slog.DiscardHandler),
	}
	if cfg.Logger != nil {
		s.logger = cfg.Logger
	}
	return s, nil
}

// errClosed is the answer to a Send after Close.
var errClosed = errors.New("kafkasink: the sink is closed: make a new one")

// Send implements [outbox.Sink]. A message is delivered when all in-sync
// replicas have it.
func (s *Sink) Send(ctx context.Context, batch []outbox.Message) []error {
	if len(batch) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeoutCause(ctx, s.timeout, errSendTimeout)
	defer cancel()
	errs := make([]error, len(batch))
	if s.isClosed() {
		for i := range errs {
			errs[i] = outbox.Unavailable(errClosed)
		}
		return errs
	}
	s.send(ctx, newRecords(batch), errs)
	delivered := true
	for i, err := range errs {
		if err != nil {
			delivered = false
			errs[i] = s.classify(batch[i], err)
			if driver.IsUncertain(err) {
				errs[i] = driver.Uncertain(errs[i])
			}
		}
	}
	if delivered {
		return nil
	}
	return errs
}

var errSendTimeout = fmt.Errorf("the sink's Timeout has expired: %w", context.DeadlineExceeded)

func (s *Sink) isClosed() bool {
	select {
	case <-s.closed:
		return true
	default:
		return false
	}
}

// Close ends the sink and the sends that wait. It may be called more than once.
func (s *Sink) Close() error {
	s.closing.Do(func() {
		close(s.closed)
		if s.owned {
			s.client.Close()
		}
	})
	return nil
}
