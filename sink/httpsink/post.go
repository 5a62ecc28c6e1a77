package httpsink

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// How much of an answer is shown, and how much is read at most: a connection
// can be reused only when its answer was read to the end.
const (
	maxExcerpt = 256
	maxScrub   = 16 << 10 // searched for secrets before it is cut
	maxDrain   = 64 << 10
)

// post sends one message and returns its outcome.
func (s *Sink) post(ctx context.Context, u *url.URL, m *outbox.Message) error {
	header, body, err := s.encode(m)
	if err = cmp.Or(err, s.authorizes(u, m)); err != nil {
		return outbox.Permanent(fmt.Errorf("httpsink: %w", err))
	}
	limited, cancel := context.WithTimeout(ctx, s.cfg.Timeout)
	defer cancel()
	limited, sent := watchSending(limited)
	req, err := http.NewRequestWithContext(limited, http.MethodPost, u.String(), bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("httpsink: destination %s cannot be used: write http://host/path or https://host/path", shown(u))
	}
	req.Header = header
	if s.cfg.Username != "" || s.cfg.Password != "" {
		req.SetBasicAuth(s.cfg.Username, s.cfg.Password)
	}
	resp, err := s.client.Do(req)
	if err != nil {
		return s.noAnswer(ctx, req, err, sent.Load())
	}
	defer func() { _ = resp.Body.Close() }()
	excerpt := finish(resp)
	err = classify(resp, s.cfg.MaxRetryAfter, fmt.Sprintf("%s answered %s to a payload of %d bytes%s", shown(u), scrub(resp.Status, resp.Request), len(m.Payload()), excerpt))
	if outbox.IsUnavailable(err) {
		s.suspectHost(u, err)
	}
	return err
}

// noAnswer classifies the error of a request that got no answer. The request may
// have arrived if it was sent.
func (s *Sink) noAnswer(ctx context.Context, req *http.Request, err error, sent bool) error {
	u := req.URL
	if errors.Is(err, errBlocked) {
		return fmt.Errorf("httpsink: %s: %w", shown(u), bare(req, err))
	}
	if ctx.Err() != nil {
		err = s.endedBy(ctx)
	}
	err = fmt.Errorf("httpsink: %s: %w", shown(u), bare(req, err))
	if sent {
		err = driver.Uncertain(err)
	}
	err = outbox.Unavailable(err)
	s.suspectHost(u, err)
	return err
}

// finish reads an answer as far as needed and returns the beginning of an
// error. After 101 it reads nothing: the connection is no longer the client's,
// and no context would end the read.
func finish(resp *http.Response) string {
	switch {
	case resp.StatusCode == http.StatusSwitchingProtocols:
		return ", which was not requested"
	case resp.StatusCode/100 == 2:
		_, _ = io.CopyN(io.Discard, resp.Body, maxDrain)
		return ""
	}
	start, _ := io.ReadAll(io.LimitReader(resp.Body, maxScrub))
	_, _ = io.CopyN(io.Discard, resp.Body, maxDrain)
	if start = bytes.TrimSpace(start); len(start) == 0 {
		return ""
	}
	return fmt.Sprintf(": %q", driver.CleanText(scrub(string(start), resp.Request), maxExcerpt))
}

// bare returns the error without the URL that the client adds, and without the
// request's secrets.
func bare(req *http.Request, err error) error {
	var e *url.Error
	if errors.As(err, &e) {
		err = e.Err
	}
	return &scrubbed{err, scrub(err.Error(), req)}
}
