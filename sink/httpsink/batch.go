package httpsink

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/sink/internal/keyrow"
)

// batch holds the messages of one Send. Those of a row share key and URL and
// are posted one after the other.
type batch struct {
	*Sink
	messages []outbox.Message
	urls     []*url.URL
	errs     []error
	rows     keyrow.Rows
	next     atomic.Int64 // row

	mu   sync.Mutex
	down map[string]error // hosts that did not answer
}

func (s *Sink) sort(messages []outbox.Message, errs []error) *batch {
	b := &batch{Sink: s, messages: messages, errs: errs, urls: make([]*url.URL, len(messages)), down: map[string]error{}}
	for i := range messages {
		b.urls[i], errs[i] = s.resolve(&messages[i])
	}
	b.rows = keyrow.Of(messages, errs, func(i int) string { return b.urls[i].String() })
	return b
}

// resolve returns the URL of a message. An event type is never used as a URL or
// a path: the writers of events could then choose who gets the sink's
// credentials.
func (s *Sink) resolve(m *outbox.Message) (*url.URL, error) {
	u, err := url.Parse(m.Destination)
	switch {
	case err == nil && isHTTP(u) && !m.ByType:
		return u, nil
	case s.base == nil && m.ByType:
		return nil, fmt.Errorf("httpsink: the route of %q names no URL: name one there, or set URL", m.Event.Type)
	case s.base == nil:
		return nil, fmt.Errorf("httpsink: destination %q is not an absolute URL: name one in the route, or set URL", driver.DestinationName(m.Destination))
	case err == nil && strings.HasPrefix(m.Destination, "/") && u.Host == "" && !m.ByType:
		return s.base.ResolveReference(u), nil
	}
	return s.base, nil
}

// run posts all rows, some of them concurrently.
func (b *batch) run(ctx context.Context) {
	workers := min(b.cfg.Concurrency, len(b.rows.Heads))
	var wg sync.WaitGroup
	for range workers - 1 {
		wg.Go(func() { b.work(ctx) })
	}
	b.work(ctx)
	wg.Wait()
}

func (b *batch) work(ctx context.Context) {
	for {
		at := int(b.next.Add(1)) - 1
		if at >= len(b.rows.Heads) {
			return
		}
		b.postRow(ctx, b.rows.Heads[at])
	}
}

// postRow posts messages of one key. A later message must not overtake one that
// will be retried; it may pass one that failed permanently.
func (b *batch) postRow(ctx context.Context, i int) {
	for ; i >= 0; i = b.rows.After[i] {
		err := b.postOne(ctx, i)
		b.errs[i] = err
		if err == nil || outbox.IsPermanent(err) {
			continue
		}
		for i = b.rows.After[i]; i >= 0; i = b.rows.After[i] {
			b.errs[i] = keyrow.Behind(err)
		}
		return
	}
}

// postOne posts a message, unless its host did not answer another one of this
// batch: the batch would wait for the timeout of each.
func (b *batch) postOne(ctx context.Context, i int) error {
	u := b.urls[i]
	host := hostOf(u)
	b.mu.Lock()
	err := b.down[host]
	b.mu.Unlock()
	if err == nil && ctx.Err() != nil {
		err = b.endedBy(ctx)
	}
	if err != nil {
		return outbox.Unavailable(driver.NotSent(fmt.Errorf("httpsink: not sent: %w", err)))
	}
	err = b.post(ctx, u, &b.messages[i])
	if outbox.IsUnavailable(err) {
		b.mu.Lock()
		b.down[host] = err
		b.mu.Unlock()
	}
	return err
}

// endedBy says why ctx is done.
func (s *Sink) endedBy(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return errClosed
	}
	return context.Cause(ctx)
}
