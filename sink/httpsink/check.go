package httpsink

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// suspect is a host that was unavailable: for which URL, and the end of its
// Retry-After.
type suspect struct {
	url   *url.URL
	until time.Time
	err   error
}

// maxSuspects bounds the hosts that are remembered. A forgotten one is checked
// before its Retry-After is over.
const maxSuspects = 1000

func hostOf(u *url.URL) string { return u.Scheme + "://" + u.Host }

func (s *Sink) suspectHost(u *url.URL, err error) {
	delay, _, _ := driver.RetryDelay(err)
	s.mu.Lock()
	defer s.mu.Unlock()
	host := hostOf(u)
	if s.suspects[host].url == nil {
		s.cfg.Logger.Warn("httpsink: host is unavailable", "error", err)
	}
	if s.suspects == nil || len(s.suspects) >= maxSuspects {
		s.suspects = map[string]suspect{}
	}
	s.suspects[host] = suspect{u, time.Now().Add(delay), err}
	s.last = u
}

// Check implements [driver.Checker]: it sends a HEAD request to the URL that
// was unavailable last, or else to [Config].URL. Any answer passes unless its
// status means unavailable, and so does a sink that has neither URL. Until a
// Retry-After is over it fails without a request.
func (s *Sink) Check(ctx context.Context) error {
	s.mu.Lock()
	u := s.last
	s.mu.Unlock()
	if u == nil {
		u = s.base
	}
	return s.check(ctx, u)
}

// CheckDestination implements [driver.DestinationChecker]: like Check, but for
// the URL of such messages, whatever the state of other hosts.
func (s *Sink) CheckDestination(ctx context.Context, m outbox.Message) error {
	u, err := s.resolve(&m)
	if err != nil {
		u = nil // no host to check: Send says what is wrong
	}
	return s.check(ctx, u)
}

func (s *Sink) check(ctx context.Context, u *url.URL) error {
	ctx, end, err := s.begin(ctx)
	if err != nil {
		return outbox.Unavailable(err)
	}
	defer end()
	if u == nil {
		return nil
	}
	host := hostOf(u)
	s.mu.Lock()
	known := s.suspects[host]
	s.mu.Unlock()
	if left := time.Until(known.until); left > 0 {
		return outbox.Unavailable(fmt.Errorf("httpsink: the server asked to wait for another %s: %w", left.Round(time.Second), errors.Unwrap(known.err)))
	}
	if err := s.head(ctx, u); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if known.url != nil && s.suspects[host] == known {
		delete(s.suspects, host)
		if s.last != nil && hostOf(s.last) == host {
			s.last = nil
		}
		s.cfg.Logger.Info("httpsink: host answers again", "url", shown(u))
	}
	return nil
}

func (s *Sink) head(ctx context.Context, u *url.URL) error {
	limited, cancel := context.WithTimeout(ctx, s.cfg.Timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(limited, http.MethodHead, u.String(), nil)
	if err != nil {
		return fmt.Errorf("httpsink: destination %s cannot be used: write http://host/path or https://host/path", shown(u))
	}
	req.Close = true // use a new connection: a kept one says little about the next
	resp, err := s.client.Do(req)
	if err != nil {
		if ctx.Err() != nil {
			err = s.endedBy(ctx)
		}
		return outbox.Unavailable(fmt.Errorf("httpsink: %s: %w", shown(u), bare(req, err)))
	}
	defer func() { _ = resp.Body.Close() }()
	finish(resp)
	if away(resp.StatusCode) {
		return outbox.Unavailable(fmt.Errorf("httpsink: %s answered %s", shown(u), scrub(resp.Status, resp.Request)))
	}
	return nil
}
