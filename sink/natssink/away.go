package natssink

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/sink/internal/certhint"
)

// away returns why there is no connection, and what to do about it.
func (l *link) away() error {
	got := make(chan error, 1)
	go func() { got <- l.nc.LastError() }() // it blocks while the client dials
	t := time.NewTimer(100 * time.Millisecond)
	defer t.Stop()
	var err error
	select {
	case err = <-got:
	case <-t.C:
	}
	if dialed := l.dialed(); err == nil || dialed != nil {
		err = dialed
	}
	if err == nil || errors.Is(err, errNotYet) {
		return errAway
	}
	return fmt.Errorf("%w: %w", errAway, explain(shownPermission(err)))
}

// dialed returns the error of the last attempt to dial, if the sink made it.
func (l *link) dialed() error {
	if l.dialer == nil {
		return nil
	}
	if e := l.dialer.last.Load(); e != nil {
		return *e
	}
	return nil
}

// explain adds advice to a connection error.
func explain(err error) error {
	var hint string
	switch {
	case errors.Is(err, nats.ErrAuthorization), errors.Is(err, nats.ErrAuthExpired), errors.Is(err, nats.ErrAuthRevoked):
		hint = "check the user and the password, the token or the credentials file"
	case strings.Contains(err.Error(), "closed by remote after TLS handshake"): // the client has no error for it
		hint = "the server may require a client certificate: set Certificates of TLS (cert-file and key-file)"
	}
	return certhint.Add(err, "server", hint)
}

// shownPermission removes the secrets from the subject that the server quotes
// in its refusal.
func shownPermission(err error) error {
	if !errors.Is(err, nats.ErrPermissionViolation) {
		return err
	}
	text := err.Error()
	from, to := strings.Index(text, `"`), strings.LastIndex(text, `"`)
	if from >= to {
		return err
	}
	return driver.DestinationError(err, text[from+1:to])
}
