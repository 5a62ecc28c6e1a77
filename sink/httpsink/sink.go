package httpsink

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"sync"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// Sink posts to webhooks. It is safe for concurrent use.
type Sink struct {
	cfg       Config
	base      *url.URL
	signers   []signer
	transport *http.Transport
	client    *http.Client

	mu       sync.Mutex
	closed   bool
	sends    map[*context.CancelFunc]struct{}
	work     sync.WaitGroup
	suspects map[string]suspect // by host
	last     *url.URL           // of them, the one that was unavailable last
}

var (
	_ outbox.Sink               = (*Sink)(nil)
	_ driver.Checker            = (*Sink)(nil)
	_ driver.DestinationChecker = (*Sink)(nil)
)

var errClosed = errors.New("httpsink: the sink was closed: make a new one")

// New makes a sink. It checks the configuration and does not connect: the
// receiver may come up later. Close ends it.
func New(cfg Config) (*Sink, error) {
	cfg = cfg.withDefaults()
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	base, err := cfg.base()
	if err != nil {
		return nil, err
	}
	signers, err := cfg.signers()
	if err != nil {
		return nil, err
	}
	s := &Sink{cfg: cfg, base: base, signers: signers, transport: cfg.transport(), sends: map[*context.CancelFunc]struct{}{}}
	s.client = &http.Client{Transport: s.transport, CheckRedirect: follow}
	return s, nil
}

// Send implements [outbox.Sink].
func (s *Sink) Send(ctx context.Context, batch []outbox.Message) []error {
	if len(batch) == 0 {
		return nil
	}
	errs := make([]error, len(batch))
	ctx, end, err := s.begin(ctx)
	if err != nil {
		for i := range errs {
			errs[i] = outbox.Unavailable(err)
		}
		return errs
	}
	defer end()
	b := s.sort(batch, errs)
	b.run(ctx)
	return errs
}

// begin registers work that Close has to end.
func (s *Sink) begin(ctx context.Context) (context.Context, func(), error) {
	ctx, cancel := context.WithCancel(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		cancel()
		return nil, nil, errClosed
	}
	s.work.Add(1)
	s.sends[&cancel] = struct{}{}
	return ctx, func() {
		cancel()
		s.mu.Lock()
		delete(s.sends, &cancel)
		s.mu.Unlock()
		s.work.Done()
	}, nil
}

// Close ends requests in flight and idle connections. It may be called more
// than once and returns nil.
func (s *Sink) Close() error {
	s.mu.Lock()
	s.closed = true
	for cancel := range s.sends {
		(*cancel)()
	}
	s.mu.Unlock()
	s.work.Wait()
	s.transport.CloseIdleConnections()
	return nil
}
