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

// What is read of an answer: so much of it is shown, and so much is read for
// the sake of the connection, which can serve again only when it is drained.
const (
	maxExcerpt = 256
	maxScrub   = 16 << 10 // in which secrets are looked for, before it is cut
	maxDrain   = 64 << 10
)

// post sends one message and says what became of it.
func (s *Sink) post(ctx context.Context, u *url.URL, m *outbox.Message) error {
	header, body, err := s.encode(m)
	if err = cmp.Or(err, s.authorizes(u, m)); err != nil {
		return outbox.Permanent(fmt.Errorf("httpsink: %w", err))
	}
	limited, cancel := context.WithTimeout(ctx, s.cfg.Timeout)
	defer cancel()
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
		return s.noAnswer(ctx, req, err)
	}
	defer func() { _ = resp.Body.Close() }()
	excerpt := finish(resp)
	err = classify(resp, s.cfg.MaxRetryAfter, fmt.Sprintf("%s answered %s to a payload of %d bytes%s", shown(u), scrub(resp.Status, resp.Request), len(m.Payload()), excerpt))
	if outbox.IsUnavailable(err) {
		s.suspectHost(u, err)
	}
	return err
}

// noAnswer classifies what went wrong on the way.
func (s *Sink) noAnswer(ctx context.Context, req *http.Request, err error) error {
	u := req.URL
	if errors.Is(err, errBlocked) {
		return fmt.Errorf("httpsink: %s: %w", shown(u), bare(req, err))
	}
	if ctx.Err() != nil {
		err = s.endedBy(ctx)
	}
	err = outbox.Unavailable(fmt.Errorf("httpsink: %s: %w", shown(u), bare(req, err)))
	s.suspectHost(u, err)
	return err
}

// finish reads what is wanted of an answer and returns the beginning of one that
// is an error. After 101 nothing is read: the connection is no longer the
// client's, and no context would end the read.
func finish(resp *http.Response) string {
	switch {
	case resp.StatusCode == http.StatusSwitchingProtocols:
		return ", which nobody asked for"
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

// bare is the error without the URL that the client puts around it, and without
// what may be secret in the request.
func bare(req *http.Request, err error) error {
	var e *url.Error
	if errors.As(err, &e) {
		err = e.Err
	}
	return &scrubbed{err, scrub(err.Error(), req)}
}
