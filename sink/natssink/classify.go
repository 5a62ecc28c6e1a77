package natssink

import (
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// The stream's refusals that are about the message, by their error number.
const (
	errCodeTooLarge   = 10054 // larger than the stream's max_msg_size
	errCodeOtherName  = 10060 // Nats-Expected-Stream names another one
	errCodeHeaderSize = 10097
)

// errCodeInProcess is the answer to a message whose earlier copy the stream's
// servers have not agreed on yet: that copy may still be lost.
const errCodeInProcess = 10158

// unsent reports whether the client itself refused the message.
func unsent(err error) bool {
	return errors.Is(err, nats.ErrMaxPayload) || errors.Is(err, nats.ErrBadSubject) || errors.Is(err, nats.ErrBadHeaderMsg)
}

// final reports whether no retry can help: the next message of the key may go.
func final(err error) bool {
	var ack *ackError
	return unsent(err) || errors.As(err, &ack) && (ack.ErrCode == errCodeTooLarge || ack.ErrCode == errCodeHeaderSize)
}

// behindError is the error of a message that was not sent because of the one
// before it.
type behindError struct{ cause error }

func (e *behindError) Error() string {
	return fmt.Sprintf("not sent, since an earlier message of its key was not acknowledged: %v", e.cause)
}

// behind returns the error of the message after one that failed. If no stream
// has the subject, that is true of both.
func behind(err error) error {
	var before *behindError
	if errors.As(err, &before) || errors.Is(err, nats.ErrNoResponders) {
		return err
	}
	return &behindError{err}
}

// classify decides whether an error is about the server or the message, and
// says what to do.
func (s *Sink) classify(m outbox.Message, err error) error {
	var ack *ackError
	var after *behindError
	name := driver.DestinationName(m.Destination)
	switch {
	case outbox.IsPermanent(err):
		return err
	case errors.As(err, &after):
		if outbox.IsUnavailable(s.classify(m, after.cause)) {
			return outbox.Unavailable(fmt.Errorf("natssink: subject %q: %w", name, err))
		}
		return outbox.RetryAfter(time.Second) // no attempt is spent
	case errors.Is(err, nats.ErrMaxPayload):
		return outbox.Permanent(fmt.Errorf("natssink: a payload of %d bytes is, with its headers, larger than the %d that the server allows: raise max_payload, or send a reference: %w", len(m.Payload()), s.nc.MaxPayload(), err))
	case errors.Is(err, nats.ErrNoResponders):
		return fmt.Errorf("natssink: no stream has the subject %q: create one, or add the subject to one: %w", name, err)
	case errors.Is(err, nats.ErrBadSubject), errors.Is(err, nats.ErrBadHeaderMsg):
		return outbox.Permanent(fmt.Errorf("natssink: subject %q: %w", name, err))
	case errors.As(err, &ack) && final(err):
		return outbox.Permanent(fmt.Errorf("natssink: a payload of %d bytes is too large for the stream of subject %q: raise its max_msg_size, or send a reference: %w", len(m.Payload()), name, err))
	case ack != nil && !ack.away():
		return fmt.Errorf("natssink: the stream of subject %q refused the message: %w", name, err)
	case errors.Is(err, errClosed), errors.Is(err, nats.ErrConnectionClosed) && s.isClosed():
		return outbox.Unavailable(errClosed)
	}
	if errors.Is(err, nats.ErrReconnectBufExceeded) {
		err = s.link.away()
	}
	s.failed.Add(m.Destination)
	return outbox.Unavailable(fmt.Errorf("natssink: subject %q: %w", name, err))
}

// away reports whether the stream cannot accept any message now: its server has
// no room or no leader, or the stream is full and configured to refuse new
// messages.
func (e *ackError) away() bool {
	const (
		storeFailed   = 10077 // "maximum messages exceeded" and similar
		resources     = 10023
		accountLimits = 10002
	)
	switch e.ErrCode {
	case storeFailed, resources, accountLimits, errCodeInProcess:
		return true
	}
	return e.Code >= 500 || e.Code == 429
}

func (s *Sink) isClosed() bool {
	select {
	case <-s.closed:
		return true
	default:
		return false
	}
}
