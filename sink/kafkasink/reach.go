package kafkasink

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/sendoff-go/outbox"
)

// reach tells whether any broker can be reached. The client itself keeps trying
// until a record times out, which may take minutes, and does not always say
// why.
type reach struct {
	patience time.Duration // time without an answer before the brokers are checked
	proven   atomic.Bool   // a broker has answered since the last outage

	mu  sync.Mutex
	era context.Context // of the records in flight; ends with an outage
	end context.CancelCauseFunc

	pings pings
}

// answerTimeout is how long the client waits for the answer to a simple
// request, its RequestTimeoutOverhead.
const answerTimeout = 5 * time.Second

// current returns the context for records that are handed to the client now.
func (r *reach) current() context.Context {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.era == nil || r.era.Err() != nil {
		r.era, r.end = context.WithCancelCause(context.Background())
	}
	return r.era
}

// giveUp ends the era if it is still the current one. All records that the
// client holds fail together, so that they keep their order.
func (r *reach) giveUp(era context.Context, cause error) {
	r.proven.Store(false)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.era == era {
		r.end(cause)
	}
}

// knock asks any broker. It returns nil even if no answer came in time, which
// proves nothing: some brokers may be slow to refuse.
func (s *Sink) knock(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, s.reach.patience+answerTimeout)
	defer cancel()
	err := s.ping(ctx)
	if err != nil && (ctx.Err() != nil || s.isClosed()) {
		return nil
	}
	return err
}

func timedOut(err error) bool {
	var slow net.Error
	return errors.As(err, &slow) && slow.Timeout()
}

// ready returns an error if no broker can be reached, before anything is handed
// to the client. It does not ask if brokers have answered since the last
// outage.
func (s *Sink) ready(ctx context.Context) error {
	if s.reach.proven.Load() {
		return nil
	}
	if err := s.knock(ctx); err != nil {
		return outbox.Unavailable(noBroker(err))
	}
	if s.isClosed() {
		return errClosed
	}
	return context.Cause(ctx)
}

// refusing returns the error of a connection that cannot be made while records
// wait. A connection that hangs is not given up: what was sent on it may have
// been written, and only the client can resend that without a duplicate.
func (s *Sink) refusing(ctx context.Context) error {
	err := s.knock(ctx)
	if err == nil || timedOut(err) {
		return nil
	}
	return outbox.Unavailable(noBroker(err))
}

func noBroker(err error) error {
	if errors.Is(err, kgo.ErrClientClosed) {
		return errClosed
	}
	return fmt.Errorf("kafkasink: no broker can be reached: %w", explain(err))
}
