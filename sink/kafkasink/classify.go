package kafkasink

import (
	"errors"
	"fmt"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/sendoff-go/outbox"
)

func unknownTopic(err error) bool {
	return errors.Is(err, kerr.UnknownTopicOrPartition) || errors.Is(err, kerr.UnknownTopicID)
}

// refused reports whether a broker, or the client on its behalf, rejects the
// record itself.
func refused(err error) bool {
	for _, e := range []error{
		kerr.MessageTooLarge, kerr.RecordListTooLarge, kerr.InvalidRecord, kerr.CorruptMessage,
		kerr.PolicyViolation, kerr.UnsupportedForMessageFormat, kerr.InvalidRequiredAcks,
	} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// answered reports whether a record that was given to the client is certainly not
// in its topic: a broker said so, or the client had no room. An error that the
// client retries proves nothing: it may be the last of several, after an answer
// was lost.
func answered(err error) bool {
	var code *kerr.Error
	return err == nil || errors.Is(err, kgo.ErrMaxBuffered) || unknownTopic(err) || refused(err) ||
		errors.As(err, &code) && !code.Retriable && !connection(code)
}

// untimely reports whether the topic rejects the timestamp of the record.
func untimely(err error) bool { return errors.Is(err, kerr.InvalidTimestamp) }

// untimelyWait is how long an event waits after the topic rejected its
// timestamp. It spends no attempt: every event has the same clock.
const untimelyWait = 5 * time.Second

// classify decides whether an error is about the brokers or the message, and
// says what to do.
func (s *Sink) classify(m outbox.Message, err error) error {
	var code *kerr.Error
	switch {
	case s.isClosed():
		return outbox.Unavailable(errClosed)
	case outbox.IsPermanent(err):
		return err
	case outbox.IsUnavailable(err): // no broker could be reached
		s.failed.Add(m.Destination)
		return err
	case errors.Is(err, kerr.MessageTooLarge), errors.Is(err, kerr.RecordListTooLarge):
		return outbox.Permanent(fmt.Errorf("kafkasink: a payload of %d bytes is too large for topic %q: raise max.message.bytes of the topic and MaxMessageBytes here, or send a reference: %w", len(m.Payload()), m.Destination, err))
	case untimely(err): // this machine's clock is wrong, not the event: another relay may deliver it
		s.logger.Warn("kafkasink: the topic rejects the timestamp of this machine: compare its clock with the brokers', or set message.timestamp.type of the topic to LogAppendTime",
			"topic", m.Destination, "event", m.Event.ID, "error", err)
		return outbox.RetryAfter(untimelyWait)
	case refused(err):
		return outbox.Permanent(fmt.Errorf("kafkasink: topic %q rejects the record: %w", m.Destination, err))
	case unknownTopic(err):
		s.forget(m.Destination)
		return fmt.Errorf("kafkasink: topic %q does not exist: create it, or route the event to another one with outbox.To: %w", m.Destination, err)
	case errors.Is(err, kerr.InvalidTopicException):
		return outbox.Permanent(fmt.Errorf("kafkasink: the broker does not allow the topic %q: route the event to another one with outbox.To: %w", m.Destination, err))
	case errors.Is(err, kerr.TopicAuthorizationFailed):
		return fmt.Errorf("kafkasink: no permission to write to topic %q: grant Write on it to the user of this sink: %w", m.Destination, err)
	case errors.As(err, &code) && !code.Retriable && !connection(code):
		return fmt.Errorf("kafkasink: topic %q: %w", m.Destination, err)
	}
	s.failed.Add(m.Destination)
	s.reach.proven.Store(false)
	switch {
	case errors.Is(err, kgo.ErrClientClosed):
		err = errClosed
	case errors.Is(err, kgo.ErrMaxBuffered):
		err = fmt.Errorf("too many records are waiting for the brokers: %w", err)
	}
	return outbox.Unavailable(fmt.Errorf("kafkasink: topic %q: %w", m.Destination, explain(err)))
}

// connection reports whether a final error is about the client, not the record.
func connection(err *kerr.Error) bool {
	switch err {
	case kerr.SaslAuthenticationFailed, kerr.ClusterAuthorizationFailed, kerr.IllegalSaslState, kerr.UnsupportedSaslMechanism,
		kerr.TransactionalIDAuthorizationFailed, kerr.OutOfOrderSequenceNumber, kerr.InvalidProducerEpoch, kerr.UnknownProducerID:
		return true
	}
	return false
}

// forget makes the client look up a topic again: one that was deleted and
// recreated has a new id, and the client would keep using the old one.
func (s *Sink) forget(topic string) {
	if s.owned {
		s.client.PurgeTopicsFromProducing(topic)
	}
}
