package redissink

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/sink/internal/keyrow"
)

// Sink appends to Redis streams. It is safe for concurrent use.
type Sink struct {
	client redis.UniversalClient
	cfg    Config
	owned  bool
	done   chan struct{} // closed by Close
	away   atomic.Bool   // as last logged

	mu     sync.Mutex
	closed bool
	work   sync.WaitGroup
}

var (
	_ outbox.Sink    = (*Sink)(nil)
	_ driver.Checker = (*Sink)(nil)
)

var errClosed = errors.New("redissink: the sink was closed: make a new one")

// New makes a sink. It checks the configuration and does not connect: the
// server may come up later. Close ends it.
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
	return &Sink{client: client, cfg: cfg, owned: cfg.Client == nil, done: make(chan struct{})}, nil
}

// grace is how long an answer may take after the end of the context: the client
// has the same deadline, and then knows which messages were answered.
const grace = 100 * time.Millisecond

// Send implements [outbox.Sink]. A message with a key goes out after the server
// has the one before it.
func (s *Sink) Send(ctx context.Context, batch []outbox.Message) []error {
	if len(batch) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, s.cfg.Timeout)
	defer cancel()
	errs := make([]error, len(batch))
	cmds := s.commands(ctx, batch, errs)
	// A server that is out of memory may refuse one message and accept a later
	// one.
	rows := keyrow.Of(batch, errs, func(i int) string { return batch[i].Destination })
	rows.Rounds(errs, func(round []int) {
		pipe := s.client.Pipeline()
		for _, i := range round {
			_ = pipe.Process(ctx, addition{cmds[i]})
		}
		var failed error
		err := s.await(ctx, func() { _, failed = pipe.Exec(ctx) })
		for _, i := range round {
			if err != nil { // the command still belongs to the client, if it ever did
				errs[i] = outbox.Unavailable(err)
			} else {
				errs[i] = classify(batch[i].Destination, outcome(cmds[i], failed))
			}
		}
	})
	s.tell(errs)
	return errs
}

// tell logs when the server becomes unavailable and when it is back.
func (s *Sink) tell(errs []error) {
	at := slices.IndexFunc(errs, func(err error) bool { return err != nil && outbox.IsUnavailable(err) })
	switch {
	case at >= 0 && s.away.CompareAndSwap(false, true):
		s.cfg.Logger.Warn("redissink: the server is unavailable", "error", errs[at])
	case at < 0 && s.away.CompareAndSwap(true, false):
		s.cfg.Logger.Info("redissink: the server is back")
	}
}

// outcome returns the error of a command. Only the id of the entry proves
// success: if the client could not log in, its commands have no error.
func outcome(cmd *redis.StringCmd, failed error) error {
	switch {
	case cmd.Err() != nil:
		return cmd.Err()
	case cmd.Val() != "":
		return nil
	case failed != nil:
		return failed
	}
	return errNoAnswer
}

var errNoAnswer = errors.New("the client has no answer for the message")

// await runs f and waits for it, but no longer than ctx: the client observes
// deadlines but not cancellation. Its error is uncertain if f was begun. f must
// own what it works on.
func (s *Sink) await(ctx context.Context, f func()) error {
	finished := make(chan struct{})
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return errClosed
	}
	s.work.Go(func() {
		defer close(finished)
		f()
	})
	s.mu.Unlock()
	select {
	case <-finished:
		return nil
	case <-s.done:
		return driver.Uncertain(errClosed)
	case <-ctx.Done():
	}
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-finished:
		return nil
	case <-timer.C:
		return driver.Uncertain(fmt.Errorf("redissink: no answer in time: %w", context.Cause(ctx)))
	}
}

// Check implements [driver.Checker]. It appends to a stream that does not exist
// and must not be created, which writes nothing and fails like any write on a
// server that is full or a replica.
func (s *Sink) Check(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, s.cfg.DialTimeout)
	defer cancel()
	cmd := redis.NewStringCmd(ctx, "xadd", "outbox:no-such-stream", "nomkstream", "*", "check", "")
	var failed error
	if err := s.await(ctx, func() { failed = s.client.Process(ctx, cmd) }); err != nil {
		return outbox.Unavailable(err)
	}
	// Any other answer passes: the server is up.
	if err := classify("", outcome(cmd, failed)); outbox.IsUnavailable(err) {
		return err
	}
	return nil
}

// Close ends the client, unless it is the caller's. A waiting Send
// returns at once. It may be called more than once.
func (s *Sink) Close() error {
	s.mu.Lock()
	closed := s.closed
	s.closed = true
	s.mu.Unlock()
	if closed {
		return nil
	}
	close(s.done)
	if !s.owned {
		return nil
	}
	err := s.client.Close()
	s.work.Wait()
	return err
}
