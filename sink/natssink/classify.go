package natssink

import (
	"errors"
	"fmt"

	"github.com/nats-io/nats.go"

	"github.com/sendoff-go/outbox"
)

// The stream's refusals that are about the message, by their error number.
const (
	errCodeTooLarge   = 10054 // larger than the stream's max_msg_size
	errCodeOtherName  = 10060 // Nats-Expected-Stream names another one
	errCodeHeaderSize = 10097
)

// classify says who is to blame for an error, and what to do.
func (s *Sink) classify(m outbox.Message, err error) error {
	var ack *ackError
	switch {
	case outbox.IsPermanent(err):
		return err
	case errors.Is(err, nats.ErrMaxPayload):
		return outbox.Permanent(fmt.Errorf("natssink: a payload of %d bytes is, with its headers, larger than the %d that the server allows: raise max_payload, or send a reference: %w", len(m.Payload()), s.nc.MaxPayload(), err))
	case errors.Is(err, nats.ErrNoResponders):
		return fmt.Errorf("natssink: no stream has the subject %q: create one, or add the subject to one: %w", m.Destination, err)
	case errors.Is(err, nats.ErrBadSubject), errors.Is(err, nats.ErrBadHeaderMsg):
		return outbox.Permanent(fmt.Errorf("natssink: subject %q: %w", m.Destination, err))
	case errors.As(err, &ack) && (ack.ErrCode == errCodeTooLarge || ack.ErrCode == errCodeHeaderSize):
		return outbox.Permanent(fmt.Errorf("natssink: a payload of %d bytes is too large for the stream of subject %q: raise its max_msg_size, or send a reference: %w", len(m.Payload()), m.Destination, err))
	case ack != nil && !ack.away():
		return fmt.Errorf("natssink: the stream of subject %q refused the message: %w", m.Destination, err)
	case errors.Is(err, errClosed), errors.Is(err, nats.ErrConnectionClosed) && s.isClosed():
		return outbox.Unavailable(errClosed)
	}
	if errors.Is(err, nats.ErrReconnectBufExceeded) {
		err = s.link.away()
	}
	s.failed.add(m.Destination)
	return outbox.Unavailable(fmt.Errorf("natssink: subject %q: %w", m.Destination, err))
}

// away reports whether the stream cannot take any message now: its server has
// no room or no leader, or the stream is full and told to refuse new ones.
func (e *ackError) away() bool {
	const (
		storeFailed   = 10077 // "maximum messages exceeded" and its like
		resources     = 10023
		accountLimits = 10002
	)
	return e.Code >= 500 || e.Code == 429 || e.ErrCode == storeFailed || e.ErrCode == resources || e.ErrCode == accountLimits
}

func (s *Sink) isClosed() bool {
	select {
	case <-s.closed:
		return true
	default:
		return false
	}
}
