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
)

// Sink sends to Kafka. It is safe for concurrent use.
type Sink struct {
	client  *kgo.Client
	owned   bool
	timeout time.Duration
	gate    gate
	reach   reach
	failed  failedTopics
	handing chan struct{}    // held by whoever hands records to the client
	now     func() time.Time // the time that records carry
	logger  *slog.Logger

	closing sync.Once
	closed  chan struct{}
}

// New makes a sink on a client that stays the caller's: Close ends the sink and
// not the client. The client should have the [ClientOptions], and must not be
// transactional. A Send takes at most 30 s.
func New(client *kgo.Client) *Sink {
	return &Sink{
		client: client, timeout: defaultTimeout, gate: newGate(),
		reach: reach{patience: 2 * defaultDialTimeout}, closed: make(chan struct{}),
		handing: make(chan struct{}, 1), now: time.Now, logger: slog.New(slog.DiscardHandler),
	}
}

// errClosed is the answer to a Send after Close.
var errClosed = errors.New("kafkasink: the sink is closed: open a new one")

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
		}
	}
	if delivered {
		return nil
	}
	return errs
}

var errSendTimeout = fmt.Errorf("the sink's Timeout is over: %w", context.DeadlineExceeded)

func (s *Sink) isClosed() bool {
	select {
	case <-s.closed:
		return true
	default:
		return false
	}
}

// Close ends the sink, and with it the sends that wait. It may be called again.
func (s *Sink) Close() error {
	s.closing.Do(func() {
		close(s.closed)
		if s.owned {
			s.client.Close()
		}
	})
	return nil
}
