package httpsink

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/sendoff-go/outbox"
)

// suspect is the host that was unavailable last, and until when it asked to be
// left alone.
type suspect struct {
	url   *url.URL
	until time.Time
	err   error
}

func (s *Sink) suspectHost(u *url.URL, err error) {
	delay, _, _ := outbox.RetryDelay(err)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.suspect.url == nil {
		s.cfg.Logger.Warn("httpsink: host is unavailable", "error", err)
	}
	s.suspect = suspect{u, time.Now().Add(delay), err}
}

// Check implements [outbox.Checker]: it sends a HEAD request to the URL that was
// unavailable last, or else to [Config].URL. Any answer that is not itself of
// the unavailable kind passes, and so does a sink that has neither. Before a
// Retry-After is over it fails without asking.
func (s *Sink) Check(ctx context.Context) error {
	ctx, end, err := s.begin(ctx)
	if err != nil {
		return outbox.Unavailable(err)
	}
	defer end()
	s.mu.Lock()
	last := s.suspect
	s.mu.Unlock()
	u := last.url
	if u == nil {
		u = s.base
	}
	if u == nil {
		return nil
	}
	if left := time.Until(last.until); left > 0 {
		return outbox.Unavailable(fmt.Errorf("httpsink: the server asked to wait for another %s: %w", left.Round(time.Second), errors.Unwrap(last.err)))
	}
	if err := s.head(ctx, u); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.suspect.url != nil && s.suspect == last {
		s.suspect = suspect{}
		s.cfg.Logger.Info("httpsink: host answers", "url", shown(u))
	}
	return nil
}

func (s *Sink) head(ctx context.Context, u *url.URL) error {
	limited, cancel := context.WithTimeout(ctx, s.cfg.Timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(limited, http.MethodHead, u.String(), nil)
	if err != nil {
		return fmt.Errorf("httpsink: %w", bare(err))
	}
	resp, err := s.client.Do(req)
	if err != nil {
		if ctx.Err() != nil {
			err = s.endedBy(ctx)
		}
		return outbox.Unavailable(fmt.Errorf("httpsink: %s: %w", shown(u), bare(err)))
	}
	defer func() { _ = resp.Body.Close() }()
	drain(resp)
	if away(resp.StatusCode) {
		return outbox.Unavailable(fmt.Errorf("httpsink: %s answered %s", shown(u), resp.Status))
	}
	return nil
}
