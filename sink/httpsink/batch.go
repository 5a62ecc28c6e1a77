package httpsink

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sendoff-go/outbox"
)

// batch is the messages of one Send, sorted into rows: those of a row have the
// same key and URL and are posted one after the other.
type batch struct {
	*Sink
	messages []outbox.Message
	urls     []*url.URL
	errs     []error
	rows     [][]int
	next     atomic.Int64 // row

	mu   sync.Mutex
	down map[string]error // hosts that gave no answer
}

func (s *Sink) sort(messages []outbox.Message, errs []error) *batch {
	b := &batch{Sink: s, messages: messages, errs: errs, urls: make([]*url.URL, len(messages)), down: map[string]error{}}
	type row struct{ key, url string }
	byRow := make(map[row]int, len(messages))
	for i := range messages {
		m := &messages[i]
		if b.urls[i], errs[i] = s.resolve(m); errs[i] != nil {
			continue
		}
		of := row{m.Key, b.urls[i].String()}
		at, ok := byRow[of]
		if !ok || m.Key == "" {
			at = len(b.rows)
			byRow[of] = at
			b.rows = append(b.rows, nil)
		}
		b.rows[at] = append(b.rows[at], i)
	}
	return b
}

// resolve is where a message goes. An event type is never taken for a URL or a
// path: the writers of events would choose who gets the sink's credentials.
func (s *Sink) resolve(m *outbox.Message) (*url.URL, error) {
	u, err := url.Parse(m.Destination)
	switch {
	case err == nil && isHTTP(u) && !m.ByType:
		return u, nil
	case s.base == nil && m.ByType:
		return nil, fmt.Errorf("httpsink: the route of %q names no URL: name one there, or set URL", m.Event.Type)
	case s.base == nil:
		return nil, fmt.Errorf("httpsink: destination %q is not an absolute URL: name one in the route, or set URL", outbox.DestinationName(m.Destination))
	case err == nil && strings.HasPrefix(m.Destination, "/") && u.Host == "" && !m.ByType:
		return s.base.ResolveReference(u), nil
	}
	return s.base, nil
}

// run posts all rows, some of them side by side.
func (b *batch) run(ctx context.Context) {
	workers := min(b.cfg.Concurrency, len(b.rows))
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
		if at >= len(b.rows) {
			return
		}
		b.postRow(ctx, b.rows[at])
	}
}

// postRow posts messages of one key. A later one must not overtake one that
// will be tried again; one that is dead is passed by.
func (b *batch) postRow(ctx context.Context, row []int) {
	for n, i := range row {
		err := b.postOne(ctx, i)
		b.errs[i] = err
		if err == nil || outbox.IsPermanent(err) {
			continue
		}
		for _, later := range row[n+1:] {
			b.errs[later] = behind(err)
		}
		return
	}
}

// behind is the answer for a message that was not sent because of the one
// before it: no attempt is spent.
func behind(err error) error {
	if outbox.IsUnavailable(err) {
		return outbox.Unavailable(fmt.Errorf("httpsink: not sent, since an earlier message of its key was not delivered: %w", errors.Unwrap(err)))
	}
	delay, _, asked := outbox.RetryDelay(err)
	if !asked {
		delay = time.Second
	}
	return outbox.RetryAfter(delay)
}

// postOne posts a message, unless its host gave no answer to another one of
// this batch: then a batch would wait for the timeout of each.
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
		return outbox.Unavailable(fmt.Errorf("httpsink: not sent: %w", err))
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
