package natssink

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/sink/internal/failed"
)

// Sink sends to JetStream. It is safe for concurrent use.
type Sink struct {
	nc       *nats.Conn
	owned    bool
	timeout  time.Duration
	patience time.Duration // for a connection
	window   chan struct{}
	inbox    string // prefix, before flight, dot and index
	sub      *nats.Subscription
	link     *link
	known    streams
	failed   failed.Destinations

	last    atomic.Uint64
	mu      sync.Mutex
	flights map[uint64]*flight

	closing sync.Once
	closed  chan struct{}
}

// New makes a sink. It checks the configuration and does not wait for the
// server, which may come up later. Close ends it.
func New(cfg Config) (*Sink, error) {
	err := cfg.ofTheClient()
	cfg = cfg.withDefaults()
	if err := errors.Join(err, cfg.validate()); err != nil {
		return nil, err
	}
	if cfg.Client != nil {
		return newSink(cfg, cfg.Client, nil)
	}
	nc, d, err := cfg.connect()
	if err != nil {
		return nil, err
	}
	s, err := newSink(cfg, nc, d)
	if err != nil {
		nc.Close()
	}
	return s, err
}

func newSink(cfg Config, nc *nats.Conn, d *dialer) (*Sink, error) {
	s := &Sink{
		nc: nc, owned: cfg.Client == nil, timeout: cfg.Timeout, patience: cfg.DialTimeout,
		window: make(chan struct{}, cfg.Window), inbox: nc.NewInbox() + ".",
		flights: map[uint64]*flight{}, closed: make(chan struct{}),
	}
	sub, err := nc.Subscribe(s.inbox+">", s.hear)
	if err != nil {
		return nil, fmt.Errorf("natssink: cannot listen for answers: %w", err)
	}
	if err := sub.SetPendingLimits(-1, -1); err != nil { // a dropped answer means an event sent twice
		return nil, fmt.Errorf("natssink: %w", err)
	}
	s.sub = sub
	s.link = watch(nc, d, s.lost)
	return s, nil
}

// The errors that do not come from the server.
var (
	errClosed  = errors.New("natssink: the sink is closed: make a new one")
	errLost    = errors.New("the connection was lost before the answer came")
	errAway    = errors.New("not connected")
	errTimeout = fmt.Errorf("the sink's Timeout has expired: %w", context.DeadlineExceeded)
)

// Send implements [outbox.Sink]. A message is delivered when its stream has
// acknowledged it.
func (s *Sink) Send(ctx context.Context, batch []outbox.Message) []error {
	if len(batch) == 0 {
		return nil
	}
	if s.isClosed() {
		errs := make([]error, len(batch))
		for i := range errs {
			errs[i] = outbox.Unavailable(errClosed)
		}
		return errs
	}
	ctx, cancel := context.WithTimeoutCause(ctx, s.timeout, errTimeout)
	defer cancel()
	ms, errs := newMessages(batch)
	if f := newFlight(batch, errs, &s.known, s.window); f.left > 0 {
		s.publish(ctx, ms, f, errs)
	}
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

// publish sends the messages of a flight and notes the outcome of each.
func (s *Sink) publish(ctx context.Context, ms []nats.Msg, f *flight, errs []error) {
	id := s.last.Add(1)
	s.mu.Lock()
	s.flights[id] = f
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		delete(s.flights, id)
		s.mu.Unlock()
	}()
	// The client writes to the socket under its lock and blocks if the socket is
	// full, so this runs in a goroutine and the context still applies.
	go s.write(ctx, ms, f, s.inbox+strconv.FormatUint(id, 36)+".")
	var why error
	select {
	case <-f.done:
	case <-ctx.Done():
		why = context.Cause(ctx)
	case <-s.closed:
		why = errClosed
	}
	f.take(errs, why)
}

// write hands the messages to the client as they become ready, as far as the
// window allows.
func (s *Sink) write(ctx context.Context, ms []nats.Msg, f *flight, reply string) {
	if err := s.link.wait(ctx, s.patience, s.closed); err != nil {
		f.fail(err)
		return
	}
	f.start()
	for {
		i, ok := f.next()
		if !ok {
			select {
			case <-f.wake:
				continue
			case <-f.done:
			case <-f.gone:
			}
			return
		}
		select {
		case s.window <- struct{}{}:
		case <-f.done:
			return
		case <-f.gone:
			return
		}
		if !f.begin(i) {
			<-s.window
			continue
		}
		ms[i].Reply = reply + strconv.FormatUint(uint64(i), 36)
		if err := s.nc.PublishMsg(&ms[i]); err != nil {
			if errors.As(err, new(net.Error)) { // a part of the buffer may have been written
				err = driver.Uncertain(err)
			}
			f.note(i, err)
		}
	}
}

// lost is called when the connection is lost.
func (s *Sink) lost() {
	s.known.clear()
	s.mu.Lock()
	all := make([]*flight, 0, len(s.flights))
	for _, f := range s.flights {
		all = append(all, f)
	}
	s.mu.Unlock()
	for _, f := range all {
		f.lose(errLost)
	}
}

// Close ends the sink and the sends that wait. It may be called more than once.
func (s *Sink) Close() error {
	s.closing.Do(func() {
		close(s.closed)
		_ = s.sub.Unsubscribe()
		if s.owned {
			s.nc.Close()
		}
		s.link.close()
	})
	return nil
}
